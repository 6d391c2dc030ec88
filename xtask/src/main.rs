//! Everything a person types starts here: `cargo xtask COMMAND`.
//!
//! A command does its own set-up (`setup`), keeps what it brings below target/xtask, and writes one line with its
//! time for every program that it runs. What cannot be had is a [`failure::Failure`]: one sentence, never a skip.

mod bench;
mod build;
mod clock;
mod console;
mod embedded;
mod failure;
mod process;
mod project;
mod setup;
mod stamp;
mod test;
mod view;

use std::process::ExitCode;

use failure::{Failure, Result};
use project::Project;

struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&Project, &[String]) -> Result<ExitCode>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "view",
        usage: "view [FILE|URL] [--once]",
        about: "show a file, or a sample, with b2nd in Rust, in JavaScript, and in the viewer until Ctrl-C",
        run: view::view,
    },
    Command { name: "build", usage: "build", about: "make the npm package in www/dist", run: build::build },
    Command {
        name: "test",
        usage: "test [--only STEP]… [--list]",
        about: "run every check, or only some",
        run: test::test,
    },
    Command {
        name: "bench",
        usage: "bench [GROUP]… [--json] [--only NAME]",
        about: "measure beside C-Blosc2: decode, slice, filters, open, sizes; beside other readers: peers, wasm; on a \
                microcontroller: embedded",
        run: bench::bench,
    },
];

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = take_flag(&mut arguments, "--verbose");
    run(&arguments, verbose).unwrap_or_else(|failure| {
        failure.report();
        ExitCode::FAILURE
    })
}

fn run(arguments: &[String], verbose: bool) -> Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first().filter(|(name, _)| !is_help(name)) else {
        help();
        return Ok(ExitCode::SUCCESS);
    };
    let command = COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
        Failure::new(format!("there is no command `{name}`; `cargo xtask help` lists them"))
    })?;
    if rest.iter().any(|argument| is_help(argument)) {
        println!("cargo xtask {}\n    {}", command.usage, command.about);
        return Ok(ExitCode::SUCCESS);
    }
    (command.run)(&Project::open(verbose)?, rest)
}

fn is_help(argument: &str) -> bool {
    ["help", "-h", "--help"].contains(&argument)
}

fn take_flag(arguments: &mut Vec<String>, flag: &str) -> bool {
    let before = arguments.len();
    arguments.retain(|argument| argument != flag);
    arguments.len() < before
}

fn help() {
    println!("cargo xtask COMMAND [--verbose]\n");
    for command in COMMANDS {
        println!("  {:<30} {}", command.usage, command.about);
    }
    println!("\n--verbose            show the output of every program, not only of one that fails");
    println!("XTASK_NO_RUSTUP=1    do as where rustup can download nothing");
}

//! Entry point: `cargo xtask COMMAND`.
//!
//! A command does its own set-up (`setup`), stores it below target/xtask, and prints a line with the time of every
//! program that it runs. A missing prerequisite is a [`error::Error`] with one sentence, never skipped.

mod arguments;
mod artifacts;
mod bench;
mod build;
mod clock;
mod command;
mod console;
mod embedded;
mod error;
mod failures;
mod process;
mod project;
mod release;
mod setup;
mod site;
mod stamp;
mod test;
mod view;

use std::process::ExitCode;

use arguments::Arguments;
use error::{Error, Result};
use project::Project;

struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    /// The options that it accepts besides `--help` and `--verbose`.
    options: &'static [&'static str],
    run: fn(&Project, &Arguments) -> Result<ExitCode>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "view",
        usage: "view [FILE|URL] [--once]",
        about: "show a file or a sample with the Rust tool, in JavaScript, and in the viewer until Ctrl-C",
        options: &["once"],
        run: view::view,
    },
    Command {
        name: "build",
        usage: "build [c]",
        about: "build the npm package in www/dist, or the libraries for C and HDF5",
        options: &[],
        run: build::build,
    },
    Command {
        name: "test",
        usage: "test [--only STEP]… [--list]",
        about: "run every check, or only some",
        options: &["only", "list"],
        run: test::test,
    },
    Command {
        name: "bench",
        usage: "bench [GROUP]… [--json] [--only NAME] [--kernels SET]",
        about: "measure beside C-Blosc2: decode, encode, auto, slice, filters, open, sizes; beside other readers: peers, wasm; on a \
                microcontroller: embedded; with the instruction set avx512, avx2, sse2 or scalar",
        options: &["only", "json", "kernels"],
        run: bench::bench,
    },
    Command {
        name: "site",
        usage: "site",
        about: "build the documentation site in docs/dist, check its links, and look for barriers with axe",
        options: &[],
        run: site::site,
    },
    Command {
        name: "artifacts",
        usage: "artifacts [KIND]… [--target TARGET] [--twice]",
        about: "build what a release publishes (crates, npm, wheel, tool, sbom) in target/artifacts; with --twice in two copies, which \
                must have the same bytes",
        options: &["target", "twice"],
        run: artifacts::artifacts,
    },
    Command {
        name: "release",
        usage: "release VERSION [--set]",
        about: "check that all packages and the changelog have this version, or set it, and print what has changed",
        options: &["set"],
        run: release::release,
    },
];

fn main() -> ExitCode {
    let done = Arguments::parse(lexopt::Parser::from_env()).and_then(|arguments| run(&arguments));
    done.unwrap_or_else(|error| {
        error.report();
        ExitCode::FAILURE
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Some(name) = arguments.command().filter(|name| *name != "help") else {
        help();
        return Ok(ExitCode::SUCCESS);
    };
    let command = COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
        Error::new(format!("there is no command `{}`; `cargo xtask help` lists them", name.display()))
    })?;
    if arguments.has("help") {
        println!("cargo xtask {}\n    {}", command.usage, command.about);
        return Ok(ExitCode::SUCCESS);
    }
    arguments.allow(command.options, command.usage)?;
    (command.run)(&Project::open(arguments.has("verbose"))?, arguments)
}

fn help() {
    println!("cargo xtask COMMAND [--verbose]\n");
    for command in COMMANDS {
        println!("  {:<30} {}", command.usage, command.about);
    }
    println!("\n--verbose            show every command line with its output, not only of one that fails");
    println!("XTASK_NO_RUSTUP=1    behave as if rustup could download nothing");
}

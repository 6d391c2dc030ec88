//! The command-line tool: inspects Blosc2 files, and converts their values to other formats.

mod args;
mod chunks;
mod failure;
mod get;
mod info;
mod opened;
mod output;
#[cfg(not(target_family = "wasm"))]
mod progress;
#[cfg(target_family = "wasm")]
#[path = "no_progress.rs"]
mod progress;
mod replacement;
mod source;
mod values;
mod verify;
mod words;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use failure::Failure;
use get::Wish;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::Info { path, json } => info::run(args, path, *json),
        Command::Get { path, selection, output, format, dtype } => {
            let (selection, dtype, output) = (selection.as_deref(), dtype.as_ref(), output.as_deref());
            get::run(args, path, &Wish { selection, dtype, format: *format, output })
        }
        Command::Chunks { path, json } => chunks::run(args, path, *json),
        Command::Verify { paths } => verify::run(args, paths),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "b2nd", &mut script);
            io::stdout().write_all(&script).map_err(Failure::Output)
        }
    }
}

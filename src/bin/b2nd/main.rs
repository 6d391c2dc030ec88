//! The command-line tool: looks into Blosc2 files, and brings their values into other programs' formats.

mod args;
mod chunks;
mod failure;
mod get;
mod info;
mod opened;
mod output;
mod progress;
mod values;
mod verify;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
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
        Command::Get { path, selection, output, format } => {
            get::run(args, path, selection.as_deref(), output.as_deref(), *format)
        }
        Command::Chunks { path, json } => chunks::run(args, path, *json),
        Command::Verify { paths } => verify::run(args, paths),
    }
}

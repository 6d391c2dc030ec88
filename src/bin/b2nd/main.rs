//! The command-line tool: looks into Blosc2 files, and brings their values into other programs' formats.

// Until the commands are wired to the library.
#![allow(dead_code)]

mod args;
mod failure;
mod output;
mod progress;
mod values;

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
    let name = match &args.command {
        Command::Info { .. } => "info",
        Command::Get { .. } => "get",
        Command::Chunks { .. } => "chunks",
        Command::Verify { .. } => "verify",
    };
    eprintln!("b2nd {name}: not wired");
    Ok(())
}

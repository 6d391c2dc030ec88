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
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}

/// Carries out the command. A status other than success is for commands that go on after a fault.
fn run(args: &Args) -> Result<ExitCode, Failure> {
    let name = match &args.command {
        Command::Info { .. } => "info",
        Command::Get { .. } => "get",
        Command::Chunks { .. } => "chunks",
        Command::Verify { .. } => "verify",
    };
    eprintln!("b2nd {name}: not wired");
    Ok(ExitCode::from(2))
}

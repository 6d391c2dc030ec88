//! A cargo that can build for another target.

use std::process::Command;

use super::{distribution, rustup};
use crate::failure::{Failure, Result};
use crate::process;
use crate::project::Project;

pub const WASM: &str = "wasm32-unknown-unknown";
pub const CORTEX_M: &str = "thumbv7em-none-eabihf";
pub const ARM64: &str = "aarch64-unknown-linux-gnu";

/// `cargo SUBCOMMAND --target TARGET` for code that needs `core` and `alloc`: rustup's, else the distribution's.
pub fn cargo(project: &Project, subcommand: &str, target: &str) -> Result<Command> {
    let Err(no_rustup) = rustup::target(project, target) else {
        return Ok(process::cargo([subcommand, "--target", target]));
    };
    distribution::cargo(project, subcommand, target, "core,alloc").map_err(|failure| Failure {
        sentence: format!("{}, or, on Debian, `{}` does", no_rustup.sentence, distribution::INSTALL),
        output: no_rustup.output + &failure.output,
    })
}

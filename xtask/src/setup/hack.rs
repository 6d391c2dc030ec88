//! cargo-hack, which checks combinations of features.

use std::path::PathBuf;

use crate::command::{self, cargo};
use crate::failure::{Failure, Result};
use crate::process;
use crate::project::Project;

const VERSION: &str = "0.6.46";

/// Returns its path, after building it from crates.io if it is missing. Without optimisation it compiles in half the time, and
/// at run time it mostly waits for cargo.
pub fn program(project: &Project) -> Result<PathBuf> {
    let root = project.cache("cargo-hack");
    let program = root.join("bin/cargo-hack");
    let version = command::ask(&mut command::command(&program, ["hack", "--version"]));
    if version.is_some_and(|version| version.ends_with(VERSION)) {
        return Ok(program);
    }
    let mut install = cargo(["install", "cargo-hack", "--version", VERSION, "--locked", "--debug", "--root"]);
    install.arg(&root).arg("--target-dir").arg(root.join("target"));
    process::run(project, &mut install).map_err(|failure| Failure {
        sentence: format!("cargo could not install cargo-hack {VERSION}: crates.io must be reachable"),
        output: failure.output,
    })?;
    Ok(program)
}

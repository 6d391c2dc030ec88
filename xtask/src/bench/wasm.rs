//! `cargo xtask bench wasm`: compares the npm package with other readers of compressed arrays in JavaScript.

use super::run_json;
use crate::build;
use crate::command::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::{node, python};

const SCRIPT: &str = "www/bench/wasm.mjs";
/// Writes the input of the other readers, unless it exists.
const FILES: &str = "www/bench/wasm_files.py";

pub fn bench(project: &Project, flags: &[&str]) -> Result {
    let python = python::with_peers(project)?;
    build::package(project)?;
    let files = project.target.join("bench").join("wasm");
    run(project, command(&python, [FILES]).arg(&files))?;
    let mut script = node::node(project, SCRIPT);
    script.arg("--files").arg(&files).args(flags);
    print!("{}", run_json(project, &mut script)?);
    Ok(())
}

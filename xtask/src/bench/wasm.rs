//! `cargo xtask bench wasm`: the npm package beside others that read compressed arrays in JavaScript.

use std::path::Path;

use super::run_json;
use crate::build;
use crate::failure::{Failure, Result};
use crate::project::Project;
use crate::setup::{node, python};

const SCRIPT: &str = "www/bench/wasm.mjs";

/// `files` are those that the other groups read. What the script makes itself, it keeps in a folder of its own, and the
/// Python that it is told of knows the formats of the others.
pub fn bench(project: &Project, files: &Path, flags: &[&str]) -> Result {
    if !project.root.join(SCRIPT).exists() {
        return Err(Failure::new(format!("{SCRIPT} is missing, and it is what this group runs")));
    }
    let python = python::with_peers(project)?;
    build::package(project)?;
    let mut script = node::node(project, SCRIPT);
    script.arg("--files").arg(files).arg("--python").arg(python);
    script.arg("--out").arg(project.target.join("bench").join("wasm")).args(flags);
    print!("{}", run_json(project, &mut script)?);
    Ok(())
}

//! `cargo xtask bench remote`: compares readers of a distant file, b2nd with zarrs and python-blosc2.

use super::executable;
use crate::command::{cargo, command};
use crate::error::Result;
use crate::process::{run, show};
use crate::project::Project;
use crate::setup::python;
use std::process::ExitCode;

const MANIFEST: &str = "benches/remote/Cargo.toml";
const SCRIPT: &str = "benches/remote/remote.py";

pub fn bench(project: &Project) -> Result<ExitCode> {
    let python = python::with_remote(project)?;
    let build = ["build", "--release", "--manifest-path", MANIFEST];
    run(project, cargo(build).arg("--target-dir").arg(&project.target))?;
    let mut script = command(&python, [SCRIPT]);
    script.arg(executable(project, "b2nd-remote-bench")).arg(project.target.join("bench").join("remote"));
    show(project, &mut script)?;
    Ok(ExitCode::SUCCESS)
}

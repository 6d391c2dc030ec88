//! `cargo xtask bench tables`: tables from and to Parquet, b2nd beside python-blosc2.

use super::executable;
use crate::command::{cargo, command};
use crate::error::Result;
use crate::process::{run, show};
use crate::project::Project;
use crate::setup::python;
use std::process::ExitCode;

const SCRIPT: &str = "benches/tables.py";

pub fn bench(project: &Project) -> Result<ExitCode> {
    let python = python::with_readers(project)?;
    run(project, &mut cargo(["build", "--release", "--package", "b2nd-cli", "--features", "parquet"]))?;
    let mut script = command(&python, [SCRIPT]);
    script.arg(executable(project, "b2nd")).arg(project.target.join("bench").join("tables"));
    show(project, &mut script)?;
    Ok(ExitCode::SUCCESS)
}

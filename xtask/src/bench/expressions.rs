//! `cargo xtask bench expressions`: expressions of arrays, b2nd beside python-blosc2.

use super::command_line_tool;
use crate::command::command;
use crate::error::Result;
use crate::process::show;
use crate::project::Project;
use crate::setup::python;
use std::process::ExitCode;

const SCRIPT: &str = "benches/expressions.py";

pub fn bench(project: &Project) -> Result<ExitCode> {
    let python = python::with_reference(project)?;
    let mut script = command(&python, [SCRIPT]);
    script.arg(command_line_tool(project)?).arg(project.target.join("bench").join("expressions"));
    show(project, &mut script)?;
    Ok(ExitCode::SUCCESS)
}

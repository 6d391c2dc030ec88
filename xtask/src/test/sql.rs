//! The crate for DataFusion: its lints and tests, with tables by the reference, and workers that are killed.

use std::process::Command;

use crate::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::python;

const MANIFEST: &str = "integrations/datafusion/Cargo.toml";

pub fn sql(project: &Project) -> Result {
    let python = python::with_reference(project)?;
    run(project, &mut workspace(project, &["fmt", "--check"]))?;
    let lint = ["clippy", "--all-targets", "--all-features"];
    run(project, workspace(project, &lint).args(["--", "--deny", "warnings"]))?;
    let mut test = workspace(project, &["test", "--all-features"]);
    run(project, test.args(["--", "--include-ignored"]).env("B2ND_PYTHON", python)).map(drop)
}

fn workspace(project: &Project, arguments: &[&str]) -> Command {
    command::workspace(MANIFEST, &project.target.join("sql"), arguments)
}

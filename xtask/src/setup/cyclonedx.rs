//! cargo-cyclonedx, which lists the components of a program.

use std::path::PathBuf;

use super::crates::Program;
use crate::error::Result;
use crate::project::Project;

const CYCLONEDX: Program = Program {
    package: "cargo-cyclonedx",
    version: "0.5.9",
    name: "cargo-cyclonedx",
    asked: &["cyclonedx", "--version"],
    options: &["--locked"],
};

/// Returns its path, after building it if it is missing.
pub fn program(project: &Project) -> Result<PathBuf> {
    CYCLONEDX.path(project, &project.cache("cargo-cyclonedx"))
}

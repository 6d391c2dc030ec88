//! cargo-hack, which checks combinations of features.

use std::path::PathBuf;

use super::crates::Program;
use crate::error::Result;
use crate::project::Project;

const HACK: Program = Program {
    package: "cargo-hack",
    version: "0.6.46",
    name: "cargo-hack",
    asked: &["hack", "--version"],
    options: &["--locked"],
};

/// Returns its path, after building it if it is missing.
pub fn program(project: &Project) -> Result<PathBuf> {
    HACK.path(project, &project.cache("cargo-hack"))
}

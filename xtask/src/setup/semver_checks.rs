//! cargo-semver-checks, which compares two versions of an API.

use std::path::PathBuf;

use super::crates::Program;
use crate::error::Result;
use crate::project::Project;

const SEMVER_CHECKS: Program = Program {
    package: "cargo-semver-checks",
    version: "0.49.0",
    name: "cargo-semver-checks",
    asked: &["semver-checks", "--version"],
    options: &["--locked"],
};

/// Returns its path, after building it if it is missing.
pub fn program(project: &Project) -> Result<PathBuf> {
    SEMVER_CHECKS.path(project, &project.cache("cargo-semver-checks"))
}

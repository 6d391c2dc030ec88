//! Programs from crates.io, which cargo compiles.

use std::path::{Path, PathBuf};

use crate::command::{self, cargo};
use crate::error::{Error, Result};
use crate::process;
use crate::project::Project;

/// A program of a package.
pub struct Program<'p> {
    pub package: &'p str,
    pub version: &'p str,
    /// Its file name.
    pub name: &'p str,
    /// The arguments that make it print its version.
    pub asked: &'p [&'p str],
    /// Further arguments of `cargo install`.
    pub options: &'p [&'p str],
}

impl Program<'_> {
    /// Returns its path, after building it below `root` unless this version is there. Without optimisation and debug information
    /// it compiles in less than half the time, and at run time it mostly waits for cargo.
    pub fn path(&self, project: &Project, root: &Path) -> Result<PathBuf> {
        let path = root.join("bin").join(self.name);
        let found = command::ask(&mut command::command(&path, self.asked));
        if found.is_none_or(|found| !found.ends_with(self.version)) {
            self.install(project, root)?;
        }
        Ok(path)
    }

    fn install(&self, project: &Project, root: &Path) -> Result {
        let Self { package, version, .. } = self;
        let mut install = cargo(["install", package, "--version", version, "--debug", "--root"]);
        install.arg(root).arg("--target-dir").arg(root.join("target")).args(self.options);
        process::run(project, install.env("CARGO_PROFILE_DEV_DEBUG", "0")).map(drop).map_err(|error| Error {
            sentence: format!("cargo could not install {package} {version}: crates.io must be reachable"),
            output: error.output,
        })
    }
}

//! wasm-pack, with the wasm-bindgen of the crate's version.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{self, cargo};
use crate::failure::{About, Failure, Result};
use crate::process;
use crate::project::Project;

const VERSION: &str = "0.15.1";

/// Returns a PATH that begins with both programs, after building those that are missing.
pub fn path(project: &Project) -> Result<OsString> {
    let root = project.cache("wasm-pack");
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).about("Cargo.lock")?;
    let bindgen =
        version(&lock, "wasm-bindgen").ok_or_else(|| Failure::new("Cargo.lock has no wasm-bindgen"))?;
    install(project, &root, "wasm-pack", "wasm-pack", VERSION)?;
    install(project, &root, "wasm-bindgen-cli", "wasm-bindgen", bindgen)?;
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        [root.join("bin")].into_iter().chain(std::env::split_paths(&others)).collect();
    std::env::join_paths(folders).map_err(|error| Failure::new(format!("PATH: {error}")))
}

/// Builds a program from crates.io unless it is there. Without optimisation it compiles in half the time.
fn install(project: &Project, root: &Path, package: &str, program: &str, version: &str) -> Result {
    let installed = root.join("bin").join(program);
    let found = command::ask(&mut command::command(installed, ["--version"]));
    if found.is_some_and(|found| found.ends_with(version)) {
        return Ok(());
    }
    let mut install = cargo(["install", package, "--version", version, "--debug", "--root"]);
    install.arg(root).arg("--target-dir").arg(root.join("target"));
    process::run(project, &mut install).map(drop).map_err(|failure| Failure {
        sentence: format!("cargo could not install {package} {version}: crates.io must be reachable"),
        output: failure.output,
    })
}

/// The version of a package in a lock file.
fn version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_lock_names_versions() {
        let lock = "[[package]]\nname = \"a-b\"\nversion = \"1.0\"\n\n[[package]]\nname = \"a\"\nversion = \"0.2.1\"\n";
        assert_eq!(version(lock, "a"), Some("0.2.1"));
        assert_eq!(version(lock, "b"), None);
    }
}

//! wasm-pack, with the wasm-bindgen of the crate's version.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use super::crates::Program;
use crate::error::{About, Error, Result};
use crate::project::Project;

const WASM_PACK: Program = Program {
    package: "wasm-pack",
    version: "0.15.1",
    name: "wasm-pack",
    asked: &["--version"],
    options: &[],
};

/// Returns a PATH that begins with both programs, after building those that are missing.
pub fn path(project: &Project) -> Result<OsString> {
    let root = project.cache("wasm-pack");
    let lock = fs::read_to_string(project.root.join("Cargo.lock")).about("Cargo.lock")?;
    let version =
        version(&lock, "wasm-bindgen").ok_or_else(|| Error::new("Cargo.lock has no wasm-bindgen"))?;
    WASM_PACK.path(project, &root)?;
    // Its default features are for tests in browsers.
    let options = &["--no-default-features"];
    let bindgen =
        Program { package: "wasm-bindgen-cli", version, name: "wasm-bindgen", options, ..WASM_PACK };
    bindgen.path(project, &root)?;
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        [root.join("bin")].into_iter().chain(std::env::split_paths(&others)).collect();
    std::env::join_paths(folders).map_err(|error| Error::new(format!("PATH: {error}")))
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

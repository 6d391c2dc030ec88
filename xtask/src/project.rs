//! The project: where it lies, and what its manifest says.

use std::env;
use std::fs;
use std::path::PathBuf;

use crate::failure::{About, Failure, Result};

pub struct Project {
    pub root: PathBuf,
    /// Where cargo builds.
    pub target: PathBuf,
    /// Show the output of every program.
    pub verbose: bool,
    manifest: String,
}

impl Project {
    pub fn open(verbose: bool) -> Result<Self> {
        let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = package
            .and_then(|package| package.parent().map(PathBuf::from))
            .ok_or_else(|| Failure::new("cargo must start this program: type `cargo xtask`"))?;
        let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |target| root.join(target));
        let manifest = fs::read_to_string(root.join("Cargo.toml")).about("Cargo.toml")?;
        Ok(Self { root, target, verbose, manifest })
    }

    /// A place below target/xtask: what set-up brings is kept there.
    pub fn cache(&self, name: &str) -> PathBuf {
        self.target.join("xtask").join(name)
    }

    /// The oldest compiler that the package promises to build with, such as `1.95`.
    pub fn rust_version(&self) -> Result<&str> {
        self.value("rust-version")
    }

    /// What the library's manifest says of the package.
    pub fn value(&self, key: &str) -> Result<&str> {
        self.manifest
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))
            .and_then(|rest| rest.split('"').next())
            .ok_or_else(|| Failure::new(format!("Cargo.toml has no {key}")))
    }

    /// The features of the library that a stable compiler builds, in the manifest's order.
    pub fn features(&self) -> Vec<&str> {
        let section = self.manifest.lines().skip_while(|line| *line != "[features]").skip(1);
        section
            .take_while(|line| !line.starts_with('['))
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once('='))
            .map(|(name, _)| name.trim())
            .filter(|name| !["default", "nightly"].contains(name))
            .collect()
    }

    pub fn all_features(&self) -> String {
        self.features().join(",")
    }
}

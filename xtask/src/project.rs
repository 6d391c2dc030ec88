//! The project: its location and its manifest.

use std::env;
use std::path::PathBuf;

use serde_json::Value;

use crate::command::{ask, cargo};
use crate::error::{Error, Result};

/// The library's package.
const LIBRARY: &str = "b2nd";

pub struct Project {
    pub root: PathBuf,
    /// cargo's target directory.
    pub target: PathBuf,
    /// Whether to show the output of every program.
    pub verbose: bool,
    /// The library's package, from `cargo metadata`.
    library: Value,
}

impl Project {
    pub fn open(verbose: bool) -> Result<Self> {
        let package = env::var_os("CARGO_MANIFEST_DIR");
        let package =
            package.ok_or_else(|| Error::new("cargo must start this program: type `cargo xtask`"))?;
        let mut metadata = cargo(["metadata", "--format-version", "1", "--no-deps"]);
        let metadata = ask(metadata.current_dir(package)).and_then(|text| serde_json::from_str(&text).ok());
        metadata
            .and_then(|metadata| Self::of(metadata, verbose))
            .ok_or_else(|| Error::new("`cargo metadata` failed"))
    }

    fn of(mut metadata: Value, verbose: bool) -> Option<Self> {
        let folder = |name: &str| metadata[name].as_str().map(PathBuf::from);
        let (root, target) = (folder("workspace_root")?, folder("target_directory")?);
        let library =
            metadata["packages"].as_array_mut()?.iter_mut().find(|package| package["name"] == LIBRARY)?;
        Some(Self { root, target, verbose, library: library.take() })
    }

    /// A path below target/xtask, where set-up is stored.
    pub fn cache(&self, name: &str) -> PathBuf {
        self.target.join("xtask").join(name)
    }

    /// The minimum supported Rust version, such as `1.91`.
    pub fn rust_version(&self) -> Result<&str> {
        self.value("rust_version")
    }

    /// A value of the library's package: `version`, `repository` and others.
    pub fn value(&self, key: &str) -> Result<&str> {
        self.library[key].as_str().ok_or_else(|| Error::new(format!("Cargo.toml has no {key}")))
    }

    /// The features of the library that a stable compiler supports.
    pub fn features(&self) -> Vec<&str> {
        let features =
            self.library["features"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        features.filter(|name| !["default", "nightly"].contains(name)).collect()
    }

    pub fn all_features(&self) -> String {
        self.features().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::Project;

    #[test]
    fn cargo_tells_what_the_manifest_says() {
        let project = Project::open(false).unwrap();
        assert!(project.root.join("xtask").join("Cargo.toml").exists());
        assert_eq!(project.value("name").unwrap(), "b2nd");
        assert!(project.rust_version().unwrap().starts_with("1."));
        assert!(project.value("edition").is_ok() && project.value("no such key").is_err());
        let features = project.features();
        assert!(features.contains(&"alloc") && features.contains(&"store"), "{features:?}");
        // cargo makes features of optional dependencies, unless others name them.
        assert!(!features.contains(&"nightly") && !features.contains(&"rustix"), "{features:?}");
    }
}

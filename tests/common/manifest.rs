//! The manifest of the golden files, and of the random ones, which has the same form.

#![allow(dead_code, reason = "each test uses a part of it")]

use b2nd::DParams;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A line of a manifest.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) facts: Value,
}

impl Case {
    /// The contents of the file according to the manifest: "array", "schunk" or "chunk".
    pub(crate) fn kind(&self) -> &str {
        self.facts["kind"].as_str().unwrap_or_default()
    }

    /// Where the frame begins in its file.
    pub(crate) fn offset(&self) -> u64 {
        self.facts["offset"].as_u64().unwrap_or(0)
    }

    /// Whose fault it is that the file cannot be read, if it cannot.
    pub(crate) fn error(&self) -> Option<&str> {
        self.facts["error"].as_str()
    }

    /// The selections, as text, and the digests of their items; the whole comes first.
    pub(crate) fn slices(&self) -> Vec<(String, String)> {
        let text = |value: &'_ Value, key| value[key].as_str().unwrap_or_default().to_owned();
        let mut slices = vec![(String::new(), text(&self.facts, "sha256"))];
        for slice in self.facts["slices"].as_array().into_iter().flatten() {
            slices.push((text(slice, "sel"), text(slice, "sha256")));
        }
        slices
    }

    pub(crate) fn dparams(&self) -> DParams {
        // Nothing in this one tells that it is older than most of its version; the others of its age do.
        DParams {
            early_bitshuffle: self.name == "early/cat0.2.2-3d-i4-zstd-bitshuf.caterva",
            ..DParams::default()
        }
    }
}

/// The cases of the manifest in a folder.
pub(crate) fn cases(folder: &Path, manifest: &str) -> Vec<Case> {
    let text = fs::read_to_string(folder.join(manifest)).expect("a manifest");
    let cases = text.lines().map(|line| {
        let facts: Value = serde_json::from_str(line).expect("a line of JSON");
        let name = facts["file"].as_str().expect("a file name").to_owned();
        Case { path: folder.join(&name), name, facts }
    });
    cases.collect()
}

/// The folder of the golden files, for the packages of the repository.
pub(crate) fn folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut golden = package.ancestors().map(|folder| folder.join("tests/golden"));
    golden.find(|folder| folder.is_dir()).expect("the golden files")
}

/// The golden files.
pub(crate) fn golden() -> Vec<Case> {
    cases(&folder(), "manifest.jsonl")
}

/// SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

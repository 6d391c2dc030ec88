//! The manifest of the golden files, and of the random ones, which has the same form.

#![allow(dead_code, reason = "each test uses a part of it")]

use b2nd::source::{File, ReadError, Reader};
use b2nd::{DParams, Selection};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A line of a manifest.
pub struct Case {
    pub name: String,
    pub path: PathBuf,
    pub facts: Value,
}

impl Case {
    /// What the file holds according to the manifest: "array", "schunk" or "chunk".
    pub fn kind(&self) -> &str {
        self.facts["kind"].as_str().unwrap_or_default()
    }

    /// Where the frame begins in its file.
    pub fn offset(&self) -> u64 {
        self.facts["offset"].as_u64().unwrap_or(0)
    }

    /// Whose fault it is that the file cannot be read, if it cannot.
    pub fn error(&self) -> Option<&str> {
        self.facts["error"].as_str()
    }

    /// The slices and the digests of their items; the whole comes first.
    pub fn slices(&self) -> Vec<(Selection, &str)> {
        let text = |value: &Value| value["sel"].as_str().unwrap_or_default().to_owned();
        let digest = |value: &'_ Value| value["sha256"].as_str().map(str::to_owned);
        let _ = digest;
        let mut slices = vec![(Selection::all(), self.facts["sha256"].as_str().unwrap_or_default())];
        for slice in self.facts["slices"].as_array().into_iter().flatten() {
            let selection = text(slice).parse().unwrap_or_else(|error| panic!("{}: {error}", self.name));
            slices.push((selection, slice["sha256"].as_str().unwrap_or_default()));
        }
        slices
    }

    pub fn dparams(&self) -> DParams {
        let note = self.facts["note"].as_str().unwrap_or_default();
        DParams { early_bitshuffle: note.contains("ask-early-bitshuffle"), ..DParams::default() }
    }

    pub fn open(&self) -> Result<Reader<File>, ReadError<io::Error>> {
        let file = match self.offset() {
            0 => File::open(&self.path),
            offset => File::open_at(&self.path, offset),
        };
        Reader::open(file.map_err(ReadError::Source)?, self.dparams())
    }
}

/// The cases of the manifest in a folder.
pub fn cases(folder: &Path, manifest: &str) -> Vec<Case> {
    let text = fs::read_to_string(folder.join(manifest)).expect("a manifest");
    let cases = text.lines().map(|line| {
        let facts: Value = serde_json::from_str(line).expect("a line of JSON");
        let name = facts["file"].as_str().expect("a file name").to_owned();
        Case { path: folder.join(&name), name, facts }
    });
    cases.collect()
}

/// The golden files.
pub fn golden() -> Vec<Case> {
    cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "manifest.jsonl")
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

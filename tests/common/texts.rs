//! The project's own texts.

use std::fs;
use std::path::{Path, PathBuf};

/// Directories of others' code, and of build results.
const SKIPPED: &[&str] = &["node_modules", "target", "dist", "pkg"];

/// The files below a folder whose names end in one of these, without those of hidden directories.
pub(crate) fn below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !SKIPPED.contains(&name) && !name.starts_with('.') {
                found.extend(below(&path, extensions));
            }
        } else if path.extension().is_some_and(|kind| extensions.iter().any(|text| kind == *text)) {
            found.push(path);
        }
    }
    found
}

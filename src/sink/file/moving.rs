//! Temporary names, and the move from them to the final path.

use alloc::format;
use alloc::string::String;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;

/// Moves a new frame to its path. A directory cannot replace one that is not empty, so the old one is moved away first.
pub(super) fn exchange(new: &Path, path: &Path, is_sparse: bool) -> io::Result<()> {
    let Ok(old) = fs::symlink_metadata(path) else { return fs::rename(new, path) };
    if !is_sparse && !old.is_dir() {
        return fs::rename(new, path);
    }
    let aside = temporary(path)?;
    fs::rename(path, &aside)?;
    if let Err(error) = fs::rename(new, path) {
        fs::rename(&aside, path)?;
        return Err(error);
    }
    if old.is_dir() { fs::remove_dir_all(aside) } else { fs::remove_file(aside) }
}

/// An unused temporary name in the same directory.
pub(super) fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
    for number in 0..1000 {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        let end: String = format!(".{}.{number}.tmp", process::id());
        hidden.push(end);
        let path = path.with_file_name(hidden);
        if !path.exists() {
            return Ok(path);
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

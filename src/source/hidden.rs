//! Hidden names beside a file, and errors that name it.

use alloc::format;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// An error that names the file at a path.
pub(crate) fn about(path: &Path, kind: ErrorKind, what: &str) -> io::Error {
    io::Error::new(kind, format!("{}: {what}", path.display()))
}

/// A hidden name in the same directory.
pub(crate) fn beside(path: &Path, end: &str) -> io::Result<PathBuf> {
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().ok_or_else(|| about(path, ErrorKind::IsADirectory, "has no name"))?);
    hidden.push(end);
    Ok(path.with_file_name(hidden))
}

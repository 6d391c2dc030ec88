//! Locks of open files.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

pub(super) fn try_lock(_name: &Path, place: &Path) -> Result<(File, bool), TryLockError> {
    let file = File::open(place).map_err(TryLockError::Error)?;
    match file.try_lock() {
        Ok(()) => Ok((file, true)),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok((file, false)),
        Err(error) => Err(error),
    }
}

/// Opens a file or a directory.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

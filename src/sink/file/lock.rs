//! Locks against other writers.

use super::lock_file::{self, LockFile};
use crate::source::locks::{Locked, try_lock};
use crate::source::paths::is_at;
use alloc::sync::Arc;
use std::fs::{self, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// A locked file or directory.
#[derive(Debug)]
pub(in crate::sink) struct Lock {
    _file: Locked,
    /// It is removed with this.
    _lock_file: Option<LockFile>,
}

/// Locks a file or a directory until the result is dropped.
pub(in crate::sink) fn lock(path: &Path) -> io::Result<Arc<Lock>> {
    loop {
        let (file, _) = try_lock(path, path).map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(ErrorKind::WouldBlock, "another process is writing this frame")
            }
            TryLockError::Error(error) => error,
        })?;
        // Another process may have replaced it between opening and locking.
        if is_at(file.as_ref(), path)? {
            return Ok(Arc::new(Lock { _file: file, _lock_file: lock_file::take(path)? }));
        }
    }
}

/// Locks what another process may have left. `None` unless it can be locked, which means that the process is gone.
pub(super) fn lock_left(path: &Path) -> Option<Lock> {
    let there = fs::symlink_metadata(path).ok()?;
    if !there.is_file() && !there.is_dir() {
        return None;
    }
    let (file, is_locked) = try_lock(path, path).ok()?;
    let is_left = if lock_file::this_process().is_some() { lock_file::is_left(path) } else { is_locked };
    if !is_left || !is_at(file.as_ref(), path).is_ok_and(|is_at| is_at) {
        return None;
    }
    Some(Lock { _file: file, _lock_file: lock_file::take(path).ok()? })
}

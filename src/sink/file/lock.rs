//! Locks against other writers.

use super::lock_file::must_be_free;
use crate::source::paths::is_at;
use alloc::sync::Arc;
use std::fs::{self, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// A locked file or directory.
#[derive(Debug)]
pub(super) struct Lock(fs::File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file would not do: a process that is being started has a copy of it until it runs its program.
        let _ = self.0.unlock();
    }
}

/// Locks a file or a directory until the result is dropped.
pub(super) fn lock(path: &Path) -> io::Result<Arc<Lock>> {
    loop {
        let file = fs::File::open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::WouldBlock, "another process is writing this frame"));
            }
            // Some file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Another process may have replaced it between opening and locking.
        if is_at(&file, path)? {
            let lock = Lock(file);
            must_be_free(path)?;
            return Ok(Arc::new(lock));
        }
    }
}

/// Locks what another process may have left. `None` unless it can be locked, which means that the process is gone.
pub(super) fn lock_left(path: &Path) -> Option<Lock> {
    let there = fs::symlink_metadata(path).ok()?;
    let file = if there.is_file() || there.is_dir() { fs::File::open(path).ok()? } else { return None };
    file.try_lock().ok()?;
    is_at(&file, path).is_ok_and(|is_at| is_at).then_some(Lock(file))
}

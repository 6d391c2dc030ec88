//! Locks of names. Windows keeps all others from reading a file that is locked, even in the same process, and does not lock directories.
//! Instead, the file `.NAME.b2nd-open` beside NAME is open and not shared. The system removes it when it is closed, also if the process is
//! killed.

use crate::source::hidden::{about, beside};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

/// Rights, and flags of opening.
const GENERIC_WRITE: u32 = 0x4000_0000;
const DELETE: u32 = 0x0001_0000;
const DELETE_ON_CLOSE: u32 = 0x0400_0000;
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const BACKUP_SEMANTICS: u32 = 0x0200_0000;
/// The error for a file that is open elsewhere.
const SHARING_VIOLATION: i32 = 32;

/// Locks the file or directory `name`, which is at `place` at the moment, as long as the result is open.
pub(super) fn try_lock(name: &Path, place: &Path) -> Result<(File, bool), TryLockError> {
    let opened = fs::metadata(place).and_then(|_| {
        let lock = beside(name, ".b2nd-open")?;
        // It would be removed: a power failure may leave an empty file, but nothing else is a lock.
        if fs::symlink_metadata(&lock).is_ok_and(|there| !there.is_file() || there.len() > 0) {
            return Err(about(&lock, io::ErrorKind::AlreadyExists, "no lock, which it would have to be"));
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).access_mode(GENERIC_WRITE | DELETE).share_mode(0);
        // This follows no link.
        options.custom_flags(DELETE_ON_CLOSE | OPEN_REPARSE_POINT).open(lock)
    });
    match opened {
        Ok(file) => Ok((file, true)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Err(TryLockError::WouldBlock),
        Err(error) => Err(TryLockError::Error(error)),
    }
}

/// Opens a file or a directory.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(BACKUP_SEMANTICS).open(path)
}

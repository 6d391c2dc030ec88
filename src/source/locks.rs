//! Locks, by which processes see that another one writes a file or a directory.

#[cfg_attr(windows, path = "locks/names.rs")]
#[cfg_attr(not(windows), path = "locks/files.rs")]
mod system;

pub(crate) use system::open;

use std::fs::{File, TryLockError};
use std::path::Path;

/// A file or directory that is locked until this is dropped.
#[derive(Debug)]
pub(crate) struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing the file would not do: a process that is being started has a copy of it until it runs its program.
        let _ = self.0.unlock();
    }
}

impl AsRef<File> for Locked {
    fn as_ref(&self) -> &File {
        &self.0
    }
}

/// Locks the file or directory `name`, which is at `place` at the moment. Also tells whether the file system has locks: otherwise the
/// result is only open.
pub(crate) fn try_lock(name: &Path, place: &Path) -> Result<(Locked, bool), TryLockError> {
    system::try_lock(name, place).map(|(file, is_locked)| (Locked(file), is_locked))
}

/// Whether a lock is that of a name, and not of the file that has it.
pub(crate) const OF_NAMES: bool = cfg!(any(windows, target_os = "wasi"));

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// As a process has that is being started.
    #[test]
    fn copies_of_a_file_do_not_keep_it_locked() {
        let path = std::env::temp_dir().join(std::format!("b2nd-locked-{}", std::process::id()));
        let file = File::create(&path).unwrap();
        let (locked, has_locks) = try_lock(&path, &path).unwrap();
        let copy = locked.as_ref().try_clone().unwrap();
        assert_eq!(try_lock(&path, &path).is_err(), has_locks);
        drop(locked);
        assert!(try_lock(&path, &path).is_ok());
        drop((file, copy));
        std::fs::remove_file(&path).unwrap();
    }
}

//! Temporary names: `.NAME.b2nd-0.tmp` beside NAME, with the next number if another process uses that one.
//!
//! Who uses a name holds a lock on what has it. So the next writer knows what a killed process has left, and removes it.

use super::folder::remove;
use super::lock::{Lock, lock, lock_left};
use crate::source::locks;
use crate::source::paths::is_at;
use crate::source::paths::{about, beside};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::sync::Arc;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More processes do not write the same file at the same time.
const MAX_NAMES: u32 = 1000;

/// The temporary files and directories of this process.
static OURS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn ours() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file with a temporary name.
pub(super) fn temporary_file(path: &Path) -> io::Result<(PathBuf, fs::File, Arc<Lock>)> {
    temporary(path, |new| OpenOptions::new().read(true).write(true).create_new(true).open(new))
}

/// Creates a directory with a temporary name.
pub(in crate::sink) fn temporary_folder(path: &Path) -> io::Result<(PathBuf, Arc<Lock>)> {
    let (new, _, lock) = temporary(path, |new| {
        fs::create_dir(new)?;
        locks::open(new)
    })?;
    Ok((new, lock))
}

fn temporary(
    path: &Path,
    make: impl Fn(&Path) -> io::Result<fs::File>,
) -> io::Result<(PathBuf, fs::File, Arc<Lock>)> {
    let mut ours = ours();
    for number in 0..MAX_NAMES {
        let new = beside(path, &format!(".b2nd-{number}.tmp"))?;
        let made = match make(&new) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && collect(&new) => make(&new),
            made => made,
        };
        match made {
            Ok(file) => {
                // Between the two, another process may have taken it for left.
                let lock = lock(&new).ok().filter(|_| is_at(&file, &new).is_ok_and(|is_at| is_at));
                let Some(lock) = lock else { continue };
                ours.insert(new.clone());
                (number + 1..MAX_NAMES)
                    .map_while(|number| beside(path, &format!(".b2nd-{number}.tmp")).ok())
                    .find(|left| !collect(left));
                return Ok((new, file, lock));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(about(path, ErrorKind::AlreadyExists, "there are too many temporary files for it"))
}

/// Removes what a process has left that is gone. Returns whether it did.
pub(super) fn collect(left: &Path) -> bool {
    lock_left(left).is_some_and(|_lock| remove(left).is_ok())
}

/// Gives what has a temporary name its final one, unless [`remove_temporaries`] was first.
pub(super) fn settle<T>(new: &Path, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut ours = ours();
    if !ours.contains(new) {
        return Err(about(new, ErrorKind::NotFound, "the temporary files of this process were removed"));
    }
    let done = act()?;
    ours.remove(new);
    Ok(done)
}

/// Keeps what has a temporary name, whatever becomes of this process.
pub(in crate::sink) fn keep(new: &Path) {
    ours().remove(new);
}

/// Removes what has a temporary name.
pub(in crate::sink) fn discard(new: &Path) -> io::Result<()> {
    if ours().remove(new) { remove(new) } else { Ok(()) }
}

/// Removes the frames of this process that are not published yet: their [files](super::File) and directories, which have
/// temporary names. This is for handlers of signals, since a process that is ended by a signal drops nothing. What it leaves, the
/// next writer of the same path removes.
///
/// ```
/// use b2nd::array::ArrayParams;
/// # let folder = std::env::temp_dir().join(format!("b2nd-remove-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let editor = b2nd::create(folder.join("image.b2nd"), &ArrayParams::new(&[480, 640], "|u1"))?;
/// b2nd::sink::remove_temporaries();
/// assert_eq!(std::fs::read_dir(&folder)?.count(), 0);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remove_temporaries() {
    /// Other threads may add files to a directory meanwhile.
    const TRIES: u32 = 100;
    // What is in a directory goes before it.
    for path in core::mem::take(&mut *ours()).into_iter().rev() {
        // There is nobody to tell.
        let _ = (0..TRIES).find(|_| remove(&path).is_ok() || !path.exists());
    }
}

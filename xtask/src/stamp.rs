//! Stamps: small files that record the inputs of an output, so that it is rebuilt only if they change. Locks: one process at a time.

use std::fs::{self, File};
use std::path::Path;

use crate::error::{About, Result};

pub fn holds(stamp: &Path, wanted: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|written| written == wanted)
}

pub fn write(stamp: &Path, wanted: &str) -> Result {
    if let Some(folder) = stamp.parent() {
        fs::create_dir_all(folder).about(folder.display())?;
    }
    fs::write(stamp, wanted).about(stamp.display())
}

/// Waits until no other `cargo xtask` has the lock. It ends with this file or process.
pub fn lock(path: &Path) -> Result<File> {
    let lock = File::create(path).about(path.display())?;
    lock.lock().about(path.display())?;
    Ok(lock)
}

/// FNV-1a, to distinguish versions of an input.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

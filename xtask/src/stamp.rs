//! Stamps: small files that record the inputs of an output, so that it is rebuilt only if they change.

use std::fs;
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

/// FNV-1a, to distinguish versions of an input.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

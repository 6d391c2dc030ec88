//! Frames that are staged for a store, in a directory that only its editor has.
//!
//! They need neither locks nor syncs of their own, and their files are open only while something is read or written: a table may have
//! thousands of them.

use super::{File, Pending};
use alloc::format;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Frames that are written for one path at the same time: a new one, and one that replaces it.
const MAX_NAMES: u32 = 100;

impl File {
    /// Creates a frame that is at the path once it is published.
    pub(in crate::sink) fn create_staged(path: &Path) -> io::Result<Self> {
        for number in 0..MAX_NAMES {
            let mut name = path.as_os_str().to_os_string();
            name.push(format!(".{number}.tmp"));
            match OpenOptions::new().write(true).create_new(true).open(&name) {
                Ok(_) => return Ok(Self::of(name.into(), None, Some(path.into()), Pending::after(0))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Opens a frame to change it.
    pub(in crate::sink) fn open_staged(path: &Path) -> io::Result<Self> {
        let len = fs::metadata(path)?.len();
        Ok(Self::of(path.into(), None, None, Pending::after(len)))
    }
}

/// Opens the file.
pub(super) fn open(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().read(true).write(true).open(path)
}

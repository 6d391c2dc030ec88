//! Frames that wait for the commit of a store.

use crate::sink::file::lock::Lock;
use crate::sink::file::temporary::{discard, temporary_folder};
use crate::store::journal::staged;
use alloc::sync::Arc;
use std::io;
use std::path::{Path, PathBuf};

/// A hidden directory beside a store, on the same file system, in which staged frames have numbers. It is made for the first one,
/// and removed with what is left in it.
#[derive(Debug)]
pub(super) struct Staging {
    /// The path of the store.
    store: PathBuf,
    folder: Option<(PathBuf, Arc<Lock>)>,
    count: u32,
}

impl Staging {
    pub(super) const fn new(store: PathBuf) -> Self {
        Self { store, folder: None, count: 0 }
    }

    /// A number for a new staged frame.
    pub(super) fn next(&mut self) -> io::Result<u32> {
        if self.folder.is_none() {
            self.folder = Some(temporary_folder(&self.store)?);
        }
        self.count += 1;
        Ok(self.count)
    }

    /// The path of a staged frame.
    pub(super) fn path(&self, number: u32) -> PathBuf {
        self.folder().join(staged(number))
    }

    fn folder(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), |(folder, _)| folder)
    }

    /// The name of the directory.
    pub(super) fn name(&self) -> Option<&str> {
        self.folder().file_name()?.to_str()
    }

    /// Removes the directory with what is left in it.
    pub(super) fn clear(&mut self) {
        if let Some((folder, _lock)) = self.folder.take() {
            // What stays, the next writer removes.
            let _ = discard(&folder);
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.clear();
    }
}

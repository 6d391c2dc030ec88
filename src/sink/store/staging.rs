//! Frames that wait for the commit of a store.

use crate::sink::archive::members::Staged;
use crate::sink::file::folder::remove;
use crate::sink::file::lock::Lock;
use crate::sink::file::system::sync_directory;
use crate::sink::file::temporary::{discard, keep, temporary_folder};
use crate::store::journal::{Journal, staged};
use alloc::string::{String, ToString};
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

    /// The name of the directory, which is made if there is none.
    fn name(&mut self) -> io::Result<String> {
        if self.folder.is_none() {
            self.next()?;
        }
        let name = self.folder().file_name().and_then(|name| name.to_str());
        name.map(ToString::to_string).ok_or_else(|| io::ErrorKind::InvalidFilename.into())
    }

    /// Gives staged files to a journal, which needs them until it is carried out, by whichever process. Then the rest is removed.
    pub(super) fn carry_out(&mut self, store: &Path, mut journal: Journal) -> io::Result<()> {
        journal.folder = self.name()?;
        let folder = self.folder.take();
        if let Some((folder, _)) = &folder {
            keep(folder);
            // The journal names what is in it.
            sync_directory(folder)?;
        }
        journal.carry_out(store)?;
        if let Some((folder, _)) = &folder {
            // What stays, the next writer removes.
            let _ = remove(folder);
        }
        Ok(())
    }

    /// Removes the directory with what is left in it.
    pub(super) fn clear(&mut self) {
        if let Some((folder, _lock)) = self.folder.take() {
            // What stays, the next writer removes.
            let _ = discard(&folder);
        }
    }
}

impl Staged for Staging {
    fn is_there(&self, number: u32) -> bool {
        self.path(number).exists()
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.clear();
    }
}

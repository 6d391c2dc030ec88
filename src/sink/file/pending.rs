//! Bytes and files that are written but belong to no commit yet.

use alloc::vec::Vec;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Bytes and files that the last commit does not refer to. They are removed if no other commit comes.
#[derive(Debug)]
pub(super) struct Pending {
    /// The length of the file without it.
    len: u64,
    /// Files of new chunks.
    files: Vec<PathBuf>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Writing what the header on disk does not refer to.
    Unseen,
    /// All of that is durable. What comes next is the header.
    Durable,
    /// The header on disk may refer to it, and may not.
    Unsure,
}

impl Pending {
    /// Nothing, behind a frame of this length.
    pub(super) const fn after(len: u64) -> Self {
        Self { len, files: Vec::new(), state: State::Unseen }
    }

    /// The frame is about to be written to.
    pub(super) const fn write(&mut self) {
        if !matches!(self.state, State::Unseen) {
            self.state = State::Unsure;
        }
    }

    pub(super) fn add(&mut self, file: PathBuf) {
        self.files.push(file);
    }

    pub(super) const fn sync(&mut self) {
        if matches!(self.state, State::Unseen) {
            self.state = State::Durable;
        }
    }

    /// The frame has been committed. What it refers to stays.
    pub(super) fn commit(&mut self, len: u64) {
        *self = Self::after(len);
    }

    /// All of it, which nothing is left of.
    pub(super) fn take(&mut self) -> Self {
        let len = self.len;
        core::mem::replace(self, Self::after(len))
    }

    /// Gives the space back.
    pub(super) fn give_back(&mut self, frame: &fs::File, is_sparse: bool) -> io::Result<()> {
        for file in self.files.drain(..) {
            fs::remove_file(file)?;
        }
        if !is_sparse && self.state != State::Unsure && frame.metadata()?.len() > self.len {
            frame.set_len(self.len)?;
        }
        Ok(())
    }
}

//! Changes of an archive, and what they read.

use crate::base::{ArgumentError, Result};
use crate::frame::{Exchange, Request};
use alloc::vec::Vec;
use core::ops::Range;

/// A change of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveChange<'a> {
    /// A frame is to be the member with this key. It takes the place of the member that has the key, once it is
    /// [complete](super::ArchiveEditor::complete).
    Stage(&'a str),
    /// Removes what has this key, or is below it.
    Remove(&'a str),
    /// Gives what has the first key, or is below it, the second one.
    Rename(&'a str, &'a str),
    /// Sets the attribute of a group (of the whole store for the empty key) to MessagePack, or removes it.
    Attr(&'a str, &'a str, Option<&'a [u8]>),
}

/// Where the frame of a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberPlace {
    /// In this range of the old archive.
    Old(Range<u64>),
    /// Where the caller keeps the frame with this number.
    Staged(u32),
    /// Here.
    Bytes(Vec<u8>),
}

/// Gets the frame that a change needs.
#[derive(Debug)]
pub struct ArchivePreparing {
    pub(super) request: Option<Request>,
    pub(super) frame: Option<Vec<u8>>,
}

impl Exchange for ArchivePreparing {
    type Outcome = Option<Vec<u8>>;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(self.request.as_slice())
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        let (Some(_), [bytes]) = (self.request.take(), answers) else {
            return Err(ArgumentError::NotAsked.into());
        };
        self.frame = Some(bytes.to_vec());
        Ok(())
    }

    fn finish(self) -> Result<Self::Outcome> {
        if self.request.is_some() { Err(ArgumentError::Unfinished.into()) } else { Ok(self.frame) }
    }
}

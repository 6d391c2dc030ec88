//! Archives that are created and changed without I/O, and what all stores have in common that are changed.

mod change;
mod editor;
pub(super) mod embed;
pub(super) mod members;
mod opening;
mod zip;

pub use change::{ArchiveChange, ArchivePreparing, MemberPlace};
pub use editor::{ArchiveEditor, crc32};
pub use opening::ArchiveOpening;

use crate::base::Result;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;
use zip::ArchiveWriter;

/// A part of a new archive: parts follow each other without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchivePiece {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes that the old archive has in this range.
    Old(Range<u64>),
    /// All bytes of the staged frame with this number.
    Staged(u32),
}

/// A file of a new archive.
pub(super) struct Content {
    pub(super) name: String,
    pub(super) len: u64,
    pub(super) crc32: u32,
    pub(super) bytes: ArchivePiece,
}

impl Content {
    /// A file of the old archive.
    pub(super) const fn old(name: String, range: Range<u64>, crc32: u32) -> Self {
        Self { name, len: range.end - range.start, crc32, bytes: ArchivePiece::Old(range) }
    }
}

/// The parts of an archive with these files: the large ones first, and the frame of small members at the end (FORMAT §10.3).
pub(super) fn pieces(mut files: Vec<Content>, embed: Content) -> Result<Vec<ArchivePiece>> {
    // The names put those of equal size in order.
    files.sort_by(|a, b| (Reverse(a.len), &a.name).cmp(&(Reverse(b.len), &b.name)));
    files.push(embed);
    let (mut archive, mut pieces) = (ArchiveWriter::default(), Vec::new());
    for Content { name, len, crc32, bytes } in files {
        pieces.extend([ArchivePiece::Bytes(archive.member(name, len, crc32)?), bytes]);
    }
    pieces.push(ArchivePiece::Bytes(archive.finish()?));
    Ok(pieces)
}

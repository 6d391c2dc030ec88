//! Chunks of one sparse frame, written by many processes or machines at the same time.
//!
//! Each chunk is a file or an object of its own, whose number follows from that of the chunk and from the index. So writers need not know
//! of each other, and one that was stopped begins again. The index that names the new chunks is written once, at the end.

mod files;
#[cfg(feature = "object_store")]
mod objects;

use crate::array::{ArrayEncoder, ArrayParams, Layout};
use crate::base::{ArgumentError, Result};
use crate::frame::{ChunkIndex, Frame, FrameEditor, Location, Part};
use alloc::collections::BTreeSet;
use core::ops::Range;
pub use files::{ChunkWriter, finish_chunks};
#[cfg(feature = "object_store")]
pub use objects::{ObjectChunkWriter, finish_chunk_objects};

/// The chunks that an index names since it was written at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// The number of chunks that were added or replaced.
    pub written: u64,
    /// The number of chunks that nobody has written. They are what they were before.
    pub missing: u64,
}

/// The numbers of the files of new chunks, in the order of the chunks. The index names none of them.
#[derive(Debug, Clone)]
struct Numbers(Range<u32>);

impl Numbers {
    /// The first numbers of which the index uses none, a multiple of the number of chunks.
    fn unused(nchunks: u64, locate: impl Fn(u64) -> Result<Location>) -> Result<Self> {
        let too_many = || ArgumentError::Parameter { name: "nchunks", value: nchunks as i64 };
        let count = u32::try_from(nchunks).map_err(|_| too_many())?;
        let mut used = BTreeSet::new();
        for nchunk in 0..nchunks {
            if let Location::Stored { part: Part::Chunk(file), .. } = locate(nchunk)? {
                used.insert(file / count);
            }
        }
        let range = (0..).find(|times| !used.contains(times)).and_then(|times: u32| {
            let start = times.checked_mul(count)?;
            Some(start..start.checked_add(count)?)
        });
        Ok(Self(range.ok_or_else(too_many)?))
    }

    /// The numbers for a frame that is read.
    fn of_index(index: &ChunkIndex) -> Result<Self> {
        Self::unused(index.nchunks(), |nchunk| index.locate(nchunk))
    }

    /// The numbers for a frame that is changed, before its first change.
    fn of_editor(frame: &FrameEditor) -> Result<Self> {
        if !frame.is_sparse() {
            return Err(ArgumentError::NotSparse.into());
        }
        Self::unused(frame.nchunks(), |nchunk| frame.locate(nchunk))
    }

    /// The number of the file of a chunk.
    fn file(&self, nchunk: u64) -> Result<u32> {
        let nchunks = self.0.len() as u64;
        let file = u32::try_from(nchunk).ok().and_then(|nchunk| self.0.start.checked_add(nchunk));
        let file = file.filter(|file| self.0.contains(file));
        file.ok_or(ArgumentError::Chunk { index: nchunk, nchunks }.into())
    }

    /// The chunk that the file of this number has, if it is a new one.
    fn nchunk(&self, file: u32) -> Option<u64> {
        self.0.contains(&file).then(|| u64::from(file - self.0.start))
    }

    /// The result of finishing so many chunks.
    fn finished(&self, written: u64) -> Finished {
        Finished { written, missing: self.0.len() as u64 - written }
    }
}

/// An encoder for the chunks of an array.
fn encoder(frame: &Frame, layout: Option<&Layout>) -> Result<ArrayEncoder> {
    if !frame.header.sparse {
        return Err(ArgumentError::NotSparse.into());
    }
    ArrayEncoder::new(&ArrayParams::of(frame, layout.ok_or(ArgumentError::NotAnArray)?)?)
}

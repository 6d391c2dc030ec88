//! Frames: chunks, their index and metadata, in one file or in a directory (FORMAT §7).
//!
//! Everything here is a conversation: it asks for bytes and somebody brings them. A frame knows nothing of
//! shapes; see [`b2nd`](crate::b2nd) for these.

mod header;
mod index;
mod metalayers;
mod opening;
mod request;
mod trailer;

pub use header::{Header, SplitMode, is_frame};
pub use index::{Index, IndexReading, Location};
pub use metalayers::Metalayer;
pub use opening::Opening;
pub use request::{Part, Request};
pub use trailer::{Trailer, TrailerReading};

use crate::chunk::Header as ChunkHeader;

/// An opened frame: what [`Opening`] has learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The header.
    pub header: Header,
    /// The trailer, where opening needed it.
    pub trailer: Option<Trailer>,
}

impl Frame {
    /// A chunk on its own, seen as a frame of one chunk.
    fn of_chunk(chunk: &ChunkHeader) -> Self {
        Self { header: Header::of_chunk(chunk), trailer: Some(Trailer::default()) }
    }

    /// Whether this is a chunk on its own.
    pub const fn is_chunk(&self) -> bool {
        self.header.version == 0
    }

    /// Whether the frame says that its writer had the early bitshuffle (FORMAT §20).
    pub fn early_bitshuffle(&self) -> bool {
        self.header.is_beta() && self.trailer.as_ref().is_some_and(|trailer| trailer.version == 0)
    }
}

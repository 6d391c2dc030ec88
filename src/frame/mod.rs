//! Frames: chunks, their index and metadata, in a file or a directory (FORMAT §7).
//!
//! This module does no I/O: it asks for bytes, and the caller brings them. Shapes belong to [`array`](crate::array).

#[cfg(feature = "write")]
pub(crate) mod edit;
mod header;
#[cfg(feature = "alloc")]
mod index;
#[cfg(feature = "alloc")]
pub(crate) mod index_reading;
pub(crate) mod location;
#[cfg(feature = "encode")]
mod log;
mod metalayers;
#[cfg(feature = "alloc")]
pub(crate) mod opening;
mod reference;
pub(crate) mod request;
#[cfg(feature = "alloc")]
pub(crate) mod revision;
mod sizes;
#[cfg(feature = "alloc")]
pub(crate) mod trailer;
pub(crate) mod wire;

#[cfg(feature = "alloc")]
pub use self::{
    index::{ChunkIndex, Run},
    metalayers::Metalayer,
    trailer::Trailer,
};
#[cfg(feature = "alloc")]
pub(crate) use self::{
    index_reading::IndexReading, opening::Opening, revision::Revision, trailer::TrailerReading,
};
#[cfg(feature = "write")]
pub(crate) use edit::{EditOpening, FrameEnds, Recovery, SpaceSearch, Step, UnusedSpace};
#[cfg(feature = "write")]
pub use edit::{FrameEditor, FrameParams};
pub use header::Header;
pub(crate) use location::ChunkOffsets;
pub use location::Location;
pub(crate) use location::WireEntry;
#[cfg(feature = "encode")]
pub(crate) use log::{EMPTY_TRAILER, patch_sizes};
pub use metalayers::Metalayers;
pub(crate) use request::Exchange;
pub(crate) use request::{Part, Request};
pub(crate) use sizes::Sizes;
pub(crate) use wire::header_len;
pub use wire::is_frame;

pub use crate::base::Reference;
use crate::base::Result;
pub use crate::chunk::SplitMode;
#[cfg(feature = "alloc")]
use crate::chunk::{Chunk, Context, DParams, Header as ChunkHeader, Scratch};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
/// An opened frame: the result of [`Opening`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The header.
    pub header: Header,
    /// The trailer, if opening needed it.
    pub trailer: Option<Trailer>,
}

#[cfg(feature = "alloc")]
impl Frame {
    /// A chunk on its own, as a frame of one chunk.
    fn of_chunk(chunk: &ChunkHeader) -> Self {
        Self { header: Header::of_chunk(chunk), trailer: Some(Trailer::default()) }
    }

    /// Whether this is a chunk on its own.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert!(!reader.frame().is_chunk());
    /// ```
    pub const fn is_chunk(&self) -> bool {
        self.header.version == 0
    }

    /// Whether metadata say that the writer had the early bitshuffle (FORMAT §13.1).
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert!(!reader.frame().early_bitshuffle());
    /// ```
    pub fn early_bitshuffle(&self) -> bool {
        self.header.is_beta() && self.trailer.as_ref().is_some_and(|trailer| trailer.version == 0)
    }

    /// Facts that decoding its chunks needs if they make no array; a [`Layout`](crate::Layout) knows more.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(reader.frame().context().itemsize, 4);
    /// ```
    pub fn context(&self) -> Context<'static> {
        Context {
            itemsize: self.header.typesize,
            early_bitshuffle: self.early_bitshuffle(),
            ..Context::default()
        }
    }
}

/// Decodes a chunk that holds metadata.
#[cfg(feature = "alloc")]
#[inline(never)]
fn plain(chunk: &Chunk<'_>, dparams: &DParams) -> Result<Vec<u8>> {
    chunk.decode(&mut Scratch::new(dparams))
}

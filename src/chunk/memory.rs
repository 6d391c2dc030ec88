//! What decoding needs besides its source and destination, whoever has it: a [`Scratch`](super::Scratch) that grows, or
//! an [`Area`](super::Area) that cannot.

use super::header::{Body, Header};
use crate::base::Result;
use crate::codec::{Registry, Tables};

/// Lends the decoder its memory, for one block at a time.
pub(crate) trait DecodeMemory: Send {
    /// What is wanted. The first block of a chunk stays in its place for as long as it is wanted each time.
    fn lend(&mut self, wants: MemoryNeeds) -> Result<LentMemory<'_>>;

    /// What the blocks to come have as their dictionary is not what those before had.
    fn other_dictionary(&mut self);
}

/// Lengths in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MemoryNeeds {
    /// The plain first block of the chunk in hand, for DELTA.
    pub(super) first: usize,
    /// A plain block on its way to its places.
    pub(super) plain: usize,
    /// Streams that are decoded ahead of their filters, if there is memory to spare.
    #[cfg(feature = "alloc")]
    pub(super) ahead: usize,
    /// A work buffer.
    pub(super) buffer: usize,
}

impl MemoryNeeds {
    /// What it takes to decode a block of `len` bytes of the chunk with this header.
    pub(super) fn block(header: &Header, len: usize) -> Self {
        let moved = matches!(header.body, Body::Blocks | Body::VlBlocks) && header.filters.moving() > 0;
        Self { buffer: if moved { len } else { 0 }, ..Self::default() }
    }
}

/// What is lent.
pub(crate) struct LentMemory<'a> {
    pub(super) first: &'a mut [u8],
    pub(super) plain: &'a mut [u8],
    #[cfg(feature = "alloc")]
    pub(super) ahead: &'a mut [u8],
    pub(super) work: Work<'a>,
}

/// What decoding a block needs besides its source and destination.
pub(super) struct Work<'a> {
    pub(super) buffer: &'a mut [u8],
    /// The block's streams, if they have been decoded already.
    #[cfg(feature = "alloc")]
    pub(super) ready: Option<&'a mut [u8]>,
    pub(super) codecs: Codecs<'a>,
}

/// The codecs that there are, and what they remember.
pub(super) struct Codecs<'a> {
    pub(super) registry: &'a Registry,
    pub(super) tables: &'a mut dyn Tables,
}

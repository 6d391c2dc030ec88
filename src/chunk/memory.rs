//! Working memory of the decoder: a [`Scratch`](super::Scratch), which grows, or an [`Area`](super::Area) of fixed size.

use super::header::{Body, Header};
#[cfg(feature = "alloc")]
use super::kept::BlockKey;
use crate::base::Result;
use crate::codec::{Registry, Tables};

/// Lends the decoder its memory, for one block at a time.
pub(crate) trait DecodeMemory: Send {
    /// Buffers of these lengths. The plain first block keeps its content for as long as each call asks for it.
    fn lend(&mut self, wants: MemoryNeeds) -> Result<LentMemory<'_>>;

    /// Tells codecs that the dictionary changes.
    fn other_dictionary(&mut self);

    /// Checks that `plain` bytes of memory may be filled from `stored` ones.
    #[cfg(feature = "alloc")]
    fn allow_expansion(&self, _plain: usize, _stored: usize) -> Result<()> {
        Ok(())
    }

    /// Whether it can keep blocks at all.
    #[cfg(feature = "alloc")]
    fn can_keep(&self) -> bool {
        false
    }

    /// Whether the plain block is still the one with this key, which was [kept](Self::keep).
    #[cfg(feature = "alloc")]
    fn keeps(&self, _key: &BlockKey<'_>) -> bool {
        false
    }

    /// The plain block has this key, until another is lent.
    #[cfg(feature = "alloc")]
    fn keep(&mut self, _key: &BlockKey<'_>) {}

    /// The plain block, which has `len` bytes.
    #[cfg(feature = "alloc")]
    fn kept(&self, _len: usize) -> &[u8] {
        &[]
    }
}

/// Lengths in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MemoryNeeds {
    /// The plain first block of the chunk in hand, for DELTA.
    pub(super) first: usize,
    /// A plain block, before its items are scattered.
    pub(super) plain: usize,
    /// Decoded streams of blocks that are not yet unfiltered.
    #[cfg(feature = "alloc")]
    pub(super) ahead: usize,
    /// A work buffer.
    pub(super) buffer: usize,
}

impl MemoryNeeds {
    /// To decode a block of `len` bytes of the chunk with this header.
    pub(super) fn block(header: &Header, len: usize) -> Self {
        let moved = matches!(header.body, Body::Blocks | Body::VlBlocks) && header.filters.moving() > 0;
        Self { buffer: if moved { len } else { 0 }, ..Self::default() }
    }
}

/// Buffers of the lengths that were asked for.
pub(crate) struct LentMemory<'a> {
    pub(super) first: &'a mut [u8],
    pub(super) plain: &'a mut [u8],
    #[cfg(feature = "alloc")]
    pub(super) ahead: &'a mut [u8],
    pub(super) work: Work<'a>,
}

/// Working memory for one block.
pub(super) struct Work<'a> {
    pub(super) buffer: &'a mut [u8],
    /// The block's streams, if they have been decoded already.
    #[cfg(feature = "alloc")]
    pub(super) ready: Option<&'a mut [u8]>,
    pub(super) codecs: Codecs<'a>,
}

/// The codecs, and their tables.
pub(super) struct Codecs<'a> {
    pub(super) registry: &'a Registry,
    pub(super) tables: &'a mut dyn Tables,
}

//! The block that was decoded last.
//!
//! Programs that walk through an array in windows smaller than a block want the same block again and again. What was decoded is
//! known by the bytes that it was decoded from, so that it cannot be stale.

use super::header::Header;
use alloc::vec::Vec;

/// Blocks that are this many times as long as their stored bytes are kept: looking for them costs little in comparison.
const KEPT: usize = 8;
/// From this ratio on, decoding all of a block takes hardly longer than decoding a part of it.
const WHOLE: usize = 64;
/// Shorter blocks take little time.
const LEAST: usize = 16 << 10;

/// All that a plain block is made of, if it depends on no other bytes of its chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockKey<'a> {
    pub(super) header: &'a Header,
    /// Facts about the super-chunk that decoding needs.
    pub(super) itemsize: u32,
    pub(super) early_bitshuffle: bool,
    pub(super) blockshape: &'a [u32],
    pub(super) bytes: &'a [u8],
    /// Its plain length.
    pub(super) len: usize,
}

impl BlockKey<'_> {
    /// Whether the block is worth keeping.
    pub(super) const fn is_kept(&self) -> bool {
        self.len >= LEAST && self.len / KEPT >= self.bytes.len()
    }

    /// Whether the block is better decoded as a whole and kept than decoded in part.
    pub(super) const fn is_whole(&self) -> bool {
        self.len >= LEAST && self.len / WHOLE >= self.bytes.len()
    }
}

/// The key of a block, owned.
#[derive(Debug, Default)]
pub(super) struct Kept {
    header: Option<Header>,
    itemsize: u32,
    early_bitshuffle: bool,
    blockshape: Vec<u32>,
    bytes: Vec<u8>,
    len: usize,
}

impl Kept {
    pub(super) fn is(&self, key: &BlockKey<'_>) -> bool {
        self.header.as_ref() == Some(key.header)
            && self.len == key.len
            && self.itemsize == key.itemsize
            && self.early_bitshuffle == key.early_bitshuffle
            && self.blockshape == key.blockshape
            && self.bytes == key.bytes
    }

    pub(super) fn set(&mut self, key: &BlockKey<'_>) {
        (self.header, self.len) = (Some(*key.header), key.len);
        (self.itemsize, self.early_bitshuffle) = (key.itemsize, key.early_bitshuffle);
        self.blockshape.clear();
        self.blockshape.extend_from_slice(key.blockshape);
        self.bytes.clear();
        self.bytes.extend_from_slice(key.bytes);
    }

    pub(super) const fn clear(&mut self) {
        self.header = None;
    }
}

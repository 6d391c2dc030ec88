//! What a reader needs for one thread of reading, to be used again and again.

use crate::chunk::{DParams, Scratch};
use alloc::vec::Vec;

/// Buffers for bytes on their way from the source, and the decoder's scratch.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) scratch: Scratch,
    /// A chunk's head.
    pub(super) head: Vec<u8>,
    /// The same, where it is longer than thought.
    pub(super) table: Vec<u8>,
    /// The section with its dictionary.
    pub(super) dict: Vec<u8>,
    /// Its first block, compressed, where others refer to it.
    pub(super) first: Vec<u8>,
    /// Compressed blocks.
    pub(super) blocks: Vec<u8>,
    /// Starts of the chunk's blocks, in order.
    pub(super) starts: Vec<u32>,
    /// Numbers of the blocks that are wanted.
    pub(super) wanted: Vec<u32>,
}

impl Memory {
    pub(super) fn new(dparams: &DParams) -> Self {
        Self { scratch: Scratch::new(dparams), ..Self::default() }
    }
}

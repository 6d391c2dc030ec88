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
    pub(super) blocks: BlockMemory,
}

/// Buffers for the blocks of a chunk.
#[derive(Debug, Default)]
pub(super) struct BlockMemory {
    /// The section with the chunk's dictionary.
    pub(super) dict: Vec<u8>,
    /// The first block, compressed, where others refer to it.
    pub(super) first: Vec<u8>,
    /// Compressed blocks.
    pub(super) bytes: Vec<u8>,
    /// Starts of the chunk's blocks, in order.
    pub(super) starts: Vec<u32>,
    /// Numbers of the blocks that are read at once.
    pub(super) run: Vec<u32>,
}

/// Memory that no read is using at the moment. Kept, because small reads would spend their time on allocating.
#[derive(Debug, Default)]
pub(super) struct Pool {
    #[cfg(feature = "std")]
    idle: std::sync::Mutex<Vec<Memory>>,
    #[cfg(not(feature = "std"))]
    idle: core::cell::RefCell<Vec<Memory>>,
}

impl Pool {
    /// Memory from the pool, or new.
    pub(super) fn take(&self, dparams: &DParams) -> Memory {
        self.with(Vec::pop).unwrap_or_else(|| Memory::new(dparams))
    }

    /// Puts memory back. What a failed read leaves in it does no harm.
    pub(super) fn put(&self, memory: Memory) {
        self.with(|idle| idle.push(memory));
    }

    #[cfg(feature = "std")]
    fn with<T>(&self, change: impl FnOnce(&mut Vec<Memory>) -> T) -> T {
        change(&mut self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    #[cfg(not(feature = "std"))]
    fn with<T>(&self, change: impl FnOnce(&mut Vec<Memory>) -> T) -> T {
        change(&mut self.idle.borrow_mut())
    }
}

impl Memory {
    pub(super) fn new(dparams: &DParams) -> Self {
        Self { scratch: Scratch::new(dparams), ..Self::default() }
    }
}

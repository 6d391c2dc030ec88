//! Working memory of a reader, one for each thread, reused.

use crate::chunk::DParams;
use crate::reading;
use alloc::vec::Vec;

/// The memory of an exchange, and buffers for the bytes that it asks for.
#[derive(Debug, Default)]
pub(super) struct ReadMemory {
    pub(super) reading: reading::ReadingMemory,
    /// A buffer for each request.
    pub(super) buffers: Vec<Vec<u8>>,
}

/// Idle memory. Reusing it matters for small reads, which would otherwise spend their time on allocation.
#[derive(Debug, Default)]
pub(super) struct Pool {
    #[cfg(feature = "std")]
    idle: std::sync::Mutex<Vec<ReadMemory>>,
    #[cfg(not(feature = "std"))]
    idle: core::cell::RefCell<Vec<ReadMemory>>,
}

/// A copy has memory of its own.
impl Clone for Pool {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Pool {
    /// Memory from the pool, or new.
    pub(super) fn take(&self, dparams: &DParams) -> ReadMemory {
        self.with(Vec::pop).unwrap_or_else(|| ReadMemory::new(dparams))
    }

    /// Puts memory back. What a failed read leaves in it does no harm.
    pub(super) fn put(&self, memory: ReadMemory) {
        self.with(|idle| idle.push(memory));
    }

    #[cfg(feature = "std")]
    fn with<T>(&self, change: impl FnOnce(&mut Vec<ReadMemory>) -> T) -> T {
        change(&mut self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    #[cfg(not(feature = "std"))]
    fn with<T>(&self, change: impl FnOnce(&mut Vec<ReadMemory>) -> T) -> T {
        change(&mut self.idle.borrow_mut())
    }
}

impl ReadMemory {
    /// The buffer of the first request.
    pub(super) fn buffer(&mut self) -> (&mut reading::ReadingMemory, &mut Vec<u8>) {
        if self.buffers.is_empty() {
            self.buffers.push(Vec::new());
        }
        (&mut self.reading, &mut self.buffers[0])
    }

    pub(super) fn new(dparams: &DParams) -> Self {
        Self { reading: reading::ReadingMemory::new(dparams), buffers: Vec::new() }
    }
}

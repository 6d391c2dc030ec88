//! The buffer that the caller fills.

use alloc::vec::Vec;

/// The input buffer. Grows and is kept.
#[derive(Default)]
pub(crate) struct Input {
    buffer: Vec<u8>,
    len: usize,
}

impl Input {
    /// Makes room for `len` bytes and tells where.
    pub(crate) fn reserve(&mut self, len: usize) -> *const u8 {
        if self.buffer.len() < len {
            // Growing copies, and nothing in here is worth copying.
            self.buffer = Vec::new();
            self.buffer.resize(len, 0);
        }
        self.len = len;
        self.buffer.as_ptr()
    }

    /// All bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

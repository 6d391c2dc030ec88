//! The input buffer, which the caller fills.

use alloc::vec::Vec;

/// The input buffer. It grows and is reused.
#[derive(Default)]
pub(crate) struct Input {
    buffer: Vec<u8>,
    len: usize,
}

impl Input {
    /// Resizes the buffer to `len` bytes and returns its address.
    pub(crate) fn reserve(&mut self, len: usize) -> *const u8 {
        if self.buffer.len() < len {
            // Growing in place would copy old bytes.
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

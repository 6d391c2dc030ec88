//! No codec: what is left is the program.

use crate::BLOCK;

pub const VARIANTS: &[&str] = &["copy"];

pub struct Codec {
    encoded: [u8; BLOCK],
}

impl Codec {
    pub const fn new() -> Self {
        Self { encoded: [0; BLOCK] }
    }

    pub fn begin(&mut self) {}

    /// Bytes of the encoded block.
    #[inline(never)]
    pub fn compress(&mut self, _: usize, _: [usize; 2], block: &[u8]) -> usize {
        self.encoded[..block.len()].copy_from_slice(block);
        block.len()
    }
}

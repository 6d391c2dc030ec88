//! LZ4 by `lz4_flex`.

use crate::BLOCK;
use b2nd_firmware::expect;
use lz4_flex::block::{CompressTable, compress_into_with_table};

pub const VARIANTS: &[&str] = &["lz4_flex"];

pub struct Codec {
    table: CompressTable,
    encoded: [u8; BLOCK + BLOCK / 8 + 20],
}

impl Codec {
    pub const fn new() -> Self {
        Self { table: CompressTable::small(), encoded: [0; BLOCK + BLOCK / 8 + 20] }
    }

    pub fn begin(&mut self) {}

    /// Bytes of the encoded block, or of the block if it does not shrink.
    #[inline(never)]
    pub fn compress(&mut self, _: usize, _: [usize; 2], block: &[u8]) -> usize {
        expect(compress_into_with_table(block, &mut self.encoded, &mut self.table)).min(block.len())
    }
}

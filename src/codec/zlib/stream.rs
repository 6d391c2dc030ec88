//! The state of a stream that is being decoded.

use super::adler::Adler;
use super::bits::Bits;
use super::codes::CodeTables;

/// Bytes to checksum at once, while they are in the L1 cache.
const PIECE: usize = 16 << 10;

/// A stream being decoded.
pub(super) struct Inflate<'a, 'b> {
    pub(super) codes: &'a mut CodeTables,
    pub(super) dst: &'a mut [u8],
    pub(super) position: Position<'b>,
    /// The checksum of the output up to `summed`.
    pub(super) sum: Adler,
    pub(super) summed: usize,
    /// Whether the current block is the last.
    pub(super) last: bool,
}

/// How far a stream was read and written.
#[derive(Clone, Copy)]
pub(super) struct Position<'b> {
    pub(super) bits: Bits<'b>,
    pub(super) op: usize,
}

impl<'a, 'b> Inflate<'a, 'b> {
    pub(super) fn new(codes: &'a mut CodeTables, src: &'b [u8], dst: &'a mut [u8]) -> Self {
        let position = Position { bits: Bits::new(src), op: 0 };
        Self { codes, dst, position, sum: Adler::EMPTY, summed: 0, last: false }
    }

    /// Where the fast loop stops for the checksum.
    pub(super) const fn until(&self) -> usize {
        self.summed + PIECE
    }

    /// Adds what was written to the checksum.
    pub(super) fn add_up(&mut self) {
        let Position { op, .. } = self.position;
        self.sum.add(&self.dst[self.summed..op]);
        self.summed = op;
    }
}

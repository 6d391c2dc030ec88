//! The bytes of a memory that are in the buffer of a frame.

use super::ReadFlash;
use core::ops::Range;
use heapless::Vec;

/// A memory that has the bytes that were fetched to the buffer, at their places in it. All others are missing.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    /// From the start of the buffer on: the head of a chunk, its dictionary, its first block, and another one.
    pieces: Vec<Piece, 4>,
}

/// Bytes of the memory, and their addresses in RAM.
#[derive(Debug, Clone)]
struct Piece {
    offset: u32,
    place: Range<usize>,
}

/// Bytes that have to be fetched first, and the addresses in RAM where they are wanted.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) offset: u32,
    pub(super) place: Range<usize>,
}

impl Held {
    /// Forgets the bytes from an address on, which others take the place of.
    pub(super) fn forget(&mut self, from: usize) {
        self.pieces.retain(|piece| piece.place.end <= from);
    }

    /// Notes that bytes have been fetched.
    pub(super) fn add(&mut self, Missing { offset, place }: Missing) {
        self.forget(place.start);
        // There is room: what a step fetches goes behind what it fetched before.
        _ = self.pieces.push(Piece { offset, place });
    }
}

impl ReadFlash for Held {
    type Error = Missing;

    /// Leaves the bytes where they are.
    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Missing> {
        let start = dst.as_ptr().addr();
        let place = start..start + dst.len();
        let has = |piece: &Piece| {
            (piece.offset, piece.place.start) == (offset, place.start) && piece.place.end >= place.end
        };
        if self.pieces.iter().any(has) { Ok(()) } else { Err(Missing { offset, place }) }
    }
}

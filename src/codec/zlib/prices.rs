//! Prices of symbols by the codes of an earlier pass over the stream.

use super::huffman_codes::{DISTANCES, Lengths};
use super::symbols::{LONGEST, distance_symbol, length_symbol};
use alloc::vec::Vec;

/// The assumed price of a symbol that did not occur.
const RARE: u8 = 14;

/// The code lengths of the blocks of a pass, each with the end of its block.
pub(super) type Pass = Vec<(usize, Lengths)>;

/// Bits of each symbol and of what follows it.
pub(super) struct Prices {
    literals: [u8; 256],
    lengths: [u8; LONGEST + 1],
    distances: [u8; DISTANCES],
}

impl Prices {
    pub(super) fn of(lengths: &Lengths) -> Self {
        let bits = |length: u8| if length > 0 { length } else { RARE };
        let length = |len: usize| {
            let (symbol, more) = length_symbol(len.max(3));
            bits(lengths.literals[symbol]) + more as u8
        };
        Self {
            literals: core::array::from_fn(|byte| bits(lengths.literals[byte])),
            lengths: core::array::from_fn(length),
            distances: lengths.distances.map(bits),
        }
    }

    #[inline(always)]
    pub(super) fn literal(&self, byte: u8) -> u32 {
        self.literals[usize::from(byte)].into()
    }

    #[inline(always)]
    pub(super) fn length(&self, len: usize) -> u32 {
        self.lengths[len.min(LONGEST)].into()
    }

    #[inline(always)]
    pub(super) fn distance(&self, dist: usize) -> u32 {
        let (symbol, more) = distance_symbol(dist);
        u32::from(self.distances[symbol]) + more
    }
}

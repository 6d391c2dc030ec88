//! Where the last sequences have come before: rows of images repeat others, and so do their sequences.
//!
//! In a row that repeats parts of itself, the last position of any few bytes is in that row, and the row above is never found. There
//! the sequences have been the same, though.

use super::found::Match;

/// Slots for positions.
const SLOTS: usize = 256;
/// Bits of a sequence in the key, which has those of the last four.
const BITS: u32 = 16;

/// Positions behind sequences.
pub(super) struct Alike {
    positions: [u32; SLOTS],
    last: u64,
}

impl Alike {
    pub(super) const EMPTY: Self = Self { positions: [0; SLOTS], last: 0 };

    /// Enters the position behind a match that follows on so many literals. Tells where such sequences came before; 0 if nowhere.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn replace(&mut self, literals: usize, found: &Match) -> usize {
        let lengths = literals as u64 ^ (found.len as u64).wrapping_mul(0x9E37_79B9);
        self.last = self.last << BITS ^ lengths & ((1 << BITS) - 1);
        let slot = self.last.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOTS.ilog2());
        core::mem::replace(&mut self.positions[slot as usize], found.end() as u32) as usize
    }
}

//! The result of parsing a block: its literals, one after the other, and its sequences.

use super::MAX_BLOCK_BYTES;
use super::codes::MIN_MATCH;
use alloc::vec;
use alloc::vec::Vec;

/// Literals, then a match.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    /// The number of literals.
    pub(super) literals: u32,
    /// The length of the match.
    pub(super) len: u32,
    /// 1 to 3 for a repeated offset, or the offset plus 3.
    pub(super) offset: u32,
}

/// The last three offsets, last one first.
pub(super) type Repeats = [u32; 3];

/// The bytes that one copy of literals takes, of which those behind them do not matter.
const COPY: usize = 16;

/// The sequences of a block.
pub(super) struct Store {
    pub(super) sequences: Vec<Sequence>,
    literals: Vec<u8>,
    /// The number of literals.
    len: usize,
    pub(super) repeats: Repeats,
}

impl Store {
    pub(super) const fn new() -> Self {
        Self { sequences: Vec::new(), literals: Vec::new(), len: 0, repeats: [1, 4, 8] }
    }

    /// Begins a block.
    pub(super) fn clear(&mut self) {
        if self.literals.is_empty() {
            self.literals = vec![0; MAX_BLOCK_BYTES + COPY];
        }
        self.sequences.clear();
        self.len = 0;
    }

    pub(super) fn literals(&self) -> &[u8] {
        &self.literals[..self.len]
    }

    /// Adds the literals `src[from..to]` and a match behind them, of at most as many bytes as are left in the block.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn push(&mut self, src: &[u8], from: usize, to: usize, dist: usize, len: usize) {
        self.add_literals(src, from, to);
        let literals = (to - from) as u32;
        let offset = repeat(&mut self.repeats, dist as u32, literals == 0);
        debug_assert!(len >= MIN_MATCH as usize, "a match that has no code");
        self.sequences.push(Sequence { literals, len: len as u32, offset });
    }

    /// Adds literals that no match follows, or that one will follow.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add_literals(&mut self, src: &[u8], from: usize, to: usize) {
        let room = &mut self.literals[self.len..];
        let len = to - from;
        match (src[from..].first_chunk::<COPY>(), room.first_chunk_mut::<COPY>()) {
            (Some(literals), Some(room)) if len <= COPY => *room = *literals,
            _ => room[..len].copy_from_slice(&src[from..to]),
        }
        self.len += len;
    }
}

/// How an offset is written, and what the last offsets are then. Without literals, the numbers of repeated offsets mean others.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn repeat(repeats: &mut Repeats, dist: u32, no_literals: bool) -> u32 {
    let [first, second, third] = *repeats;
    let shift = u32::from(no_literals);
    if dist == first && !no_literals {
        return 1;
    }
    if dist == second {
        *repeats = [second, first, third];
        return 2 - shift;
    }
    *repeats = [dist, first, second];
    if dist == third {
        return 3 - shift;
    }
    if no_literals && dist + 1 == first { 3 } else { dist + 3 }
}

//! The symbols of lengths and distances, and the bits that follow them.

use super::huffman::SYMBOLS;
use super::huffman_codes::{Code, Counts, DISTANCES, Lengths, assign};
use crate::codec::matcher::probe;

/// The end of a block.
pub(super) const END: usize = 256;
/// The longest match.
pub(super) const LONGEST: usize = 258;

/// The symbol of each length from 3 on, less [`END`].
static LENGTH_SYMBOLS: [u8; LONGEST - 2] = {
    let mut symbols = [0; LONGEST - 2];
    let mut more = 0;
    while more < LONGEST - 2 {
        symbols[more] = if more < 8 {
            1 + more as u8
        } else {
            let bits = more.ilog2() - 2;
            1 + 4 * bits as u8 + (more >> bits) as u8
        };
        more += 1;
    }
    symbols[LONGEST - 3] = 29;
    symbols
};

/// Literals, and a match behind them unless its length is 0.
#[derive(Clone, Copy, Default)]
pub(super) struct Sequence {
    pub(super) literals: u32,
    pub(super) len: u16,
    pub(super) dist: u16,
}

/// The symbol of a length, 3 to 258, and how many bits follow.
#[inline(always)]
pub(super) fn length_symbol(len: usize) -> (usize, u32) {
    let symbol = usize::from(LENGTH_SYMBOLS[len - 3]);
    let bits = if symbol < 9 || symbol == 29 { 0 } else { (symbol as u32 - 5) / 4 };
    (END + symbol, bits)
}

/// The symbol of a distance, and how many bits follow.
#[inline(always)]
pub(super) const fn distance_symbol(dist: usize) -> (usize, u32) {
    let before = dist as u32 - 1;
    if before < 4 {
        return (before as usize, 0);
    }
    let bits = before.ilog2() - 1;
    ((2 * bits + (before >> bits)) as usize, bits)
}

/// Counts the symbols of a block whose bytes are `src`, and the bits that follow them.
#[inline(always)]
pub(super) fn count(sequences: &[Sequence], src: &[u8], counts: &mut Counts) -> u64 {
    let (mut at, mut more) = (0, 0);
    let mut lengths = [0_u32; LONGEST + 1];
    let bytes = counts.literals.first_chunk_mut().expect("more symbols than bytes");
    for sequence in sequences {
        let literals = &src[at..][..sequence.literals as usize];
        if literals.len() < 64 {
            literals.iter().for_each(|byte| bytes[usize::from(*byte)] += 1);
        } else {
            probe::count(literals, 1, bytes);
        }
        at += literals.len() + usize::from(sequence.len);
        lengths[usize::from(sequence.len)] += 1;
        if sequence.len > 0 {
            let (symbol, bits) = distance_symbol(sequence.dist.into());
            counts.distances[symbol] += 1;
            more += u64::from(bits);
        }
    }
    for (len, count) in lengths.iter().enumerate().skip(3) {
        let (symbol, bits) = length_symbol(len);
        counts.literals[symbol] += count;
        more += u64::from(count * bits);
    }
    counts.literals[END] = 1;
    more
}

/// The codes of a block as they are written: those of lengths with the bits that follow.
pub(super) struct Codes {
    pub(super) literals: [Code; SYMBOLS],
    pub(super) distances: [Code; DISTANCES],
    pub(super) lengths: [Code; LONGEST + 1],
    /// Whether they are the fixed ones.
    fixed: bool,
}

impl Codes {
    pub(super) const EMPTY: Self = Self {
        literals: [Code::EMPTY; SYMBOLS],
        distances: [Code::EMPTY; DISTANCES],
        lengths: [Code::EMPTY; LONGEST + 1],
        fixed: false,
    };

    /// Makes those of these lengths.
    pub(super) fn set(&mut self, lengths: &Lengths) {
        self.fixed = false;
        assign(&lengths.literals, &mut self.literals);
        assign(&lengths.distances, &mut self.distances);
        for (len, code) in self.lengths.iter_mut().enumerate().skip(3) {
            let (symbol, bits) = length_symbol(len);
            let (first, more) = (self.literals[symbol], (len as u32 - 3) & ((1 << bits) - 1));
            *code = Code { bits: first.bits | more << first.len, len: first.len + bits };
        }
    }

    /// Makes the fixed ones, unless they are there.
    pub(super) fn set_fixed(&mut self) {
        if !self.fixed {
            self.set(&Lengths::FIXED);
            self.fixed = true;
        }
    }
}

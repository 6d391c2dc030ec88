//! Huffman codes of a block: how long they are, how they are stored, what they take.

use super::bit_writer::BitWriter;
use super::codes::ORDER;
use super::huffman::SYMBOLS;
use crate::codec::huffman_lengths::huffman_lengths;

/// The longest code of a literal: four of them fit between two writes.
const LONGEST_LITERAL: u32 = 14;
/// The longest code of a distance.
const LONGEST_DISTANCE: u32 = 15;
/// The longest code of a code length.
const LONGEST_LENGTH: u32 = 7;
/// Stored in front of the lengths: how many literals, distances and lengths of code lengths there are.
const HEAD: u32 = 5 + 5 + 4;
/// Symbols of distances.
pub(super) const DISTANCES: usize = 30;
/// Symbols of code lengths and of runs of them.
const LENGTHS: usize = 19;

/// How often each symbol occurs in a block.
pub(super) struct Counts {
    pub(super) literals: [u32; SYMBOLS],
    pub(super) distances: [u32; DISTANCES],
}

/// The code lengths of a block.
pub(super) struct Lengths {
    pub(super) literals: [u8; SYMBOLS],
    pub(super) distances: [u8; DISTANCES],
}

impl Lengths {
    /// The codes of blocks that do not store theirs.
    pub(super) const FIXED: Self = {
        let mut literals = [8; SYMBOLS];
        let mut at = 144;
        while at < 280 {
            literals[at] = if at < 256 { 9 } else { 7 };
            at += 1;
        }
        Self { literals, distances: [5; DISTANCES] }
    };

    /// The best for these counts.
    pub(super) fn of(counts: &Counts) -> Self {
        let mut lengths = Self { literals: [0; SYMBOLS], distances: [0; DISTANCES] };
        huffman_lengths(&counts.literals, LONGEST_LITERAL, &mut lengths.literals);
        huffman_lengths(&counts.distances, LONGEST_DISTANCE, &mut lengths.distances);
        // Some decoders want two codes.
        if lengths.distances.iter().filter(|length| **length > 0).count() < 2 {
            lengths.distances[0] = 1;
            let other = lengths.distances[1..].iter().position(|length| *length > 0).unwrap_or(0);
            lengths.distances[1 + other] = 1;
        }
        lengths
    }

    /// The bits of all symbols, without the bits that follow some of them.
    pub(super) fn bits(&self, counts: &Counts) -> u64 {
        let literals = counts.literals.iter().zip(&self.literals);
        let all = literals.chain(counts.distances.iter().zip(&self.distances));
        all.map(|(&count, &length)| u64::from(count) * u64::from(length)).sum()
    }
}

/// Code lengths as they are stored: symbols for lengths and runs.
pub(super) struct Stored {
    symbols: [(u8, u8); SYMBOLS + DISTANCES],
    len: usize,
    literals: usize,
    distances: usize,
    lengths: [u8; LENGTHS],
    /// How many of these lengths are stored.
    used: usize,
    /// Bits of all this.
    pub(super) bits: u64,
}

impl Stored {
    pub(super) fn of(lengths: &Lengths) -> Self {
        let used = |lengths: &[u8]| lengths.iter().rposition(|length| *length > 0).map_or(0, |last| last + 1);
        let (literals, distances) = (used(&lengths.literals), used(&lengths.distances));
        let mut all = [0; SYMBOLS + DISTANCES];
        all[..literals].copy_from_slice(&lengths.literals[..literals]);
        all[literals..][..distances].copy_from_slice(&lengths.distances[..distances]);
        let mut stored = Self {
            symbols: [(0, 0); SYMBOLS + DISTANCES],
            len: 0,
            literals,
            distances,
            lengths: [0; LENGTHS],
            used: 0,
            bits: 0,
        };
        for run in all[..literals + distances].chunk_by(|a, b| a == b) {
            stored.run(run[0], run.len());
        }
        let mut counts = [0; LENGTHS];
        let symbols = &stored.symbols[..stored.len];
        symbols.iter().for_each(|(symbol, _)| counts[usize::from(*symbol)] += 1);
        huffman_lengths(&counts, LONGEST_LENGTH, &mut stored.lengths);
        let last = ORDER.iter().rposition(|symbol| stored.lengths[usize::from(*symbol)] > 0);
        stored.used = last.map_or(0, |last| last + 1).max(4);
        let bits = |(symbol, _): &(u8, u8)| u64::from(stored.lengths[usize::from(*symbol)] + extra(*symbol));
        stored.bits = u64::from(HEAD) + 3 * stored.used as u64 + symbols.iter().map(bits).sum::<u64>();
        stored
    }

    /// Appends a length that `count` symbols in a row have.
    fn run(&mut self, length: u8, mut count: usize) {
        if length > 0 {
            self.push(length, 0);
            count -= 1;
        }
        while count >= 3 {
            let (symbol, least, most) = match (length, count) {
                (0, 11..) => (18, 11, 138),
                (0, _) => (17, 3, 10),
                _ => (16, 3, 6),
            };
            let part = count.min(most);
            self.push(symbol, part - least);
            count -= part;
        }
        (0..count).for_each(|_| self.push(length, 0));
    }

    fn push(&mut self, symbol: u8, more: usize) {
        self.symbols[self.len] = (symbol, more as u8);
        self.len += 1;
    }

    pub(super) fn write(&self, out: &mut BitWriter<'_>) -> Option<()> {
        out.put((self.literals - 257) as u32, 5);
        out.put((self.distances - 1) as u32, 5);
        out.put((self.used - 4) as u32, 4);
        out.flush()?;
        for symbol in &ORDER[..self.used] {
            out.put(self.lengths[usize::from(*symbol)].into(), 3);
            out.flush()?;
        }
        let mut codes = [Code::EMPTY; LENGTHS];
        assign(&self.lengths, &mut codes);
        for &(symbol, more) in &self.symbols[..self.len] {
            let code = codes[usize::from(symbol)];
            out.put(code.bits, code.len);
            out.put(more.into(), extra(symbol).into());
            out.flush()?;
        }
        Some(())
    }
}

/// The bits that follow a symbol for a run.
const fn extra(symbol: u8) -> u8 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

/// A code as it is written, and its length.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u32,
    pub(super) len: u32,
}

impl Code {
    pub(super) const EMPTY: Self = Self { bits: 0, len: 0 };
}

/// Gives the symbols their codes: ascending by length, then by symbol.
pub(super) fn assign(lengths: &[u8], codes: &mut [Code]) {
    let mut counts = [0; 16];
    lengths.iter().filter(|length| **length > 0).for_each(|length| counts[usize::from(*length)] += 1);
    let mut next = [0_u32; 16];
    for length in 1..16 {
        next[length] = (next[length - 1] + counts[length - 1]) << 1;
    }
    for (&length, code) in lengths.iter().zip(codes).filter(|(length, _)| **length > 0) {
        let next = &mut next[usize::from(length)];
        *code = Code { bits: next.reverse_bits() >> (32 - u32::from(length)), len: length.into() };
        *next += 1;
    }
}

//! Prices of literals and matches for the parser that compares all ways: by how often each code occurred so far.

use super::MAX_BLOCK_BYTES;
use super::block::Blocks;
use super::codes::{MIN_MATCH, literals_code, match_code, offset_code};
use super::fse::BIT;
use super::huffman::histogram;
use super::sequences::EXTRA;
use super::store::{Repeats, repeat};
use crate::codec::matcher::optimal::{Node, Prices};
use crate::codec::matcher::probe::log2;
use crate::codec::matcher::{Rules, Sequences};
use crate::codec::zstd::codes::{Alphabet, LITERALS, MATCHES, OFFSETS};

/// Codes count less and less: half of the counts are forgotten when there are so many.
const MANY: u32 = 1 << 13;
/// Half of the counts of literals are forgotten when there are so many.
const MANY_LITERALS: u32 = 1 << 16;
/// Lengths with a price of their own.
const LENGTHS: usize = 512;

/// How often each code occurred, and the price of each.
struct Codes<const N: usize> {
    counts: [u32; N],
    prices: [u32; N],
}

impl<const N: usize> Codes<N> {
    /// As many of each code as there are in the predefined distribution.
    fn new(alphabet: &Alphabet) -> Self {
        let mut counts = [0; N];
        for (count, share) in counts.iter_mut().zip(alphabet.predefined.0) {
            *count = u32::from(share.unsigned_abs());
        }
        Self { counts, prices: [0; N] }
    }

    fn update(&mut self, most: u32, least: u32) {
        let mut total: u32 = self.counts.iter().sum();
        if total > most {
            self.counts.iter_mut().for_each(|count| *count = count.div_ceil(2));
            total = self.counts.iter().sum();
        }
        let all = log2(total.max(1));
        for (price, count) in self.prices.iter_mut().zip(&self.counts) {
            *price = all.saturating_sub(log2((*count).max(1))).max(least);
        }
    }
}

/// Counts of the codes of a stream.
pub(super) struct Known {
    bytes: Codes<256>,
    literals: Codes<36>,
    offsets: Codes<32>,
    matches: Codes<53>,
}

impl Known {
    /// A guess for a stream that begins with these bytes.
    pub(super) fn of(src: &[u8]) -> Self {
        let counts = histogram(&src[..src.len().min(MAX_BLOCK_BYTES)]).map(|count| count.div_ceil(8));
        Self {
            bytes: Codes { counts, prices: [0; 256] },
            literals: Codes::new(&LITERALS),
            offsets: Codes::new(&OFFSETS),
            matches: Codes::new(&MATCHES),
        }
    }
}

/// Blocks that know prices.
pub(super) struct Priced<'a, 'b> {
    blocks: &'a mut Blocks<'b>,
    src: &'b [u8],
    known: &'a mut Known,
    /// Prices of short lengths with their extra bits.
    lengths: [u32; LENGTHS],
}

impl<'a, 'b> Priced<'a, 'b> {
    pub(super) const fn new(src: &'b [u8], blocks: &'a mut Blocks<'b>, known: &'a mut Known) -> Self {
        Self { blocks, src, known, lengths: [0; LENGTHS] }
    }

    #[inline(always)]
    fn run_price(&self, run: u32) -> u32 {
        let code = literals_code(run);
        self.known.literals.prices[usize::from(code)] + BIT * u32::from(EXTRA[0][usize::from(code)])
    }

    #[inline(always)]
    fn length_price(&self, len: u32) -> u32 {
        let code = match_code(len);
        self.known.matches.prices[usize::from(code)] + BIT * u32::from(EXTRA[1][usize::from(code)])
    }
}

impl Sequences for Priced<'_, '_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        Rules { min_match: 3, ..self.blocks.rules() }
    }

    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, len: usize) -> Option<()> {
        let literals = &self.src[anchor..start];
        literals.iter().for_each(|byte| self.known.bytes.counts[usize::from(*byte)] += 1);
        let mut repeats = self.blocks.repeats();
        let offset = repeat(&mut repeats, dist as u32, literals.is_empty());
        self.known.literals.counts
            [usize::from(literals_code(literals.len().min(MAX_BLOCK_BYTES - 1) as u32))] += 1;
        self.known.offsets.counts[usize::from(offset_code(offset))] += 1;
        self.known.matches.counts[usize::from(match_code(len.min(MAX_BLOCK_BYTES - 1) as u32))] += 1;
        self.blocks.sequence(anchor, start, dist, len)
    }
}

impl Prices for Priced<'_, '_> {
    fn state(&self) -> Repeats {
        self.blocks.repeats()
    }

    #[inline(always)]
    fn recent_at(&self, from: &Node) -> [usize; 3] {
        let [first, second, third] = from.state.map(|dist| dist as usize);
        if from.run > 0 { [first, second, third] } else { [second, third, first - 1] }
    }

    fn prepare(&mut self, _: usize) {
        self.known.bytes.update(MANY_LITERALS, BIT);
        self.known.literals.update(MANY, 0);
        self.known.offsets.update(MANY, 0);
        self.known.matches.update(MANY, 0);
        for len in MIN_MATCH..LENGTHS as u32 {
            self.lengths[len as usize] = self.length_price(len);
        }
    }

    #[inline(always)]
    fn literal(&self, byte: u8, run: u32) -> i32 {
        let run = run.min(MAX_BLOCK_BYTES as u32 - 2);
        self.known.bytes.prices[usize::from(byte)] as i32 + self.run_price(run + 1) as i32
            - self.run_price(run) as i32
    }

    #[inline(always)]
    fn length(&self, len: usize) -> u32 {
        match self.lengths.get(len) {
            Some(price) => *price + self.known.literals.prices[0],
            None => self.length_price(len as u32) + self.known.literals.prices[0],
        }
    }

    #[inline(always)]
    fn distance(&self, dist: usize, from: &Node) -> (u32, Repeats) {
        let mut repeats = from.state;
        let code = offset_code(repeat(&mut repeats, dist as u32, from.run == 0));
        (self.known.offsets.prices[usize::from(code)] + BIT * u32::from(code), repeats)
    }
}

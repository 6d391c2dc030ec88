//! Huffman codes of literals: from their description to a table that a fixed number of bits looks up.

use super::bits::{GUARD, Window, marked_end};
use super::codes::WEIGHTS;
use super::fse::{self, Distribution};
use crate::codec::Corrupt;

/// The longest code, in bits. All tables are for so many, whatever their longest code: a constant shift finds the
/// entry.
pub(super) const MOST_BITS: u32 = 11;
const ENTRIES: usize = 1 << MOST_BITS;
/// States of the largest table of weights.
const WEIGHT_STATES: usize = 64;

/// For the next bits of a stream one symbol, or two where both fit.
pub(super) struct Table {
    entries: [Entry; ENTRIES],
    /// The bits of each symbol's code.
    lengths: [u8; 256],
    /// Whether there are entries of two symbols.
    pairs: bool,
}

/// The bits of all symbols, in the lowest byte; the symbols, in the next two; how many they are, in the last.
#[derive(Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    const fn new(symbol: u8, bits: u32) -> Self {
        Self(bits | (symbol as u32) << 8 | 1 << 30)
    }

    /// Adds a second symbol after the first.
    const fn and(self, symbol: u8, bits: u32) -> Self {
        Self(self.0 + (bits | (symbol as u32) << 16 | 1 << 30))
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0 & 63
    }

    /// One or two symbols; where there is one, something after it.
    #[inline(always)]
    pub(super) const fn symbols(self) -> [u8; 2] {
        ((self.0 >> 8) as u16).to_le_bytes()
    }

    #[inline(always)]
    pub(super) const fn count(self) -> usize {
        (self.0 >> 30) as usize
    }
}

impl Table {
    pub(super) const EMPTY: Self = Self { entries: [Entry(0); ENTRIES], lengths: [0; 256], pairs: false };

    /// Looks up the highest bits of `bits`.
    #[inline(always)]
    pub(super) const fn entry(&self, bits: u64) -> Entry {
        self.entries[(bits >> (64 - MOST_BITS)) as usize]
    }

    /// The bits of the first symbol of `entry` alone.
    pub(super) const fn first_bits(&self, entry: Entry) -> u32 {
        self.lengths[entry.symbols()[0] as usize] as u32
    }

    /// Whether some entries have two symbols.
    pub(super) const fn pairs(&self) -> bool {
        self.pairs
    }

    /// Reads the description that begins at `at`, after [`GUARD`] bytes of something; says where it ends. Makes
    /// entries of two symbols, if `pairs`.
    pub(super) fn read(&mut self, src: &[u8], at: usize, pairs: bool) -> Result<usize, Corrupt> {
        self.pairs = pairs;
        let mut weights = [0; 256];
        let head = usize::from(*src.get(at).ok_or(Corrupt)?);
        let start = at + 1;
        let (known, end) = if head < 128 {
            let end = start + head;
            (compressed_weights(src.get(..end).ok_or(Corrupt)?, start, &mut weights)?, end)
        } else {
            let known = head - 127;
            let end = start + known.div_ceil(2);
            let packed = src.get(start..end).ok_or(Corrupt)?;
            for (two, byte) in weights.chunks_exact_mut(2).zip(packed) {
                two.copy_from_slice(&[byte >> 4, byte & 15]);
            }
            (known, end)
        };
        self.fill(&mut weights, known)?;
        Ok(end)
    }

    /// Makes the table of the first `known` weights; the weight of one more symbol follows from them.
    fn fill(&mut self, weights: &mut [u8; 256], known: usize) -> Result<(), Corrupt> {
        // A nibble more may have been unpacked.
        weights[known..].fill(0);
        let mut ranks = [0u32; 16];
        for &weight in &weights[..known] {
            ranks[usize::from(weight & 15)] += 1;
        }
        let total: u32 = (1..16).map(|weight| ranks[weight] << weight >> 1).sum();
        // The last symbol fills up to a power of two, and takes at least its half.
        let longest = total.checked_ilog2().ok_or(Corrupt)? + 1;
        let rest = (1 << longest) - total;
        if longest > MOST_BITS || !rest.is_power_of_two() {
            return Err(Corrupt);
        }
        let last = rest.ilog2() + 1;
        weights[known] = last as u8;
        ranks[last as usize] += 1;
        // By the rules of the format there are two longest codes at least.
        if ranks[1] < 2 || ranks[1] % 2 == 1 {
            return Err(Corrupt);
        }
        // Symbols by the length of their codes, the longest first, as they lie in the table.
        let mut order = [0u8; 256];
        let mut starts = [0u32; 17];
        for weight in 1..16 {
            starts[weight + 1] = starts[weight] + ranks[weight];
        }
        let mut places = starts;
        for (symbol, &weight) in weights.iter().enumerate().take(known + 1) {
            let place = &mut places[usize::from(weight & 15)];
            if weight > 0 {
                order[*place as usize & 255] = symbol as u8;
                *place += 1;
                self.lengths[symbol] = (longest + 1) as u8 - weight;
            }
        }
        self.place(&order, &starts, longest as usize)
    }

    /// Fills the entries. `order[starts[weight]..starts[weight + 1]]` are the symbols of a weight.
    fn place(&mut self, order: &[u8; 256], starts: &[u32; 17], longest: usize) -> Result<(), Corrupt> {
        let symbols = |weight: usize| order.get(starts[weight] as usize..starts[weight + 1] as usize).ok_or(Corrupt);
        let mut rest = &mut self.entries[..];
        for weight in 1..=longest {
            let bits = (longest + 1 - weight) as u32;
            let span = 1 << (MOST_BITS - bits);
            let Some((&first, others)) = symbols(weight)?.split_first() else { continue };
            let (block, more) = rest.split_at_mut_checked(span).ok_or(Corrupt)?;
            rest = more;
            // What may follow the first symbol of this length may follow the others.
            let alone = Entry::new(first, bits);
            let mut end = span;
            for weight in (1..=longest).rev().take(if self.pairs { longest } else { 0 }) {
                let second_bits = (longest + 1 - weight) as u32;
                if bits + second_bits > MOST_BITS {
                    break;
                }
                let second_span = 1 << (MOST_BITS - bits - second_bits);
                for &second in symbols(weight)?.iter().rev() {
                    let start = end - second_span;
                    block.get_mut(start..end).ok_or(Corrupt)?.fill(alone.and(second, second_bits));
                    end = start;
                }
            }
            block.get_mut(..end).ok_or(Corrupt)?.fill(alone);
            for &other in others {
                let (same, more) = rest.split_at_mut_checked(span).ok_or(Corrupt)?;
                rest = more;
                let change = Entry::new(other, bits).0.wrapping_sub(alone.0);
                for (to, from) in same.iter_mut().zip(&*block) {
                    *to = Entry(from.0.wrapping_add(change));
                }
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(Corrupt) }
    }
}

/// Decodes the weights in `src` from `start` on, by two states in turn; says how many there are.
fn compressed_weights(src: &[u8], start: usize, weights: &mut [u8; 256]) -> Result<usize, Corrupt> {
    debug_assert!(start >= GUARD);
    let (distribution, len) = Distribution::read(&src[start..], WEIGHTS.len(), WEIGHT_STATES.ilog2())?;
    let mut table = [fse::Entry::ZERO; WEIGHT_STATES];
    let table = &mut table[..distribution.states()];
    distribution.fill(&WEIGHTS, table);
    let log = table.len().ilog2() as u8;
    let first = 8 * (start + len) as u32;
    if start + len >= src.len() {
        return Err(Corrupt);
    }
    let mut window = Window::new(src, marked_end(src)?)?;
    let (mut state, mut other) = (window.take(log), window.take(log));
    // The last weight is an implied one.
    let mut known = 0;
    while known < 255 {
        let entry = table.get(state as usize).ok_or(Corrupt)?;
        weights[known] = entry.base as u8;
        known += 1;
        window = Window::new(src, window.left())?;
        let next = u32::from(entry.next) + window.take(entry.bits);
        if window.left() < first {
            // The stream is over, and the other state has still to be told.
            weights[known] = table.get(other as usize).ok_or(Corrupt)?.base as u8;
            return if known < 255 { Ok(known + 1) } else { Err(Corrupt) };
        }
        (state, other) = (other, next);
    }
    Err(Corrupt)
}

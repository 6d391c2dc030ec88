//! Huffman codes of literals: from their description to a table that a fixed number of bits looks up.

use super::bits::{Backward, GUARD};
use super::codes::WEIGHTS;
use super::fse::{Distribution, Entry};
use crate::codec::Corrupt;

/// The longest code, in bits. All tables are for so many, whatever their longest code: a constant shift finds the
/// entry.
pub(super) const MOST_BITS: u32 = 11;
const ENTRIES: usize = 1 << MOST_BITS;
/// States of the largest table of weights.
const WEIGHT_STATES: usize = 64;

/// For the next bits of a stream: the symbol in the high byte, how many bits it takes in the low one.
pub(super) struct Table([u16; ENTRIES]);

impl Table {
    pub(super) const EMPTY: Self = Self([0; ENTRIES]);

    /// Looks up the highest bits of `bits`.
    #[inline(always)]
    pub(super) const fn entry(&self, bits: u64) -> u16 {
        self.0[(bits >> (64 - MOST_BITS)) as usize]
    }

    /// Reads the description that begins at `at`, after [`GUARD`] bytes of something; says where it ends.
    pub(super) fn read(&mut self, src: &[u8], at: usize) -> Result<usize, Corrupt> {
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
        let mut starts = [0; 16];
        let mut start = 0;
        let scale = MOST_BITS - longest;
        for weight in 1..=longest as usize {
            starts[weight] = start;
            start += ranks[weight] << (weight - 1) << scale;
        }
        for (symbol, &weight) in weights.iter().enumerate().take(known + 1) {
            if weight == 0 {
                continue;
            }
            let weight = u32::from(weight);
            let span = 1 << (weight - 1 + scale);
            let from = starts[weight as usize & 15];
            starts[weight as usize & 15] += span;
            let entry = (symbol as u16) << 8 | (longest + 1 - weight) as u16;
            self.0.get_mut(from as usize..(from + span) as usize).ok_or(Corrupt)?.fill(entry);
        }
        Ok(())
    }
}

/// Decodes the weights in `src` from `start` on, by two states in turn; says how many there are.
fn compressed_weights(src: &[u8], start: usize, weights: &mut [u8; 256]) -> Result<usize, Corrupt> {
    debug_assert!(start >= GUARD);
    let (distribution, len) = Distribution::read(&src[start..], WEIGHTS.len(), WEIGHT_STATES.ilog2())?;
    let mut table = [Entry::ZERO; WEIGHT_STATES];
    let table = &mut table[..distribution.states()];
    distribution.fill(&WEIGHTS, table);
    let log = table.len().ilog2() as u8;
    let first = 8 * (start + len);
    if first == 8 * src.len() {
        return Err(Corrupt);
    }
    let mut reader = Backward::new(src)?;
    let (mut state, mut other) = (reader.take(log), reader.take(log));
    // The last weight is an implied one.
    let mut known = 0;
    while known < 255 {
        let entry = table.get(state as usize).ok_or(Corrupt)?;
        weights[known] = entry.base as u8;
        known += 1;
        reader.refill()?;
        let next = u32::from(entry.next) + reader.take(entry.bits);
        if reader.left() < first {
            // The stream is over, and the other state has still to be told.
            weights[known] = table.get(other as usize).ok_or(Corrupt)?.base as u8;
            return if known < 255 { Ok(known + 1) } else { Err(Corrupt) };
        }
        (state, other) = (other, next);
    }
    Err(Corrupt)
}

//! Weights: the description of Huffman codes. A code of weight `w` has `longest + 1 - w` bits; a symbol of weight 0
//! does not occur.

use super::bits::{GUARD, Window, marked_end};
use super::codes::WEIGHTS;
use super::fse::{Distribution, FseEntry};
use crate::codec::Corrupt;

/// The longest code, in bits. All tables have this index width: shifting by a constant finds the entry.
pub(super) const MAX_BITS: u32 = 11;

/// States of the largest table of weights.
const STATES: usize = 64;

/// The codes of all symbols.
pub(super) struct HuffmanCodes {
    /// The weight of each symbol.
    pub(super) weights: [u8; 256],
    /// The symbols that occur, longest codes first.
    order: [u8; 256],
    /// Start in `order` of the symbols of each weight.
    starts: [u32; 17],
    /// Length of the longest code, in bits.
    pub(super) longest: usize,
}

impl HuffmanCodes {
    /// Reads the description at `at`, which [`GUARD`] bytes precede. Returns its end.
    pub(super) fn read(src: &[u8], at: usize) -> Result<(Self, usize), Corrupt> {
        let mut weights = [0; 256];
        let head = usize::from(*src.get(at).ok_or(Corrupt)?);
        let start = at + 1;
        let (known, end) = if head < 128 {
            let end = start + head;
            (compressed(src.get(..end).ok_or(Corrupt)?, start, &mut weights)?, end)
        } else {
            let known = head - 127;
            let end = start + known.div_ceil(2);
            let packed = src.get(start..end).ok_or(Corrupt)?;
            for (two, byte) in weights.as_chunks_mut().0.iter_mut().zip(packed) {
                *two = [byte >> 4, byte & 15];
            }
            // An odd number of weights leaves half a byte.
            weights[known] = 0;
            (known, end)
        };
        Ok((Self::new(weights, known)?, end))
    }

    /// The codes for the first `known` weights, which imply the weight of one more symbol.
    fn new(mut weights: [u8; 256], known: usize) -> Result<Self, Corrupt> {
        let mut ranks = [0u32; 16];
        for &weight in &weights[..known] {
            ranks[usize::from(weight & 15)] += 1;
        }
        let total: u32 = (1..16).map(|weight| ranks[weight] << weight >> 1).sum();
        // The last weight completes a power of two, so it is at least half of it.
        let longest = total.checked_ilog2().ok_or(Corrupt)? + 1;
        let rest = (1 << longest) - total;
        if longest > MAX_BITS || !rest.is_power_of_two() {
            return Err(Corrupt);
        }
        let last = rest.ilog2() as usize + 1;
        weights[known] = last as u8;
        ranks[last] += 1;
        // There are at least two longest codes: they differ in the last bit.
        if ranks[1] < 2 || ranks[1] % 2 == 1 {
            return Err(Corrupt);
        }
        let mut starts = [0; 17];
        for weight in 1..16 {
            starts[weight + 1] = starts[weight] + ranks[weight];
        }
        let mut order = [0; 256];
        let mut places = starts;
        for (symbol, &weight) in weights[..=known].iter().enumerate() {
            if weight > 0 {
                let place = &mut places[usize::from(weight & 15)];
                order[*place as usize & 255] = symbol as u8;
                *place += 1;
            }
        }
        Ok(Self { weights, order, starts, longest: longest as usize })
    }

    /// The symbols of a weight, at most `longest`.
    pub(super) fn symbols(&self, weight: usize) -> &[u8] {
        self.order.get(self.starts[weight] as usize..self.starts[weight + 1] as usize).unwrap_or_default()
    }
}

/// Decodes the weights from `src[start..]` with two alternating states. Returns their number.
fn compressed(src: &[u8], start: usize, weights: &mut [u8; 256]) -> Result<usize, Corrupt> {
    debug_assert!(start >= GUARD);
    let (distribution, len) = Distribution::read(&src[start..], WEIGHTS.extra.len(), STATES.ilog2())?;
    let mut table = [FseEntry::ZERO; STATES];
    let table = &mut table[..distribution.states()];
    distribution.fill(&WEIGHTS, table);
    let log = table.len().ilog2() as u8;
    let first = start + len;
    if first >= src.len() {
        return Err(Corrupt);
    }
    let mut window = Window::new(src, marked_end(src)?)?;
    let (mut state, mut other) = (window.take(log), window.take(log));
    // The last weight is implied.
    for known in 0..254 {
        let entry = table.get(state as usize).ok_or(Corrupt)?;
        weights[known] = entry.base as u8;
        window = Window::new(src, window.left())?;
        let next = u32::from(entry.next) + window.take(entry.bits);
        if (window.left() as usize) < 8 * first {
            // At the end of the stream the other state still holds a weight.
            weights[known + 1] = table.get(other as usize).ok_or(Corrupt)?.base as u8;
            return Ok(known + 2);
        }
        (state, other) = (other, next);
    }
    Err(Corrupt)
}

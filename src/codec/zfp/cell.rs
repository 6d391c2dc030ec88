//! Decoding of one cell.

use super::Mode;
use super::bits::{Bits, PEEKED};
use super::order::order;
use super::word::Word;

/// Coefficients whose bits are read at once.
const GROUP: usize = 32;

/// Decodes the values of a cell, all with the same exponent, which it returns; `None` if all of them are zero. A cell has 4 values
/// along each axis.
#[inline(always)]
pub(super) fn decode<W: Word, const SIZE: usize>(
    bits: &mut Bits<'_>,
    mode: &Mode,
    cell: &mut [W; SIZE],
) -> Option<i32> {
    let ndim = SIZE.ilog2() / 2;
    if bits.read(1) == 0 {
        bits.skip(mode.least_bits.saturating_sub(1));
        return None;
    }
    let exponent = bits.read(W::EXPONENT) as i32 - W::BIAS;
    let head = 1 + W::EXPONENT;
    let nplanes = mode.planes_of::<W>(exponent, ndim);
    let mut stored = [W::ZERO; SIZE];
    let used = head + planes(bits, mode.most_bits - head, nplanes, &mut stored);
    bits.skip(mode.least_bits.saturating_sub(used));
    for (word, &to) in stored.iter().zip(order(ndim)) {
        cell[usize::from(to)] = word.signed();
    }
    invert(cell);
    Some(exponent)
}

/// Reads bit planes from the highest on, using at most `budget` bits. Returns how many it used.
///
/// In each plane, the first `n` coefficients, those that had a bit in a higher plane and all before them, have one bit each.
/// The others follow as runs: a bit tells whether any more are set, and zeros lead to the next one.
#[inline(always)]
fn planes<W: Word, const SIZE: usize>(
    bits: &mut Bits<'_>,
    budget: u32,
    nplanes: u32,
    words: &mut [W; SIZE],
) -> u32 {
    let (mut left, mut n, size) = (budget, 0, SIZE as u32);
    for plane in (W::BITS - nplanes..W::BITS).rev() {
        if left == 0 {
            break;
        }
        for (words, first) in words.chunks_mut(GROUP).zip((0..n).step_by(GROUP)) {
            let count = (n - first).min(GROUP as u32).min(left);
            left -= count;
            deposit(words, bits.read(count) as u32, plane);
        }
        while left > 0 && n < size {
            left -= 1;
            if bits.read(1) == 0 {
                break;
            }
            n += zeros(bits, &mut left, size - 1 - n);
            words[n as usize] |= W::bit(plane);
            n += 1;
        }
    }
    budget - left
}

/// Adds one bit to each of at most [`GROUP`] coefficients.
#[inline(always)]
fn deposit<W: Word>(words: &mut [W], set: u32, plane: u32) {
    // All at once, in vectors.
    for (n, word) in words.iter_mut().enumerate() {
        *word |= W::of_bit(set >> n, plane);
    }
}

/// Reads zeros up to the next one, which is implied after `most` zeros.
#[inline(always)]
fn zeros(bits: &mut Bits<'_>, left: &mut u32, most: u32) -> u32 {
    let mut total = 0;
    loop {
        let limit = (most - total).min(*left);
        let count = bits.peek().trailing_zeros().min(PEEKED - 1);
        if count >= limit {
            bits.skip(limit);
            *left -= limit;
            return total + limit;
        }
        total += count;
        let is_one = count < PEEKED - 1;
        bits.skip(count + u32::from(is_one));
        *left -= count + u32::from(is_one);
        if is_one {
            return total;
        }
    }
}

/// Inverts the transform, from the slowest axis to the fastest.
#[inline(always)]
fn invert<W: Word, const SIZE: usize>(cell: &mut [W; SIZE]) {
    let mut stride = SIZE / 4;
    while stride > 0 {
        for group in cell.chunks_exact_mut(4 * stride) {
            for at in 0..stride {
                let four = [0, 1, 2, 3].map(|n| group[at + n * stride]);
                for (n, word) in W::lift(four).into_iter().enumerate() {
                    group[at + n * stride] = word;
                }
            }
        }
        stride /= 4;
    }
}

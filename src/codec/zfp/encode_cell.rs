//! Encoding of one cell.

use super::Mode;
use super::bit_writer::BitWriter;
use super::order::order;
use super::word::Word;

/// Words of 64 bits that have one bit of each coefficient of the largest cell.
const PLANE_WORDS: usize = 4;

/// Encodes the values of a cell, given as the bits of floats.
#[inline(always)]
pub(super) fn encode<W: Word, const SIZE: usize>(
    bits: &mut BitWriter<'_>,
    mode: &Mode,
    cell: &mut [W; SIZE],
) {
    let ndim = SIZE.ilog2() / 2;
    let exponent = W::exponent(cell);
    let nplanes = exponent.map_or(0, |exponent| mode.planes_of::<W>(exponent, ndim));
    let Some(exponent) = exponent.filter(|_| nplanes > 0) else {
        return bits.zeros(mode.least_bits.max(1));
    };
    let head = 1 + W::EXPONENT;
    bits.put(1 | ((exponent + W::BIAS) as u64) << 1, head);
    W::quantize(cell, exponent);
    transform(cell);
    let mut words = [W::ZERO; SIZE];
    for (word, &from) in words.iter_mut().zip(order(ndim)) {
        *word = cell[usize::from(from)].negabinary();
    }
    let used = head + planes(bits, mode.most_bits - head, nplanes, &words);
    bits.zeros(mode.least_bits.saturating_sub(used));
}

/// Writes bit planes from the highest on, with at most `budget` bits. Returns how many it used.
#[inline(always)]
fn planes<W: Word, const SIZE: usize>(
    bits: &mut BitWriter<'_>,
    budget: u32,
    nplanes: u32,
    words: &[W; SIZE],
) -> u32 {
    let (mut left, mut n, size) = (budget, 0, SIZE as u32);
    for number in (W::BITS - nplanes..W::BITS).rev() {
        if left == 0 {
            break;
        }
        let plane = Plane::of(words, number);
        left -= plane.copy(bits, n.min(left));
        while left > 0 && n < size {
            let Some(next) = plane.next(n) else {
                bits.zeros(1);
                left -= 1;
                break;
            };
            bits.put(1, 1);
            left -= 1;
            let zeros = (next - n).min(left);
            bits.zeros(zeros);
            left -= zeros;
            // The last coefficient needs none.
            if left > 0 && next < size - 1 {
                bits.put(1, 1);
                left -= 1;
            }
            n = next + 1;
        }
    }
    budget - left
}

/// A bit of each coefficient.
struct Plane([u64; PLANE_WORDS]);

impl Plane {
    #[inline(always)]
    fn of<W: Word, const SIZE: usize>(words: &[W; SIZE], number: u32) -> Self {
        let mut plane = [0; PLANE_WORDS];
        for (to, words) in plane.iter_mut().zip(words.chunks(u64::BITS as usize)) {
            *to = words.iter().enumerate().fold(0, |to, (n, word)| to | word.get(number) << n);
        }
        Self(plane)
    }

    /// Writes the first `count` bits, and returns how many these are.
    #[inline(always)]
    fn copy(&self, bits: &mut BitWriter<'_>, count: u32) -> u32 {
        for (&word, first) in self.0.iter().zip((0..count).step_by(u64::BITS as usize)) {
            let count = (count - first).min(u64::BITS);
            bits.put(word & (u64::MAX >> (u64::BITS - count)), count);
        }
        count
    }

    /// The next bit that is set, from `first` on.
    #[inline(always)]
    fn next(&self, first: u32) -> Option<u32> {
        let (at, mut mask) = ((first / u64::BITS) as usize, !0 << (first % u64::BITS));
        for (n, word) in self.0.iter().enumerate().skip(at) {
            if word & mask != 0 {
                return Some(n as u32 * u64::BITS + (word & mask).trailing_zeros());
            }
            mask = !0;
        }
        None
    }
}

/// Transforms the values, from the fastest axis to the slowest.
#[inline(always)]
fn transform<W: Word, const SIZE: usize>(cell: &mut [W; SIZE]) {
    let mut stride = 1;
    while stride < SIZE {
        for group in cell.chunks_exact_mut(4 * stride) {
            for at in 0..stride {
                let four = [0, 1, 2, 3].map(|n| group[at + n * stride]);
                for (n, word) in W::forward(four).into_iter().enumerate() {
                    group[at + n * stride] = word;
                }
            }
        }
        stride *= 4;
    }
}

//! Adler-32 (RFC 1950): the sum of the bytes, and the sum of all these sums as bytes are added.
//!
//! Columns of 16 bits, which a compiler turns into vectors, take a row of bytes at a time: one adds up
//! the rows, one adds up the first. Every [`ROWS`] rows they are added to columns of 32 bits, and only every
//! [`PART`] bytes is anything multiplied or divided.

use crate::base::SMALL;
use crate::simd::{Repeat, Work, widest};

const MODULUS: u64 = 65_521;
/// Whether the compiler makes vectors of columns. Where size counts it does not, and one byte after the other is 1.5
/// times as fast.
const COLUMNS: bool = !SMALL && !cfg!(target_family = "wasm");
/// Bytes added side by side.
const LANES: usize = 64;
/// Rows until a column of 16 bits may overflow: 255 · 22 · 23 / 2 < 65536.
const ROWS: usize = 22;
/// Blocks until one of 32 bits is far from that: 255 · 22 · 16 · 15 / 2 < 2²⁰.
const BLOCKS: usize = 16;
const PART: usize = LANES * ROWS * BLOCKS;

/// The checksum of the bytes so far.
#[derive(Clone, Copy)]
pub(super) struct Adler {
    low: u64,
    high: u64,
}

impl Adler {
    pub(super) const EMPTY: Self = Self { low: 1, high: 0 };

    /// Appends bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        *self = widest(Sum(*self, bytes));
    }

    pub(super) const fn value(self) -> u32 {
        (self.high << 16 | self.low) as u32
    }
}

struct Sum<'a>(Adler, &'a [u8]);

impl Work for Sum<'_> {
    const GAINS_BY_64: bool = true;

    type Output = Adler;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Adler {
        sum(self.0, self.1)
    }
}

#[inline(always)]
fn sum(Adler { mut low, mut high }: Adler, bytes: &[u8]) -> Adler {
    for part in bytes.chunks(PART) {
        let mut rest = part;
        if COLUMNS {
            let rows;
            (rows, rest) = part.as_chunks();
            let columns = Columns::of(rows);
            high += low * (rows.len() * LANES) as u64 + columns.weighted();
            low += columns.total.iter().map(|&sum| u64::from(sum)).sum::<u64>();
        }
        for &byte in rest {
            low += u64::from(byte);
            high += low;
        }
        low %= MODULUS;
        high %= MODULUS;
    }
    Adler { low, high }
}

/// Sums of every [`LANES`]th byte.
struct Columns {
    total: [u32; LANES],
    /// The sums of all totals before a block, times its rows.
    before: [u32; LANES],
    /// Within blocks, bytes times how many of their column there are from them on.
    often: [u32; LANES],
}

impl Columns {
    #[inline(always)]
    fn of(rows: &[[u8; LANES]]) -> Self {
        let mut all = Self { total: [0; LANES], before: [0; LANES], often: [0; LANES] };
        for block in rows.chunks(ROWS) {
            let mut once = [0u16; LANES];
            let mut often = [0u16; LANES];
            for row in block {
                for lane in 0..LANES {
                    once[lane] += u16::from(row[lane]);
                    often[lane] += once[lane];
                }
            }
            for lane in 0..LANES {
                all.before[lane] += block.len() as u32 * all.total[lane];
                all.total[lane] += u32::from(once[lane]);
                all.often[lane] += u32::from(often[lane]);
            }
        }
        all
    }

    #[inline(always)]
    /// The sum of each byte times how many there are from it on.
    fn weighted(&self) -> u64 {
        let mut sum = 0;
        for lane in 0..LANES {
            // What stands in a later column is followed by fewer bytes than the row has.
            sum += LANES as u64 * (u64::from(self.before[lane]) + u64::from(self.often[lane]))
                - lane as u64 * u64::from(self.total[lane]);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn is_the_sum_of_sums() {
        let adler32 = |bytes: &[u8]| {
            let mut sum = Adler::EMPTY;
            let (start, end) = bytes.split_at(bytes.len() / 3);
            sum.add(start);
            sum.add(end);
            sum.value()
        };
        assert_eq!(adler32(b""), 1);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        let bytes: Vec<u8> = (0..3 * PART + 1000).map(|i| ((i * i) >> 5) as u8).collect();
        let full = alloc::vec![255; bytes.len()];
        for len in (0..100).chain([LANES * ROWS - 1, LANES * ROWS, PART, bytes.len()]) {
            for bytes in [&bytes, &full] {
                let (mut low, mut high) = (1, 0);
                for &byte in &bytes[..len] {
                    low = (low + u32::from(byte)) % 65_521;
                    high = (high + low) % 65_521;
                }
                assert_eq!(adler32(&bytes[..len]), high << 16 | low, "{len} bytes");
            }
        }
    }
}

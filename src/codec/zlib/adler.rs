//! Adler-32 (RFC 1950): the sum of the bytes, and the sum of its running values.
//!
//! Works on rows of bytes, with one 16-bit sum per column, which compilers vectorise. One array sums the rows, the
//! other sums the first. Every [`ROWS`] rows they are added to 32-bit columns; multiplications and divisions happen
//! only every [`PART`] bytes.

use crate::base::SMALL;
use crate::simd::{Instructions, Work, widest};

const MODULUS: u64 = 65_521;
/// Whether the compiler vectorises columns. When it optimises for size it does not, and a plain loop is 1.5 times as
/// fast.
const COLUMNS: bool = !SMALL && !cfg!(target_family = "wasm");
/// Bytes per row.
const LANES: usize = 64;
/// Rows until a 16-bit column may overflow: 255 · 22 · 23 / 2 < 65536.
const ROWS: usize = 22;
/// Blocks of rows, with a wide margin in 32 bits: 255 · 22 · 16 · 15 / 2 < 2²⁰.
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
    fn run(self, _: impl Instructions) -> Adler {
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

/// Column sums, of every [`LANES`]th byte.
struct Columns {
    total: [u32; LANES],
    /// The column sums before each block, times the rows of the block.
    before: [u32; LANES],
    /// Within blocks, each byte times the number of bytes in its column from it on.
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
    /// The sum of each byte times the number of bytes from it on.
    fn weighted(&self) -> u64 {
        let mut sum = 0;
        for lane in 0..LANES {
            // Bytes in later columns are followed by fewer bytes of their row.
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

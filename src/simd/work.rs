//! Work that is compiled for several instruction sets.

/// A computation. It must be `#[inline(always)]`, to be compiled for the instruction set that runs it.
pub(crate) trait Work {
    /// Whether it gains from registers of 64 bytes.
    #[allow(dead_code, reason = "only AVX-512 has them")]
    const GAINS_BY_64: bool = false;

    /// Its result.
    type Output;

    /// Runs it.
    fn run(self, repeat: impl Repeat) -> Self::Output;
}

/// How to repeat a pattern with the current instruction set.
pub(crate) trait Repeat: Copy {
    /// Repeats the first `period` bytes. `period` is at least 1; values above 16 count as 16.
    fn repeat(self, bytes: [u8; 16], period: usize) -> [u8; 16];
}

/// By multiplication, on any machine.
#[derive(Clone, Copy)]
pub(crate) struct ByProduct;

impl Repeat for ByProduct {
    #[inline(always)]
    fn repeat(self, bytes: [u8; 16], period: usize) -> [u8; 16] {
        let Pattern { mask, times } = &PATTERNS[period.min(16)];
        (u128::from_le_bytes(bytes) & mask).wrapping_mul(*times).to_le_bytes()
    }
}

/// A pattern of 0 to 16 bytes.
struct Pattern {
    mask: u128,
    /// Multiplies the pattern into the repetitions that fit in 16 bytes.
    times: u128,
}

const PATTERNS: [Pattern; 17] = {
    let mut table = [const { Pattern { mask: u128::MAX, times: 1 } }; 17];
    let mut period = 1;
    while period < 16 {
        table[period].mask = (1 << (8 * period)) - 1;
        let mut at = period;
        while at < 16 {
            table[period].times |= 1 << (8 * at);
            at += period;
        }
        period += 1;
    }
    table
};

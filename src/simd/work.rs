//! Work that is compiled for several instruction sets.

/// A computation. It must be `#[inline(always)]`, to be compiled for the instruction set that runs it.
pub(crate) trait Work {
    /// Whether it gains from registers of 64 bytes.
    #[allow(dead_code, reason = "only AVX-512 has them")]
    const GAINS_BY_64: bool = false;

    /// Its result.
    type Output;

    /// Runs it.
    fn run(self, repeat: impl Instructions) -> Self::Output;
}

/// Operations for which some instruction sets have instructions of their own.
pub(crate) trait Instructions: Copy {
    /// Repeats the first `period` bytes. `period` is at least 1; values above 16 count as 16.
    fn repeat(self, bytes: [u8; 16], period: usize) -> [u8; 16];

    /// The `n < 32` bits from bit `from` on, which counts modulo 64. All of them are there.
    fn bits(self, word: u64, from: u32, n: u8) -> u32;
}

/// Operations of any machine: patterns are repeated by multiplication.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn repeat(self, bytes: [u8; 16], period: usize) -> [u8; 16] {
        let Pattern { mask, times } = &PATTERNS[period.min(16)];
        (u128::from_le_bytes(bytes) & mask).wrapping_mul(*times).to_le_bytes()
    }

    #[inline(always)]
    fn bits(self, word: u64, from: u32, n: u8) -> u32 {
        // x86 shifts by one register only, so that a table is faster there: elsewhere it would take room.
        let mask = if X86 { MASKS[usize::from(n)] } else { (1 << (n & 31)) - 1 };
        (word >> (from & 63)) as u32 & mask
    }
}

const X86: bool = cfg!(any(target_arch = "x86", target_arch = "x86_64"));

/// The masks of so many lowest bits. They are indexed by any byte, so that no bounds check is needed.
static MASKS: [u32; 256] = masks();

const fn masks() -> [u32; 256] {
    let mut masks = [u32::MAX; 256];
    let mut n = 0;
    while n < 32 {
        masks[n] = (1 << n) - 1;
        n += 1;
    }
    masks
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

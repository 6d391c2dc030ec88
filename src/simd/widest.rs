//! Compiles safe code a second time, for instructions that nearly every x86-64 processor has today.
//!
//! Decoders are plain Rust without explicit vectors. They gain copies of 32 bytes through one register, checksums with
//! twice the lanes, and shifts that preserve the flags.

use super::work::{Baseline, Work};

/// Runs the work with AVX-512 if it gains from that, or with AVX2 and BMI, if the machine has them.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
#[inline]
pub(crate) fn widest<W: Work>(work: W) -> W::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "nightly")))]
    if W::GAINS_BY_64
        && let Some(avx512) = super::probe::HasAvx512::probe()
    {
        return avx512.run(work);
    }
    match super::probe::HasAvx2::probe() {
        Some(avx2) => avx2.run(work),
        None => work.run(Baseline),
    }
}

/// Runs the work with what the target guarantees.
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
#[inline(always)]
pub(crate) fn widest<W: Work>(work: W) -> W::Output {
    work.run(Baseline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Instructions;

    struct Sum<'a, const BY_64: bool>(&'a [u8]);

    impl<const BY_64: bool> Work for Sum<'_, BY_64> {
        const GAINS_BY_64: bool = BY_64;

        type Output = u64;

        #[inline(always)]
        fn run(self, _: impl Instructions) -> u64 {
            self.0.iter().map(|&byte| u64::from(byte) << (byte & 31)).sum()
        }
    }

    #[test]
    fn the_same_comes_of_it_everywhere() {
        let bytes: [u8; 200] = core::array::from_fn(|i| i as u8);
        let sum = Sum::<false>(&bytes).run(Baseline);
        assert_eq!(widest(Sum::<false>(&bytes)), sum);
        assert_eq!(widest(Sum::<true>(&bytes)), sum);
    }

    /// Checks all ways to repeat a pattern.
    struct Repeated([u8; 16], usize);

    impl Work for Repeated {
        type Output = [u8; 16];

        #[inline(always)]
        fn run(self, repeat: impl Instructions) -> [u8; 16] {
            repeat.repeat(self.0, self.1)
        }
    }

    /// Takes some bits of a word.
    struct Bits(u64, u32, u8);

    impl Work for Bits {
        type Output = u32;

        #[inline(always)]
        fn run(self, by: impl Instructions) -> u32 {
            by.bits(self.0, self.1, self.2)
        }
    }

    #[test]
    fn the_same_bits_are_taken_everywhere() {
        let word = 0x0123_4567_89AB_CDEF_u64;
        for (from, n) in (0..64).flat_map(|from| (0..32.min(65 - from)).map(move |n| (from, n as u8))) {
            let expected = (word >> from) as u32 & ((1 << n) - 1);
            for from in [from, from + 64] {
                assert_eq!(Baseline.bits(word, from, n), expected, "{n} bits from {from}");
                assert_eq!(widest(Bits(word, from, n)), expected, "{n} bits from {from}");
            }
        }
    }

    #[test]
    fn patterns_repeat() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 200 + 3 * i as u8);
        for period in 1..40 {
            let expected: [u8; 16] = core::array::from_fn(|i| bytes[i % period]);
            assert_eq!(Baseline.repeat(bytes, period), expected, "{period}");
            assert_eq!(widest(Repeated(bytes, period)), expected, "{period}");
        }
    }
}

//! Safe code compiled a second time, for the instructions that nearly every x86-64 processor has today.
//!
//! Decoders are plain Rust without vectors of their own. What they gain here is copies of 32 bytes by one
//! register, checksums by twice the lanes, and shifts that leave the flags alone.

/// Something to do, which must be `#[inline(always)]` to be compiled for what it runs on.
pub(crate) trait Work {
    /// Whether it is faster with registers of 64 bytes.
    #[allow(dead_code, reason = "only AVX-512 has them")]
    const GAINS_BY_64: bool = false;

    /// What comes of it.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does the work with AVX-512 if it gains by that, or with AVX2 and BMI, where the machine has them.
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
        None => work.run(),
    }
}

/// Does the work with what the target has for certain.
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
#[inline(always)]
pub(crate) fn widest<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a, const BY_64: bool>(&'a [u8]);

    impl<const BY_64: bool> Work for Sum<'_, BY_64> {
        const GAINS_BY_64: bool = BY_64;

        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().map(|&byte| u64::from(byte) << (byte & 31)).sum()
        }
    }

    #[test]
    fn the_same_comes_of_it_everywhere() {
        let bytes: [u8; 200] = core::array::from_fn(|i| i as u8);
        let sum = Sum::<false>(&bytes).run();
        assert_eq!(widest(Sum::<false>(&bytes)), sum);
        assert_eq!(widest(Sum::<true>(&bytes)), sum);
    }
}

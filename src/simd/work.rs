//! Safe code compiled a second time, for the instructions that nearly every x86-64 processor has today.
//!
//! Decoders are plain Rust without vectors of their own. What they gain here is copies of 32 bytes by one
//! register, checksums by twice the lanes, and shifts that leave the flags alone.

/// Something to do, which must be `#[inline(always)]` to be compiled for what it runs on.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

#[cfg(not(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
)))]
pub(crate) use here as widest;

/// Does the work with what the target has for certain.
#[allow(dead_code)]
#[inline(always)]
pub(crate) fn here<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
pub(crate) use x86::widest;

#[cfg(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
#[allow(unsafe_code)]
mod x86 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::__cpuid_count;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::__cpuid_count;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use super::super::probe::HasAvx2;
    use super::{Work, here};

    /// Does the work with AVX2 and BMI where the machine has them.
    #[inline]
    pub(crate) fn widest<W: Work>(work: W) -> W::Output {
        if probe() {
            // SAFETY: `probe` has just found all three of them.
            unsafe { wide(work) }
        } else {
            here(work)
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn wide<W: Work>(work: W) -> W::Output {
        work.run()
    }

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    /// Asks the machine, the first time; threads that race here all learn the same.
    #[inline]
    fn probe() -> bool {
        static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
        let known = KNOWN.load(Relaxed);
        let answer = if known == UNKNOWN { if ask() { YES } else { NO } } else { known };
        if answer != known {
            KNOWN.store(answer, Relaxed);
        }
        answer == YES
    }

    #[cold]
    fn ask() -> bool {
        const BMI1: u32 = 1 << 3;
        const BMI2: u32 = 1 << 8;
        // Where AVX2 is known to be, leaf 7 is.
        HasAvx2::probe().is_some() && __cpuid_count(7, 0).ebx & (BMI1 | BMI2) == BMI1 | BMI2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u8]);

    impl Work for Sum<'_> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().map(|&byte| u64::from(byte) << (byte & 31)).sum()
        }
    }

    #[test]
    fn the_same_comes_of_it_everywhere() {
        let bytes: [u8; 200] = core::array::from_fn(|i| i as u8);
        assert_eq!(widest(Sum(&bytes)), here(Sum(&bytes)));
    }
}

//! Detects what an x86 processor supports beyond the target, without `std`. Wide registers also need support by the
//! operating system, which must save them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;
use core::mem::transmute;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::kernels::Kernel;
use super::vector::Vector;
use super::work::{Instructions, Work};

/// Proof that the machine supports AVX2, BMI1 and BMI2; processors with AVX2 have all three.
#[derive(Clone, Copy)]
pub(super) struct HasAvx2(());

/// Proof that the machine supports AVX-512: F, BW, VL, VBMI, and GFNI.
#[cfg(all(target_arch = "x86_64", not(feature = "nightly")))]
#[derive(Clone, Copy)]
pub(super) struct HasAvx512(());

const UNKNOWN: u8 = 0;
/// Plain loops, which only [`limit`] asks for.
const SCALAR: u8 = 1;
const SSE2: u8 = 2;
const AVX2: u8 = 3;
/// Includes AVX2.
const AVX512: u8 = 4;

/// The variable that limits the instruction set.
#[cfg(feature = "std")]
const KERNELS: &str = "B2ND_KERNELS";

/// Features that the compilation target guarantees.
const TARGET_AVX2: bool =
    cfg!(all(target_feature = "avx2", target_feature = "bmi1", target_feature = "bmi2"));
/// Not under Miri, which supports little of AVX-512.
const TARGET_AVX512: bool = TARGET_AVX2
    && cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512vl",
        target_feature = "avx512vbmi",
        target_feature = "gfni",
        not(miri)
    ));
// A level includes those below it, and `HasAvx2` proves BMI1 and BMI2 as well, which AVX-512 does not imply for the
// compiler.
const _: () = assert!(!TARGET_AVX512 || cfg!(all(target_feature = "bmi1", target_feature = "bmi2")));

/// Detects the level on first use; threads that race here get the same result.
#[inline]
fn level() -> u8 {
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    let known = if TARGET_AVX512 { AVX512 } else { KNOWN.load(Relaxed) };
    let answer = if known == UNKNOWN { ask().min(limit()) } else { known };
    if answer != known {
        KNOWN.store(answer, Relaxed);
    }
    answer
}

/// Whether not even the vectors are to be used that each machine has.
#[inline]
pub(super) fn is_scalar() -> bool {
    cfg!(feature = "std") && !TARGET_AVX2 && level() == SCALAR
}

impl HasAvx2 {
    #[inline]
    pub(super) fn probe() -> Option<Self> {
        (TARGET_AVX2 || level() >= AVX2).then_some(Self(()))
    }

    /// Runs the kernel compiled for AVX2.
    #[inline]
    pub(super) fn enter<K: Kernel, V: Vector>(
        self,
        proof: V::Proof,
        typesize: usize,
        src: K::Source<'_>,
        dst: &mut [K::Target],
    ) {
        // SAFETY: `enter_avx2` requires only AVX2, and `self` exists only if the machine has it.
        unsafe { enter_avx2::<K, V>(proof, typesize, src, dst) }
    }

    /// Runs the work compiled for AVX2 and BMI.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` proves all that `run_avx2` requires.
        unsafe { run_avx2(work, self) }
    }
}

impl Instructions for HasAvx2 {
    #[inline(always)]
    fn repeat(self, bytes: [u8; 16], period: usize) -> [u8; 16] {
        // SAFETY: AVX2 includes what `pick` requires.
        unsafe { pick(bytes, PERIODS[period.min(16)]) }
    }

    #[inline(always)]
    fn bits(self, word: u64, from: u32, n: u8) -> u32 {
        let word = (word >> (from & 63)) as u32;
        // SAFETY: `self` proves that the machine has BMI2.
        unsafe { arch::_bzhi_u32(word, n.into()) }
    }
}

/// Byte `which[i]` of `bytes`.
#[inline]
#[target_feature(enable = "ssse3")]
fn pick(bytes: [u8; 16], which: [u8; 16]) -> [u8; 16] {
    // SAFETY: both types are 16 bytes and valid for any bits.
    let bytes = unsafe { transmute::<[u8; 16], arch::__m128i>(bytes) };
    // SAFETY: the same.
    let which = unsafe { transmute::<[u8; 16], arch::__m128i>(which) };
    let picked = arch::_mm_shuffle_epi8(bytes, which);
    // SAFETY: the same.
    unsafe { transmute::<arch::__m128i, [u8; 16]>(picked) }
}

/// For each period up to 16, the index of each byte in the pattern.
const PERIODS: [[u8; 16]; 17] = {
    let mut table = [[0; 16]; 17];
    let mut period = 1;
    while period <= 16 {
        let mut at = 0;
        while at < 16 {
            table[period][at] = (at % period) as u8;
            at += 1;
        }
        period += 1;
    }
    table
};

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn run_avx2<W: Work>(work: W, has: HasAvx2) -> W::Output {
    work.run(has)
}

#[target_feature(enable = "avx2")]
fn enter_avx2<K: Kernel, V: Vector>(
    proof: V::Proof,
    typesize: usize,
    src: K::Source<'_>,
    dst: &mut [K::Target],
) {
    K::vector::<V>(proof, typesize, src, dst);
}

#[cfg(all(target_arch = "x86_64", not(feature = "nightly")))]
impl HasAvx512 {
    #[inline]
    pub(super) fn probe() -> Option<Self> {
        (level() >= AVX512).then_some(Self(()))
    }

    /// Runs the kernel compiled for AVX-512.
    #[inline]
    pub(super) fn enter<K: Kernel, V: Vector>(
        self,
        proof: V::Proof,
        typesize: usize,
        src: K::Source<'_>,
        dst: &mut [K::Target],
    ) {
        // SAFETY: `self` proves all that `enter_avx512` requires.
        unsafe { enter_avx512::<K, V>(proof, typesize, src, dst) }
    }

    /// Runs the work compiled for AVX-512.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` proves all that `run_avx512` requires.
        unsafe { run_avx512(work, HasAvx2(())) }
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "nightly")))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn run_avx512<W: Work>(work: W, has: HasAvx2) -> W::Output {
    work.run(has)
}

#[cfg(all(target_arch = "x86_64", not(feature = "nightly")))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn enter_avx512<K: Kernel, V: Vector>(
    proof: V::Proof,
    typesize: usize,
    src: K::Source<'_>,
    dst: &mut [K::Target],
) {
    K::vector::<V>(proof, typesize, src, dst);
}

/// The highest level to use. So tests and benchmarks run what other processors have.
#[cfg(feature = "std")]
#[cold]
fn limit() -> u8 {
    match std::env::var(KERNELS).as_deref() {
        Ok("scalar") => SCALAR,
        Ok("sse2") => SSE2,
        Ok("avx2") => AVX2,
        _ => AVX512,
    }
}

#[cfg(not(feature = "std"))]
const fn limit() -> u8 {
    AVX512
}

/// Asks the processor. `SSE2` where that may be forbidden or would not reflect the operating system.
#[cold]
fn ask() -> u8 {
    const XSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
    const EBX_AVX2_BMI: u32 = 1 << 5 | 1 << 3 | 1 << 8;
    const EBX_F_BW_VL: u32 = 1 << 16 | 1 << 30 | 1 << 31;
    const ECX_VBMI_GFNI: u32 = 1 << 1 | 1 << 8;
    const XMM_AND_YMM: u64 = 1 << 1 | 1 << 2;
    /// State of AVX-512: the mask registers, the upper halves of registers 0 to 15, and registers 16 to 31.
    const ZMM: u64 = 1 << 5 | 1 << 6 | 1 << 7;
    if cfg!(any(miri, target_os = "none", target_os = "uefi", target_env = "sgx"))
        || cpuid(0).eax < 7
        || cpuid(1).ecx & XSAVE_AND_AVX != XSAVE_AND_AVX
    {
        return SSE2;
    }
    // SAFETY: leaf 1 said that the operating system has enabled XSAVE, and `xgetbv` with it.
    let saved = unsafe { saved_registers() };
    let has = cpuid(7);
    if saved & XMM_AND_YMM != XMM_AND_YMM || has.ebx & EBX_AVX2_BMI != EBX_AVX2_BMI {
        return SSE2;
    }
    let all = has.ebx & EBX_F_BW_VL == EBX_F_BW_VL && has.ecx & ECX_VBMI_GFNI == ECX_VBMI_GFNI;
    if all && saved & ZMM == ZMM { AVX512 } else { AVX2 }
}

/// Leaf `leaf` of the instruction `cpuid`.
#[allow(unused_unsafe, reason = "newer compilers know that this is safe")]
fn cpuid(leaf: u32) -> arch::CpuidResult {
    // SAFETY: all processors with SSE2 have the instruction.
    unsafe { arch::__cpuid_count(leaf, 0) }
}

#[target_feature(enable = "xsave")]
fn saved_registers() -> u64 {
    // SAFETY: register 0 exists wherever XSAVE does.
    unsafe { arch::_xgetbv(0) }
}

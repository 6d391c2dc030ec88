//! Which instruction set runs: what the target has for certain, and on x86 what the machine says.

core::cfg_select! {
    feature = "nightly" => {
        pub(super) use super::portable::{backend, run};
    }
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        pub(super) use super::x86::{backend, run};
    }
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        pub(super) use super::neon::{backend, run};
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        pub(super) use super::wasm::{backend, run};
    }
    _ => {
        /// No vectors.
        pub(super) fn backend() -> &'static str {
            "scalar"
        }

        /// Runs without vectors.
        pub(super) fn run<K: super::kernels::Kernel>(typesize: usize, src: &[u8], dst: &mut [u8]) {
            K::scalar(typesize, src, dst);
        }
    }
}

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(super) use avx2::HasAvx2;

/// The probe, without `std`. To have the registers takes more than the processor: the system must save them.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
#[allow(unsafe_code)]
mod avx2 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86 as arch;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64 as arch;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use super::super::kernels::Kernel;
    use super::super::vector::Vector;

    /// Proof that AVX2 instructions may run here.
    #[derive(Clone, Copy)]
    pub(in super::super) struct HasAvx2(());

    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;

    impl HasAvx2 {
        /// Asks the machine, the first time; threads that race here all learn the same.
        #[inline]
        pub(in super::super) fn probe() -> Option<Self> {
            static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
            let known = if cfg!(target_feature = "avx2") { YES } else { KNOWN.load(Relaxed) };
            let answer = if known == UNKNOWN { if ask() { YES } else { NO } } else { known };
            if answer != known {
                KNOWN.store(answer, Relaxed);
            }
            (answer == YES).then_some(Self(()))
        }

        /// Runs the kernel compiled for AVX2.
        #[inline]
        pub(in super::super) fn enter<K: Kernel, V: Vector>(
            self,
            proof: V::Proof,
            typesize: usize,
            src: &[u8],
            dst: &mut [u8],
        ) {
            // SAFETY: `enter` asks for AVX2 alone, and `self` exists only where the machine has it.
            unsafe { enter::<K, V>(proof, typesize, src, dst) }
        }
    }

    #[target_feature(enable = "avx2")]
    fn enter<K: Kernel, V: Vector>(proof: V::Proof, typesize: usize, src: &[u8], dst: &mut [u8]) {
        K::vector::<V>(proof, typesize, src, dst);
    }

    /// False where the question itself may be forbidden or the answer is not the system's to give.
    #[cold]
    fn ask() -> bool {
        if cfg!(any(miri, target_os = "none", target_os = "uefi", target_env = "sgx")) {
            return false;
        }
        const XSAVE_AND_AVX: u32 = 1 << 27 | 1 << 28;
        const AVX2: u32 = 1 << 5;
        const XMM_AND_YMM: u64 = 1 << 1 | 1 << 2;
        arch::__cpuid(0).eax >= 7
            && arch::__cpuid(1).ecx & XSAVE_AND_AVX == XSAVE_AND_AVX
            && arch::__cpuid_count(7, 0).ebx & AVX2 != 0
            // SAFETY: leaf 1 said that the system has switched XSAVE on, and `xgetbv` with it.
            && unsafe { saved_registers() } & XMM_AND_YMM == XMM_AND_YMM
    }

    #[target_feature(enable = "xsave")]
    fn saved_registers() -> u64 {
        // SAFETY: register 0 exists wherever XSAVE does.
        unsafe { arch::_xgetbv(0) }
    }
}

//! NEON intrinsics, wrapped.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::byte::Byte;
use super::kernels::Kernel;
use super::vector::{Vector, tile, tile_mut};

/// The instruction set in use.
pub(super) fn backend() -> &'static str {
    "neon"
}

/// Runs with NEON.
pub(super) fn run<K: Kernel>(typesize: usize, src: K::Source<'_>, dst: &mut [K::Target]) {
    K::vector::<Neon>((), typesize, src, dst);
}

/// Calls an intrinsic that takes and returns only values; pointers have functions of their own below.
macro_rules! op {
    ($intrinsic:ident $(::<$constant:tt>)? ($a:expr $(, $b:expr)?)) => {
        match ($a, $($b)?) {
            // SAFETY: the intrinsic requires only NEON, which is part of the target wherever this file is compiled.
            operands => unsafe { op!(@ $intrinsic $(::<$constant>)?, operands $(, $b)?) },
        }
    };
    (@ $intrinsic:ident $(::<$constant:tt>)?, $operands:ident) => {
        $intrinsic $(::<$constant>)? ($operands.0)
    };
    (@ $intrinsic:ident $(::<$constant:tt>)?, $operands:ident, $b:expr) => {
        $intrinsic $(::<$constant>)? ($operands.0, $operands.1)
    };
}

/// One tile.
#[derive(Clone, Copy)]
pub(super) struct Neon(uint8x16_t);

impl Vector for Neon {
    type Proof = ();
    const TILES: usize = 1;
    const FAST_UNZIP: bool = true;

    #[inline(always)]
    fn load((): (), src: &[u8], at: usize, _: usize) -> Self {
        // SAFETY: the reference covers the 16 bytes read; no alignment is required.
        Self(unsafe { vld1q_u8(tile(src, at).as_ptr()) })
    }

    #[inline(always)]
    fn store<B: Byte>(self, dst: &mut [B], at: usize) {
        // SAFETY: the reference covers the 16 bytes written; no alignment is required.
        unsafe { vst1q_u8(tile_mut(dst, at).as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_tile<B: Byte>(self, _: usize, dst: &mut [B], at: usize) {
        self.store(dst, at);
    }

    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (Self(op!(vzip1q_u8(self.0, other.0))), Self(op!(vzip2q_u8(self.0, other.0))))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        (Self(op!(vuzp1q_u8(self.0, other.0))), Self(op!(vuzp2q_u8(self.0, other.0))))
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
        let (x, y) = (op!(vreinterpretq_u64_u8(self.0)), op!(vreinterpretq_u64_u8(other.0)));
        let shifted = op!(vshrq_n_u64::<SHIFT>(x));
        let differ = op!(vandq_u64(op!(veorq_u64(shifted, y)), op!(vdupq_n_u64(mask))));
        let (x, y) = (op!(veorq_u64(x, op!(vshlq_n_u64::<SHIFT>(differ)))), op!(veorq_u64(y, differ)));
        (Self(op!(vreinterpretq_u8_u64(x))), Self(op!(vreinterpretq_u8_u64(y))))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(vaddq_u8(self.0, other.0)))
    }

    #[inline(always)]
    fn running_sum(self) -> Self {
        let zero = op!(vdupq_n_u8(0));
        let x = op!(vaddq_u8(self.0, op!(vextq_u8::<15>(zero, self.0))));
        let x = op!(vaddq_u8(x, op!(vextq_u8::<14>(zero, x))));
        let x = op!(vaddq_u8(x, op!(vextq_u8::<12>(zero, x))));
        Self(op!(vaddq_u8(x, op!(vextq_u8::<8>(zero, x)))))
    }

    #[inline(always)]
    fn spread_last(self) -> Self {
        Self(op!(vdupq_laneq_u8::<15>(self.0)))
    }
}

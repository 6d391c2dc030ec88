//! WebAssembly simd128 intrinsics, wrapped. Those that take and return only values are safe here.
#![allow(unsafe_code)]

use core::arch::wasm32::*;

use super::byte::Byte;
use super::kernels::Kernel;
use super::vector::{Vector, tile, tile_mut};

/// The instruction set in use.
pub(super) fn backend() -> &'static str {
    "simd128"
}

/// Runs with simd128.
pub(super) fn run<K: Kernel>(typesize: usize, src: K::Source<'_>, dst: &mut [K::Target]) {
    K::vector::<Simd128>((), typesize, src, dst);
}

/// One tile.
#[derive(Clone, Copy)]
pub(super) struct Simd128(v128);

impl Vector for Simd128 {
    type Proof = ();
    const TILES: usize = 1;
    const FAST_UNZIP: bool = true;

    #[inline(always)]
    fn load((): (), src: &[u8], at: usize, _: usize) -> Self {
        // SAFETY: the reference covers the 16 bytes read; no alignment is required.
        Self(unsafe { v128_load(tile(src, at).as_ptr().cast()) })
    }

    #[inline(always)]
    fn store<B: Byte>(self, dst: &mut [B], at: usize) {
        // SAFETY: the reference covers the 16 bytes written; no alignment is required.
        unsafe { v128_store(tile_mut(dst, at).as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_tile<B: Byte>(self, _: usize, dst: &mut [B], at: usize) {
        self.store(dst, at);
    }

    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        let (a, b) = (self.0, other.0);
        let low = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b);
        let high = i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b);
        (Self(low), Self(high))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        let (a, b) = (self.0, other.0);
        let even = i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b);
        let odd = i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b);
        (Self(even), Self(odd))
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
        let shift = SHIFT.cast_unsigned();
        let differ = v128_and(v128_xor(u64x2_shr(self.0, shift), other.0), u64x2_splat(mask));
        (Self(v128_xor(self.0, u64x2_shl(differ, shift))), Self(v128_xor(other.0, differ)))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u8x16_add(self.0, other.0))
    }

    #[inline(always)]
    fn running_sum(self) -> Self {
        let (x, zero) = (self.0, u8x16_splat(0));
        let x = u8x16_add(
            x,
            i8x16_shuffle::<0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zero, x),
        );
        let x = u8x16_add(
            x,
            i8x16_shuffle::<0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zero, x),
        );
        let x = u8x16_add(
            x,
            i8x16_shuffle::<0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(zero, x),
        );
        Self(u8x16_add(x, i8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23>(zero, x)))
    }

    #[inline(always)]
    fn spread_last(self) -> Self {
        let x = self.0;
        Self(i8x16_shuffle::<15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15>(x, x))
    }
}

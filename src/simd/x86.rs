//! SSE2 and AVX2 intrinsics, wrapped.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::byte::Byte;
use super::kernels::Kernel;
use super::probe::{HasAvx2, is_scalar};
use super::vector::{Vector, tile, tile_mut};
#[cfg(target_arch = "x86_64")]
use super::{probe::HasAvx512, zmm::Avx512};

/// The best instruction set of this machine.
pub(super) fn backend() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if HasAvx512::probe().is_some() {
        return "avx512";
    }
    match HasAvx2::probe() {
        Some(_) => "avx2",
        None if is_scalar() => "scalar",
        None => "sse2",
    }
}

/// Runs with the best instruction set of this machine.
pub(super) fn run<K: Kernel>(typesize: usize, src: K::Source<'_>, dst: &mut [K::Target]) {
    #[cfg(target_arch = "x86_64")]
    if K::GAINS_BY_64
        && let Some(avx512) = HasAvx512::probe()
        && dst.len() >= LEAST_FOR_AVX512 * typesize
    {
        return avx512.enter::<K, Avx512>(avx512, typesize, src, dst);
    }
    match HasAvx2::probe() {
        Some(avx2) => avx2.enter::<K, Avx2>(avx2, typesize, src, dst),
        None if is_scalar() => K::scalar(typesize, src, dst),
        None => K::vector::<Sse2>((), typesize, src, dst),
    }
}

/// Elements of one step of bits; below that, narrower registers still have full steps.
#[cfg(target_arch = "x86_64")]
const LEAST_FOR_AVX512: usize = 512;

/// Calls an intrinsic that takes and returns only values; pointers have functions of their own below.
macro_rules! op {
    ($intrinsic:ident $(::<$constant:tt>)? ($a:expr $(, $b:expr)?)) => {
        match ($a, $($b)?) {
            // SAFETY: the intrinsic requires only that the machine has the instruction. SSE2 is part of the target
            // wherever this file is compiled, and an `Avx2` can only be made from a `HasAvx2`.
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
pub(super) struct Sse2(__m128i);

/// Two tiles: the lanes that most AVX2 instructions keep apart.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

#[inline(always)]
fn load16(src: &[u8], at: usize) -> __m128i {
    // SAFETY: the reference covers the 16 bytes read; no alignment is required.
    unsafe { _mm_loadu_si128(tile(src, at).as_ptr().cast()) }
}

#[inline(always)]
fn store16<B: Byte>(x: __m128i, dst: &mut [B], at: usize) {
    // SAFETY: the reference covers the 16 bytes written; no alignment is required.
    unsafe { _mm_storeu_si128(tile_mut(dst, at).as_mut_ptr().cast(), x) }
}

#[inline(always)]
fn load32(src: &[u8], at: usize) -> __m256i {
    let bytes: &[u8; 32] = src[at..][..32].first_chunk().expect("32 bytes");
    // SAFETY: the reference covers the 32 bytes read; no alignment is required.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store32<B: Byte>(x: __m256i, dst: &mut [B], at: usize) {
    let bytes: &mut [B; 32] = dst[at..][..32].first_chunk_mut().expect("32 bytes");
    // SAFETY: the reference covers the 32 bytes written; no alignment is required.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) }
}

impl Avx2 {
    /// The first tiles of both, the second tiles of both.
    #[inline(always)]
    fn tiles_in_turn(self, other: Self) -> (Self, Self) {
        let first = op!(_mm256_permute2x128_si256::<0x20>(self.0, other.0));
        let second = op!(_mm256_permute2x128_si256::<0x31>(self.0, other.0));
        (Self(first), Self(second))
    }
}

impl Vector for Sse2 {
    type Proof = ();
    const TILES: usize = 1;
    const FAST_UNZIP: bool = false;

    #[inline(always)]
    fn load((): (), src: &[u8], at: usize, _: usize) -> Self {
        Self(load16(src, at))
    }

    #[inline(always)]
    fn store<B: Byte>(self, dst: &mut [B], at: usize) {
        store16(self.0, dst, at);
    }

    #[inline(always)]
    fn store_tile<B: Byte>(self, _: usize, dst: &mut [B], at: usize) {
        store16(self.0, dst, at);
    }

    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (Self(op!(_mm_unpacklo_epi8(self.0, other.0))), Self(op!(_mm_unpackhi_epi8(self.0, other.0))))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        let low = op!(_mm_set1_epi16(0xff));
        let even = op!(_mm_packus_epi16(op!(_mm_and_si128(self.0, low)), op!(_mm_and_si128(other.0, low))));
        let odd = op!(_mm_packus_epi16(op!(_mm_srli_epi16::<8>(self.0)), op!(_mm_srli_epi16::<8>(other.0))));
        (Self(even), Self(odd))
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
        let shifted = op!(_mm_srli_epi64::<SHIFT>(self.0));
        let mask = op!(_mm_set1_epi64x(mask.cast_signed()));
        let differ = op!(_mm_and_si128(op!(_mm_xor_si128(shifted, other.0)), mask));
        let back = op!(_mm_slli_epi64::<SHIFT>(differ));
        (Self(op!(_mm_xor_si128(self.0, back))), Self(op!(_mm_xor_si128(other.0, differ))))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(_mm_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn running_sum(self) -> Self {
        let x = self.0;
        let x = op!(_mm_add_epi8(x, op!(_mm_slli_si128::<1>(x))));
        let x = op!(_mm_add_epi8(x, op!(_mm_slli_si128::<2>(x))));
        let x = op!(_mm_add_epi8(x, op!(_mm_slli_si128::<4>(x))));
        Self(op!(_mm_add_epi8(x, op!(_mm_slli_si128::<8>(x)))))
    }

    #[inline(always)]
    fn spread_last(self) -> Self {
        let pairs = op!(_mm_unpackhi_epi8(self.0, self.0));
        let words = op!(_mm_shufflehi_epi16::<0xff>(pairs));
        Self(op!(_mm_shuffle_epi32::<0xff>(words)))
    }
}

impl Vector for Avx2 {
    type Proof = HasAvx2;
    const TILES: usize = 2;
    const FAST_UNZIP: bool = false;

    #[inline(always)]
    fn load(_: HasAvx2, src: &[u8], at: usize, stride: usize) -> Self {
        if stride == 16 {
            return Self(load32(src, at));
        }
        Self(op!(_mm256_set_m128i(load16(src, at + stride), load16(src, at))))
    }

    #[inline(always)]
    fn load_pair(_: HasAvx2, src: &[u8], at: usize, stride: usize) -> (Self, Self) {
        Self(load32(src, at)).tiles_in_turn(Self(load32(src, at + stride)))
    }

    #[inline(always)]
    fn store<B: Byte>(self, dst: &mut [B], at: usize) {
        store32(self.0, dst, at);
    }

    #[inline(always)]
    fn store_pair<B: Byte>(self, other: Self, dst: &mut [B], at: usize, stride: usize) {
        let (first, second) = self.tiles_in_turn(other);
        store32(first.0, dst, at);
        store32(second.0, dst, at + stride);
    }

    #[inline(always)]
    fn store_tile<B: Byte>(self, tile: usize, dst: &mut [B], at: usize) {
        let lane = match tile {
            0 => op!(_mm256_castsi256_si128(self.0)),
            _ => op!(_mm256_extracti128_si256::<1>(self.0)),
        };
        store16(lane, dst, at);
    }

    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (Self(op!(_mm256_unpacklo_epi8(self.0, other.0))), Self(op!(_mm256_unpackhi_epi8(self.0, other.0))))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        let low = op!(_mm256_set1_epi16(0xff));
        let even =
            op!(_mm256_packus_epi16(op!(_mm256_and_si256(self.0, low)), op!(_mm256_and_si256(other.0, low))));
        let odd = op!(_mm256_packus_epi16(
            op!(_mm256_srli_epi16::<8>(self.0)),
            op!(_mm256_srli_epi16::<8>(other.0))
        ));
        (Self(even), Self(odd))
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
        let shifted = op!(_mm256_srli_epi64::<SHIFT>(self.0));
        let mask = op!(_mm256_set1_epi64x(mask.cast_signed()));
        let differ = op!(_mm256_and_si256(op!(_mm256_xor_si256(shifted, other.0)), mask));
        let back = op!(_mm256_slli_epi64::<SHIFT>(differ));
        (Self(op!(_mm256_xor_si256(self.0, back))), Self(op!(_mm256_xor_si256(other.0, differ))))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(op!(_mm256_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn running_sum(self) -> Self {
        let x = self.0;
        let x = op!(_mm256_add_epi8(x, op!(_mm256_slli_si256::<1>(x))));
        let x = op!(_mm256_add_epi8(x, op!(_mm256_slli_si256::<2>(x))));
        let x = op!(_mm256_add_epi8(x, op!(_mm256_slli_si256::<4>(x))));
        Self(op!(_mm256_add_epi8(x, op!(_mm256_slli_si256::<8>(x)))))
    }

    #[inline(always)]
    fn spread_last(self) -> Self {
        Self(op!(_mm256_shuffle_epi8(self.0, op!(_mm256_set1_epi8(15)))))
    }
}

//! AVX-512 intrinsics, wrapped.
//!
//! Its permutes select any bytes of two registers, across all lanes. So the whole register is one tile, `unzip` costs
//! as much as `zip`, and elements come out in order without sorting lanes. GFNI transposes the bits of eight bytes in
//! one instruction.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::byte::Byte;
use super::probe::HasAvx512;
use super::shape::{PlaneLayout, unroll};
use super::threes;
use super::vector::{Vector, tile, tile_mut, to_elements, to_planes};
use super::zmm::{Avx512, Permutation, load64, op};

const ZIP: [Permutation; 2] = zip_places();
const UNZIP: [Permutation; 2] = unzip_places();

const fn zip_places() -> [Permutation; 2] {
    let mut places = [[0; 64]; 2];
    let mut at = 0;
    while at < 128 {
        places[at / 64][at % 64] = (at / 2 + at % 2 * 64) as u8;
        at += 1;
    }
    places
}

const fn unzip_places() -> [Permutation; 2] {
    let mut places = [[0; 64]; 2];
    let mut at = 0;
    while at < 128 {
        places[at % 2][at / 2] = at as u8;
        at += 1;
    }
    places
}

/// Pre-sorts a plane so that zipping `T` registers within lanes gives elements in order: each lane gets its share of
/// all output registers, and each of them takes from every lane in turn.
struct Shares<const T: usize>;

impl<const T: usize> Shares<T> {
    const PLACES: Permutation = {
        let mut places = [0; 64];
        let share = 16 / T;
        let mut at = 0;
        while at < 64 {
            let (lane, register, byte) = (at / 16, at % 16 / share, at % share);
            places[at] = ((register * 4 + lane) * share + byte) as u8;
            at += 1;
        }
        places
    };
}

/// Reverses each group of eight bytes.
const BACKWARD: Permutation = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < 64 {
        places[at] = at as u8 ^ 7;
        at += 1;
    }
    places
};

#[inline(always)]
fn load16(src: &[u8], at: usize) -> __m128i {
    // SAFETY: the reference covers the 16 bytes read; no alignment is required.
    unsafe { _mm_loadu_si128(tile(src, at).as_ptr().cast()) }
}

#[inline(always)]
fn store16(x: __m128i, dst: &mut [u8], at: usize) {
    // SAFETY: the reference covers the 16 bytes written; no alignment is required.
    unsafe { _mm_storeu_si128(tile_mut(dst, at).as_mut_ptr().cast(), x) }
}

impl Vector for Avx512 {
    type Proof = HasAvx512;
    const TILE: usize = 64;
    const TILES: usize = 1;
    const FAST_UNZIP: bool = true;
    const OWN: &[usize] = threes::SIZES;

    #[inline(always)]
    fn load(_: HasAvx512, src: &[u8], at: usize, _: usize) -> Self {
        Self(load64(src[at..][..64].first_chunk().expect("64 bytes")))
    }

    #[inline(always)]
    fn store<B: Byte>(self, dst: &mut [B], at: usize) {
        let bytes: &mut [B; 64] = dst[at..][..64].first_chunk_mut().expect("64 bytes");
        // SAFETY: the reference covers the 64 bytes written; no alignment is required.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn store_tile<B: Byte>(self, _: usize, dst: &mut [B], at: usize) {
        self.store(dst, at);
    }

    #[inline(always)]
    fn load_rows(_: HasAvx512, src: &[u8], number: usize, stride: usize) -> Self {
        let rows = &src[4 * number * stride..][..3 * stride + 16];
        let row = load16(rows, 0);
        let mut x = op!(_mm512_castsi128_si512(row));
        let row = load16(rows, stride);
        x = op!(_mm512_inserti32x4::<1>(x, row));
        let row = load16(rows, 2 * stride);
        x = op!(_mm512_inserti32x4::<2>(x, row));
        let row = load16(rows, 3 * stride);
        Self(op!(_mm512_inserti32x4::<3>(x, row)))
    }

    #[inline(always)]
    fn store_rows(self, _: usize, dst: &mut [u8], number: usize, stride: usize) {
        let x = self.0;
        let rows = &mut dst[4 * number * stride..][..3 * stride + 16];
        store16(op!(_mm512_castsi512_si128(x)), rows, 0);
        store16(op!(_mm512_extracti32x4_epi32::<1>(x)), rows, stride);
        store16(op!(_mm512_extracti32x4_epi32::<2>(x)), rows, 2 * stride);
        store16(op!(_mm512_extracti32x4_epi32::<3>(x)), rows, 3 * stride);
    }

    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (self.choose(other, &ZIP[0]), self.choose(other, &ZIP[1]))
    }

    /// Within lanes of 16 bytes: these instructions have twice the throughput of those across lanes.
    #[inline(always)]
    fn zip_near(self, other: Self) -> (Self, Self) {
        let (a, b) = (self.0, other.0);
        (Self(op!(_mm512_unpacklo_epi8(a, b))), Self(op!(_mm512_unpackhi_epi8(a, b))))
    }

    #[inline(always)]
    fn share<const T: usize>(self) -> Self {
        if T == 1 { self } else { self.permute(&Shares::<T>::PLACES) }
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        (self.choose(other, &UNZIP[0]), self.choose(other, &UNZIP[1]))
    }

    /// Only to satisfy the trait's laws: [`split_bits`](Self::split_bits) and its inverse do not use it.
    #[inline(always)]
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
        let (a, b, shift, mask) = (self.0, other.0, i64::from(SHIFT), mask.cast_signed());
        let (shift, mask) = (op!(_mm512_set1_epi64(shift)), op!(_mm512_set1_epi64(mask)));
        let shifted = op!(_mm512_srlv_epi64(a, shift));
        let differ = op!(_mm512_xor_si512(shifted, b));
        let differ = op!(_mm512_and_si512(differ, mask));
        let back = op!(_mm512_sllv_epi64(differ, shift));
        (Self(op!(_mm512_xor_si512(a, back))), Self(op!(_mm512_xor_si512(b, differ))))
    }

    #[inline(always)]
    fn split_bits(mut x: [Self; 8]) -> [Self; 8] {
        unroll!(j < 8 => x[j] = x[j].permute(&BACKWARD).transpose_bits());
        to_planes(x)
    }

    #[inline(always)]
    fn join_bits([a, b, c, d, e, f, g, h]: [Self; 8]) -> [Self; 8] {
        let mut x = to_elements([h, g, f, e, d, c, b, a]);
        unroll!(j < 8 => x[j] = x[j].transpose_bits());
        x
    }

    #[inline(always)]
    fn shuffle_own(proof: HasAvx512, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        threes::shuffle(proof, layout, src, dst)
    }

    #[inline(always)]
    fn unshuffle_own(proof: HasAvx512, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        threes::unshuffle(proof, layout, src, dst)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self(op!(_mm512_add_epi8(a, b)))
    }

    #[inline(always)]
    fn running_sum(self) -> Self {
        let x = self.add_before::<1>().add_before::<2>().add_before::<4>();
        x.add_before::<8>().add_before::<16>().add_before::<32>()
    }

    #[inline(always)]
    fn spread_last(self) -> Self {
        self.permute(&[63; 64])
    }
}

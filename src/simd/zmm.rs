//! A register of AVX-512, and what its permutes do.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

/// One tile of 64 bytes.
#[derive(Clone, Copy)]
pub(super) struct Avx512(pub(super) __m512i);

/// Calls an intrinsic that takes and returns only values; pointers have functions of their own below.
macro_rules! op {
    ($intrinsic:ident $(::<$constant:tt>)? ($($argument:ident),+)) => {
        // SAFETY: the intrinsic requires only that the machine has the instruction, and an `Avx512` can only be made
        // from a `HasAvx512`.
        unsafe { $intrinsic $(::<$constant>)? ($($argument),+) }
    };
}
pub(super) use op;

/// A permutation: for each byte of the result, its index in two concatenated registers.
pub(super) type Permutation = [u8; 64];

/// Byte `b` is `1 << b`.
const ONE_BIT_EACH: i64 = 0x8040_2010_0804_0201_u64.cast_signed();

/// The byte `BY` positions earlier.
const fn before(by: usize) -> Permutation {
    let mut places = [0; 64];
    let mut at = by;
    while at < 64 {
        places[at] = (at - by) as u8;
        at += 1;
    }
    places
}

#[inline(always)]
pub(super) fn load64(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the reference covers the 64 bytes read; no alignment is required.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

impl Avx512 {
    /// Selects bytes of two registers.
    #[inline(always)]
    pub(super) fn choose(self, other: Self, places: &Permutation) -> Self {
        let (a, b, places) = (self.0, other.0, load64(places));
        Self(op!(_mm512_permutex2var_epi8(a, places, b)))
    }

    /// Selects bytes of one register.
    #[inline(always)]
    pub(super) fn permute(self, places: &Permutation) -> Self {
        let (x, places) = (self.0, load64(places));
        Self(op!(_mm512_permutexvar_epi8(places, x)))
    }

    /// Bit `b` of byte `7 - i` to bit `i` of byte `b`, in each eight bytes: multiplies them, as a bit matrix, by one
    /// bit of each significance.
    #[inline(always)]
    pub(super) fn transpose_bits(self) -> Self {
        let (bits, matrix) = (op!(_mm512_set1_epi64(ONE_BIT_EACH)), self.0);
        Self(op!(_mm512_gf2p8affine_epi64_epi8::<0>(bits, matrix)))
    }

    /// Each byte plus the one `BY` positions earlier, wrapping.
    #[inline(always)]
    pub(super) fn add_before<const BY: usize>(self) -> Self {
        let (x, mask, places) = (self.0, u64::MAX << BY, load64(const { &before(BY) }));
        let moved = op!(_mm512_maskz_permutexvar_epi8(mask, places, x));
        Self(op!(_mm512_add_epi8(x, moved)))
    }
}

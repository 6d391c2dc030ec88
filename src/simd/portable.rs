//! `core::simd`, for every instruction set that the compiler supports.

use core::simd::{Simd, Swizzle, ToBytes, u8x16, u8x32, u64x2, u64x4};

use super::byte::Byte;
use super::kernels::Kernel;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
use super::probe::HasAvx2;
use super::vector::{Vector, tile, tile_mut};

/// A name for every machine: the compiler chooses the instructions.
pub(super) fn backend() -> &'static str {
    "portable"
}

/// Runs with registers of two tiles if the machine has them, otherwise of one.
pub(super) fn run<K: Kernel>(typesize: usize, src: K::Source<'_>, dst: &mut [K::Target]) {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    if let Some(avx2) = HasAvx2::probe() {
        return avx2.enter::<K, Wide>((), typesize, src, dst);
    }
    K::vector::<Narrow>((), typesize, src, dst);
}

/// A permutation within tiles of 16: for each byte of the result, its index in two concatenated registers.
struct Permutation<const WHICH: usize>;
const ZIP_LOW: usize = 0;
const ZIP_HIGH: usize = 1;
const EVEN: usize = 2;
const ODD: usize = 3;
const FIRST_TILES: usize = 4;
const SECOND_TILES: usize = 5;

impl<const WHICH: usize, const N: usize> Swizzle<N> for Permutation<WHICH> {
    const INDEX: [usize; N] = {
        let mut index = [0; N];
        let mut at = 0;
        while at < N {
            let (tile, i) = (at / 16 * 16, at % 16);
            index[at] = tile
                + match WHICH {
                    ZIP_LOW => i / 2 + i % 2 * N,
                    ZIP_HIGH => 8 + i / 2 + i % 2 * N,
                    EVEN => 2 * i % 16 + i / 8 * N,
                    ODD => 2 * i % 16 + 1 + i / 8 * N,
                    FIRST_TILES => i + tile / 16 * (N - 16),
                    SECOND_TILES => i + 16 + tile / 16 * (N - 16),
                    _ => panic!("no such swizzle"),
                };
            at += 1;
        }
        index
    };
}

/// The byte `BY` positions earlier, or a zero from the second register if that is in another tile.
struct Shift<const BY: usize>;

impl<const BY: usize, const N: usize> Swizzle<N> for Shift<BY> {
    const INDEX: [usize; N] = {
        let mut index = [N; N];
        let mut at = 0;
        while at < N {
            if at % 16 >= BY {
                index[at] = at - BY;
            }
            at += 1;
        }
        index
    };
}

/// The last byte of the tile.
struct Last;

impl<const N: usize> Swizzle<N> for Last {
    const INDEX: [usize; N] = {
        let mut index = [15; N];
        let mut at = 16;
        while at < N {
            index[at] = at / 16 * 16 + 15;
            at += 1;
        }
        index
    };
}

#[inline(always)]
fn add_shifted<const BY: usize, const N: usize>(x: Simd<u8, N>) -> Simd<u8, N> {
    x + Shift::<BY>::concat_swizzle(x, Simd::splat(0))
}

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $bytes:ident, $words:ident, $tiles:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name($bytes);

        impl $name {
            /// The first tiles of both, the second tiles of both. With one tile each, both are unchanged.
            #[inline(always)]
            fn tiles_in_turn(self, other: Self) -> (Self, Self) {
                if $tiles == 1 {
                    return (self, other);
                }
                let first = Permutation::<FIRST_TILES>::concat_swizzle(self.0, other.0);
                let second = Permutation::<SECOND_TILES>::concat_swizzle(self.0, other.0);
                (Self(first), Self(second))
            }
        }

        impl Vector for $name {
            type Proof = ();
            const TILES: usize = $tiles;
            const FAST_UNZIP: bool = cfg!(not(any(target_arch = "x86", target_arch = "x86_64")));

            #[inline(always)]
            fn load((): (), src: &[u8], at: usize, stride: usize) -> Self {
                let mut bytes = [0; 16 * $tiles];
                for (t, bytes) in bytes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                    *bytes = *tile(src, at + t * stride);
                }
                Self($bytes::from_array(bytes))
            }

            #[inline(always)]
            fn store<B: Byte>(self, dst: &mut [B], at: usize) {
                dst[at..][..16 * $tiles].copy_from_slice(&self.0.as_array().map(B::new));
            }

            #[inline(always)]
            fn store_tile<B: Byte>(self, tile: usize, dst: &mut [B], at: usize) {
                let tiles = self.0.as_array().as_chunks::<16>().0;
                *tile_mut(dst, at) = tiles[tile.min($tiles - 1)].map(B::new);
            }

            #[inline(always)]
            fn load_pair((): (), src: &[u8], at: usize, stride: usize) -> (Self, Self) {
                if $tiles == 1 {
                    return (Self::load((), src, at, stride), Self::load((), src, at + 16, stride));
                }
                Self::load((), src, at, 16).tiles_in_turn(Self::load((), src, at + stride, 16))
            }

            #[inline(always)]
            fn store_pair<B: Byte>(self, other: Self, dst: &mut [B], at: usize, stride: usize) {
                let (first, second) = self.tiles_in_turn(other);
                first.store(dst, at);
                second.store(dst, at + if $tiles == 1 { 16 } else { stride });
            }

            #[inline(always)]
            fn zip(self, other: Self) -> (Self, Self) {
                let low = Permutation::<ZIP_LOW>::concat_swizzle(self.0, other.0);
                let high = Permutation::<ZIP_HIGH>::concat_swizzle(self.0, other.0);
                (Self(low), Self(high))
            }

            #[inline(always)]
            fn unzip(self, other: Self) -> (Self, Self) {
                let even = Permutation::<EVEN>::concat_swizzle(self.0, other.0);
                let odd = Permutation::<ODD>::concat_swizzle(self.0, other.0);
                (Self(even), Self(odd))
            }

            #[inline(always)]
            fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self) {
                let (x, y) = ($words::from_le_bytes(self.0), $words::from_le_bytes(other.0));
                let shift = $words::splat(SHIFT.cast_unsigned().into());
                let differ = (x >> shift ^ y) & $words::splat(mask);
                (Self((x ^ differ << shift).to_le_bytes()), Self((y ^ differ).to_le_bytes()))
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }

            #[inline(always)]
            fn running_sum(self) -> Self {
                Self(add_shifted::<8, _>(add_shifted::<4, _>(add_shifted::<2, _>(add_shifted::<1, _>(self.0)))))
            }

            #[inline(always)]
            fn spread_last(self) -> Self {
                Self(Last::swizzle(self.0))
            }
        }
    };
}

vector!(
    /// One tile.
    Narrow, u8x16, u64x2, 1
);
#[cfg(any(test, target_arch = "x86", target_arch = "x86_64"))]
vector!(
    /// Two tiles.
    Wide, u8x32, u64x4, 2
);

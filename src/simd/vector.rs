//! The abstraction over registers, and the laws that every instruction set keeps.

use super::byte::Byte;
use super::shape::{PlaneLayout, unroll};

/// A register of [`TILES`](Self::TILES) tiles of [`TILE`](Self::TILE) bytes each. No operation moves a byte between
/// tiles, so a wide register is several narrow ones in step.
///
/// **Inlining.** Methods here and all generic code above them are `#[inline(always)]` and have no `#[target_feature]`;
/// only the entry point that [`dispatch`](super::dispatch) calls does. Inlined into it, they are compiled for its
/// instruction set.
///
/// **Proof.** Registers come only from [`load`](Self::load), which requires a `Proof` that the machine has the
/// instructions. A value of the type is therefore itself such a proof, and every method can be safe.
pub(super) trait Vector: Copy {
    /// `()` if the instructions are part of the compilation target.
    type Proof: Copy;

    /// Bytes per tile, 16 or a multiple.
    const TILE: usize = 16;

    /// Tiles per register.
    const TILES: usize;

    /// Bytes per register.
    const BYTES: usize = Self::TILE * Self::TILES;

    /// Whether `unzip` costs no more than `zip`.
    const FAST_UNZIP: bool;

    /// Typesizes up to 24 that [`shuffle_own`](Self::shuffle_own) and its inverse handle.
    const OWN: &[usize] = &[];

    /// Tile `t` from the bytes at `at + t * stride`.
    fn load(proof: Self::Proof, src: &[u8], at: usize, stride: usize) -> Self;

    /// Stores all tiles contiguously.
    fn store<B: Byte>(self, dst: &mut [B], at: usize);

    /// Stores one tile; beyond the end, the last one.
    fn store_tile<B: Byte>(self, tile: usize, dst: &mut [B], at: usize);

    /// Loads two registers; their tiles `t` are two consecutive tiles at `at + t * stride`.
    #[inline(always)]
    fn load_pair(proof: Self::Proof, src: &[u8], at: usize, stride: usize) -> (Self, Self) {
        (Self::load(proof, src, at, stride), Self::load(proof, src, at + Self::TILE, stride))
    }

    /// The inverse of [`load_pair`](Self::load_pair).
    #[inline(always)]
    fn store_pair<B: Byte>(self, other: Self, dst: &mut [B], at: usize, stride: usize) {
        unroll!(tile < Self::TILES => {
            self.store_tile(tile, dst, at + tile * stride);
            other.store_tile(tile, dst, at + tile * stride + Self::TILE);
        });
    }

    /// Loads register `number` of rows of 16 bytes, `stride` apart, that fill 16 registers: first one tile of all
    /// registers, then the next.
    #[inline(always)]
    fn load_rows(proof: Self::Proof, src: &[u8], number: usize, stride: usize) -> Self {
        Self::load(proof, src, number * stride, 16 * stride)
    }

    /// Stores the rows of this tile. May overrun a row into the following ones, but not beyond.
    #[inline(always)]
    fn store_rows(self, tile: usize, dst: &mut [u8], number: usize, stride: usize) {
        self.store_tile(tile, dst, (16 * tile + number) * stride);
    }

    /// Interleaves bytes: a0 b0 a1 b1 …, first and second half.
    fn zip(self, other: Self) -> (Self, Self);

    /// Zips within less than a tile, if that is cheaper and [`share`](Self::share) compensates for it.
    #[inline(always)]
    fn zip_near(self, other: Self) -> (Self, Self) {
        self.zip(other)
    }

    /// Pre-sorts a plane so that, among `T` of them, rounds of [`zip_near`](Self::zip_near) do what `zip` does on
    /// unsorted ones.
    #[inline(always)]
    fn share<const T: usize>(self) -> Self {
        self
    }

    /// Undoes `zip`: the even bytes, the odd bytes.
    fn unzip(self, other: Self) -> (Self, Self);

    /// Exchanges the bits of `other` under `mask` with those of `self` that are `SHIFT` positions higher. Bits are
    /// counted in little-endian `u64`s.
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self);

    /// Splits bytes in order, eight registers of them, into bits: register `k` has bits `k` in order.
    #[inline(always)]
    fn split_bits(x: [Self; 8]) -> [Self; 8] {
        transpose_bits(to_planes(x))
    }

    /// Undoes `split_bits`.
    #[inline(always)]
    fn join_bits(x: [Self; 8]) -> [Self; 8] {
        to_elements(transpose_bits(x))
    }

    /// Shuffles in a way specific to this instruction set, if it has one for this size. Returns the number of elements
    /// done.
    #[inline(always)]
    fn shuffle_own(_: Self::Proof, _: PlaneLayout, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }

    /// The inverse.
    #[inline(always)]
    fn unshuffle_own(_: Self::Proof, _: PlaneLayout, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }

    /// Bytewise wrapping sum.
    fn add(self, other: Self) -> Self;

    /// Prefix sum within each tile, wrapping.
    fn running_sum(self) -> Self;

    /// The last byte of each tile, in all positions.
    fn spread_last(self) -> Self;
}

/// The 16 bytes at `at`.
#[inline(always)]
pub(super) fn tile(src: &[u8], at: usize) -> &[u8; 16] {
    src[at..][..16].first_chunk().expect("16 bytes")
}

/// The 16 bytes at `at`, to be written.
#[inline(always)]
pub(super) fn tile_mut<B: Byte>(dst: &mut [B], at: usize) -> &mut [B; 16] {
    dst[at..][..16].first_chunk_mut().expect("16 bytes")
}

#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn zip_round<V: Vector, const T: usize>(x: [V; T]) -> [V; T] {
    let mut y = x;
    unroll!(j < T / 2 => (y[2 * j], y[2 * j + 1]) = x[j].zip_near(x[j + T / 2]));
    y
}

#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unzip_round<V: Vector, const T: usize>(x: [V; T]) -> [V; T] {
    let mut y = x;
    unroll!(j < T / 2 => (y[j], y[j + T / 2]) = x[2 * j].unzip(x[2 * j + 1]));
    y
}

/// Elements to planes, in registers.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn to_planes<V: Vector, const T: usize>(mut x: [V; T]) -> [V; T] {
    if V::FAST_UNZIP || T == 2 {
        unroll!(_round < T.ilog2() => x = unzip_round(x));
    } else {
        unroll!(_round < 4 => x = zip_round(x));
    }
    x
}

/// Planes to elements, in registers.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn to_elements<V: Vector, const T: usize>(mut x: [V; T]) -> [V; T] {
    unroll!(j < T => x[j] = x[j].share::<T>());
    unroll!(_round < T.ilog2() => x = zip_round(x));
    x
}

/// Transposes 8×8 bit matrices: bits `j` of all registers are column `j`. Its own inverse.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn transpose_bits<V: Vector>(mut x: [V; 8]) -> [V; 8] {
    unroll!(j < 8 => if j & 4 == 0 { (x[j], x[j | 4]) = x[j].swap_bits::<4>(x[j | 4], 0x0f0f_0f0f_0f0f_0f0f) });
    unroll!(j < 8 => if j & 2 == 0 { (x[j], x[j | 2]) = x[j].swap_bits::<2>(x[j | 2], 0x3333_3333_3333_3333) });
    unroll!(j < 8 => if j & 1 == 0 { (x[j], x[j | 1]) = x[j].swap_bits::<1>(x[j | 1], 0x5555_5555_5555_5555) });
    x
}

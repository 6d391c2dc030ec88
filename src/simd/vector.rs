//! The one abstraction over registers, and the laws that every instruction set keeps.

use super::network::{self, Shape, unroll};

/// A register of [`TILES`](Self::TILES) tiles of [`TILE`](Self::TILE) bytes each. No operation moves a byte from one
/// tile to another, so a wide register is nothing but several narrow ones in step.
///
/// **The rule of inlining.** Methods here and all generic code above them are `#[inline(always)]` and carry no
/// `#[target_feature]`; only the entry point that [`dispatch`](super::dispatch) calls does. Inlined into it, they
/// are compiled for its instruction set.
///
/// **The rule of proof.** Registers come from [`load`](Self::load) alone, which asks for a `Proof` that the machine
/// has the instructions. Hence a value of the type is such a proof itself, and every method can be safe.
pub(super) trait Vector: Copy {
    /// `()` where the instructions are part of the compilation target.
    type Proof: Copy;

    /// Bytes of a tile, 16 or a multiple of it.
    const TILE: usize = 16;

    /// How many tiles.
    const TILES: usize;

    /// Bytes of a register.
    const BYTES: usize = Self::TILE * Self::TILES;

    /// Whether `unzip` costs no more than `zip`.
    const FAST_UNZIP: bool;

    /// Typesizes up to 24 for which there is [`shuffle_own`](Self::shuffle_own) and the reverse.
    const OWN: &[usize] = &[];

    /// Tile `t` from the bytes at `at + t * stride`.
    fn load(proof: Self::Proof, src: &[u8], at: usize, stride: usize) -> Self;

    /// All tiles, one behind the other.
    fn store(self, dst: &mut [u8], at: usize);

    /// One tile. A `tile` that is not there is the last one.
    fn store_tile(self, tile: usize, dst: &mut [u8], at: usize);

    /// Two registers, whose tiles `t` are the bytes of two tiles at `at + t * stride`.
    #[inline(always)]
    fn load_pair(proof: Self::Proof, src: &[u8], at: usize, stride: usize) -> (Self, Self) {
        (Self::load(proof, src, at, stride), Self::load(proof, src, at + Self::TILE, stride))
    }

    /// Stores what [`load_pair`](Self::load_pair) would load.
    #[inline(always)]
    fn store_pair(self, other: Self, dst: &mut [u8], at: usize, stride: usize) {
        unroll!(tile < Self::TILES => {
            self.store_tile(tile, dst, at + tile * stride);
            other.store_tile(tile, dst, at + tile * stride + Self::TILE);
        });
    }

    /// Of so many rows of 16 bytes as 16 registers hold, `stride` apart, those of register `number`: tiles are filled
    /// one after the other in all registers.
    #[inline(always)]
    fn load_rows(proof: Self::Proof, src: &[u8], number: usize, stride: usize) -> Self {
        Self::load(proof, src, number * stride, 16 * stride)
    }

    /// Stores what of those rows is in this tile. A row may be overwritten where the next ones begin, not before.
    #[inline(always)]
    fn store_rows(self, tile: usize, dst: &mut [u8], number: usize, stride: usize) {
        self.store_tile(tile, dst, (16 * tile + number) * stride);
    }

    /// The bytes of both in turn: a0 b0 a1 b1 …, first and second half.
    fn zip(self, other: Self) -> (Self, Self);

    /// Zips within less than a tile, where that is cheaper and [`share`](Self::share) makes up for it.
    #[inline(always)]
    fn zip_near(self, other: Self) -> (Self, Self) {
        self.zip(other)
    }

    /// Sorts a plane so that, among `T` of them, rounds of [`zip_near`](Self::zip_near) do what `zip` would do unsorted.
    #[inline(always)]
    fn share<const T: usize>(self) -> Self {
        self
    }

    /// Undoes `zip`: the bytes at even places, the bytes at odd places.
    fn unzip(self, other: Self) -> (Self, Self);

    /// Swaps the bits of `other` under `mask` with those of `self` that lie `SHIFT` places higher. Bits are counted in
    /// little-endian `u64`s.
    fn swap_bits<const SHIFT: i32>(self, other: Self, mask: u64) -> (Self, Self);

    /// Splits bytes in order, eight registers of them, into their bits: register `k` has bits `k` in order.
    #[inline(always)]
    fn split_bits(x: [Self; 8]) -> [Self; 8] {
        network::transpose_bits(network::to_planes(x))
    }

    /// Undoes `split_bits`.
    #[inline(always)]
    fn join_bits(x: [Self; 8]) -> [Self; 8] {
        network::to_elements(network::transpose_bits(x))
    }

    /// Shuffles as only this instruction set does it, where it has such a way for whole elements of this size: says how
    /// many elements it did.
    #[inline(always)]
    fn shuffle_own(_: Self::Proof, _: Shape, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }

    /// The reverse.
    #[inline(always)]
    fn unshuffle_own(_: Self::Proof, _: Shape, _: &[u8], _: &mut [u8]) -> Option<usize> {
        None
    }

    /// Bytewise sum, wrapping.
    fn add(self, other: Self) -> Self;

    /// Each byte plus all those before it in its tile, wrapping.
    fn running_sum(self) -> Self;

    /// The last byte of each tile, in all 16 places.
    fn spread_last(self) -> Self;
}

/// The 16 bytes at `at`.
#[inline(always)]
pub(super) fn tile(src: &[u8], at: usize) -> &[u8; 16] {
    src[at..][..16].first_chunk().expect("16 bytes")
}

/// The 16 bytes at `at`, to be written.
#[inline(always)]
pub(super) fn tile_mut(dst: &mut [u8], at: usize) -> &mut [u8; 16] {
    dst[at..][..16].first_chunk_mut().expect("16 bytes")
}

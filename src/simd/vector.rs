//! The one abstraction over registers, and the laws that every instruction set keeps.

/// A register of [`TILES`](Self::TILES) tiles of 16 bytes each. No operation moves a byte from one tile to
/// another, so a wide register is nothing but several narrow ones in step.
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

    /// How many tiles.
    const TILES: usize;

    /// Whether `unzip` costs no more than `zip`.
    const FAST_UNZIP: bool;

    /// Tile `t` from the 16 bytes at `at + t * stride`.
    fn load(proof: Self::Proof, src: &[u8], at: usize, stride: usize) -> Self;

    /// All tiles, one behind the other.
    fn store(self, dst: &mut [u8], at: usize);

    /// One tile. A `tile` that is not there is the last one.
    fn store_tile(self, tile: usize, dst: &mut [u8], at: usize);

    /// The bytes of both in turn: a0 b0 a1 b1 …, first and second half.
    fn zip(self, other: Self) -> (Self, Self);

    /// Undoes `zip`: the bytes at even places, the bytes at odd places.
    fn unzip(self, other: Self) -> (Self, Self);

    /// Swaps, in each little-endian `u64`, the bits under `mask` with those `SHIFT` places above them.
    fn swap_bits<const SHIFT: i32>(self, mask: u64) -> Self;

    /// Takes each 8 bytes for a matrix of 8×8 bits and transposes it.
    #[inline(always)]
    fn transpose_bits(self) -> Self {
        self.swap_bits::<7>(0x00aa_00aa_00aa_00aa)
            .swap_bits::<14>(0x0000_cccc_0000_cccc)
            .swap_bits::<28>(0x0000_0000_f0f0_f0f0)
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

//! The block size and whether blocks are split, chosen as C-Blosc2 does (FORMAT §4.3), in chunks of Blosc1 as C-Blosc does.

use super::params::{CParams, ChunkFormat};
use crate::chunk::splitmode::SplitMode;
use crate::codec::Codec;
use crate::filter::SHUFFLE;
use core::ops::RangeInclusive;

/// The size of a common first-level cache.
const CACHE: usize = 32 << 10;
/// The largest automatic size of split blocks.
const MAX_SPLIT_BLOCK_BYTES: usize = 4 << 20;
/// The shortest and longest automatic sizes of split blocks of Blosc1, and the longest of one of their streams.
const SPLIT_BLOCK_BYTES_1: RangeInclusive<usize> = 64 << 10..=1 << 20;
const MAX_STREAM_BYTES_1: usize = 256 << 10;
/// Blocks of larger items are not split.
const MAX_SPLITS: usize = 16;

/// How a chunk is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Bytes of a block, at least 1 and at most those of the chunk; a multiple of the item size unless the chunk is
    /// shorter than an item.
    pub(super) blocksize: usize,
    /// Whether all blocks but a shorter last one are split.
    pub(super) split: bool,
}

impl Cut {
    pub(super) fn of(cparams: &CParams, nbytes: usize) -> Self {
        match cparams.blocksize as usize {
            0 => Self::by(cparams, nbytes, automatic(cparams, cparams.typesize.max(1) as usize, nbytes)),
            _ => Self::given(cparams, nbytes),
        }
    }

    /// By the block size that the parameters give.
    pub(super) fn given(cparams: &CParams, nbytes: usize) -> Self {
        Self::by(cparams, nbytes, cparams.blocksize as usize)
    }

    /// By blocks of this size, if possible.
    fn by(cparams: &CParams, nbytes: usize, wanted: usize) -> Self {
        let typesize = (cparams.typesize as usize).max(1);
        let mut blocksize = wanted.max(typesize).min(nbytes).max(1);
        if blocksize > typesize {
            blocksize -= blocksize % typesize;
        }
        let split = splits(cparams, cparams.header_typesize(), blocksize);
        // Streams have one length.
        Self { blocksize, split: split && blocksize.is_multiple_of(cparams.header_typesize()) }
    }

    /// The number of streams of a block of `len` bytes.
    pub(super) fn nstreams(&self, len: usize, cparams: &CParams) -> usize {
        if self.split && len == self.blocksize { cparams.header_typesize() } else { 1 }
    }
}

/// The block size if the caller gives none.
fn automatic(cparams: &CParams, typesize: usize, nbytes: usize) -> usize {
    let clevel = cparams.clevel;
    if cparams.format == ChunkFormat::Blosc1 {
        let whole = by_level(cparams, nbytes);
        if clevel == 0 || !splits(cparams, typesize, whole) {
            return whole;
        }
        let (least, most) = SPLIT_BLOCK_BYTES_1.into_inner();
        return (whole.min(MAX_STREAM_BYTES_1) * typesize).clamp(least, most);
    }
    if clevel > 0 && splits(cparams, typesize, nbytes) {
        // A block of single bytes is one stream, whether it counts as split or not: C-Blosc2 makes it as short as one of several.
        if typesize == 1 {
            return by_level(cparams, nbytes).max(CACHE.min(nbytes));
        }
        let stream = match clevel {
            ..=3 => CACHE,
            4..=6 => CACHE << 1,
            7 => CACHE << 2,
            8 => CACHE << 3,
            _ => CACHE << 4,
        };
        return stream.saturating_mul(typesize).clamp(CACHE, MAX_SPLIT_BLOCK_BYTES);
    }
    by_level(cparams, nbytes)
}

/// The size of blocks that are not split.
fn by_level(cparams: &CParams, nbytes: usize) -> usize {
    if nbytes < CACHE {
        return nbytes;
    }
    // Small blocks cost these codecs more.
    let slow = matches!(cparams.codec, Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD);
    let base = if slow { CACHE << 1 } else { CACHE };
    match cparams.clevel {
        0 => base >> 2,
        1 => base >> 1,
        2 => base,
        3 => base << 1,
        4..=5 => base << 2,
        6..=8 => base << 3,
        _ if slow => base << 4,
        _ => base << 3,
    }
}

/// Whether blocks of this size are split.
fn splits(cparams: &CParams, typesize: usize, blocksize: usize) -> bool {
    let least = match cparams.format {
        ChunkFormat::Blosc2 => 32,
        ChunkFormat::Blosc1 => 128,
    };
    let possible = typesize <= MAX_SPLITS && blocksize / typesize >= least;
    match (cparams.splitmode, cparams.format) {
        (SplitMode::Never, _) => false,
        (SplitMode::Always, ChunkFormat::Blosc2) => true,
        // Readers of Blosc1 apply this rule.
        (SplitMode::Always, ChunkFormat::Blosc1) => possible,
        (_, ChunkFormat::Blosc1) => cparams.codec != Codec::ZSTD && possible,
        (SplitMode::Auto | SplitMode::ForwardCompat, ChunkFormat::Blosc2) => {
            let quick = match cparams.codec {
                Codec::BLOSCLZ | Codec::LZ4 => true,
                Codec::ZSTD => cparams.clevel <= 5,
                _ => false,
            };
            quick && cparams.filters.contains(SHUFFLE) && possible
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_items() {
        let cut = |typesize, blocksize, nbytes| {
            Cut::of(&CParams { typesize, blocksize, ..CParams::default() }, nbytes).blocksize
        };
        assert_eq!(cut(4, 18, 1000), 16);
        assert_eq!(cut(300, 1000, 5000), 900);
        assert_eq!(cut(300, 100, 5000), 300, "no less than an item");
        assert_eq!(cut(8, 100, 7), 7, "no more than the chunk");
        assert_eq!(cut(8, 0, 0), 1);
        assert_eq!(cut(8, 0, 1001), 1000);
        assert_eq!(cut(300, 0, 3_000_000), 131_072 / 300 * 300);
    }

    #[test]
    fn blocks_of_bytes_are_as_long_as_without_shuffle() {
        for (codec, blocksize) in [(Codec::ZSTD, 256 << 10), (Codec::LZ4, 128 << 10)] {
            for filters in [CParams::default().filters, Default::default()] {
                let cparams = CParams { codec, filters, typesize: 1, ..CParams::default() };
                assert_eq!(Cut::of(&cparams, 1 << 20).blocksize, blocksize);
            }
        }
        let quick = CParams { codec: Codec::LZ4, clevel: 1, typesize: 1, ..CParams::default() };
        assert_eq!(Cut::of(&quick, 1 << 20).blocksize, 32 << 10, "no shorter than by C-Blosc2");
        assert_eq!(Cut::of(&quick, 1000).blocksize, 1000);
    }

    #[test]
    fn chunks_of_blosc1_are_cut_as_by_c_blosc() {
        // Codec, level, item size, chunk; then what numcodecs makes of it.
        let cases = [
            (Codec::BLOSCLZ, 5, 1, 3_000_000, 131_072, true),
            (Codec::LZ4, 5, 4, 3_000_000, 524_288, true),
            (Codec::LZ4, 1, 2, 200_000, 65_536, true),
            (Codec::LZ4, 9, 17, 3_000_000, 262_140, false),
            (Codec::LZ4HC, 5, 4, 3_000_000, 1_048_576, true),
            (Codec::ZLIB, 9, 3, 3_000_000, 786_432, true),
            (Codec::ZSTD, 5, 4, 3_000_000, 262_144, false),
            (Codec::ZSTD, 9, 8, 3_000_000, 1_048_576, false),
        ];
        for (codec, clevel, typesize, nbytes, blocksize, split) in cases {
            let format = ChunkFormat::Blosc1;
            let cparams = CParams { codec, clevel, typesize, format, ..CParams::default() };
            assert_eq!(Cut::of(&cparams, nbytes), Cut { blocksize, split }, "{codec:?} {clevel} {typesize}");
        }
    }
}

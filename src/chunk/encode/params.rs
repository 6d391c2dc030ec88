//! Compression parameters.

use crate::chunk::splitmode::SplitMode;
use crate::chunk::wire::{EXTENDED_HEADER, MIN_HEADER, WireChunk, flag};
use crate::codec::{Codec, PlainStream, Registry, Zfp};
use crate::filter::{BYTEDELTA, BlockInfo, Filter, MAX_FILTERS, Pipeline, SHUFFLE};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The format of a chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChunkFormat {
    /// Format 5 of Blosc2.
    #[default]
    Blosc2,
    /// Format 2, which Blosc1 reads too. Its only filters are shuffle and bitshuffle.
    Blosc1,
}

impl ChunkFormat {
    /// Bytes of the header.
    pub(super) const fn header_len(self) -> usize {
        match self {
            Self::Blosc2 => EXTENDED_HEADER,
            Self::Blosc1 => MIN_HEADER,
        }
    }

    /// Shorter chunks are copied.
    pub(super) const fn least(self) -> usize {
        match self {
            Self::Blosc2 => 32,
            Self::Blosc1 => 128,
        }
    }
}

/// Compression parameters, by Blosc's name for them. The defaults are those of C-Blosc2.
///
/// ```
/// use b2nd::chunk::CParams;
/// let cparams = CParams { typesize: 4, clevel: 9, ..CParams::default() };
/// assert!(cparams.filters.contains(b2nd::filter::SHUFFLE));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CParams {
    /// The codec; BloscLZ by default.
    pub codec: Codec,
    /// The compression level, from 0, which copies, to 10, which takes the most time; 5 by default. Formats know levels up to 9:
    /// frames of level 10 say 9.
    pub clevel: u8,
    /// Bytes per item, which may be more than 255; 8 by default.
    pub typesize: u32,
    /// The filters; shuffle in the last slot by default.
    pub filters: Pipeline,
    /// Bytes per block, rounded down to a multiple of `typesize`. 0, the default, chooses as C-Blosc2 does.
    pub blocksize: u32,
    /// When blocks are split into streams; [`Auto`](SplitMode::Auto) by default, since old releases of python-blosc2 refuse frames
    /// with the default of C-Blosc2, which splits the same blocks.
    pub splitmode: SplitMode,
    /// Whether a chunk of many small blocks gets a dictionary for them, where that makes it shorter; false by default. Only
    /// LZ4, LZ4HC and zstd have dictionaries; chunks of other codecs get none. Chunks of
    /// Blosc1 and those whose blocks vary in length get none either. Encoding takes a few times as long.
    pub use_dict: bool,
    /// Items along each axis of a block, for NDLZ, ZFP, NDCELL and NDMEAN; empty by default.
    #[cfg(feature = "alloc")]
    pub blockshape: Vec<u32>,
    /// Items along each axis of a block, for NDCELL and NDMEAN; empty by default.
    #[cfg(not(feature = "alloc"))]
    pub blockshape: &'static [u32],
    /// The chunk format; that of Blosc2 by default.
    pub format: ChunkFormat,
    /// The codec's parameter: for NDLZ the edge of cells, 4 or 8; for ZFP that of the [mode](Zfp::meta); 0 by default.
    pub codec_meta: u8,
    /// Codecs and filters of the host's own; none by default.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub registry: Registry,
}

impl Default for CParams {
    fn default() -> Self {
        let mut filters = Pipeline::default();
        filters.slots[MAX_FILTERS - 1].id = SHUFFLE;
        Self {
            codec: Codec::BLOSCLZ,
            clevel: 5,
            typesize: 8,
            filters,
            blocksize: 0,
            splitmode: SplitMode::Auto,
            use_dict: false,
            blockshape: Default::default(),
            format: ChunkFormat::default(),
            codec_meta: 0,
            registry: Registry::new(),
        }
    }
}

impl CParams {
    /// The maximum length of a chunk of `nbytes` plain bytes: these and the header.
    ///
    /// ```
    /// use b2nd::chunk::{CParams, ChunkFormat};
    /// assert_eq!(CParams::default().max_len(1000), 1032);
    /// assert_eq!(CParams { format: ChunkFormat::Blosc1, ..CParams::default() }.max_len(1000), 1016);
    /// ```
    pub const fn max_len(&self, nbytes: usize) -> usize {
        nbytes.saturating_add(self.format.header_len())
    }

    /// With blocks of this shape, in items, in builds with and without an allocator.
    ///
    /// ```
    /// use b2nd::chunk::CParams;
    /// let cparams = CParams { typesize: 4, blocksize: 8 * 16 * 4, ..CParams::default() }.with_blockshape(&[8, 16]);
    /// assert_eq!(cparams.blockshape, [8, 16]);
    /// ```
    #[must_use]
    pub fn with_blockshape(self, shape: &'static [u32]) -> Self {
        Self { blockshape: shape.into(), ..self }
    }

    /// With ZFP in this mode, and without filters: it takes none but `trunc_prec`. Its chunks need the
    /// [shape](Self::with_blockshape) of their blocks, which arrays have.
    ///
    /// ```
    /// use b2nd::{chunk::CParams, codec::{Codec, Zfp}};
    /// let cparams = CParams::default().with_zfp(Zfp::Rate(25));
    /// assert_eq!((cparams.codec, cparams.codec_meta), (Codec::ZFP_RATE, 25));
    /// ```
    #[must_use]
    pub fn with_zfp(self, mode: Zfp) -> Self {
        Self { codec: mode.codec(), codec_meta: mode.meta(), filters: Pipeline::default(), ..self }
    }

    /// Items along each axis of a block.
    #[allow(clippy::needless_borrow, reason = "a list with an allocator")]
    pub(crate) fn blockshape(&self) -> &[u32] {
        &self.blockshape
    }

    /// Bytes per item in the header, and for filters and streams.
    pub(super) fn header_typesize(&self) -> usize {
        u8::try_from(self.typesize).map_or(1, |typesize| typesize.max(1).into())
    }

    /// The filters as the header stores them.
    #[inline(never)]
    pub(super) fn pipeline(&self) -> Pipeline {
        let mut pipeline = self.filters;
        for filter in &mut pipeline.slots {
            // For a chunk outside of a super-chunk the reference does not replace the 0 by the type size.
            if *filter == (Filter { id: BYTEDELTA, meta: 0 }) {
                filter.meta = u8::try_from(self.typesize).unwrap_or(0);
            }
        }
        pipeline
    }

    /// Facts about the first block that filters need.
    pub(super) fn block_info(&self) -> BlockInfo<'_> {
        BlockInfo {
            typesize: self.header_typesize(),
            itemsize: self.typesize as usize,
            first: None,
            blockshape: self.blockshape(),
            early_bitshuffle: self.format == ChunkFormat::Blosc1,
            host: self.registry.filters(),
        }
    }

    /// A stream, for a codec.
    pub(super) fn plain_stream<'a>(&'a self, src: &'a [u8]) -> PlainStream<'a> {
        PlainStream {
            src,
            clevel: self.clevel,
            meta: self.codec_meta,
            typesize: self.header_typesize(),
            blockshape: self.blockshape(),
        }
    }

    /// The header, without what depends on the encoded blocks.
    pub(super) fn header(&self, nbytes: usize, blocksize: usize) -> WireChunk {
        let (version, flags, codec, codec_meta) = match self.format {
            ChunkFormat::Blosc2 => (5, flag::EXTENDED, self.codec.0, self.codec_meta),
            ChunkFormat::Blosc1 => (2, 0, 0, 0),
        };
        WireChunk {
            version,
            versionlz: 1,
            flags,
            typesize: self.header_typesize() as u8,
            nbytes: nbytes as i32,
            blocksize: blocksize as i32,
            cbytes: 0,
            filters: [0; MAX_FILTERS],
            codec,
            codec_meta,
            filter_metas: [0; MAX_FILTERS],
            flags2: 0,
            blosc2_flags: 0,
        }
    }
}

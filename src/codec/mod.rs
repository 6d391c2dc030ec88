//! Codecs: they decode one stream into a buffer of known length, or encode one.
//!
//! BloscLZ, LZ4, zlib, zstd, snappy, NDLZ and ZFP are built in; the host adds others through a [`Registry`].

mod blosclz;
mod copy;
mod encode;
#[cfg(feature = "encoders")]
mod encoder;
mod fixed;
#[cfg(all(feature = "encoders", any(feature = "zlib", feature = "zstd")))]
mod huffman_lengths;
mod id;
#[cfg(feature = "zstd-safe")]
mod libzstd;
#[cfg(feature = "lz4")]
mod lz4;
mod matcher;
#[cfg(feature = "ndlz")]
mod ndlz;
mod registry;
#[cfg(feature = "snappy")]
mod snappy;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(feature = "zfp")]
mod zfp;
mod zfp_mode;
#[cfg(feature = "zlib")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

use crate::base::{Error, Malformed, Result, SMALL, Unsupported};
pub(crate) use encode::Encode;
pub use encode::MAX_CLEVEL;
pub(crate) use encode::MAX_STORED_CLEVEL;
#[cfg(feature = "encoders")]
pub use encoder::Encoder;
#[cfg(feature = "lz4")]
pub use fixed::Lz4Table;
pub use fixed::{BloscLzTable, EncoderTables};
pub use id::Codec;
pub use registry::{Corrupt, Plugin, Registry};
pub(crate) use tables::Decode;
pub use tables::Tables;
pub use zfp_mode::Zfp;
#[cfg(feature = "zlib")]
pub use zlib::Zlib;
#[cfg(feature = "zstd")]
pub use zstd::{Zstd, ZstdDict};

/// Decoder tables, created on first use.
#[cfg(feature = "alloc")]
pub(crate) type State = (ZlibState, ZstdState);

#[cfg(all(feature = "alloc", not(feature = "zlib")))]
type ZlibState = ();
#[cfg(all(feature = "alloc", feature = "zlib"))]
type ZlibState = zlib::Decoder;

#[cfg(all(feature = "alloc", not(any(feature = "zstd", feature = "zstd-safe"))))]
type ZstdState = ();
#[cfg(all(feature = "alloc", feature = "zstd", not(feature = "zstd-safe")))]
type ZstdState = zstd::Decoder;
#[cfg(feature = "zstd-safe")]
type ZstdState = libzstd::Decoder;

/// A compressed stream, and its parameters.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Stream<'a> {
    /// The compressed bytes.
    pub src: &'a [u8],
    /// The chunk's dictionary, or empty.
    pub dict: &'a [u8],
    /// The codec's parameter, from the chunk's header.
    pub meta: u8,
    /// Bytes per item, from the chunk's header.
    pub typesize: usize,
    /// Items along each axis of a block; empty if the chunk is not read as part of an array.
    pub blockshape: &'a [u32],
    /// Whether the bytes or bits of the items are in planes.
    pub(crate) shuffled: bool,
}

#[cfg(feature = "lz4")]
impl Stream<'_> {
    /// Whether near and far matches alternate, as they do in planes; but LZ4HC finds few near ones.
    fn is_mixed(&self, codec: Codec) -> bool {
        self.shuffled && codec == Codec::LZ4
    }
}

/// A stream to be compressed, and its parameters.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PlainStream<'a> {
    /// The plain bytes.
    pub src: &'a [u8],
    /// The compression level, from 1 to 10.
    pub clevel: u8,
    /// The codec's parameter, for the chunk's header.
    pub meta: u8,
    /// Bytes per item, in the chunk's header.
    pub typesize: usize,
    /// Items along each axis of a block; empty if the chunk is not part of an array.
    pub blockshape: &'a [u32],
}

/// Decodes `stream` into all of `dst`, whose content is unspecified after an error.
pub(crate) fn decode(
    codec: Codec,
    stream: &Stream<'_>,
    dst: &mut [u8],
    tables: &mut dyn Tables,
    registry: &Registry,
) -> Result<()> {
    if let Some(plugin) = registry.get(codec) {
        if plugin.needs_shape() && stream.blockshape.is_empty() {
            return Err(Unsupported::Shapeless(codec.0).into());
        }
        return plugin.decode(stream, dst).map_err(|Corrupt| corrupt(plugin.name()));
    }
    #[cfg(feature = "zfp")]
    if codec.is_zfp() && stream.blockshape.is_empty() {
        return Err(Unsupported::Shapeless(codec.0).into());
    }
    built_in(codec, stream, dst, tables)
        .ok_or(Unsupported::Codec(codec.0))?
        .map_err(|Corrupt| corrupt(codec.name().unwrap_or("unknown")))
}

/// Decodes the start of a stream; `None` if its codec cannot do that.
pub(crate) fn decode_start(
    codec: Codec,
    stream: &Stream<'_>,
    start: &mut [u8],
    registry: &Registry,
) -> Option<Result<()>> {
    let decoded = match codec {
        _ if SMALL || registry.get(codec).is_some() => return None,
        Codec::BLOSCLZ => blosclz::decode_start(stream.src, start),
        #[cfg(feature = "lz4")]
        Codec::LZ4 | Codec::LZ4HC => {
            lz4::decode_start(stream.src, stream.dict, start, stream.is_mixed(codec))
        }
        _ => return None,
    };
    Some(decoded.map_err(|Corrupt| corrupt(codec.name().unwrap_or("unknown"))))
}

/// Whether there is a second zlib decoder, for two streams at once.
pub(crate) const PAIRS: bool =
    cfg!(all(feature = "zlib", not(feature = "small"), not(target_family = "wasm")));

/// Whether to decode this codec's streams in pairs.
pub(crate) fn in_pairs(codec: Codec) -> bool {
    PAIRS && codec == Codec::ZLIB
}

/// Decodes two streams at once if that is faster. Returns false if it is not, or if one of them is invalid.
#[cfg(feature = "alloc")]
pub(crate) fn decode_two(
    codec: Codec,
    src: [&[u8]; 2],
    dst: [&mut [u8]; 2],
    tables: &mut dyn Tables,
    registry: &Registry,
) -> bool {
    in_pairs(codec) && registry.get(codec).is_none() && tables.two_of_zlib(src, dst)
}

/// Decodes with a built-in codec; `None` if there is none, or the caller has no tables for it.
fn built_in(
    codec: Codec,
    stream: &Stream<'_>,
    dst: &mut [u8],
    tables: &mut dyn Tables,
) -> Option<Result<(), Corrupt>> {
    match codec {
        Codec::BLOSCLZ => Some(blosclz::decode(stream.src, dst)),
        #[cfg(feature = "lz4")]
        Codec::LZ4 | Codec::LZ4HC => Some(lz4::decode(stream.src, stream.dict, dst, stream.is_mixed(codec))),
        #[cfg(feature = "snappy")]
        Codec::SNAPPY => Some(snappy::decode(stream.src, dst)),
        #[cfg(feature = "zlib")]
        Codec::ZLIB => tables.zlib(stream.src, dst),
        #[cfg(any(feature = "zstd", feature = "zstd-safe"))]
        Codec::ZSTD => tables.zstd(stream.src, stream.dict, dst),
        #[cfg(feature = "ndlz")]
        Codec::NDLZ => Some(ndlz::decode(stream.src, stream.meta, dst)),
        #[cfg(feature = "zfp")]
        Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE => Some(zfp::decode(codec, stream, dst)),
        _ => None,
    }
}

#[cold]
fn corrupt(codec: &'static str) -> Error {
    Error::format(Malformed::Stream { codec })
}

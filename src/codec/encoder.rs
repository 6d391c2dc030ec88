//! Encoding with any codec, and the tables that encoders borrow.

use super::encode::{Encode, check_clevel, table};
use super::{Codec, PlainStream, blosclz};
use crate::base::{Result, Unsupported};
use alloc::vec::Vec;
use core::fmt;

/// Encodes streams. It keeps the tables of the codecs, each allocated on first use: make one per thread and reuse it.
///
/// ```
/// use b2nd::codec::{Codec, Encoder};
/// let (plain, mut encoded) = ([7; 1000], [0; 999]);
/// let len = Encoder::new().encode(Codec::BLOSCLZ, 5, &plain, &mut encoded)?;
/// assert!(len.is_some_and(|len| len < 20));
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Default)]
pub struct Encoder {
    blosclz: Vec<u32>,
    #[cfg(feature = "lz4")]
    lz4: super::lz4::Encoder,
    #[cfg(feature = "zlib")]
    zlib: super::zlib::Encoder,
    #[cfg(feature = "snappy")]
    snappy: Vec<u32>,
    #[cfg(all(feature = "ndlz", feature = "write"))]
    ndlz: Vec<u32>,
    #[cfg(feature = "zstd-safe")]
    zstd: super::libzstd::Encoder,
    #[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
    zstd: super::zstd::Encoder,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

/// Slots of BloscLZ's table.
const BLOSCLZ: usize = size_of::<blosclz::Positions>() / 4;
/// Slots of snappy's.
#[cfg(feature = "snappy")]
const SNAPPY: usize = size_of::<super::snappy::Positions>() / 4;

impl Encoder {
    /// An encoder without tables.
    ///
    /// ```
    /// use b2nd::codec::{Codec, Encoder};
    /// let mut encoder = Encoder::new();
    /// assert!(encoder.encode(Codec::BLOSCLZ, 5, &[7; 1000], &mut [0; 999])?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Encodes `src` into `dst` and returns the length, or `None` if it does not fit; then the content of `dst` is
    /// unspecified. `clevel` is 1 to [`MAX_CLEVEL`](super::MAX_CLEVEL).
    ///
    /// ```
    /// use b2nd::codec::{Codec, Encoder};
    /// let mut encoded = [0; 999];
    /// let len = Encoder::new().encode(Codec::BLOSCLZ, 5, &[7; 1000], &mut encoded)?;
    /// assert!(len.is_some_and(|len| len < 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for other levels, `Unsupported` for codecs that this build cannot encode, and for NDLZ and ZFP, which
    /// need to know the shape of the block.
    pub fn encode(&mut self, codec: Codec, clevel: u8, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>> {
        self.encode_stream(
            codec,
            &PlainStream { src, clevel, meta: 0, typesize: 1, blockshape: &[] },
            &[],
            dst,
        )
    }

    /// Whether this build can encode with `codec` and a dictionary.
    pub(crate) const fn takes_dict(codec: Codec) -> bool {
        cfg!(feature = "lz4") && matches!(codec, Codec::LZ4 | Codec::LZ4HC)
            || cfg!(any(feature = "zstd", feature = "zstd-safe")) && matches!(codec, Codec::ZSTD)
    }

    /// Whether this build encodes with `codec`.
    ///
    /// ```
    /// use b2nd::codec::{Codec, Encoder};
    /// assert!(Encoder::knows(Codec::BLOSCLZ) && !Encoder::knows(Codec(200)));
    /// ```
    pub const fn knows(codec: Codec) -> bool {
        matches!(codec, Codec::BLOSCLZ)
            || cfg!(feature = "lz4") && matches!(codec, Codec::LZ4 | Codec::LZ4HC)
            || cfg!(feature = "zlib") && matches!(codec, Codec::ZLIB)
            || cfg!(feature = "snappy") && matches!(codec, Codec::SNAPPY)
            || cfg!(all(feature = "ndlz", feature = "write")) && matches!(codec, Codec::NDLZ)
            || cfg!(all(feature = "zfp", feature = "write"))
                && matches!(codec, Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE)
            || cfg!(any(feature = "zstd", feature = "zstd-safe")) && matches!(codec, Codec::ZSTD)
    }
}

impl Encode for Encoder {
    fn encodes(&self, codec: Codec) -> bool {
        Self::knows(codec)
    }

    fn encode_stream(
        &mut self,
        codec: Codec,
        stream: &PlainStream<'_>,
        dict: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let PlainStream { src, clevel, .. } = *stream;
        debug_assert!(dict.is_empty() || Self::takes_dict(codec), "a dictionary for a codec without");
        check_clevel(clevel)?;
        Ok(match codec {
            Codec::BLOSCLZ => table::<_, BLOSCLZ>(&mut self.blosclz)
                .and_then(|table| blosclz::encode(src, dst, table, clevel)),
            #[cfg(feature = "lz4")]
            Codec::LZ4 => self.lz4.fast(src, dict, dst, clevel),
            #[cfg(feature = "lz4")]
            Codec::LZ4HC => self.lz4.hc(src, dict, dst, clevel),
            #[cfg(feature = "zlib")]
            Codec::ZLIB => self.zlib.encode(src, dst, clevel),
            #[cfg(feature = "snappy")]
            Codec::SNAPPY => table::<_, SNAPPY>(&mut self.snappy)
                .and_then(|table| super::snappy::encode(src, dst, table, clevel)),
            #[cfg(feature = "zstd-safe")]
            Codec::ZSTD => self.zstd.encode(src, dict, dst, zstd_level(clevel)),
            #[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
            Codec::ZSTD => self.zstd.encode(src, dict, dst, clevel),
            #[cfg(all(feature = "ndlz", feature = "write"))]
            Codec::NDLZ => {
                let shape = check_ndlz(stream)?;
                table(&mut self.ndlz)
                    .and_then(|table| super::ndlz::encode(src, stream.meta, shape, dst, table))
            }
            #[cfg(all(feature = "zfp", feature = "write"))]
            Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE if stream.blockshape.is_empty() => {
                return Err(Unsupported::Shapeless(codec.0).into());
            }
            #[cfg(all(feature = "zfp", feature = "write"))]
            Codec::ZFP_ACC | Codec::ZFP_PREC | Codec::ZFP_RATE => super::zfp::encode(codec, stream, dst),
            _ => return Err(Unsupported::Codec(codec.0).into()),
        })
    }
}

/// The shape of a stream for NDLZ: one byte for each item of a two-dimensional block.
#[cfg(all(feature = "ndlz", feature = "write"))]
fn check_ndlz(stream: &PlainStream<'_>) -> Result<[u32; 2]> {
    match *stream.blockshape {
        [height, width] if u64::from(height) * u64::from(width) == stream.src.len() as u64 => {
            if matches!(stream.meta, 4 | 8) {
                return Ok([height, width]);
            }
            Err(crate::ArgumentError::Parameter { name: "codec_meta", value: stream.meta.into() }.into())
        }
        _ => Err(Unsupported::Shapeless(Codec::NDLZ.0).into()),
    }
}

/// libzstd's level for one of Blosc's.
#[cfg(feature = "zstd-safe")]
const fn zstd_level(clevel: u8) -> i32 {
    if clevel < 9 { 2 * clevel as i32 - 1 } else { 22 }
}

#[cfg(test)]
mod tests;

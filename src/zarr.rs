//! Zarr: the codec `b2nd`, a chunk of a Zarr array as it is in a frame (docs/zarr.md), and parts of chunks in Blosc's codecs.

mod chunks;

pub use chunks::Chunks;

use crate::array::{ArrayParams, ByteOrder, Layout};
use crate::base::{ArgumentError, Error, Result};
use crate::chunk::{Body, Header, SpecialValue};
use crate::codec::Codec;
use crate::filter::{INT_TRUNC, NDMEAN, Pipeline, TRUNC_PREC};
use alloc::vec::Vec;

/// The configuration of the codec, in the metadata of a Zarr array.
///
/// ```
/// use b2nd::{array::ArrayEncoder, chunk::Chunk, zarr::Configuration};
/// let text = r#"{ "block_shape": [2, 2], "endian": "little", "cname": "zstd", "clevel": 5, "filters": ["shuffle"] }"#;
/// let configuration: Configuration = serde_json::from_str(text).unwrap();
/// // A chunk of 2 × 4 items.
/// let mut encoder = ArrayEncoder::new(&configuration.params(&[2, 4], &[2, 4], "<i2"))?;
/// let chunk = encoder.encode(0, &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0])?;
/// configuration.check(encoder.layout(), Chunk::new(&chunk)?.header())?;
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Configuration {
    /// Items along each axis of a block.
    pub block_shape: Vec<u32>,
    /// The byte order of items, where they are numbers of several bytes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub endian: Option<Endian>,
    /// The codec of new chunks.
    pub cname: Codec,
    /// The level of new chunks.
    pub clevel: u8,
    /// The filters of new chunks.
    pub filters: Pipeline,
    /// The parameter of the codec of new chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub codec_meta: u8,
}

/// A byte order as Zarr names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[allow(clippy::exhaustive_enums, reason = "there are two")]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Configuration {
    /// The configuration with which Zarr reads the chunks of an array.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// use b2nd::array::{ArrayParams, ByteOrder};
    /// let params = ArrayParams::of(array.reader().frame(), array.layout())?;
    /// let configuration = b2nd::zarr::Configuration::of(&params, ByteOrder::Little);
    /// assert_eq!(configuration.block_shape, [3, 10, 20]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    #[must_use]
    pub fn of(params: &ArrayParams, order: ByteOrder) -> Self {
        let cparams = &params.cparams;
        Self {
            block_shape: params.blockshape.clone().unwrap_or_default(),
            endian: match order {
                ByteOrder::Little => Some(Endian::Little),
                ByteOrder::Big => Some(Endian::Big),
                ByteOrder::NotApplicable => None,
            },
            cname: cparams.codec,
            clevel: cparams.clevel,
            filters: cparams.filters,
            codec_meta: cparams.codec_meta,
        }
    }

    /// The parameters of an array whose chunks are those of a Zarr array with this codec.
    ///
    /// ```
    /// let text = r#"{ "block_shape": [2, 2], "cname": "lz4", "clevel": 1, "filters": [] }"#;
    /// let configuration: b2nd::zarr::Configuration = serde_json::from_str(text).unwrap();
    /// let params = configuration.params(&[9, 9], &[4, 4], "|u1");
    /// assert_eq!(params.blockshape, Some(vec![2, 2]));
    /// ```
    #[must_use]
    pub fn params(&self, shape: &[u64], chunkshape: &[u32], dtype: &str) -> ArrayParams {
        let mut params = ArrayParams::new(shape, dtype)
            .with_chunks(chunkshape)
            .with_blocks(&self.block_shape)
            .with_codec(self.cname, self.clevel);
        (params.cparams.filters, params.cparams.codec_meta) = (self.filters, self.codec_meta);
        params
    }

    /// Fails for what no chunk can be encoded with: filters that take numbers apart, of numbers that are stored the other way round.
    ///
    /// ```
    /// let text = r#"{ "block_shape": [], "endian": "big", "cname": "lz4", "clevel": 1, "filters": ["trunc_prec:10"] }"#;
    /// let configuration: b2nd::zarr::Configuration = serde_json::from_str(text).unwrap();
    /// assert!(configuration.check_encoding().is_err());
    /// ```
    ///
    /// # Errors
    /// `Argument` if there are such filters.
    pub fn check_encoding(&self) -> Result<()> {
        let numeric = [TRUNC_PREC, NDMEAN, INT_TRUNC].into_iter().find(|&id| self.filters.contains(id));
        match numeric {
            Some(id) if self.endian == Some(Endian::Big) => Err(ArgumentError::Inapplicable(id).into()),
            _ => Ok(()),
        }
    }

    /// Compares the header of a chunk with what the configuration says of all of them: where they differ, the items are in
    /// another order, or others.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// # use b2nd::{array::{ArrayParams, ByteOrder}, zarr::Configuration};
    /// let params = ArrayParams::of(array.reader().frame(), array.layout())?;
    /// let mut configuration = Configuration::of(&params, ByteOrder::Little);
    /// let header = array.reader().chunk_info(0).unwrap().header;
    /// assert!(configuration.check(array.layout(), &header).is_ok());
    /// configuration.block_shape = vec![3, 10, 10];
    /// assert!(configuration.check(array.layout(), &header).is_err());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if they differ.
    pub fn check(&self, layout: &Layout, header: &Header) -> Result<()> {
        check(&self.block_shape, layout, header)
    }
}

/// Compares the header of a chunk with blocks of this shape.
fn check(blockshape: &[u32], layout: &Layout, header: &Header) -> Result<()> {
    let itemsize = u64::from(layout.itemsize());
    let lens = layout.chunkshape().iter().zip(blockshape);
    let blocksize = blockshape.iter().fold(itemsize, |size, &len| size.saturating_mul(len.into()));
    let blocks = lens.map(|(chunk, block)| u64::from(chunk.div_ceil((*block).max(1))));
    header.check_nbytes(blocks.fold(blocksize, u64::saturating_mul))?;
    let typesize = if itemsize > u8::MAX.into() { 1 } else { itemsize };
    let agree = |name, found: u64, expected| {
        if found == expected { Ok(()) } else { Err(Error::mismatch(name, found, expected)) }
    };
    match header.body {
        Body::Special(SpecialValue::Zeros | SpecialValue::Uninit) => Ok(()),
        Body::Special(SpecialValue::Repeat { width }) => agree("width of the value", width.into(), itemsize),
        Body::Special(SpecialValue::Nan) => agree("typesize", header.typesize.into(), typesize),
        Body::Memcpyed | Body::Blocks => {
            agree("typesize", header.typesize.into(), typesize)?;
            agree("blocksize", header.blocksize.into(), blocksize)
        }
        Body::VlBlocks => Err(Error::format(crate::Malformed::Field { name: "VL blocks", value: 1 })),
    }
}

#[cfg(feature = "serde")]
const fn is_zero(value: &u8) -> bool {
    *value == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ArrayEncoder;

    fn configuration(block_shape: &[u32]) -> Configuration {
        let params = ArrayParams::new(&[6, 7], "<i2").with_blocks(block_shape);
        Configuration::of(&params, ByteOrder::Little)
    }

    #[test]
    fn chunks_of_other_configurations_are_refused() {
        let own = configuration(&[2, 4]);
        let mut encoder = ArrayEncoder::new(&own.params(&[6, 7], &[6, 7], "<i2")).unwrap();
        let items: Vec<u8> = (0..84).collect();
        let (noise, zeros) = (encoder.encode(0, &items).unwrap(), encoder.encode(0, &[0; 84]).unwrap());
        let check = |configuration: &Configuration, dtype: &str, chunk: &[u8]| {
            let layout = ArrayEncoder::new(&configuration.params(&[6, 7], &[6, 7], dtype)).unwrap();
            configuration.check(layout.layout(), &Header::parse(chunk).unwrap()).is_ok()
        };
        for chunk in [&noise, &zeros] {
            assert!(check(&own, "<i2", chunk));
            assert!(!check(&own, "<i4", chunk) && !check(&configuration(&[4, 4]), "<i2", chunk));
        }
        // As many bytes in blocks of another size, and of other items.
        assert!(
            !check(&configuration(&[6, 8]), "<i2", &noise) && check(&configuration(&[6, 8]), "<i2", &zeros)
        );
        assert!(!check(&configuration(&[2, 8]), "|i1", &noise));
    }
}

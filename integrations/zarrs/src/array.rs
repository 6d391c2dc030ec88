//! The codec `b2nd`: each chunk of the array is as one of a frame, in n-dimensional blocks.

use crate::codec::failure;
use crate::decoder::Source;
use crate::reading::{Head, Parts, Wanting};
use b2nd::array::{ArrayEncoder, ArrayParams, Dtype, Layout};
use b2nd::chunk::Header;
use b2nd::plan::Index;
use b2nd::zarr::{Configuration as B2ndConfiguration, Endian};
use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use zarrs_chunk_grid::{Indexer, IndexerError};
use zarrs_codec::{
    ArrayBytes, ArrayBytesRaw, ArrayCodecTraits, ArrayPartialDecoderTraits, ArrayToBytesCodecTraits,
    BytesPartialDecoderTraits, BytesRepresentation, Codec, CodecError, CodecMetadataOptions, CodecOptions,
    CodecTraits, PartialDecoderCapability, PartialEncoderCapability, RecommendedConcurrency,
};
use zarrs_data_type::codec_traits::bytes::BytesDataTypeExt;
use zarrs_data_type::{DataType, FillValue};
use zarrs_metadata::{ChunkShape, Configuration, Endianness};
use zarrs_plugin::{ExtensionName, PluginCreateError, ZarrVersion};
use zarrs_storage::StorageError;

/// `b2nd`: each chunk of the array is one of Blosc2, with the items of a block next to each other.
#[derive(Debug, Clone)]
pub struct B2ndCodec {
    configuration: B2ndConfiguration,
}

impl B2ndCodec {
    pub(crate) const NAME: &'static str = "b2nd";

    /// A codec with this configuration.
    ///
    /// # Errors
    /// If blocks have a length of 0.
    pub fn new(configuration: B2ndConfiguration) -> Result<Self, PluginCreateError> {
        if configuration.block_shape.contains(&0) {
            return Err("a block has at least one item along each axis".into());
        }
        Ok(Self { configuration })
    }

    pub(crate) fn create(configuration: B2ndConfiguration) -> Result<Codec, PluginCreateError> {
        Ok(Codec::ArrayToBytes(Arc::new(Self::new(configuration)?)))
    }

    fn params(&self, shape: &[NonZeroU64], data_type: &DataType) -> Result<ArrayParams, CodecError> {
        let unsupported = || CodecError::UnsupportedDataType(data_type.clone(), Self::NAME.into());
        let itemsize = data_type.fixed_size().filter(|_| !data_type.is_optional()).ok_or_else(unsupported)?;
        let lens = shape.iter().map(|len| len.get()).collect::<Vec<_>>();
        let chunkshape = lens.iter().map(|&len| u32::try_from(len)).collect::<Result<Vec<_>, _>>();
        let chunkshape = chunkshape.map_err(|_| "the chunk is too long")?;
        let dtype = Dtype::void(itemsize).to_string();
        Ok(self.configuration.params(&lens, &chunkshape, &dtype))
    }

    fn chunk(&self, shape: &[NonZeroU64], data_type: &DataType) -> Result<Chunk, CodecError> {
        Ok(Chunk {
            layout: ArrayEncoder::new(&self.params(shape, data_type)?).map_err(failure)?.layout().clone(),
            configuration: self.configuration.clone(),
            data_type: data_type.clone(),
        })
    }
}

thread_local! {
    /// The encoder of the last chunk, whose memory the next one uses.
    static ENCODER: Cell<Option<ArrayEncoder>> = const { Cell::new(None) };
}

/// Encodes the only chunk of an array.
fn encode(params: &ArrayParams, items: &[u8]) -> b2nd::Result<Vec<u8>> {
    let mut encoder = ArrayEncoder::reusing(ENCODER.take(), params)?;
    let chunk = encoder.encode(0, items);
    ENCODER.set(Some(encoder));
    chunk
}

fn endianness(configuration: &B2ndConfiguration) -> Option<Endianness> {
    configuration.endian.map(|endian| match endian {
        Endian::Little => Endianness::Little,
        Endian::Big => Endianness::Big,
    })
}

impl ExtensionName for B2ndCodec {
    fn name(&self, _: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(Self::NAME.into())
    }
}

impl CodecTraits for B2ndCodec {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(&self, _: ZarrVersion, _: &CodecMetadataOptions) -> Option<Configuration> {
        match serde_json::to_value(&self.configuration) {
            Ok(serde_json::Value::Object(configuration)) => Some(configuration.into()),
            _ => None,
        }
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability { partial_read: true, partial_decode: true }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        PartialEncoderCapability { partial_encode: false }
    }
}

impl ArrayCodecTraits for B2ndCodec {
    fn recommended_concurrency(
        &self,
        _: &[NonZeroU64],
        _: &DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        Ok(RecommendedConcurrency::new_maximum(1))
    }

    fn partial_decode_granularity(&self, _: &[NonZeroU64]) -> ChunkShape {
        self.configuration.block_shape.iter().filter_map(|&len| NonZeroU64::new(len.into())).collect()
    }
}

#[cfg_attr(all(feature = "async", not(target_arch = "wasm32")), async_trait::async_trait)]
#[cfg_attr(all(feature = "async", target_arch = "wasm32"), async_trait::async_trait(?Send))]
impl ArrayToBytesCodecTraits for B2ndCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        const HEADER: u64 = 32;
        let chunk = self.chunk(shape, data_type)?;
        let whole = chunk.layout.plan_of(&[]).map_err(failure)?;
        let plain = whole.chunks().next().map_or(0, |task| task.nbytes());
        Ok(BytesRepresentation::BoundedSize(plain + HEADER))
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _: &FillValue,
        _: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        self.configuration.check_encoding().map_err(failure)?;
        let params = self.params(shape, data_type)?;
        bytes.validate(shape.iter().map(|len| len.get()).product(), data_type)?;
        let items = data_type.codec_bytes()?.encode(bytes.into_fixed()?, endianness(&self.configuration))?;
        encode(&params, &items).map(Cow::Owned).map_err(failure)
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        _: &FillValue,
        _: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let chunk = self.chunk(shape, data_type)?;
        let everything = shape.iter().map(|len| 0..len.get()).collect();
        let wanted = chunk.wanted(Header::parse(&bytes).map_err(failure)?, everything)?;
        let head = Head::from(bytes.into_owned());
        wanted.found(wanted.parts.decode(&head, &[], &[])?)
    }

    fn partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let (source, chunk) = (Source::new(input), self.chunk(shape, data_type)?);
        Ok(Arc::new(ArrayPartialDecoder { source, chunk, fill_value: fill_value.clone() }))
    }

    #[cfg(feature = "async")]
    async fn async_partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        _: &CodecOptions,
    ) -> Result<Arc<dyn zarrs_codec::AsyncArrayPartialDecoderTraits>, CodecError> {
        let (source, chunk) = (Source::new(input), self.chunk(shape, data_type)?);
        Ok(Arc::new(ArrayPartialDecoder { source, chunk, fill_value: fill_value.clone() }))
    }
}

/// The properties that all chunks of an array share.
struct Chunk {
    layout: Layout,
    configuration: B2ndConfiguration,
    data_type: DataType,
}

impl Chunk {
    /// Items within a box of a chunk with this header.
    fn wanted(&self, header: Header, window: Vec<Range<u64>>) -> Result<Window<'_>, CodecError> {
        self.configuration.check(&self.layout, &header).map_err(failure)?;
        let bound = |at: u64| Some(at as i64);
        let index =
            |range: &Range<u64>| Index::Range { start: bound(range.start), stop: bound(range.end), step: 1 };
        let plan = self.layout.plan_of(&window.iter().map(index).collect::<Vec<_>>()).map_err(failure)?;
        let lens = self.layout.chunkshape().iter().zip(&self.configuration.block_shape);
        let blocks = lens.map(|(chunk, block)| u64::from(chunk.div_ceil(*block))).product();
        let touched = window.iter().zip(&self.configuration.block_shape).map(|(range, &block)| {
            let block = u64::from(block);
            range.end.div_ceil(block).saturating_sub(range.start / block)
        });
        let counts = (touched.product(), blocks);
        let parts = Parts::new(header, vec![plan], self.layout.context(), counts);
        Ok(Window { chunk: self, parts })
    }
}

/// The items within a box of a chunk.
struct Window<'a> {
    chunk: &'a Chunk,
    parts: Parts,
}

impl Wanting for Window<'_> {
    type Found = ArrayBytes<'static>;

    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn found(&self, plain: Vec<Vec<u8>>) -> Result<ArrayBytes<'static>, CodecError> {
        let Chunk { configuration, data_type, .. } = self.chunk;
        let items = Cow::Owned(plain.into_iter().next().unwrap_or_default());
        Ok(ArrayBytes::new_flen(data_type.codec_bytes()?.decode(items, endianness(configuration))?))
    }
}

/// Reads boxes of items of one chunk.
struct ArrayPartialDecoder<I: ?Sized> {
    source: Source<I>,
    chunk: Chunk,
    fill_value: FillValue,
}

impl<I: ?Sized> ArrayPartialDecoder<I> {
    /// The least box with all items of the indexer.
    fn window(&self, indexer: &dyn Indexer) -> Result<Vec<Range<u64>>, CodecError> {
        let shape = self.chunk.layout.shape();
        if indexer.dimensionality() != shape.iter().len() {
            let (given, ndim) = (indexer.dimensionality(), shape.iter().len());
            return Err(IndexerError::new_incompatible_dimensionality(given, ndim).into());
        }
        let window: Vec<Range<u64>> = match indexer.as_array_subset() {
            Some(subset) => {
                subset.start().iter().zip(subset.end_exc()).map(|(&start, end)| start..end).collect()
            }
            None => (0..shape.iter().len())
                .map(|axis| {
                    let (mut first, mut end) = (u64::MAX, 0);
                    for indices in indexer.iter_indices() {
                        (first, end) = (first.min(indices[axis]), end.max(indices[axis] + 1));
                    }
                    first..end
                })
                .collect(),
        };
        if indexer.is_empty() {
            return Ok(vec![0..0; window.len()]);
        }
        if window.iter().zip(shape.iter()).any(|(range, len)| range.end > len) {
            let ends = window.iter().map(|range| range.end).collect();
            return Err(IndexerError::new_oob(ends, shape.iter().collect()).into());
        }
        Ok(window)
    }

    fn fill(&self, indexer: &dyn Indexer) -> Result<ArrayBytes<'static>, CodecError> {
        ArrayBytes::new_fill_value(&self.chunk.data_type, indexer.len(), &self.fill_value)
            .map_err(CodecError::from)
    }

    /// The items of the indexer, of those of its window.
    fn pick(
        &self,
        indexer: &dyn Indexer,
        window: &[Range<u64>],
        items: ArrayBytes<'static>,
    ) -> Result<ArrayBytes<'static>, CodecError> {
        if indexer.as_array_subset().is_some() || indexer.is_empty() {
            return Ok(items);
        }
        let (items, itemsize) = (items.into_fixed()?, self.chunk.layout.itemsize() as usize);
        let mut picked = Vec::with_capacity(indexer.len() as usize * itemsize);
        for indices in indexer.iter_indices() {
            let place = indices
                .iter()
                .zip(window)
                .fold(0, |place, (at, range)| place * (range.end - range.start) + (at - range.start))
                as usize;
            picked.extend_from_slice(&items[place * itemsize..][..itemsize]);
        }
        Ok(ArrayBytes::new_flen(picked))
    }
}

impl ArrayPartialDecoderTraits for ArrayPartialDecoder<dyn BytesPartialDecoderTraits> {
    fn data_type(&self) -> &DataType {
        &self.chunk.data_type
    }

    fn exists(&self) -> Result<bool, StorageError> {
        self.source.input.exists()
    }

    fn size_held(&self) -> usize {
        self.source.input.size_held() + self.source.kept()
    }

    fn partial_decode(
        &self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'_>, CodecError> {
        let window = self.window(indexer)?;
        let Some((header, head)) = self.source.header(options)? else { return self.fill(indexer) };
        let wanted = self.chunk.wanted(header, window.clone())?;
        match self.source.bring(&wanted, head, options)? {
            Some(items) => self.pick(indexer, &window, items),
            None => self.fill(indexer),
        }
    }

    fn supports_partial_decode(&self) -> bool {
        self.source.input.supports_partial_decode()
    }
}

#[cfg(feature = "async")]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl zarrs_codec::AsyncArrayPartialDecoderTraits
    for ArrayPartialDecoder<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>
{
    fn data_type(&self) -> &DataType {
        &self.chunk.data_type
    }

    async fn exists(&self) -> Result<bool, StorageError> {
        self.source.input.exists().await
    }

    fn size_held(&self) -> usize {
        self.source.input.size_held() + self.source.kept()
    }

    async fn partial_decode<'a>(
        &'a self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let window = self.window(indexer)?;
        let Some((header, head)) = self.source.header_async(options).await? else {
            return self.fill(indexer);
        };
        let wanted = self.chunk.wanted(header, window.clone())?;
        match self.source.bring_async(&wanted, head, options).await? {
            Some(items) => self.pick(indexer, &window, items),
            None => self.fill(indexer),
        }
    }

    fn supports_partial_decode(&self) -> bool {
        self.source.input.supports_partial_decode()
    }
}

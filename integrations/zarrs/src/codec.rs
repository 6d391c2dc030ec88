//! The codecs: chunks of Blosc1 and Blosc2.

use crate::decoder::PartialDecoder;
use b2nd::Scratch;
use b2nd::chunk::{CParams, Chunk, ChunkEncoder, ChunkFormat};
use b2nd::codec::Codec as Compressor;
use b2nd::filter::{BITSHUFFLE, Filter, NOFILTER, Pipeline, SHUFFLE};
use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use zarrs_codec::{
    ArrayBytesRaw, BytesPartialDecoderTraits, BytesRepresentation, BytesToBytesCodecTraits, Codec,
    CodecError, CodecMetadataOptions, CodecOptions, CodecTraits, PartialDecoderCapability,
    PartialEncoderCapability, RecommendedConcurrency,
};
use zarrs_metadata::Configuration;
use zarrs_metadata_ext::codec::blosc::{
    BloscCodecConfiguration, BloscCodecConfigurationNumcodecs, BloscCodecConfigurationV1, BloscCompressor,
    BloscShuffleMode, BloscShuffleModeNumcodecs,
};
use zarrs_plugin::{ExtensionName, PluginCreateError, ZarrVersion};

/// `blosc` or `blosc2`: each chunk of the array is one chunk of Blosc.
#[derive(Debug, Clone)]
pub struct BloscCodec {
    format: ChunkFormat,
    configuration: BloscCodecConfigurationV1,
}

impl BloscCodec {
    /// A codec that encodes in this format and decodes both.
    ///
    /// # Errors
    /// If the filter needs the size of items, which is not there, or the compressor is not one of the format.
    pub fn new(
        format: ChunkFormat,
        configuration: BloscCodecConfigurationV1,
    ) -> Result<Self, PluginCreateError> {
        let shuffles = configuration.shuffle != BloscShuffleMode::NoShuffle;
        if shuffles && configuration.typesize.unwrap_or(0) == 0 {
            return Err("a shuffle needs a typesize of at least 1".into());
        }
        if format == ChunkFormat::Blosc2 && configuration.cname == BloscCompressor::Snappy {
            return Err("only Blosc1 has snappy".into());
        }
        Ok(Self { format, configuration })
    }

    pub(crate) fn create(
        format: ChunkFormat,
        configuration: BloscCodecConfiguration,
    ) -> Result<Codec, PluginCreateError> {
        let configuration = match configuration {
            BloscCodecConfiguration::V1(configuration) => configuration,
            BloscCodecConfiguration::Numcodecs(configuration) => of_numcodecs(configuration),
            _ => return Err("unknown configuration of blosc".into()),
        };
        Ok(Codec::BytesToBytes(Arc::new(Self::new(format, configuration)?)))
    }

    fn cparams(&self, nbytes: usize) -> Result<CParams, CodecError> {
        let BloscCodecConfigurationV1 { cname, clevel, shuffle, typesize, blocksize } = &self.configuration;
        let typesize = typesize.unwrap_or(1).max(1);
        let filter = match shuffle {
            BloscShuffleMode::NoShuffle => NOFILTER,
            BloscShuffleMode::Shuffle => SHUFFLE,
            BloscShuffleMode::BitShuffle => BITSHUFFLE,
        };
        // Readers lose the last bytes of bitshuffled parts of items, and headers have one byte for the size.
        let whole = typesize <= 255 && (filter != BITSHUFFLE || nbytes.is_multiple_of(typesize));
        let mut filters = Pipeline::default();
        filters.slots[0] = Filter { id: filter, meta: 0 };
        Ok(CParams {
            codec: compressor(*cname),
            clevel: (*clevel).into(),
            typesize: if whole { typesize as u32 } else { 1 },
            filters,
            blocksize: u32::try_from(*blocksize).map_err(|_| CodecError::from("blocksize is too large"))?,
            format: self.format,
            ..CParams::default()
        })
    }
}

/// Without zarrs' feature `blosc`, arrays of Zarr 2 come with the configuration as it is stored, without the size of items.
fn of_numcodecs(configuration: BloscCodecConfigurationNumcodecs) -> BloscCodecConfigurationV1 {
    let BloscCodecConfigurationNumcodecs { cname, clevel, blocksize, .. } = configuration;
    let shuffle = BloscShuffleMode::NoShuffle;
    BloscCodecConfigurationV1 { cname, clevel, shuffle, typesize: None, blocksize }
}

const fn compressor(cname: BloscCompressor) -> Compressor {
    match cname {
        BloscCompressor::BloscLZ => Compressor::BLOSCLZ,
        BloscCompressor::LZ4 => Compressor::LZ4,
        BloscCompressor::LZ4HC => Compressor::LZ4HC,
        BloscCompressor::Snappy => Compressor::SNAPPY,
        BloscCompressor::Zlib => Compressor::ZLIB,
        BloscCompressor::Zstd => Compressor::ZSTD,
    }
}

thread_local! {
    /// The memory of one block, which chunks would otherwise clear anew.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
    /// The memory of the codecs.
    static ENCODER: RefCell<ChunkEncoder> = RefCell::default();
}

/// Decodes a whole chunk, which has to be as long as zarrs expects.
pub(crate) fn decode(bytes: &[u8], expected: BytesRepresentation) -> Result<Vec<u8>, CodecError> {
    let chunk = Chunk::new(bytes).map_err(failure)?;
    let nbytes = u64::from(chunk.header().nbytes);
    check_nbytes(nbytes, expected)?;
    SCRATCH.with_borrow_mut(|scratch| chunk.decode(scratch)).map_err(failure)
}

/// Refuses chunks whose header claims what zarrs does not expect, before memory is allocated.
pub(crate) fn check_nbytes(nbytes: u64, expected: BytesRepresentation) -> Result<(), CodecError> {
    let fits = match expected {
        BytesRepresentation::FixedSize(size) => nbytes == size,
        BytesRepresentation::BoundedSize(size) => nbytes <= size,
        BytesRepresentation::UnboundedSize => true,
    };
    if fits {
        Ok(())
    } else {
        Err(CodecError::Other(format!("the chunk has {nbytes} bytes, not {expected:?}")))
    }
}

pub(crate) fn failure(error: b2nd::Error) -> CodecError {
    CodecError::Other(error.to_string())
}

impl ExtensionName for BloscCodec {
    fn name(&self, _: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(if self.format == ChunkFormat::Blosc1 { "blosc" } else { "blosc2" }))
    }
}

impl CodecTraits for BloscCodec {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(&self, version: ZarrVersion, _: &CodecMetadataOptions) -> Option<Configuration> {
        let configuration = self.configuration.clone();
        Some(match version {
            ZarrVersion::V3 => BloscCodecConfiguration::V1(configuration).into(),
            ZarrVersion::V2 => BloscCodecConfiguration::Numcodecs(BloscCodecConfigurationNumcodecs {
                cname: configuration.cname,
                clevel: configuration.clevel,
                shuffle: match configuration.shuffle {
                    BloscShuffleMode::NoShuffle => BloscShuffleModeNumcodecs::NoShuffle,
                    BloscShuffleMode::Shuffle => BloscShuffleModeNumcodecs::Shuffle,
                    BloscShuffleMode::BitShuffle => BloscShuffleModeNumcodecs::BitShuffle,
                },
                blocksize: configuration.blocksize,
            })
            .into(),
        })
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability { partial_read: true, partial_decode: true }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        PartialEncoderCapability { partial_encode: false }
    }
}

#[cfg_attr(all(feature = "async", not(target_arch = "wasm32")), async_trait::async_trait)]
#[cfg_attr(all(feature = "async", target_arch = "wasm32"), async_trait::async_trait(?Send))]
impl BytesToBytesCodecTraits for BloscCodec {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn BytesToBytesCodecTraits> {
        self
    }

    fn recommended_concurrency(&self, _: &BytesRepresentation) -> Result<RecommendedConcurrency, CodecError> {
        Ok(RecommendedConcurrency::new_maximum(1))
    }

    fn encoded_representation(&self, decoded: &BytesRepresentation) -> BytesRepresentation {
        const HEADER: u64 = 32;
        match decoded.size() {
            Some(size) => BytesRepresentation::BoundedSize(size + HEADER),
            None => BytesRepresentation::UnboundedSize,
        }
    }

    fn encode<'a>(
        &self,
        decoded: ArrayBytesRaw<'a>,
        _: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let cparams = self.cparams(decoded.len())?;
        let chunk = ENCODER.with_borrow_mut(|encoder| {
            encoder.set_cparams(cparams);
            encoder.encode(&decoded)
        });
        chunk.map(Cow::Owned).map_err(failure)
    }

    fn decode<'a>(
        &self,
        encoded: ArrayBytesRaw<'a>,
        expected: &BytesRepresentation,
        _: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        decode(&encoded, *expected).map(Cow::Owned)
    }

    fn partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn BytesPartialDecoderTraits>,
        expected: &BytesRepresentation,
        _: &CodecOptions,
    ) -> Result<Arc<dyn BytesPartialDecoderTraits>, CodecError> {
        Ok(Arc::new(PartialDecoder::new(input, *expected)))
    }

    #[cfg(feature = "async")]
    async fn async_partial_decoder(
        self: Arc<Self>,
        input: Arc<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>,
        expected: &BytesRepresentation,
        _: &CodecOptions,
    ) -> Result<Arc<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>, CodecError> {
        Ok(Arc::new(PartialDecoder::new(input, *expected)))
    }
}

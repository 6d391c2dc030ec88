//! The three codecs, called as zarrs calls them.

use crate::row::Case;
use b2nd_zarrs::ChunkFormat;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use zarrs::array::codec::bytes_to_bytes::blosc::BloscCodec as OfC;
use zarrs_codec::{BytesRepresentation, BytesToBytesCodecTraits, CodecOptions};
use zarrs_metadata_ext::codec::blosc::{BloscCodecConfiguration, BloscCodecConfigurationV1};

pub(crate) trait Codec {
    fn encode(&self, plain: &[u8]) -> Option<Vec<u8>>;
    /// The plain bytes; nothing where the codec refuses the chunk.
    fn decode(&self, chunk: &[u8], len: usize) -> Option<Vec<u8>>;
}

impl<T: BytesToBytesCodecTraits> Codec for T {
    fn encode(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let chunk = BytesToBytesCodecTraits::encode(self, plain.into(), &CodecOptions::default());
        Some(chunk.ok()?.into_owned())
    }

    fn decode(&self, chunk: &[u8], len: usize) -> Option<Vec<u8>> {
        let size = BytesRepresentation::FixedSize(len as u64);
        let plain = BytesToBytesCodecTraits::decode(self, chunk.into(), &size, &CodecOptions::default());
        Some(plain.ok()?.into_owned())
    }
}

fn configuration(case: Case) -> Result<BloscCodecConfigurationV1, Box<dyn Error>> {
    let Case { cname, shuffle, typesize, .. } = case;
    Ok(serde_json::from_value(serde_json::json!({
        "cname": cname, "clevel": Case::LEVEL, "shuffle": shuffle, "typesize": typesize, "blocksize": 0,
    }))?)
}

pub(crate) fn ours(case: Case) -> Result<impl Codec, Box<dyn Error>> {
    Ok(b2nd_zarrs::BloscCodec::new(ChunkFormat::Blosc1, configuration(case)?)?)
}

pub(crate) fn of_c(case: Case) -> Result<impl Codec, Box<dyn Error>> {
    Ok(OfC::new_with_configuration(&BloscCodecConfiguration::V1(configuration(case)?))?)
}

/// As zarrs calls it on wasm32.
pub(crate) struct Blusc(pub(crate) Case);

impl Codec for Blusc {
    fn encode(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut cparams = blusc::BLOSC2_CPARAMS_DEFAULTS;
        cparams.typesize = self.0.typesize as i32;
        cparams.clevel = Case::LEVEL;
        cparams.nthreads = 1;
        cparams.compcode = match self.0.cname {
            "blosclz" => 0,
            "lz4" => 1,
            "lz4hc" => 2,
            "zlib" => 4,
            _ => 5,
        };
        cparams.filters[5] = match self.0.shuffle {
            "noshuffle" => 0,
            "shuffle" => 1,
            _ => 2,
        };
        let mut chunk = vec![0; plain.len() + blusc::BLOSC2_MAX_OVERHEAD as usize];
        let context = blusc::blosc2_create_cctx(cparams);
        let encode = AssertUnwindSafe(|| blusc::blosc1_compress_ctx(&context, plain, &mut chunk));
        let len = catch_unwind(encode).ok().filter(|&len| len > 0)?;
        chunk.truncate(len as usize);
        Some(chunk)
    }

    fn decode(&self, chunk: &[u8], len: usize) -> Option<Vec<u8>> {
        let context = blusc::blosc2_create_dctx(blusc::BLOSC2_DPARAMS_DEFAULTS);
        let mut plain = vec![0; len];
        let decode = AssertUnwindSafe(|| blusc::blosc2_decompress_ctx(&context, chunk, &mut plain));
        (catch_unwind(decode).ok()? == len as i32).then_some(plain)
    }
}

#![doc = include_str!("../README.md")]

mod array;
mod codec;
mod decoder;
mod reading;

pub use array::B2ndCodec;
pub use b2nd::chunk::ChunkFormat;
pub use codec::BloscCodec;

use std::sync::Once;
use zarrs_codec::{CodecRuntimePluginV2, CodecRuntimePluginV3, register_codec_v2, register_codec_v3};

/// Makes the codecs of this crate those that zarrs uses for `b2nd`, `blosc` and `blosc2`, also where zarrs' own feature `blosc` is on. Only
/// the first call has an effect; arrays that are open already keep their codec.
///
/// ```
/// b2nd_zarrs::register();
/// let metadata = r#"{ "name": "blosc2", "configuration": { "cname": "zstd", "clevel": 5, "blocksize": 0 } }"#;
/// let codec = zarrs_codec::Codec::from_metadata(&serde_json::from_str::<zarrs_metadata::v3::MetadataV3>(metadata).unwrap());
/// assert!(codec.is_ok());
/// ```
pub fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_codec_v3(CodecRuntimePluginV3::new(
            |name: &str| name == B2ndCodec::NAME,
            |metadata| B2ndCodec::create(metadata.to_typed_configuration()?),
        ));
        for (own, format) in [("blosc", ChunkFormat::Blosc1), ("blosc2", ChunkFormat::Blosc2)] {
            let matches = move |name: &str| name == own || name.strip_prefix("numcodecs.") == Some(own);
            register_codec_v3(CodecRuntimePluginV3::new(matches, move |metadata| {
                BloscCodec::create(format, metadata.to_typed_configuration()?)
            }));
            register_codec_v2(CodecRuntimePluginV2::new(matches, move |metadata| {
                BloscCodec::create(format, metadata.to_typed_configuration()?)
            }));
        }
    });
}

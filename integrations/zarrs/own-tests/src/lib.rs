//! zarrs' own tests of its codec `blosc`, as they are in its source, of this crate's codec in its place: `cargo test -p b2nd-zarrs-own-tests`,
//! also with `--target wasm32-wasip1`. Nothing of zarrs is copied to the repository: `build.rs` takes them.
#![cfg(test)]

/// What the tests name as a part of zarrs.
mod array {
    pub(crate) use zarrs::array::*;
}

use zarrs::array::codec::bytes_to_bytes::blosc::BloscCodecConfiguration;

/// Makes this crate's codec where the tests make zarrs' own.
struct BloscCodec;

impl BloscCodec {
    #[expect(clippy::new_ret_no_self, reason = "the tests call it by this name")]
    fn new_with_configuration(
        configuration: &BloscCodecConfiguration,
    ) -> Result<b2nd_zarrs::BloscCodec, zarrs_plugin::PluginCreateError> {
        let BloscCodecConfiguration::V1(configuration) = configuration else { unreachable!() };
        b2nd_zarrs::BloscCodec::new(b2nd_zarrs::ChunkFormat::Blosc1, configuration.clone())
    }
}

include!(concat!(env!("OUT_DIR"), "/tests.rs"));

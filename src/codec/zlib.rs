//! zlib streams (RFC 1950), through miniz_oxide. Its feature `simd` speeds the checksum up, and with it the
//! whole decoder by a quarter.

use super::Corrupt;
use miniz_oxide::inflate::TINFLStatus;
pub(super) use miniz_oxide::inflate::core::DecompressorOxide as Inflate;
use miniz_oxide::inflate::core::decompress;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};

/// Decodes one stream into exactly `dst.len()` bytes, its checksum verified, without allocating.
pub(super) fn decode(inflate: &mut Inflate, src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    inflate.init();
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    match decompress(inflate, src, dst, 0, flags) {
        (TINFLStatus::Done, _, written) if written == dst.len() => Ok(()),
        _ => Err(Corrupt),
    }
}

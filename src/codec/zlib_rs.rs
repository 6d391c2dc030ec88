//! zlib streams (RFC 1950), through zlib-rs: faster than miniz_oxide, but it allocates and so needs std.

use super::Corrupt;
use zlib_rs::{InflateFlush, Status};

/// The window that any stream may have.
const WINDOW_BITS: u8 = 15;

/// A decoder to be used again and again.
pub(super) struct Inflate(zlib_rs::Inflate);

impl Default for Inflate {
    fn default() -> Self {
        Self(zlib_rs::Inflate::new(true, WINDOW_BITS))
    }
}

/// Decodes one stream into exactly `dst.len()` bytes, its checksum verified.
pub(super) fn decode(inflate: &mut Inflate, src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let Inflate(inflate) = inflate;
    inflate.reset(true);
    match inflate.decompress(src, dst, InflateFlush::Finish) {
        Ok(Status::StreamEnd) if inflate.total_out() == dst.len() as u64 => Ok(()),
        _ => Err(Corrupt),
    }
}

//! zlib streams (RFC 1950): two bytes, a deflate stream, a checksum.
//!
//! Decoded in one piece and without allocating: all of the input is there, and all of the output, so that there
//! is no window and no state between calls. That is what makes it faster than zlib-rs and zlib-ng.

mod adler;
mod bits;
mod codes;
mod huffman;
mod inflate;
#[cfg(test)]
mod tests;

use super::Corrupt;
use adler::adler32;
use bits::Bits;
pub(super) use codes::Codes;

/// Decodes one stream into exactly `dst.len()` bytes, its checksum verified. What follows it does not matter.
pub(super) fn decode(codes: &mut Codes, src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let (header, rest) = src.split_first_chunk::<2>().ok_or(Corrupt)?;
    let [method, flags] = *header;
    // Deflate, with a window of at most 32 KiB, and no dictionary.
    let known = method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0;
    if !known || !u16::from_be_bytes(*header).is_multiple_of(31) {
        return Err(Corrupt);
    }
    let mut bits = Bits::new(rest);
    let written = inflate::blocks(codes, &mut bits, dst)?;
    let checksum = bits.bytes().first_chunk().ok_or(Corrupt)?;
    if written == dst.len() && adler32(dst) == u32::from_be_bytes(*checksum) { Ok(()) } else { Err(Corrupt) }
}

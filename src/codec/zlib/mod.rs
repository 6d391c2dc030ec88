//! zlib streams (RFC 1950): two bytes, a deflate stream, a checksum.
//!
//! Decoded in one piece and without allocating: all of the input is there, and all of the output, so that there
//! is no window and no state between calls. That is what makes it faster than zlib-rs and zlib-ng.

mod adler;
mod bits;
mod codes;
mod fast;
mod huffman;
mod inflate;
mod matches;
#[cfg(test)]
mod tests;

use super::Corrupt;
pub(super) use codes::Codes;
use inflate::{Done, Stream};

/// Decodes one stream into exactly `dst.len()` bytes, its checksum verified. What follows it does not matter.
pub(super) fn decode(codes: &mut Codes, src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let len = dst.len();
    check(&inflate::one(Stream::new(codes, deflated(src)?, dst))?, len)
}

/// Decodes two streams as [`decode`] does one, 1.2 to 1.7 times as fast.
#[cfg(feature = "alloc")]
pub(super) fn decode_two(
    codes: [&mut Codes; 2],
    src: [&[u8]; 2],
    dst: [&mut [u8]; 2],
) -> Result<(), Corrupt> {
    let lens = [dst[0].len(), dst[1].len()];
    let ([codes, other_codes], [one, other]) = (codes, dst);
    let one = Stream::new(codes, deflated(src[0])?, one);
    let other = Stream::new(other_codes, deflated(src[1])?, other);
    let (one, other) = inflate::two(one, other)?;
    check(&one, lens[0])?;
    check(&other, lens[1])
}

/// What follows the header.
fn deflated(src: &[u8]) -> Result<&[u8], Corrupt> {
    let (header, rest) = src.split_first_chunk::<2>().ok_or(Corrupt)?;
    let [method, flags] = *header;
    // Deflate, with a window of at most 32 KiB, and no dictionary.
    let known = method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0;
    if known && u16::from_be_bytes(*header).is_multiple_of(31) { Ok(rest) } else { Err(Corrupt) }
}

/// Whether so many bytes came of a stream, and the right ones.
fn check(done: &Done<'_>, len: usize) -> Result<(), Corrupt> {
    let checksum = done.rest.first_chunk().ok_or(Corrupt)?;
    if done.written == len && done.checksum == u32::from_be_bytes(*checksum) { Ok(()) } else { Err(Corrupt) }
}

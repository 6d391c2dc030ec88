//! LZ4 blocks, without frame or size prefix, as written by Blosc's `lz4` and `lz4hc`.
//!
//! A block is a series of sequences: a token with two lengths, literals, and a match in the preceding output. A length
//! of 15 in the token continues in further bytes. The last sequence has only literals.

mod encode;
#[cfg(feature = "encoders")]
mod encoder;
mod fast;
#[cfg(feature = "encoders")]
mod hc;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use encode::{acceleration, encode};
#[cfg(feature = "encoders")]
pub(super) use encoder::Encoder;

use super::Corrupt;
use super::copy::{MANY, SLACK, between, exact, wide};
use crate::base::SMALL;
use crate::simd::{Instructions, Work, widest};

/// Decodes one block into exactly `dst.len()` bytes; matches may refer to `dict`. `mixed` says whether near and far
/// matches alternate, as they do in shuffled data unless LZ4HC compressed it; it affects only the speed.
pub(super) fn decode(src: &[u8], dict: &[u8], dst: &mut [u8], mixed: bool) -> Result<(), Corrupt> {
    widest_of(Lz4Block { src, dict, dst, stop: false, mixed })
}

/// Decodes the first `dst.len()` bytes of a block.
pub(super) fn decode_start(src: &[u8], dict: &[u8], dst: &mut [u8], mixed: bool) -> Result<(), Corrupt> {
    widest_of(Lz4Block { src, dict, dst, stop: true, mixed })
}

/// A block to decode, and its output.
struct Lz4Block<'a> {
    src: &'a [u8],
    dict: &'a [u8],
    dst: &'a mut [u8],
    /// Whether the block may be longer than `dst`.
    stop: bool,
    /// Whether near and far matches alternate.
    mixed: bool,
}

struct Sequences<'a, const DICT: bool, const MIXED: bool>(Lz4Block<'a>);

/// Dictionaries have code of their own: one more branch per match costs blocks without a dictionary 0.05.
fn widest_of(block: Lz4Block<'_>) -> Result<(), Corrupt> {
    if !SMALL && !block.dict.is_empty() {
        widest(Sequences::<true, MANY>(block))
    } else if MANY && block.mixed {
        widest(Sequences::<false, true>(block))
    } else {
        widest(Sequences::<false, false>(block))
    }
}

impl<const DICT: bool, const MIXED: bool> Work for Sequences<'_, DICT, MIXED> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self, repeat: impl Instructions) -> Self::Output {
        let Lz4Block { src, dict, dst, stop, .. } = self.0;
        sequences::<DICT, MIXED>(src, dict, dst, stop, repeat)
    }
}

#[inline(always)]
fn sequences<const DICT: bool, const MIXED: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    stop: bool,
    repeat: impl Instructions,
) -> Result<(), Corrupt> {
    let room = |len: usize, op: usize, dst: &[u8]| if stop { len.min(dst.len() - op) } else { len };
    let (mut ip, mut op) = (0, 0);
    loop {
        if !SMALL {
            (ip, op) = fast::sequences::<DICT, MIXED>(src, dict, dst, ip, op, repeat);
        }
        // Whatever stopped the fast loop: an end, a match in the dictionary, an error.
        let token = *src.get(ip).ok_or(Corrupt)?;
        ip += 1;
        let literals = room(length(src, &mut ip, token >> 4).ok_or(Corrupt)?, op, dst);
        between(src, ip, dst, op, literals)?;
        ip += literals;
        op += literals;
        if stop && op == dst.len() {
            return Ok(());
        }
        if ip == src.len() {
            return if op == dst.len() { Ok(()) } else { Err(Corrupt) };
        }
        let offset = usize::from(read_offset(src, &mut ip).ok_or(Corrupt)?);
        let len = room(length(src, &mut ip, token & 15).ok_or(Corrupt)? + 4, op, dst);
        take_match(dict, dst, op, offset, len)?;
        op += len;
        if stop && op == dst.len() {
            return Ok(());
        }
    }
}

#[inline(always)]
fn read_offset(src: &[u8], ip: &mut usize) -> Option<u16> {
    let bytes = src.get(*ip..)?.first_chunk()?;
    *ip += 2;
    Some(u16::from_le_bytes(*bytes))
}

/// A length that starts with four bits of the token; small enough that additions cannot overflow.
#[inline(always)]
fn length(src: &[u8], ip: &mut usize, start: u8) -> Option<usize> {
    let mut len = usize::from(start);
    if start == 15 {
        loop {
            let byte = *src.get(*ip)?;
            *ip += 1;
            len = len.checked_add(usize::from(byte))?;
            if byte != 255 {
                break;
            }
        }
    }
    (len <= isize::MAX as usize).then_some(len)
}

fn take_match(dict: &[u8], dst: &mut [u8], op: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if offset == 0 || len > room {
        return Err(Corrupt);
    }
    if offset > op {
        return match_in_dict(dict, dst, op, offset, len);
    }
    if !SMALL && room - len >= SLACK {
        wide(dst, op, offset, len);
    } else {
        exact(dst, op, offset, len);
    }
    Ok(())
}

/// Copies a match that begins in the dictionary, which logically precedes the output.
fn match_in_dict(dict: &[u8], dst: &mut [u8], op: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
    let back = offset - op;
    let n = back.min(len);
    between(dict, dict.len().checked_sub(back).ok_or(Corrupt)?, dst, op, n)?;
    if n < len {
        exact(dst, op + n, offset, len - n);
    }
    Ok(())
}

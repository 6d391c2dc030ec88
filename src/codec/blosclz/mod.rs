//! BloscLZ, Blosc's own codec: tokens for literals or matches, until the input ends.

mod encode;
mod fast;
#[cfg(test)]
mod tests;

#[cfg(feature = "encoders")]
pub(super) use encode::Positions;
pub(super) use encode::encode;

use super::Corrupt;
use super::copy::{MANY, SLACK, between, exact, long};
use crate::base::SMALL;
use crate::simd::{Instructions, Work, widest};

/// Distances from here on take two more bytes.
const FAR: usize = 8191;

/// Decodes one stream into exactly `dst.len()` bytes.
pub(super) fn decode(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest(BloscLzStream { src, dst, stop: false })
}

/// Decodes the first `dst.len()` bytes of a stream.
pub(super) fn decode_start(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest(BloscLzStream { src, dst, stop: true })
}

/// A stream to decode, and its output.
struct BloscLzStream<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// Whether the stream may be longer than `dst`.
    stop: bool,
}

impl Work for BloscLzStream<'_> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self, repeat: impl Instructions) -> Self::Output {
        tokens(self.src, self.dst, self.stop, repeat)
    }
}

#[inline(always)]
fn tokens(src: &[u8], dst: &mut [u8], stop: bool, repeat: impl Instructions) -> Result<(), Corrupt> {
    let room = |len: usize, op: usize, dst: &[u8]| if stop { len.min(dst.len() - op) } else { len };
    let (mut ip, mut op) = (0, 0);
    // The encoder sets a marker bit in the first byte.
    let mut token = *src.first().ok_or(Corrupt)? & 31;
    loop {
        // The first token, or whatever stopped the fast loop: an end, a long match, an error.
        ip += 1;
        if token < 32 {
            let len = room(usize::from(token) + 1, op, dst);
            between(src, ip, dst, op, len)?;
            ip += len;
            op += len;
        } else {
            let (dist, len) = read_match(src, &mut ip, token)?;
            let len = room(len, op, dst);
            take_match(dst, op, dist, len, repeat)?;
            op += len;
        }
        if stop && op == dst.len() {
            return Ok(());
        }
        if !SMALL {
            let left;
            (left, op) = fast::tokens(&src[ip..], dst, op, repeat);
            ip = src.len() - left;
        }
        match src.get(ip) {
            Some(&next) => token = next,
            None => return if op == dst.len() { Ok(()) } else { Err(Corrupt) },
        }
    }
}

/// Reads distance and length of the match that starts with `token`.
#[inline(always)]
fn read_match(src: &[u8], ip: &mut usize, token: u8) -> Result<(usize, usize), Corrupt> {
    let mut next = || {
        let byte = *src.get(*ip).ok_or(Corrupt)?;
        *ip += 1;
        Ok(usize::from(byte))
    };
    let mut len = usize::from(token >> 5) + 2;
    if token >> 5 == 7 {
        loop {
            let byte = next()?;
            len = len.checked_add(byte).ok_or(Corrupt)?;
            if byte != 255 {
                break;
            }
        }
    }
    let near = usize::from(token & 31) << 8 | next()?;
    let dist = if near == FAR { (next()? << 8 | next()?) + FAR } else { near };
    Ok((dist + 1, len))
}

#[inline(always)]
fn take_match(
    dst: &mut [u8],
    op: usize,
    dist: usize,
    len: usize,
    repeat: impl Instructions,
) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if dist > op || len > room {
        return Err(Corrupt);
    }
    if MANY && room - len >= SLACK {
        long(dst, op, dist, len, repeat);
    } else {
        exact(dst, op, dist, len);
    }
    Ok(())
}

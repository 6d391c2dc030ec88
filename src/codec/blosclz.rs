//! BloscLZ, Blosc's own codec: tokens of literals or of a match, until the input ends.

use super::Corrupt;
use super::copy::{SHORT, SLACK, exact, short, wide};
use crate::base::SMALL;
use crate::simd::{Work, widest};

/// Literals that one token can bring.
const LITERALS: usize = 32;
/// Distances of this size and more take two further bytes.
const FAR: usize = 8191;

/// Decodes one stream into exactly `dst.len()` bytes.
pub(super) fn decode(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest(Stream::<false> { src, dst })
}

/// Decodes the first bytes of a stream, as many as `dst` has.
pub(super) fn decode_start(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest(Stream::<true> { src, dst })
}

/// A stream to decode, and where to. With `STOP` there may be more to decode when `dst` is full.
struct Stream<'a, const STOP: bool> {
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl<const STOP: bool> Work for Stream<'_, STOP> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        tokens::<STOP>(self.src, self.dst)
    }
}

#[inline(always)]
fn tokens<const STOP: bool>(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let room = |len: usize, op: usize, dst: &[u8]| if STOP { len.min(dst.len() - op) } else { len };
    let (mut ip, mut op) = (0, 0);
    // The encoder marks the first byte with a bit beside the number of literals.
    let mut token = *src.first().ok_or(Corrupt)? & 31;
    loop {
        ip += 1;
        if token < 32 {
            let len = room(usize::from(token) + 1, op, dst);
            take_literals(src, dst, ip, op, len)?;
            ip += len;
            op += len;
        } else {
            let (dist, len) = read_match(src, &mut ip, token)?;
            let len = room(len, op, dst);
            take_match(dst, op, dist, len)?;
            op += len;
        }
        if STOP && op == dst.len() {
            return Ok(());
        }
        match src.get(ip) {
            Some(&next) => token = next,
            None => return if op == dst.len() { Ok(()) } else { Err(Corrupt) },
        }
    }
}

#[inline(always)]
fn take_literals(src: &[u8], dst: &mut [u8], ip: usize, op: usize, len: usize) -> Result<(), Corrupt> {
    let (from, to) = (&src[ip..], &mut dst[op..]);
    if !SMALL
        && let (Some(from), Some(to)) = (from.first_chunk::<LITERALS>(), to.first_chunk_mut::<LITERALS>())
    {
        *to = *from;
    } else {
        to.get_mut(..len).ok_or(Corrupt)?.copy_from_slice(from.get(..len).ok_or(Corrupt)?);
    }
    Ok(())
}

/// Distance and length of the match that `token` starts.
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
fn take_match(dst: &mut [u8], op: usize, dist: usize, len: usize) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if dist > op || len > room {
        return Err(Corrupt);
    }
    if SMALL {
        exact(dst, op, dist, len);
    } else if len <= SHORT && room >= SHORT + SLACK {
        short(dst, op, dist as u32);
    } else if room - len >= SLACK {
        wide(dst, op, dist, len);
    } else {
        exact(dst, op, dist, len);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<const N: usize>(src: &[u8]) -> Result<[u8; N], Corrupt> {
        let mut dst = [0xEE; N];
        decode(src, &mut dst).map(|()| dst)
    }

    #[test]
    fn literals_and_matches() {
        assert_eq!(decoded(&[0x22, 1, 2, 3]), Ok([1, 2, 3]));
        // A match of three at distance 2, then a literal.
        assert_eq!(decoded(&[0x21, 1, 2, 0x20, 1, 0, 9]), Ok([1, 2, 1, 2, 1, 9]));
        // A long match: 9 + 255 + 34, at distance 1.
        assert_eq!(decoded::<300>(&[0x20, 7, 0xE0, 255, 34, 0, 0, 7]), Ok([7; 300]));
    }

    #[test]
    fn far_matches_have_two_more_bytes() {
        // 1 and 8194 times 2, then a match of three from the start, 8195 back, and a literal.
        let mut src = alloc::vec![0x21, 1, 2, 0xE0];
        src.extend([255; 32]);
        src.extend([24, 0, 0x3F, 255, 0, 3, 0, 9]);
        let dst = decoded::<8199>(&src).unwrap();
        assert_eq!(dst[..3], [1, 2, 2]);
        assert_eq!(dst[8193..], [2, 2, 1, 2, 2, 9]);
    }

    #[test]
    fn refuses_what_is_malformed() {
        let malformed: [(&str, &[u8]); 9] = [
            ("nothing", &[]),
            ("literals cut short", &[0x27, 1, 2, 3]),
            ("output too short", &[0x22, 1, 2, 3]),
            ("output too long", &[0x28, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ("distance before the start", &[0x20, 1, 0xA0, 1, 0]),
            ("match beyond the output", &[0x20, 1, 0xE0, 0, 0]),
            ("distance cut short", &[0x20, 1, 0xA0]),
            ("length cut short", &[0x20, 1, 0xE0, 255, 255]),
            ("far distance cut short", &[0x20, 1, 0x3F, 255, 0]),
        ];
        for (what, src) in malformed {
            assert_eq!(decoded::<8>(src), Err(Corrupt), "{what}");
        }
    }

    #[test]
    fn a_length_beyond_the_output_is_refused() {
        let mut src = alloc::vec![255; 1 << 20];
        src[..3].copy_from_slice(&[0x20, 1, 0xE0]);
        src.extend([0, 0, 0]);
        assert_eq!(decoded::<64>(&src), Err(Corrupt));
    }
}

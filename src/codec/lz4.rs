//! LZ4 blocks: no frame, no size prefix. Blosc's `lz4` and `lz4hc` both write them.
//!
//! A block is a row of sequences: a token with two lengths, literal bytes, and a match in what came before.
//! A length of 15 in the token goes on in further bytes. The last sequence has literals only.

use super::Corrupt;
use super::copy::{SLACK, exact, wide};

/// Input that a sequence with short lengths can take: token, 14 literals (read as 16), offset.
const SEQUENCE: usize = 19;
/// Output that a sequence with short lengths can touch: 14 literals, a match of 18 bytes, slack.
const ROOM: usize = 14 + 18 + SLACK;

/// Decodes one block into exactly `dst.len()` bytes; matches may reach back into `dict`.
pub(super) fn decode(src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let (mut ip, mut op) = (0, 0);
    loop {
        (ip, op) = short_sequences(src, dst, ip, op);
        // Whatever stopped the fast loop: long lengths, the dictionary, one of the ends, an error.
        let token = *src.get(ip).ok_or(Corrupt)?;
        ip += 1;
        let literals = length(src, &mut ip, token >> 4)?;
        take_literals(src, dst, ip, op, literals)?;
        ip += literals;
        op += literals;
        if ip == src.len() {
            return if op == dst.len() { Ok(()) } else { Err(Corrupt) };
        }
        let offset = src.get(ip..).and_then(|rest| rest.first_chunk()).ok_or(Corrupt)?;
        ip += 2;
        let len = length(src, &mut ip, token & 15)? + 4;
        take_match(dict, dst, op, usize::from(u16::from_le_bytes(*offset)), len)?;
        op += len;
    }
}

/// The fast loop: sequences with both lengths short, far from both ends, one check for each.
#[inline(always)]
fn short_sequences(src: &[u8], dst: &mut [u8], mut ip: usize, mut op: usize) -> (usize, usize) {
    while let Some(sequence) = src.get(ip..).and_then(|rest| rest.first_chunk::<SEQUENCE>()) {
        let token = sequence[0];
        let literals = usize::from(token >> 4);
        let len = usize::from(token & 15) + 4;
        let Some(room) = dst.get_mut(op..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) else { break };
        if literals == 15 || len == 19 {
            break;
        }
        room[..16].copy_from_slice(&sequence[1..17]);
        let offset = usize::from(u16::from_le_bytes([sequence[1 + literals], sequence[2 + literals]]));
        let at = op + literals;
        if offset == 0 || offset > at {
            break;
        }
        wide(dst, at, offset, len);
        ip += 3 + literals;
        op = at + len;
    }
    (ip, op)
}

/// A length whose four bits in the token are `start`.
#[inline(always)]
fn length(src: &[u8], ip: &mut usize, start: u8) -> Result<usize, Corrupt> {
    let mut len = usize::from(start);
    if start == 15 {
        loop {
            let byte = *src.get(*ip).ok_or(Corrupt)?;
            *ip += 1;
            len = len.checked_add(usize::from(byte)).ok_or(Corrupt)?;
            if byte != 255 {
                break;
            }
        }
    }
    Ok(len)
}

#[inline(always)]
fn take_literals(src: &[u8], dst: &mut [u8], ip: usize, op: usize, len: usize) -> Result<(), Corrupt> {
    let from = src[ip..].get(..len).ok_or(Corrupt)?;
    let to = dst[op..].get_mut(..len).ok_or(Corrupt)?;
    to.copy_from_slice(from);
    Ok(())
}

#[inline(always)]
fn take_match(dict: &[u8], dst: &mut [u8], op: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if offset == 0 || len > room {
        return Err(Corrupt);
    }
    if offset > op {
        return match_in_dict(dict, dst, op, offset, len);
    }
    if room - len >= SLACK {
        wide(dst, op, offset, len);
    } else {
        exact(dst, op, offset, len);
    }
    Ok(())
}

/// A match that begins in the dictionary, as if that lay just before the output.
#[cold]
fn match_in_dict(dict: &[u8], dst: &mut [u8], op: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
    let back = offset - op;
    let tail = dict.len().checked_sub(back).map(|at| &dict[at..]).ok_or(Corrupt)?;
    let n = back.min(len);
    dst[op..op + n].copy_from_slice(&tail[..n]);
    if n < len {
        exact(dst, op + n, offset, len - n);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<const N: usize>(src: &[u8], dict: &[u8]) -> Result<[u8; N], Corrupt> {
        let mut dst = [0xEE; N];
        decode(src, dict, &mut dst).map(|()| dst)
    }

    #[test]
    fn literals_and_matches() {
        assert_eq!(decoded(&[0], &[]), Ok([]));
        assert_eq!(decoded(&[0x30, 1, 2, 3], &[]), Ok([1, 2, 3]));
        assert_eq!(decoded(&[0x12, 0, 1, 0, 0x10, 9], &[]), Ok([0, 0, 0, 0, 0, 0, 0, 9]));
        assert_eq!(decoded(&[0x20, 1, 2, 2, 0, 0], &[]), Ok([1, 2, 1, 2, 1, 2]));
        assert_eq!(decoded::<300>(&[0x1F, 7, 1, 0, 255, 25, 0], &[]), Ok([7; 300]));
    }

    #[test]
    fn matches_reach_into_the_dictionary() {
        let dict = [1, 2, 3, 4, 5];
        assert_eq!(decoded(&[0x00, 5, 0, 0], &dict), Ok([1, 2, 3, 4]));
        // It begins in the dictionary and goes on in what it has written.
        assert_eq!(decoded(&[0x12, 9, 3, 0, 0], &dict), Ok([9, 4, 5, 9, 4, 5, 9]));
        assert_eq!(decoded::<4>(&[0x00, 6, 0, 0], &dict), Err(Corrupt));
        assert_eq!(decoded::<5>(&[0x10, 9, 7, 0, 0], &dict), Err(Corrupt));
    }

    #[test]
    fn refuses_what_is_malformed() {
        let malformed: [(&str, &[u8]); 11] = [
            ("nothing", &[]),
            ("literals cut short", &[0x80, 1, 2, 3]),
            ("output too short", &[0x30, 1, 2, 3]),
            ("output too long", &[0x90, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ("offset 0", &[0x13, 0, 0, 0, 0]),
            ("offset before the start", &[0x13, 0, 2, 0, 0]),
            ("offset cut short", &[0x13, 0, 1]),
            ("no last literals", &[0x13, 0, 1, 0]),
            ("match beyond the output", &[0x14, 0, 1, 0, 0]),
            ("length cut short", &[0x1F, 0, 1, 0, 255]),
            ("length of literals cut short", &[0xF0, 255, 255]),
        ];
        for (what, src) in malformed {
            assert_eq!(decoded::<8>(src, &[]), Err(Corrupt), "{what}");
        }
    }
}

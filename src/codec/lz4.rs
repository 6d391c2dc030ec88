//! LZ4 blocks: no frame, no size prefix. Blosc's `lz4` and `lz4hc` both write them.
//!
//! A block is a row of sequences: a token with two lengths, literal bytes, and a match in what came before.
//! A length of 15 in the token goes on in further bytes. The last sequence has literals only.
//!
//! The checks of bounds are not what it waits for: the fast loop with none of them gained 0.03 against C, and with
//! fewer of them (a slice of the input that shrinks, one range of the output) nothing. The load of a match is, and
//! the sequences that are guessed wrong, as in C.

use super::Corrupt;
use super::copy::{SHORT, SLACK, exact, short, wide};
use crate::base::SMALL;
use crate::simd::{Work, widest};

/// Input that a sequence with short lengths can take, in round numbers: token, 14 literals, offset.
const SEQUENCE: usize = 32;
/// Output that a sequence with short lengths can touch: 14 literals, a match, slack.
const ROOM: usize = 14 + SHORT + SLACK;

/// Decodes one block into exactly `dst.len()` bytes; matches may reach back into `dict`.
pub(super) fn decode(src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest_of(Block { src, dict, dst, stop: false })
}

/// Decodes the first bytes of a block, as many as `dst` has.
pub(super) fn decode_start(src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    widest_of(Block { src, dict, dst, stop: true })
}

/// A block to decode, and where to.
struct Block<'a> {
    src: &'a [u8],
    dict: &'a [u8],
    dst: &'a mut [u8],
    /// Whether there may be more to decode when `dst` is full.
    stop: bool,
}

struct Sequences<'a, const DICT: bool>(Block<'a>);

/// Apart, as one more question about every match cost blocks without a dictionary 0.05.
fn widest_of(block: Block<'_>) -> Result<(), Corrupt> {
    if SMALL || block.dict.is_empty() {
        widest(Sequences::<false>(block))
    } else {
        widest(Sequences::<true>(block))
    }
}

impl<const DICT: bool> Work for Sequences<'_, DICT> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Block { src, dict, dst, stop } = self.0;
        sequences::<DICT>(src, dict, dst, stop)
    }
}

#[inline(always)]
fn sequences<const DICT: bool>(src: &[u8], dict: &[u8], dst: &mut [u8], stop: bool) -> Result<(), Corrupt> {
    let room = |len: usize, op: usize, dst: &[u8]| if stop { len.min(dst.len() - op) } else { len };
    let (mut ip, mut op) = (0, 0);
    loop {
        if !SMALL {
            (ip, op) = far_from_the_ends::<DICT>(src, dict, dst, ip, op);
        }
        // Whatever stopped the fast loop: one of the ends, a match out of the dictionary, an error.
        let token = *src.get(ip).ok_or(Corrupt)?;
        ip += 1;
        let literals = room(length(src, &mut ip, token >> 4).ok_or(Corrupt)?, op, dst);
        let from = src[ip..].get(..literals).ok_or(Corrupt)?;
        dst[op..].get_mut(..literals).ok_or(Corrupt)?.copy_from_slice(from);
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

/// The fast loop. Sequences with a long length are apart from the others, as each path then asks less:
/// all in one gave 0.75 of C where this gives 0.93 (LZ4HC). It leaves a sequence that it cannot finish with ample room, and says where that begins.
#[inline(always)]
fn far_from_the_ends<const DICT: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    mut ip: usize,
    mut op: usize,
) -> (usize, usize) {
    while let Some(sequence) = src.get(ip..).and_then(|rest| rest.first_chunk::<SEQUENCE>()) {
        let Some(room) = dst.get_mut(op..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) else { break };
        let token = sequence[0];
        let (literals, len) = (usize::from(token >> 4), usize::from(token & 15) + 4);
        if literals == 15 || len > SHORT {
            let Some(next) = long_sequence::<DICT>(src, dict, dst, ip, op) else { break };
            (ip, op) = next;
            continue;
        }
        room[..16].copy_from_slice(&sequence[1..17]);
        let offset = u16::from_le_bytes([sequence[1 + literals], sequence[2 + literals]]);
        let at = op + literals;
        let copied = short(dst, at, offset.into()) || DICT && within_dict(dict, dst, at, offset.into(), len);
        if !copied {
            break;
        }
        ip += 3 + literals;
        op = at + len;
    }
    (ip, op)
}

/// A sequence with a long length; `None` where there is not ample room.
#[inline(always)]
fn long_sequence<const DICT: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    mut ip: usize,
    mut op: usize,
) -> Option<(usize, usize)> {
    let token = src[ip];
    ip += 1;
    let literals = length(src, &mut ip, token >> 4)?;
    if literals < 15 {
        dst.get_mut(op..op + 16)?.copy_from_slice(src.get(ip..ip + 16)?);
    } else {
        copy_literals(&src[ip..], &mut dst[op..], literals)?;
    }
    ip += literals;
    op += literals;
    let offset = read_offset(src, &mut ip)?;
    let len = length(src, &mut ip, token & 15)? + 4;
    if dst.len() - op < len + SLACK {
        return None;
    }
    let copied = if token & 15 != 15 {
        short(dst, op, offset.into())
    } else if offset > 0 && usize::from(offset) <= op {
        wide(dst, op, offset.into(), len);
        true
    } else {
        false
    };
    (copied || DICT && within_dict(dict, dst, op, offset.into(), len)).then_some((ip, op + len))
}

/// Copies a match that both begins and ends in the dictionary; false if this one does not.
///
/// `at + len + SLACK <= dst.len()`.
#[inline(always)]
fn within_dict(dict: &[u8], dst: &mut [u8], at: usize, offset: usize, len: usize) -> bool {
    // What is not before the output makes the index wrap around or leaves nothing, and so does an offset of 0.
    let back = offset.wrapping_sub(at);
    let Some(from) = dict.get(dict.len().wrapping_sub(back)..) else { return false };
    let Some(to) = dst.get_mut(at..) else { return false };
    match (from.first_chunk::<SLACK>(), to.first_chunk_mut::<SLACK>()) {
        (Some(from), Some(to)) if len <= SLACK => *to = *from,
        _ => {
            let (Some(to), Some(from)) = (to.get_mut(..len), from.get(..len)) else { return false };
            to.copy_from_slice(from);
        }
    }
    true
}

/// Copies `len` literals, short runs without asking how many.
#[inline(always)]
fn copy_literals(src: &[u8], dst: &mut [u8], len: usize) -> Option<()> {
    match (src.first_chunk::<64>(), dst.first_chunk_mut::<64>()) {
        (Some(from), Some(to)) if len <= 64 => {
            to[..32].copy_from_slice(&from[..32]);
            to[32..].copy_from_slice(&from[32..]);
        }
        _ => dst.get_mut(..len)?.copy_from_slice(src.get(..len)?),
    }
    Some(())
}

#[inline(always)]
fn read_offset(src: &[u8], ip: &mut usize) -> Option<u16> {
    let bytes = src.get(*ip..)?.first_chunk()?;
    *ip += 2;
    Some(u16::from_le_bytes(*bytes))
}

/// A length whose four bits in the token are `start`; of such a size that adding to it is safe.
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

/// A match that begins in the dictionary, as if that lay just before the output.
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

//! Sequences far from both ends, where copies may go too far.
//!
//! What a sequence costs is the way from one token to the next, and guesses gone wrong; not the checks of bounds.

use super::{length, read_offset};
use crate::codec::copy::{MIDDLE, SHORT, SLACK, middle, short, short_any, wide};

/// Input that a sequence can take here, in round numbers: token, 14 literals, offset, one more byte of length.
const SEQUENCE: usize = 32;
/// Output that one can touch: 14 literals, a match, slack.
const ROOM: usize = 14 + MIDDLE + SLACK;

/// It leaves a sequence that it cannot finish with ample room, and says where that begins.
#[inline(always)]
pub(super) fn sequences<const DICT: bool, const MIXED: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    mut ip: usize,
    mut op: usize,
) -> (usize, usize) {
    while let Some(rest) = src.get(ip..) {
        let left;
        (left, op) = usual::<MIXED>(rest, dst, op);
        ip = src.len() - left;
        let Some(next) = long_sequence::<DICT>(src, dict, dst, ip, op) else { break };
        (ip, op) = next;
    }
    (ip, op)
}

/// Those without long literals, and with a match that is short or neither long nor near. Hands back how much of the
/// input is left.
///
/// A loop of its own, so that what it needs stays in registers. A slice that shrinks makes the shortest way from one
/// token to the next.
#[inline(always)]
fn usual<const MIXED: bool>(mut src: &[u8], dst: &mut [u8], mut op: usize) -> (usize, usize) {
    while let Some(sequence) = src.first_chunk::<SEQUENCE>() {
        let Some(room) = dst.get_mut(op..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) else { break };
        let token = usize::from(sequence[0]);
        let literals = token >> 4;
        if literals == 15 {
            break;
        }
        room[..16].copy_from_slice(&sequence[1..17]);
        let dist = usize::from(u16::from_le_bytes([sequence[1 + literals], sequence[2 + literals]]));
        let at = op + literals;
        if token & 15 == 15 {
            let len = SHORT + 1 + usize::from(sequence[3 + literals]);
            if len > MIDDLE || dist < 32 || !middle(dst, at, dist) {
                break;
            }
            src = &src[4 + literals..];
            op = at + len;
        } else {
            let copied = if MIXED { short_any(dst, at, dist) } else { short(dst, at, dist as u32) };
            if !copied {
                break;
            }
            src = &src[3 + literals..];
            op = at + (token & 15) + 4;
        }
    }
    (src.len(), op)
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
    let token = *src.get(ip)?;
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

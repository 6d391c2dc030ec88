//! The fast loop: sequences far from both ends, where copies may overrun.
//!
//! Like C's, it is limited by mispredicted branches and by the latency from token to token. Speed relative to C (Zen
//! 5, geometric mean of the streams in 50 chunks). What helped:
//! - Matches of up to 64 bytes copied without a branch on their length: 1.02 to 1.05.
//! - A loop for common sequences only, which keeps its values in registers, and a shrinking slice as input, which
//!   shortens the latency from token to token (an index took 3 cycles of 10 more): to 1.07.
//! - Near and far matches in one way ([`short_any`]): to 1.09. Shuffled images 1.00 to 1.32. LZ4HC, which finds few
//!   near matches, ran at 0.9 of its speed, so it does without.
//! - A second loop for long matches, which come in series in masks and labels. On a Xeon with AVX-512: masks 0.88 to 0.93,
//!   labels 0.90 to 0.97, cells 0.77 to 0.88. In one loop with the short ones, these took 1.1 times as long.
//! - Runs of a short pattern as vectors ([`long`]): sparse doubles 0.86 to 0.93.
//! - The mixed loop for shuffled data only: unfiltered measurements, categories and stacks 0.73 to between 0.87 and 0.97.
//! - The loop for short matches as a function: unfiltered text 0.83 to 0.94, ids 0.98 to 1.04, LZ4HC 0.72 to between 0.8 and 0.9.
//! - No jumps on the usual path ([`rare`]): the loop is as fast as instructions are fetched. On a Zen 4, unfiltered stacks 0.87 to 0.98,
//!   categories 0.87 to 0.96, random walks 0.85 to 0.92, shuffled timestamps 0.89 to 0.97.
//! - Very long sequences one after the other without a look for short ones: sparse doubles 0.75 to 0.9, segments 0.92 to 0.98.
//! - Loading the next token by its place in this sequence, before the input moves on: 6 cycles from token to token instead of 8.
//!   Without [`opaque`] the compiler makes it one load again. On a Zen 4, unfiltered walks and measurements 0.89 to 0.97.
//! - Repeating patterns with a 16-byte shuffle instead of an 8-byte product and three copies: 1.03 more. Doubles 1.1;
//!   LZ4HC would still run at 0.97 of its speed.
//!
//! No help:
//! - Two interleaved streams in one loop: 0.93 of one after the other, since their mispredictions add up.
//! - All lengths up to 64 in one way: 0.9; 0.5 for short matches, which then wait for recent stores.
//! - Switching loops with the data: 1.04 by the last 16 far matches, 1.06 by a count per 128 sequences.
//! - Sampling the distances in the first eighth of each block: it is not representative; 0.98.
//! - Long literals in the loop for LZ4, too: 0.98.
//! - No bounds checks at all: 1.14 before jumps were avoided, not worth `unsafe`.

use super::{length, read_offset};
use crate::codec::copy::{MANY, MIDDLE, SHORT, SLACK, long, middle, rare, short, short_any};
use crate::simd::{Baseline, Instructions, opaque};

/// Upper bound of the input of a sequence with few literals: token, 14 literals, offset, length byte.
const SEQUENCE: usize = 32;
/// The most literals that are copied without a branch on their number.
const LITERALS: usize = 64;
/// Output needed for these literals and for [`short`]; other copies check for themselves.
const ROOM: usize = LITERALS + SLACK;
/// Longer sequences come in series.
const SERIES: usize = 300;
/// Short matches in a row that end a series with long ones.
const CALM: u32 = 8;

/// Stops before a sequence that it cannot safely finish, and returns its position. `MIXED` optimises for a mix of near
/// and far matches.
#[inline(always)]
pub(super) fn sequences<const DICT: bool, const MIXED: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    mut ip: usize,
    mut op: usize,
    repeat: impl Instructions,
) -> (usize, usize) {
    while let Some(rest) = src.get(ip..) {
        let left;
        (left, op) =
            if MIXED { usual::<MIXED, false>(rest, dst, op, repeat) } else { unmixed(rest, dst, op) };
        ip = src.len() - left;
        let Some(mut next) = long_sequence::<DICT>(src, dict, dst, ip, op, repeat) else { break };
        // Where one is very long, the next one usually is, too.
        while MANY
            && next.1 - op > SERIES
            && let Some(after) = long_sequence::<DICT>(src, dict, dst, next.0, next.1, repeat)
        {
            (op, next) = (next.1, after);
        }
        (ip, op) = next;
        if MANY
            && !MIXED
            && let Some(rest) = src.get(ip..)
        {
            let left;
            (left, op) = usual::<false, true>(rest, dst, op, repeat);
            ip = src.len() - left;
        }
    }
    (ip, op)
}

/// [`usual`] with registers of its own, which it would share with the other loops. It repeats no pattern as a vector.
#[inline(never)]
fn unmixed(src: &[u8], dst: &mut [u8], op: usize) -> (usize, usize) {
    usual::<false, false>(src, dst, op, Baseline)
}

/// Decodes sequences that need no loop to read or, unless `LONG`, to copy. Returns the number of input bytes left.
#[inline(always)]
fn usual<const MIXED: bool, const LONG: bool>(
    mut src: &[u8],
    dst: &mut [u8],
    mut op: usize,
    repeat: impl Instructions,
) -> (usize, usize) {
    let Some(limit) = dst.len().checked_sub(ROOM) else { return (src.len(), op) };
    let mut calm = 0;
    let mut token = first(src);
    while let Some(sequence) = src.first_chunk::<SEQUENCE>()
        && op <= limit
        && calm < CALM
    {
        if !MANY {
            token = sequence[0].into();
        }
        let (literals, len) = (token >> 4, token & 15);
        if literals == 15 {
            rare();
            if MIXED {
                break;
            }
            let Some((literals, tail)) = more_literals(src, &mut dst[op..op + ROOM]) else { break };
            let Some(&stored) = tail.first_chunk() else { break };
            let Some((used, next)) =
                usual_match::<MIXED, LONG>(dst, op + literals, token & 15, stored, repeat)
            else {
                break;
            };
            src = &tail[used..];
            token = first(src);
            op = next;
            continue;
        }
        dst[op..op + 16].copy_from_slice(&sequence[1..17]);
        let at = op + literals;
        if MANY && len < 15 {
            // By constants: a variable length of the sequence would take longer from token to token.
            let Some(&dist) = sequence[1 + literals..].first_chunk() else { break };
            let dist = usize::from(u16::from_le_bytes(dist));
            if MIXED || dist >= 8 {
                if !short_match::<MIXED>(dst, at, dist, repeat) {
                    break;
                }
                token = opaque(sequence[3 + literals]);
                src = &src[3 + literals..];
                op = at + len + 4;
                if LONG {
                    calm += 1;
                }
                continue;
            }
        }
        rare();
        let stored = [sequence[1 + literals], sequence[2 + literals], sequence[3 + literals]];
        let Some((used, next)) = usual_match::<MIXED, LONG>(dst, at, len, stored, repeat) else { break };
        src = &src[1 + literals + used..];
        token = first(src);
        op = next;
        if LONG {
            calm = if len == 15 { 0 } else { calm + 1 };
        }
    }
    (src.len(), op)
}

/// The first token.
#[inline(always)]
fn first(src: &[u8]) -> usize {
    src.first().copied().unwrap_or_default().into()
}

/// Copies literals with one length byte. Returns their number and the input after them.
#[inline(always)]
fn more_literals<'a>(src: &'a [u8], room: &mut [u8]) -> Option<(usize, &'a [u8])> {
    let literals = 15 + usize::from(*src.get(1)?);
    let from = src.get(2..)?;
    if literals > LITERALS {
        return None;
    }
    room[..LITERALS].copy_from_slice(from.first_chunk::<LITERALS>()?);
    Some((literals, &from[literals..]))
}

/// Copies a match that is short, or neither long nor near; with `LONG`, of up to 273 bytes. `stored` is its offset, followed
/// by what would be its length byte. Returns how many of these bytes it used, and the end of the output.
#[inline(always)]
fn usual_match<const MIXED: bool, const LONG: bool>(
    dst: &mut [u8],
    at: usize,
    len: usize,
    stored: [u8; 3],
    repeat: impl Instructions,
) -> Option<(usize, usize)> {
    let [low, high, more] = stored;
    let dist = usize::from(u16::from_le_bytes([low, high]));
    if len == 15 {
        let len = SHORT + 1 + usize::from(more);
        let copied = if LONG && (len > MIDDLE || dist < 32) {
            more < 255 && dst.len() - at >= len + SLACK && long_match(dst, at, dist, len, repeat)
        } else {
            len <= MIDDLE && dist >= 32 && middle(dst, at, dist)
        };
        return copied.then_some((3, at + len));
    }
    short_match::<MIXED>(dst, at, dist, repeat).then_some((2, at + len + 4))
}

#[inline(always)]
fn short_match<const MIXED: bool>(dst: &mut [u8], at: usize, dist: usize, repeat: impl Instructions) -> bool {
    if MIXED { short_any(dst, at, dist, repeat) } else { short(dst, at, dist as u32) }
}

/// Decodes a sequence with a long length; `None` if there is not enough room.
#[inline(always)]
fn long_sequence<const DICT: bool>(
    src: &[u8],
    dict: &[u8],
    dst: &mut [u8],
    mut ip: usize,
    mut op: usize,
    repeat: impl Instructions,
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
    } else {
        long_match(dst, op, offset.into(), len, repeat)
    };
    (copied || DICT && within_dict(dict, dst, op, offset.into(), len)).then_some((ip, op + len))
}

/// Copies a match of any length. Returns false if the distance is invalid.
///
/// `at + len + SLACK <= dst.len()`.
#[inline(always)]
fn long_match(dst: &mut [u8], at: usize, dist: usize, len: usize, repeat: impl Instructions) -> bool {
    if dist == 0 || dist > at {
        return false;
    }
    long(dst, at, dist, len, repeat);
    true
}

/// Copies a match that begins and ends in the dictionary; false if this one does not.
///
/// `at + len + SLACK <= dst.len()`.
#[inline(always)]
fn within_dict(dict: &[u8], dst: &mut [u8], at: usize, offset: usize, len: usize) -> bool {
    // Invalid offsets, including 0, wrap around to an index out of bounds or an empty slice.
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

/// Copies `len` literals; short runs without a branch on the length.
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

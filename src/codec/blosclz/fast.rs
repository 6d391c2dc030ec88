//! Tokens far from both ends, where copies may go too far.
//!
//! What they cost is guesses gone wrong, and where they go right, as in a block decoded again and again, the way from
//! token to token. What that led to, speed against one question for each kind of copy, on a Zen 5, geometric mean of
//! 15 kinds of streams: 1.24. Shuffled images 1.35, timestamps 1.57, fields 1.2; blocks decoded again 1.1 to 1.3.
//! - matches of up to 8 bytes are a store in one way for all distances: 1.14, doubles of two digits 1.9;
//! - those of up to 64 that are not near are copied in one way: the rest.
//!
//! What led nowhere:
//! - no question whether there is a byte of length: images and timestamps 1.05 to 1.2 of what they are, blocks decoded
//!   again 0.75, doubles 0.6, all 0.95. The way from token to token is then 8 cycles;
//! - no question whether there are literals before a match either: blocks decoded again 0.4;
//! - matches of up to 18 bytes in one way for all distances, and only then the longer: 0.95;
//! - near matches by 16 bytes at a time from a distance of 16 on: 0.98;
//! - long matches outside of the loop: 0.95, blocks decoded again 0.8.

use super::FAR;
use crate::codec::copy::{MANY, MIDDLE, SHORT, SLACK, TINY, middle, short, short_any, tiny_any, wide};
use crate::simd::Repeat;

/// Input that a token can take, in round numbers: itself and its literals.
const TOKEN: usize = 40;
/// The most literals that one token can bring.
const LITERALS: usize = 32;
/// The first token that has a byte of length, or more.
const LONG: usize = 7 << 5;
/// What such a byte adds to.
const LONGER: usize = 9;
/// What it is if more follow it.
const MORE: usize = 255;

/// It leaves a token that it cannot finish with ample room, and says how many bytes of the input are left and where
/// the output ends.
#[inline(always)]
pub(super) fn tokens(mut src: &[u8], dst: &mut [u8], mut op: usize, repeat: impl Repeat) -> (usize, usize) {
    while let Some(next) = src.first_chunk::<TOKEN>() {
        let token = usize::from(next[0]);
        if token < 32 {
            let Some(room) = dst.get_mut(op..).and_then(|room| room.first_chunk_mut::<LITERALS>()) else {
                break;
            };
            room.copy_from_slice(&next[1..=LITERALS]);
            src = &src[token + 2..];
            op += token + 1;
            continue;
        }
        let high = (token & 31) << 8;
        let (len, mut dist, mut used) = if token < LONG {
            ((token >> 5) + 2, high | usize::from(next[1]), 2)
        } else {
            (LONGER + usize::from(next[1]), high | usize::from(next[2]), 3)
        };
        if dist == FAR {
            dist += usize::from(u16::from_be_bytes([next[used], next[used + 1]]));
            used += 2;
        }
        dist += 1;
        if !take_match(dst, op, dist, len, repeat) {
            break;
        }
        src = &src[used..];
        op += len;
    }
    (src.len(), op)
}

#[inline(always)]
fn take_match(dst: &mut [u8], at: usize, dist: usize, len: usize, repeat: impl Repeat) -> bool {
    if MANY && len <= TINY {
        return tiny_any(dst, at, dist, repeat);
    }
    if MANY && len <= MIDDLE && dist >= 32 {
        return middle(dst, at, dist);
    }
    if len <= SHORT {
        if MANY {
            return short_any(dst, at, dist, repeat);
        }
        return dst.len() - at >= SLACK && short(dst, at, dist as u32);
    }
    let inside = len < LONGER + MORE && dist <= at && dst.len() - at >= len + SLACK;
    if inside {
        wide(dst, at, dist, len);
    }
    inside
}

//! The fast loop: tokens far from both ends, where copies may overrun.
//!
//! It is limited by mispredicted branches and, without these (as in a block decoded repeatedly), by the latency from
//! token to token. Speedups over one branch for each kind of copy (Zen 5, geometric mean of 15 kinds of streams): 1.24
//! in all. Shuffled images 1.35, timestamps 1.57, fields 1.2; blocks decoded repeatedly 1.1 to 1.3.
//! - Matches of up to 8 bytes are one store for all distances: 1.14; doubles of two digits 1.9.
//! - Far matches of up to 64 bytes are copied in one way: the rest.
//! - The next token is loaded by its place in this one, before the input moves on; [`opaque`] keeps the compiler from undoing
//!   that. On a Zen 4, walks 1.10, measurements 1.05.
//!
//! No help:
//! - No branch on whether there is a length byte: images and timestamps 1.05 to 1.2, blocks decoded repeatedly 0.75,
//!   doubles 0.6, all 0.95. The latency from token to token is then 8 cycles.
//! - No branch on whether literals precede a match either: blocks decoded repeatedly 0.4.
//! - Matches of up to 18 bytes in one way for all distances, tested before longer ones: 0.95.
//! - Near matches by 16 bytes at a time from a distance of 16 on: 0.98.
//! - Long matches outside the loop: 0.95; blocks decoded repeatedly 0.8.

use super::FAR;
use crate::codec::copy::{MANY, MIDDLE, SHORT, SLACK, TINY, long, middle, short, short_any, tiny_any};
use crate::simd::{Instructions, opaque};

/// Upper bound of the input of a token, with its literals.
const TOKEN: usize = 40;
/// The maximum number of literals of a token.
const LITERALS: usize = 32;
/// The first token with a length byte.
const LONG: usize = 7 << 5;
/// The base length that such a byte adds to.
const LONGER: usize = 9;
/// The value of a length byte that is followed by another.
const MORE: usize = 255;

/// Stops before a token that it cannot safely finish. Returns the number of input bytes left and the end of the
/// output.
#[inline(always)]
pub(super) fn tokens(
    mut src: &[u8],
    dst: &mut [u8],
    mut op: usize,
    repeat: impl Instructions,
) -> (usize, usize) {
    let mut token = src.first().copied().unwrap_or_default().into();
    while let Some(next) = src.first_chunk::<TOKEN>() {
        if !MANY {
            token = next[0].into();
        }
        if token < 32 {
            let Some(room) = dst.get_mut(op..).and_then(|room| room.first_chunk_mut::<LITERALS>()) else {
                break;
            };
            room.copy_from_slice(&next[1..=LITERALS]);
            src = &src[token + 2..];
            op += token + 1;
            token = opaque(next[token + 2]);
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
        token = opaque(next[used]);
    }
    (src.len(), op)
}

#[inline(always)]
fn take_match(dst: &mut [u8], at: usize, dist: usize, len: usize, repeat: impl Instructions) -> bool {
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
        long(dst, at, dist, len, repeat);
    }
    inside
}

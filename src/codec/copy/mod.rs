//! Copies within the output: the hot path of every LZ77 decoder.
//!
//! A match copies `len` bytes from `dist` bytes back. If it overlaps itself, it repeats a pattern of `dist` bytes;
//! shuffled data has mostly such matches.
//!
//! Speed relative to the C decoders, on blocks of 16 to 512 KiB on x86-64 (geometric means of ten kinds of data): LZ4
//! 1.01, or 1.31 with one kind of mostly long runs, where C is at 0.1; LZ4HC 0.92; BloscLZ 0.99. What helped:
//! - One branch on the distance of a short match (`dist < 8`) instead of four: text 0.40 to 0.85.
//! - Three copies of 8, 8 and 2 bytes there instead of 16 or 24 bytes at once: loads that span recent stores wait for
//!   them. Text 0.82 to 0.95, unfiltered int32 0.73 to 0.81.
//! - Patterns from a register instead of doubling copies, up to a thousand bytes: runs of labels 0.6 to 1.1.
//! - `memmove` above a threshold: far long matches 0.55 to 0.75. With 16 bytes at a time the best threshold was 192;
//!   compiled for AVX2, 768 is better (unfiltered masks with LZ4: 0.87 at 192, 0.91 at 300, 0.94 at 768).
//! - No `memmove` for these either from 512 bytes back on: that of glibc is slow where the distance is a multiple of 4 KiB, as
//!   that to the row above often is. Segments with BloscLZ 0.44 to 1.05.
//! - Stores at multiples of their size in such matches. Zen 4: labels with BloscLZ 1.09 to 1.41, steps with LZ4 8.3 to 10.1.
//! - Patterns that stay in the L1 cache. Zen 4: periodic masks with BloscLZ 1.10 to 1.43.
//!
//! Compiled for AVX2 (`simd::widest`) LZ4 gains 0.04 to 0.07, BloscLZ 0.08. Copying twice 32 bytes before checking the
//! length did not help.

mod branchless;

use super::Corrupt;
use crate::base::SMALL;

pub(super) use branchless::{MIDDLE, TINY, long, middle, short_any, tiny_any};

/// Whether to compile special copies for common match lengths. They take 4 KB of WebAssembly.
pub(super) const MANY: bool = !SMALL && cfg!(target_pointer_width = "64");

/// Bytes after the end of a match that [`wide`] may overwrite.
pub(super) const SLACK: usize = 32;

/// The longest match that [`short`] copies.
pub(super) const SHORT: usize = 18;

/// Longer matches are left to the library's `memmove` and `memset`, or to [`far`].
pub(super) const LONG: usize = 768;

/// From so far back on, a match does not wait for bytes that were just written.
const FAR: usize = 512;

/// Longer runs of a short pattern are left to the library, which needs more than one call for them.
const LONG_RUN: usize = 1024;

/// Copies `len` bytes at `from` of the stream, or of a dictionary, to those at `to` of the output.
#[inline(always)]
pub(super) fn between(src: &[u8], from: usize, dst: &mut [u8], to: usize, len: usize) -> Result<(), Corrupt> {
    let src = src.get(from..).and_then(|src| src.get(..len)).ok_or(Corrupt)?;
    let dst = dst.get_mut(to..).and_then(|dst| dst.get_mut(..len)).ok_or(Corrupt)?;
    dst.copy_from_slice(src);
    Ok(())
}

/// The length of a pattern that is repeated as it is: twice as long, a longer one would be read from the L2 cache.
const CACHED: usize = 8 << 10;

/// Copies the match `dst[at - dist..][..len]` to `dst[at..]`, without overrun.
///
/// `0 < dist <= at` and `at + len <= dst.len()`.
pub(super) fn exact(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let from = at - dist;
    let Some(dst) = dst.get_mut(from..at + len) else { return };
    if let (1, Some((byte, run))) = (dist, dst.split_first_mut()) {
        return run.fill(*byte);
    }
    // The copy continues the pattern, so each step can copy everything before it, as long as that is in the L1 cache.
    let mut done = 0;
    let mut whole = dist;
    while done < len {
        let n = whole.min(len - done);
        // Not `copy_within`: `memmove` takes a microcontroller more flash than LZ4.
        let Some((before, rest)) = dst.split_at_mut_checked(dist + done) else { return };
        if let (Some(place), Some(part)) = (rest.get_mut(..n), before.get(..n)) {
            place.copy_from_slice(part);
        }
        done += n;
        if !MANY || whole < CACHED {
            whole += n;
        }
    }
}

/// Copies the match like [`exact`], with an overrun of up to [`SLACK`] bytes.
///
/// `0 < dist <= at` and `at + len + SLACK <= dst.len()`.
// Never inlined in WebAssembly: that makes the module 3 % smaller, at the same speed.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn wide(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    if dist < 8 && len <= LONG_RUN {
        let repeated = pattern(dst, at, dist);
        if len > SHORT {
            run(&mut dst[at..at + len + SLACK], repeated, len);
        }
    } else if len > LONG {
        if !MANY || dist < FAR {
            exact(dst, at, dist, len);
        } else {
            far(dst, at, dist, len);
        }
    } else if dist >= 32 {
        steps::<32>(dst, at, dist, len);
    } else if dist >= 16 {
        steps::<16>(dst, at, dist, len);
    } else {
        steps::<8>(dst, at, dist, len);
    }
}

/// Like [`wide`], for `len <= SHORT`, without a branch on the length and with only one on the distance, since
/// mispredictions dominate. Returns false if the distance is invalid.
///
/// `at + SLACK <= dst.len()`.
#[inline(always)]
pub(super) fn short(dst: &mut [u8], at: usize, dist: u32) -> bool {
    debug_assert!(at + SLACK <= dst.len());
    let dist = dist as usize;
    if dist < 8 {
        rare();
        let inside = dist != 0 && dist <= at;
        if inside {
            pattern(dst, at, dist);
        }
        return inside;
    }
    let Some(window) = window(dst, at, dist, SHORT) else { return false };
    block::<8>(window, 0, dist);
    block::<8>(window, 8, dist + 8);
    block::<2>(window, 16, dist + 16);
    true
}

/// Tells the compiler that the branch which calls it is rarely taken, so that the usual path has no jumps.
#[cold]
#[inline(always)]
pub(super) const fn rare() {}

/// The bytes from `at - dist` to `at + len`.
#[inline(always)]
fn window(dst: &mut [u8], at: usize, dist: usize, len: usize) -> Option<&mut [u8]> {
    dst.get_mut(at.checked_sub(dist)?..at + len)
}

/// Copies `N` bytes: `copy_within` that is guaranteed to be inlined.
#[inline(always)]
pub(super) fn block<const N: usize>(dst: &mut [u8], from: usize, to: usize) {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&dst[from..from + N]);
    dst[to..to + N].copy_from_slice(&bytes);
}

/// Copies `N <= dist` bytes at a time.
#[inline(always)]
fn steps<const N: usize>(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let window = &mut dst[at - dist..][..dist + len + SLACK];
    block::<N>(window, 0, dist);
    if len > N {
        let mut from = N;
        while from < len {
            block::<N>(window, from, from + dist);
            from += N;
        }
    }
}

/// Copies a long match from [`FAR`] bytes back or more.
#[inline(always)]
fn far(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let window = &mut dst[at - dist..][..dist + len + SLACK];
    // Stores at multiples of their size do not cross cache lines.
    block::<SLACK>(window, 0, dist);
    let mut from = SLACK - window[dist..].as_ptr().addr() % SLACK;
    while len - from >= 128 {
        block::<128>(window, from, from + dist);
        from += 128;
    }
    while from < len {
        block::<SLACK>(window, from, from + dist);
        from += SLACK;
    }
}

/// Repeats a pattern of less than 8 bytes by multiplication in a register: reading back bytes just written by stores
/// of other sizes is slow. Returns 16 bytes of the pattern, and how many of them are whole repetitions; writes twice
/// as many.
#[inline(always)]
fn pattern(dst: &mut [u8], at: usize, dist: usize) -> ([u8; 16], usize) {
    let (done, rest) = dst.split_at_mut(at);
    let period = &PERIODS[dist & 7];
    let whole = usize::from(period.whole).min(16);
    let repeated = period.repeat(before(done) >> ((64 - 8 * dist) & 63));
    if let Some(room) = rest.first_chunk_mut::<SLACK>() {
        room[..16].copy_from_slice(&repeated);
        room[whole..whole + 16].copy_from_slice(&repeated);
    }
    (repeated, whole)
}

/// Writes the rest of a longer repetition.
#[inline(always)]
fn run(room: &mut [u8], (repeated, whole): ([u8; 16], usize), len: usize) {
    if whole == 16 {
        let mut twice = [0; 32];
        twice[..16].copy_from_slice(&repeated);
        twice[16..].copy_from_slice(&repeated);
        for two in room.as_chunks_mut().0.iter_mut().skip(1).take((len - 1) / 32) {
            *two = twice;
        }
        return;
    }
    let mut to = 2 * whole;
    while to < len {
        room[to..to + 16].copy_from_slice(&repeated);
        to += whole;
    }
}

/// The last 8 bytes, preceded by zeros.
#[inline(always)]
fn before(done: &[u8]) -> u64 {
    match done.last_chunk() {
        Some(last) => u64::from_le_bytes(*last),
        None => done.iter().fold(0, |value, &byte| value >> 8 | u64::from(byte) << 56),
    }
}

/// Patterns shorter than 8 bytes.
struct Period {
    /// Multiplies the pattern into its repetitions.
    times: u128,
    /// Bits of the incomplete repetition at the end of 8 bytes.
    begun: u8,
    /// Bytes in the whole repetitions that fit in 16 bytes.
    whole: u8,
}

impl Period {
    #[inline(always)]
    fn repeat(&self, once: u64) -> [u8; 16] {
        if cfg!(target_pointer_width = "64") {
            return u128::from(once).wrapping_mul(self.times).to_le_bytes();
        }
        self.repeat_by_halves(once)
    }

    /// Like `repeat`, where a 128-bit product would be a library call: the second 8 bytes continue the pattern of the
    /// first.
    #[inline(always)]
    fn repeat_by_halves(&self, once: u64) -> [u8; 16] {
        let first = once.wrapping_mul(self.times as u64);
        let rest = first >> (self.begun & 63);
        let second = rest | rest << (self.begun.wrapping_neg() & 63);
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&first.to_le_bytes());
        bytes[8..].copy_from_slice(&second.to_le_bytes());
        bytes
    }
}

const PERIODS: [Period; 8] = {
    let mut table = [const { Period { times: 1, begun: 0, whole: 16 } }; 8];
    let mut dist = 1;
    while dist < 8 {
        let mut at = dist;
        while at < 16 {
            table[dist].times |= 1 << (8 * at);
            at += dist;
        }
        table[dist].begun = 8 * (8 % dist) as u8;
        table[dist].whole = (16 - 16 % dist) as u8;
        dist += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn bytewise(dst: &mut [u8], at: usize, dist: usize, len: usize) {
        for i in at..at + len {
            dst[i] = dst[i - dist];
        }
    }

    #[test]
    fn equals_the_bytewise_copy() {
        for dist in 1..70 {
            for len in (1..300).step_by(1 + dist % 3) {
                let start: Vec<u8> = (0..70 + len + SLACK).map(|i| (i * 7 + 3) as u8).collect();
                let (mut a, mut b, mut c) = (start.clone(), start.clone(), start.clone());
                bytewise(&mut a, 70, dist, len);
                exact(&mut b, 70, dist, len);
                wide(&mut c, 70, dist, len);
                if len <= SHORT {
                    let mut d = start.clone();
                    assert!(short(&mut d, 70, dist as u32));
                    assert_eq!(a[..70 + len], d[..70 + len], "short, distance {dist}, length {len}");
                }
                assert_eq!(a, b, "exact, distance {dist}, length {len}");
                assert_eq!(a[..70 + len], c[..70 + len], "wide, distance {dist}, length {len}");
            }
        }
    }

    #[test]
    fn long_matches_equal_the_bytewise_copy() {
        for dist in [1, 4, 7, 8, 100, FAR - 1, FAR, FAR + 1, 2000] {
            for len in [LONG, LONG + 1, 800, LONG + 127, LONG + 128, LONG_RUN + 1, 4000, 3 * CACHED + 5] {
                // At several places in a cache line.
                for at in [2000, 2001, 2018, 2031] {
                    let start: Vec<u8> = (0..at + len + SLACK).map(|i| (i * 7 + i / 256) as u8).collect();
                    let (mut a, mut b) = (start.clone(), start);
                    bytewise(&mut a, at, dist, len);
                    wide(&mut b, at, dist, len);
                    assert_eq!(a[..at + len], b[..at + len], "distance {dist}, length {len}, at {at}");
                }
            }
        }
    }

    #[test]
    fn halves_are_the_whole() {
        for (dist, period) in PERIODS.iter().enumerate().skip(1) {
            let once = 0x0807_0605_0403_0201 & ((1 << (8 * dist)) - 1);
            assert_eq!(period.repeat_by_halves(once), period.repeat(once), "distance {dist}");
        }
    }
}

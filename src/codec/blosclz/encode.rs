//! The encoder: one table of positions, and steps that grow where nothing is found.
//!
//! Decoders ask for literals at both ends of a stream. Everything else is the encoder's choice. Blosc's own one first probes
//! a part of the stream and gives up where that does not compress well, ends matches a byte early and never skips. This one probes
//! at level 1 only: relative to Blosc's, the mean of 72 cases takes 0.96 of the space and is 1.7 times as fast, without the probe 0.91
//! and 1.4; what Blosc stores took up to 7 times as long. What precedes the end of a match leads to a match past the next run, as Blosc's early ends do: on 19 kinds of data
//! that takes 3.5 % less space in the mean and 5 % more time, segments with shuffle a third less. Steps that grew remain longer for a
//! while after a match, which in noise is there by chance: photographs at level 9 take a seventh of the time, all 288 rows of the benchmark
//! 0.97 of it and 0.2 % more space, ids with bytedelta 6 %.
//! Above level 1 they grow from 32 positions without a match on instead of 64: 0.96 of the time, 0.3 % more space, ids with
//! bytedelta at level 9 12 %.

use super::FAR;
use crate::base::SMALL_ENCODERS;
use crate::codec::matcher::{common, fast, read};
use crate::simd::{Instructions, Work, widest};

/// Positions for streams of any length.
pub(in crate::codec) type Positions = [u32; 1 << 14];

/// The table of the last position of each hash.
pub(in crate::codec) trait Table {
    /// Forgets all, and tells how many of the hash's bits count.
    fn clear(&mut self, level: u8) -> u32;
    /// Puts `at` in the place of its hash and tells what was there: 0 if nothing was.
    fn replace(&mut self, src: &[u8], at: usize, bits: u32) -> usize;
}

impl Table for Positions {
    fn clear(&mut self, level: u8) -> u32 {
        let bits = match level {
            0..=1 => 12,
            2 => 13,
            _ => 14,
        };
        self[..1 << bits].fill(0);
        bits
    }

    #[inline(always)]
    fn replace(&mut self, src: &[u8], at: usize, bits: u32) -> usize {
        let bytes = u64::from_le_bytes(read(src, at)) << 24;
        let hash = bytes.wrapping_mul(889_523_592_379) >> (64 - bits);
        core::mem::replace(&mut self[hash as usize], at as u32) as usize
    }
}

/// For streams of less than 64 KiB. `N` is a power of two.
impl<const N: usize> Table for [u16; N] {
    fn clear(&mut self, _: u8) -> u32 {
        self.fill(0);
        N.ilog2()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize, _: u32) -> usize {
        fast::Positions::replace(self, u64::from_le_bytes(read(src, at)), fast::HASHED, at)
    }
}

/// Shorter streams are not worth it.
const MIN_LEN: usize = 16;
/// One in so many bytes is sampled, of shorter streams none, of longer ones no more than that.
const SAMPLED: usize = 8;
const MIN_SAMPLE: usize = 2048;
const MAX_SAMPLE: usize = 4096;
/// No match begins in so many last bytes.
const MATCH_LIMIT: usize = 12;
/// The last bytes are literals.
const LAST_LITERALS: usize = 2;
/// The farthest match, less 1.
const FARTHEST: usize = 65_535 + FAR - 1;
/// The shortest matches, near and far: a near one takes two bytes, a far one four.
const MIN_NEAR: usize = 5;
const MIN_FAR: usize = 8;
/// Where there was no match yet, steps grow so many times as fast, half as much for each acceleration.
const HURRY: usize = 16;
/// The most literals after one token.
const MAX_LITERALS: usize = 32;
/// Marks the first token.
const MARK: u8 = 0x20;

/// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
pub(in crate::codec) fn encode(
    src: &[u8],
    dst: &mut [u8],
    table: &mut impl Table,
    level: u8,
) -> Option<usize> {
    if src.len() < MIN_LEN || !SMALL_ENCODERS && level <= 1 && !halves(src, dst, table) {
        return None;
    }
    stream(src, 0, dst, table, level)
}

/// Whether a sample becomes half as long. Level 1 is for speed: it stores what does not, as Blosc does.
fn halves(src: &[u8], dst: &mut [u8], table: &mut impl Table) -> bool {
    let sample = &src[src.len() - src.len() / SAMPLED..];
    let len = sample.len().min(MAX_SAMPLE);
    // Little precedes the first bytes that they could match.
    let start = len / 2;
    match dst.get_mut(..start / 2 - start / 32) {
        Some(room) if len >= MIN_SAMPLE => stream(&sample[..len], start, room, table, 1).is_some(),
        _ => true,
    }
}

/// Encodes `src[start..]`, which may refer to some of what precedes it.
fn stream(src: &[u8], start: usize, dst: &mut [u8], table: &mut impl Table, level: u8) -> Option<usize> {
    // Level 1 begins with long steps, which grow more slowly: timestamps with bitshuffle were 4 % larger otherwise.
    let (acceleration, patience) = match level {
        0..=1 => (4, 6),
        2 => (3, 5),
        3..=4 => (2, 5),
        _ => (1, 5),
    };
    let bits = table.clear(level);
    widest(Stream { src, start, out: Writer { src, dst, at: 0 }, table, bits, acceleration, patience })
}

struct Stream<'a, T> {
    src: &'a [u8],
    start: usize,
    out: Writer<'a>,
    table: &'a mut T,
    bits: u32,
    /// The first step.
    acceleration: usize,
    /// After so many positions without a match, as a power of two, steps grow by one.
    patience: u32,
}

impl<T: Table> Work for Stream<'_, T> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(mut self, _: impl Instructions) -> Self::Output {
        let anchor = self.tokens()?;
        let rest = self.src.len() - anchor;
        // Noise is all literals: before any is copied it is known that they do not fit.
        if rest + rest.div_ceil(MAX_LITERALS) > self.out.dst.len() - self.out.at {
            return None;
        }
        self.out.literals(anchor, self.src.len())?;
        *self.out.dst.first_mut()? |= MARK;
        Some(self.out.at)
    }
}

impl<T: Table> Stream<'_, T> {
    /// Writes all tokens but the last literals, which begin where it says.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tokens(&mut self) -> Option<usize> {
        let src = self.src;
        let (limit, end) = (src.len() - MATCH_LIMIT, src.len() - LAST_LITERALS);
        let (mut anchor, mut at) = (self.start, self.start + 1);
        // No multiple of the first step, so that matches of any distance are found.
        for before in (0..at).step_by(3) {
            self.replace(before);
        }
        let (least, mut tried) = (self.acceleration << self.patience, 0);
        loop {
            let (mut next, mut step) = (at, 1);
            tried = least.max(tried - tried / 4);
            let hurry = if anchor == self.start { HURRY >> self.acceleration } else { 1 };
            let (mut candidate, mut len) = loop {
                at = next;
                next += step;
                if next > limit {
                    return Some(anchor);
                }
                step = tried >> self.patience;
                tried += hurry;
                let candidate = self.replace(at);
                if let Some(len) = matched(src, candidate, at, end) {
                    break (candidate, len);
                }
            };
            while at > anchor.max(1) && candidate > 0 && src[at - 1] == src[candidate - 1] {
                (at, candidate, len) = (at - 1, candidate - 1, len + 1);
            }
            loop {
                self.out.literals(anchor, at)?;
                self.out.matched(at - candidate, len)?;
                at += len;
                anchor = at;
                if at > limit {
                    return Some(anchor);
                }
                // What has bytes of both sides of the end leads past the next run.
                let past = self.replace(at - 2) + 2;
                candidate = self.replace(at);
                let next = matched_behind(src, candidate, at, end);
                len = next;
                if past != candidate && may_be_longer(src, past, at, next) {
                    let more = matched_behind(src, past, at, end);
                    if more > next {
                        (candidate, len) = (past, more);
                    }
                }
                if len == 0 {
                    break;
                }
            }
            at += 1;
        }
    }

    #[inline(always)]
    fn replace(&mut self, at: usize) -> usize {
        self.table.replace(self.src, at, self.bits)
    }
}

/// Whether a run begins at `at`, of one byte or two, and a match of what lies at `past` may have more than `len` bytes.
#[inline(always)]
fn may_be_longer(src: &[u8], past: usize, at: usize, len: usize) -> bool {
    let next = u32::from_le_bytes(read(src, at));
    if SMALL_ENCODERS || next != next.rotate_left(16) {
        return false;
    }
    let last = len.saturating_sub(3);
    src.get(past + last..).and_then(<[u8]>::first_chunk::<4>) == src[at + last..].first_chunk()
}

/// The length of a match, if it is worth its token.
#[inline(always)]
fn matched(src: &[u8], candidate: usize, at: usize, end: usize) -> Option<usize> {
    let before = at - candidate - 1;
    if before >= FARTHEST {
        return None;
    }
    let different = u64::from_le_bytes(read(src, candidate)) ^ u64::from_le_bytes(read(src, at));
    // One branch for near and far, in arithmetic: which of both it is cannot be predicted.
    let optional = 8 * (MIN_FAR - MIN_NEAR) as u32 * u32::from(before < FAR);
    if different << optional != 0 {
        return None;
    }
    Some(length(different, src, candidate, at, end))
}

/// The length of a match behind another one, or 0.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn matched_behind(src: &[u8], candidate: usize, at: usize, end: usize) -> usize {
    matched(src, candidate, at, end).unwrap_or(0)
}

/// The length of a match whose first eight bytes differ by so much.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn length(different: u64, src: &[u8], candidate: usize, at: usize, end: usize) -> usize {
    if different != 0 {
        return different.trailing_zeros() as usize / 8;
    }
    8 + common(src, candidate + 8, at + 8, end)
}

/// Writes tokens.
struct Writer<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn literals(&mut self, mut start: usize, end: usize) -> Option<()> {
        while start < end {
            let len = (end - start).min(MAX_LITERALS);
            self.byte(len - 1)?;
            let src = self.src;
            if let Some(from) = src[start..].first_chunk::<MAX_LITERALS>()
                && let Some(to) = self.dst[self.at..].first_chunk_mut::<MAX_LITERALS>()
            {
                *to = *from;
            } else {
                self.dst[self.at..].get_mut(..len)?.copy_from_slice(&src[start..][..len]);
            }
            self.at += len;
            start += len;
        }
        Some(())
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn matched(&mut self, dist: usize, len: usize) -> Option<()> {
        let (before, more) = (dist - 1, len - 2);
        let far = before >= FAR;
        let high = if far { 31 } else { before >> 8 };
        self.byte(more.min(7) << 5 | high)?;
        if let Some(mut rest) = more.checked_sub(7) {
            while rest >= 255 {
                self.byte(255)?;
                rest -= 255;
            }
            self.byte(rest)?;
        }
        if !far {
            return self.byte(before & 255);
        }
        self.byte(255)?;
        self.byte((before - FAR) >> 8)?;
        self.byte((before - FAR) & 255)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn byte(&mut self, byte: usize) -> Option<()> {
        *self.dst.get_mut(self.at)? = byte as u8;
        self.at += 1;
        Some(())
    }
}

//! The fast encoder: one table of positions, and steps that grow where nothing is found.
//!
//! A position is looked up by a hash of its next bytes, and takes the place of what was found there. Where
//! `acceleration` or more positions in a row had no match, the search skips more and more of them.
//!
//! Beside C-Blosc2's LZ4 this takes the same size and has 1.04 to 1.11 of its speed; with bitshuffle, 1.05 to 1.24. There too most
//! time is spent here and not in the filter, on short matches. Going on with half of the last step after a match gained
//! nothing.

use super::writer::{LAST_LITERALS, Writer};
use crate::codec::matching::{common, read};
use crate::simd::{Repeat, Work, widest};

/// No match begins in the last 12 bytes.
pub(super) const MATCH_LIMIT: usize = 12;
/// The farthest match.
pub(super) const MAX_DIST: usize = 65_535;
/// After so many positions without a match, as a power of two, the search steps further.
const PATIENCE: u32 = 6;

/// Positions for streams of less than 64 KiB.
pub(in crate::codec) type Near = [u16; 1 << 13];
/// Positions for longer streams.
pub(in crate::codec) type Far = [u32; 1 << 12];

/// The table of the last position of each hash.
pub(in crate::codec) trait Positions {
    /// Forgets all.
    fn clear(&mut self);
    /// Puts `at` in the place of its hash and tells what was there: 0 if nothing was.
    fn replace(&mut self, src: &[u8], at: usize) -> usize;
}

impl Positions for Near {
    fn clear(&mut self) {
        self.fill(0);
    }

    #[inline(always)]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash = u32::from_le_bytes(read(src, at)).wrapping_mul(2_654_435_761) >> (32 - 13);
        usize::from(core::mem::replace(&mut self[hash as usize], at as u16))
    }
}

impl Positions for Far {
    fn clear(&mut self) {
        self.fill(0);
    }

    /// Of five bytes: in long streams four bytes have too many candidates.
    #[inline(always)]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash = (u64::from_le_bytes(read(src, at)) << 24).wrapping_mul(889_523_592_379) >> (64 - 12);
        core::mem::replace(&mut self[hash as usize], at as u32) as usize
    }
}

/// Encodes `src[start..]` as one block into `dst` and returns its length; `None` if it does not fit. What lies before `start`
/// is the dictionary. `Near` is for a `src` of less than 64 KiB, `acceleration` at least 1.
pub(in crate::codec) fn encode(
    src: &[u8],
    start: usize,
    dst: &mut [u8],
    table: &mut impl Positions,
    acceleration: usize,
) -> Option<usize> {
    table.clear();
    widest(Fast { src, start, dst, table, acceleration })
}

struct Fast<'a, T> {
    src: &'a [u8],
    start: usize,
    dst: &'a mut [u8],
    table: &'a mut T,
    acceleration: usize,
}

impl<T: Positions> Work for Fast<'_, T> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Self::Output {
        let Self { src, start, dst, table, acceleration } = self;
        let mut out = Writer::new(src, dst);
        let mut anchor = start;
        if src.len() - start > MATCH_LIMIT {
            anchor = sequences(src, start, &mut out, table, acceleration)?;
        }
        out.last(anchor)
    }
}

/// Writes all sequences but the last, which begins where it says.
#[inline(always)]
fn sequences(
    src: &[u8],
    start: usize,
    out: &mut Writer<'_>,
    table: &mut impl Positions,
    acceleration: usize,
) -> Option<usize> {
    let (limit, end) = (src.len() - MATCH_LIMIT, src.len() - LAST_LITERALS);
    let (mut anchor, mut at) = (start, start + 1);
    for known in 0..=start {
        table.replace(src, known);
    }
    loop {
        let (mut next, mut step, mut tried) = (at, 1, acceleration << PATIENCE);
        let mut candidate = loop {
            at = next;
            next += step;
            if next > limit {
                return Some(anchor);
            }
            step = tried >> PATIENCE;
            tried += 1;
            let candidate = table.replace(src, at);
            if matches(src, candidate, at) {
                break candidate;
            }
        };
        while at > anchor && candidate > 0 && src[at - 1] == src[candidate - 1] {
            at -= 1;
            candidate -= 1;
        }
        loop {
            let len = 4 + common(src, candidate + 4, at + 4, end);
            out.sequence(anchor, at, at - candidate, len)?;
            at += len;
            anchor = at;
            if at > limit {
                return Some(anchor);
            }
            table.replace(src, at - 2);
            candidate = table.replace(src, at);
            if !matches(src, candidate, at) {
                break;
            }
        }
        at += 1;
    }
}

#[inline(always)]
fn matches(src: &[u8], candidate: usize, at: usize) -> bool {
    at - candidate <= MAX_DIST && read::<4>(src, candidate) == read::<4>(src, at)
}

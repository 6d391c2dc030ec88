//! The fast finder: one table of positions, and steps that grow where nothing is found.
//!
//! A position is looked up by a hash of its next bytes, and takes the place of what was found there. Where
//! `acceleration << 6` or more positions in a row had no match, the search skips more and more of them.

use super::{MIN_MATCH, Sequences, common, matches, read, repeats};

/// After so many positions without a match, as a power of two, the search steps further.
const PATIENCE: u32 = 6;

/// The table of the last position of each hash: `[u16; N]` for less than 64 KiB, `[u32; N]` for more, where `N` is a power of
/// two.
pub(in crate::codec) trait Positions {
    /// Forgets all.
    fn clear(&mut self);
    /// Puts `at` in the place of its hash and tells what was there: 0 if nothing was.
    fn replace(&mut self, src: &[u8], at: usize) -> usize;
}

impl<const N: usize> Positions for [u16; N] {
    fn clear(&mut self) {
        self.fill(0);
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash = u32::from_le_bytes(read(src, at)).wrapping_mul(2_654_435_761) >> (32 - N.ilog2());
        usize::from(core::mem::replace(&mut self[hash as usize], at as u16))
    }
}

impl<const N: usize> Positions for [u32; N] {
    fn clear(&mut self) {
        self.fill(0);
    }

    /// Of five bytes: in long streams four bytes have too many candidates.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash =
            (u64::from_le_bytes(read(src, at)) << 24).wrapping_mul(889_523_592_379) >> (64 - N.ilog2());
        core::mem::replace(&mut self[hash as usize], at as u32) as usize
    }
}

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the
/// dictionary. The table is empty, `acceleration` at least 1.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::codec) fn sequences<S: Sequences>(
    src: &[u8],
    start: usize,
    table: &mut impl Positions,
    acceleration: usize,
    out: &mut S,
) -> Option<usize> {
    if src.len() - start <= S::MATCH_LIMIT {
        return Some(start);
    }
    let (limit, end) = (src.len() - S::MATCH_LIMIT, src.len() - S::LAST_LITERALS);
    let (mut anchor, mut at) = (start, start + 1);
    for known in 0..=start {
        table.replace(src, known);
    }
    loop {
        let (mut next, mut step, mut tried) = (at, 1, acceleration << PATIENCE);
        let (mut candidate, mut len) = loop {
            at = next;
            next += step;
            if next > limit {
                return Some(anchor);
            }
            step = tried >> PATIENCE;
            tried += 1;
            let candidate = table.replace(src, at);
            if matches::<S>(src, candidate, at) {
                let len = MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end);
                if out.gains(at - candidate, len) {
                    break (candidate, len);
                }
            }
            if S::RECENT && repeats(src, out.recent()[0], at + 1) {
                at += 1;
                let candidate = at - out.recent()[0];
                break (candidate, MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end));
            }
        };
        while at > anchor && candidate > 0 && src[at - 1] == src[candidate - 1] {
            (at, candidate, len) = (at - 1, candidate - 1, len + 1);
        }
        loop {
            out.sequence(anchor, at, at - candidate, len)?;
            at += len;
            anchor = at;
            if at > limit {
                return Some(anchor);
            }
            table.replace(src, at - 2);
            candidate = table.replace(src, at);
            if !matches::<S>(src, candidate, at) {
                if !S::RECENT || !repeats(src, out.recent()[1], at) {
                    break;
                }
                candidate = at - out.recent()[1];
            }
            len = MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end);
            if !out.gains(at - candidate, len) {
                break;
            }
        }
        at += 1;
    }
}

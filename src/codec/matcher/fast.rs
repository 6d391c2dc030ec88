//! The fast finder: one table of positions, and steps that grow where nothing is found.
//!
//! A position is looked up by a hash of its next bytes, and takes the place of what was found there. Where
//! `acceleration << 6` or more positions in a row had no match, the search skips more and more of them.

use super::lend::{Lend, lent};
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

impl Positions for [u16] {
    fn clear(&mut self) {
        self.fill(0);
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash = u32::from_le_bytes(read(src, at)).wrapping_mul(2_654_435_761) >> (32 - self.len().ilog2());
        usize::from(core::mem::replace(&mut self[hash as usize], at as u16))
    }
}

impl Positions for [u32] {
    fn clear(&mut self) {
        self.fill(0);
    }

    /// Of five bytes: in long streams four bytes have too many candidates.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        let hash = (u64::from_le_bytes(read(src, at)) << 24).wrapping_mul(889_523_592_379)
            >> (64 - self.len().ilog2());
        core::mem::replace(&mut self[hash as usize], at as u32) as usize
    }
}

impl<T, const N: usize> Positions for [T; N]
where
    [T]: Positions,
{
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        self.as_mut_slice().replace(src, at)
    }
}

/// A table that can be lent.
pub(in crate::codec) trait Table: Positions + Lend<Lent: Positions> {
    /// The table as the one copy of the finder gets it.
    #[cfg(target_family = "wasm")]
    fn either(&mut self) -> Either<'_>;
}

impl<const N: usize> Table for [u16; N] {
    #[cfg(target_family = "wasm")]
    fn either(&mut self) -> Either<'_> {
        Either::Near(self)
    }
}

impl<const N: usize> Table for [u32; N] {
    #[cfg(target_family = "wasm")]
    fn either(&mut self) -> Either<'_> {
        Either::Far(self)
    }
}

/// A table of either kind.
#[cfg(target_family = "wasm")]
pub(in crate::codec) enum Either<'a> {
    Near(&'a mut [u16]),
    Far(&'a mut [u32]),
}

#[cfg(target_family = "wasm")]
impl Positions for Either<'_> {
    fn clear(&mut self) {
        match self {
            Self::Near(table) => table.clear(),
            Self::Far(table) => table.clear(),
        }
    }

    fn replace(&mut self, src: &[u8], at: usize) -> usize {
        match self {
            Self::Near(table) => table.replace(src, at),
            Self::Far(table) => table.replace(src, at),
        }
    }
}

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the
/// dictionary. The table is empty, `acceleration` at least 1.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::codec) fn sequences(
    src: &[u8],
    start: usize,
    table: &mut impl Table,
    acceleration: usize,
    out: &mut impl Sequences,
) -> Option<usize> {
    #[cfg(target_family = "wasm")]
    return find(src, start, &mut table.either(), acceleration, lent(out));
    #[cfg(not(target_family = "wasm"))]
    find(src, start, table.lend(), acceleration, lent(out))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find(
    src: &[u8],
    start: usize,
    table: &mut (impl Positions + ?Sized),
    acceleration: usize,
    out: &mut (impl Sequences + ?Sized),
) -> Option<usize> {
    let rules = out.rules();
    if src.len() - start <= rules.match_limit {
        return Some(start);
    }
    let (limit, end) = (src.len() - rules.match_limit, src.len() - rules.last_literals);
    let mut recent = if rules.recent { out.recent() } else { [0; 2] };
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
            if matches(src, candidate, at, rules.max_dist) {
                let len = MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end);
                if out.gains(at - candidate, len) {
                    break (candidate, len);
                }
            }
            if rules.recent && repeats(src, recent[0], at + 1) {
                at += 1;
                let candidate = at - recent[0];
                break (candidate, MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end));
            }
        };
        while at > anchor && candidate > 0 && src[at - 1] == src[candidate - 1] {
            (at, candidate, len) = (at - 1, candidate - 1, len + 1);
        }
        loop {
            out.sequence(anchor, at, at - candidate, len)?;
            if rules.recent {
                recent = out.recent();
            }
            at += len;
            anchor = at;
            if at > limit {
                return Some(anchor);
            }
            table.replace(src, at - 2);
            candidate = table.replace(src, at);
            if !matches(src, candidate, at, rules.max_dist) {
                if !rules.recent || !repeats(src, recent[1], at) {
                    break;
                }
                candidate = at - recent[1];
            }
            len = MIN_MATCH + common(src, candidate + MIN_MATCH, at + MIN_MATCH, end);
            if !out.gains(at - candidate, len) {
                break;
            }
        }
        at += 1;
    }
}

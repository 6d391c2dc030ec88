//! The fast finder: one table of positions, and steps that grow where nothing is found.
//!
//! A position is looked up by a hash of its next bytes, and takes the place of what was found there. Where
//! `acceleration << patience` or more positions in a row had no match, the search skips more and more of them.

use super::lend::{Lend, lent};
use super::{MIN_MATCH, Rules, Sequences, common, read, repeats};

/// Bytes whose hash counts: in long streams four have too many candidates.
pub(in crate::codec) const HASHED: u32 = 5;

/// A match by a recent distance may be shorter by less than so many bytes.
const CHEAPER: usize = 4;
/// From this length on it is taken without a look at others.
const ENOUGH: usize = 32;

/// Bytes that are read at once where a match may begin.
const AHEAD: usize = 12;

/// The table of the last position of each hash: `[u16; N]` for less than 64 KiB, `[u32; N]` for more, where `N` is a power of
/// two.
pub(in crate::codec) trait Positions {
    /// The farthest that two of its positions can be apart.
    const MAX_DIST: usize;
    /// Forgets all.
    fn clear(&mut self);
    /// Puts `at`, where `bytes` lie, in the place of their hash and tells what was there: 0 if nothing was. `hashed` of them count; in
    /// tables for less than 64 KiB four.
    fn replace(&mut self, bytes: u64, hashed: u32, at: usize) -> usize;
}

impl Positions for [u16] {
    const MAX_DIST: usize = 65_535;

    fn clear(&mut self) {
        self.fill(0);
    }

    #[inline(always)]
    fn replace(&mut self, bytes: u64, _: u32, at: usize) -> usize {
        let hash = (bytes as u32).wrapping_mul(2_654_435_761) >> (32 - self.len().ilog2());
        usize::from(core::mem::replace(&mut self[hash as usize], at as u16))
    }
}

impl Positions for [u32] {
    const MAX_DIST: usize = usize::MAX;

    fn clear(&mut self) {
        self.fill(0);
    }

    #[inline(always)]
    fn replace(&mut self, bytes: u64, hashed: u32, at: usize) -> usize {
        let others = 64 - 8 * hashed;
        let hash = (bytes << others).wrapping_mul(889_523_592_379) >> (64 - self.len().ilog2());
        core::mem::replace(&mut self[hash as usize], at as u32) as usize
    }
}

impl<T, const N: usize> Positions for [T; N]
where
    [T]: Positions,
{
    const MAX_DIST: usize = <[T]>::MAX_DIST;

    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }

    #[inline(always)]
    fn replace(&mut self, bytes: u64, hashed: u32, at: usize) -> usize {
        self.as_mut_slice().replace(bytes, hashed, at)
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
    const MAX_DIST: usize = usize::MAX;

    fn clear(&mut self) {
        match self {
            Self::Near(table) => table.clear(),
            Self::Far(table) => table.clear(),
        }
    }

    #[inline(always)]
    fn replace(&mut self, bytes: u64, hashed: u32, at: usize) -> usize {
        match self {
            Self::Near(table) => table.replace(bytes, hashed, at),
            Self::Far(table) => table.replace(bytes, hashed, at),
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
    debug_assert!(rules.match_limit <= AHEAD, "matches would begin too late");
    let Rules { max_dist: farthest, hashed, .. } = rules;
    let end = src.len().saturating_sub(rules.last_literals);
    let Some(limit) = src.len().checked_sub(AHEAD) else { return Some(start) };
    let (mut anchor, mut at) = (start, start + 1);
    for known in 0..at.min(limit + 1) {
        table.replace(eight(src, known), hashed, known);
    }
    let mut recent = if rules.recent { out.recent() } else { [0; 2] };
    loop {
        let mut pace = Pace { step: 1, left: 1, next: acceleration };
        let (mut candidate, mut len) = loop {
            let Some(found) = candidate(src, table, &mut at, &mut pace, rules, recent[0]) else {
                return Some(anchor);
            };
            // It is not greater; the compiler keeps fewer values in the loop above.
            at = at.min(limit);
            let again = if rules.recent { repeated(src, recent[0], at + 1, end) } else { 0 };
            let len =
                if again >= ENOUGH || rules.recent && found > at { 0 } else { matched(src, found, at, end) };
            if again > 0 && again + CHEAPER > len {
                at += 1;
                break (at - recent[0], again);
            }
            if out.gains(at - found, len) {
                break (found, len);
            }
            at += pace.step;
        };
        let [ahead, behind] = [anchor..at, 0..candidate].map(|range| src.get(range).unwrap_or_default());
        let back = before(ahead, behind);
        (at, candidate, len) = (at - back, candidate - back, len + back);
        loop {
            out.sequence(anchor, at, at - candidate, len)?;
            if rules.recent {
                recent = out.recent();
            }
            anchor = at + len;
            at = anchor;
            let Some(around) = src.get(anchor - 2..)?.first_chunk::<{ AHEAD + 2 }>() else {
                return Some(anchor);
            };
            table.replace(eight(around, 0), hashed, at - 2);
            candidate = table.replace(eight(around, 2), hashed, at);
            let again = if rules.recent { again(src, recent, at, end) } else { Again::default() };
            len = if again.len < ENOUGH && is_match(src, candidate, at, farthest) {
                matched(src, candidate, at, end)
            } else {
                0
            };
            if again.len > 0 && again.len + CHEAPER > len {
                (at, candidate, len) = (again.at, again.at - again.dist, again.len);
            } else if len == 0 || !out.gains(at - candidate, len) {
                break;
            }
        }
        at += 1;
    }
}

/// How the search steps on.
struct Pace {
    step: usize,
    /// So many times.
    left: u32,
    /// Then by so many.
    next: usize,
}

/// Finds a position with a candidate for a match, or with a recent distance: then what it returns is greater.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn candidate<T: Positions + ?Sized>(
    src: &[u8],
    table: &mut T,
    at: &mut usize,
    pace: &mut Pace,
    rules: Rules,
    recent: usize,
) -> Option<usize> {
    let farthest = if T::MAX_DIST <= rules.max_dist { usize::MAX } else { rules.max_dist };
    let Pace { mut step, mut left, mut next } = *pace;
    loop {
        for tried in 0..left {
            let bytes = ahead(src, *at)?;
            let candidate = table.replace(eight(bytes, 0), rules.hashed, *at);
            let is_match = is_match(src, candidate, *at, farthest);
            if is_match || rules.recent && repeats(src, recent, *at + 1) {
                *pace = Pace { step, left: left - tried - 1, next };
                return Some(if is_match { candidate } else { usize::MAX });
            }
            *at += step;
        }
        (step, left) = (next, 1 << rules.patience);
        next += 1;
    }
}

/// A match by a recent distance; of length 0 there is none.
#[derive(Default)]
struct Again {
    at: usize,
    dist: usize,
    len: usize,
}

/// The better one behind a match: by the distance before the last one, or after a literal by the last one.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn again(src: &[u8], recent: [usize; 2], at: usize, end: usize) -> Again {
    let before = Again { at, dist: recent[1], len: repeated(src, recent[1], at, end) };
    if before.len >= ENOUGH {
        return before;
    }
    let last = Again { at: at + 1, dist: recent[0], len: repeated(src, recent[0], at + 1, end) };
    if last.len > before.len { last } else { before }
}

/// The length of a match by a recent distance, or 0.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn repeated(src: &[u8], dist: usize, at: usize, end: usize) -> usize {
    if at + MIN_MATCH > end || !repeats(src, dist, at) {
        return 0;
    }
    MIN_MATCH + common(src, at - dist + MIN_MATCH, at + MIN_MATCH, end)
}

/// Whether the bytes at `candidate` match those at `at`, which is not too far from it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_match(src: &[u8], candidate: usize, at: usize, max_dist: usize) -> bool {
    let (Some(behind), Some(bytes)) = (ahead(src, candidate), ahead(src, at)) else { return false };
    at.wrapping_sub(candidate) <= max_dist && behind.first_chunk::<MIN_MATCH>() == bytes.first_chunk()
}

/// The length of a match of the bytes at `at` with those at `candidate`.
#[inline(always)]
fn matched(src: &[u8], candidate: usize, at: usize, end: usize) -> usize {
    let (Some(behind), Some(bytes)) = (ahead(src, candidate), ahead(src, at)) else { return MIN_MATCH };
    let difference = eight(bytes, MIN_MATCH) ^ eight(behind, MIN_MATCH);
    if difference != 0 {
        return (MIN_MATCH + difference.trailing_zeros() as usize / 8).min(end - at);
    }
    long_match(src, candidate, at, end)
}

/// Length of a match of which [`AHEAD`] bytes are known to match.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn long_match(src: &[u8], candidate: usize, at: usize, end: usize) -> usize {
    if at + AHEAD >= end {
        return end - at;
    }
    AHEAD + common(src, candidate + AHEAD, at + AHEAD, end)
}

/// The bytes at `at`, if there are that many.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn ahead(src: &[u8], at: usize) -> Option<&[u8; AHEAD]> {
    // In this form the compiler sees that no other check is needed.
    if src.len() < AHEAD || at > src.len() - AHEAD {
        return None;
    }
    src[at..].first_chunk()
}

/// Eight of them.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn eight(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(read(bytes, at))
}

/// How many last bytes of both are the same.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn before(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    for (a, b) in a.iter().rev().zip(b.iter().rev()) {
        if a != b {
            break;
        }
        len += 1;
    }
    len
}

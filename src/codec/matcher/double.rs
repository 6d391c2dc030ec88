//! The finder with two tables of positions, one for long matches and one for short ones.
//!
//! A match by seven bytes is taken at once. After one by four, the next position may have a longer one.

use super::found::Match;
use super::{MIN_MATCH, Sequences, common, matches, read, repeats};

/// After so many literals, as a power of two, the search steps further.
const PATIENCE: u32 = 9;
/// From this length on a match is taken without a look at the next position.
const LONG: usize = 8;

/// What the finder is lent: the last positions by a hash of seven bytes, and by one of four. `N` is a power of two.
pub(in crate::codec) struct Tables<'a, const N: usize> {
    pub(in crate::codec) long: &'a mut [u32; N],
    pub(in crate::codec) short: &'a mut [u32; N],
}

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the
/// dictionary. The tables are empty.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::codec) fn sequences<S: Sequences, const N: usize>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, N>,
    out: &mut S,
) -> Option<usize> {
    if src.len() - start <= S::MATCH_LIMIT {
        return Some(start);
    }
    let limit = src.len() - S::MATCH_LIMIT;
    let mut finder = Finder { src, tables, end: src.len() - S::LAST_LITERALS };
    let (mut anchor, mut at) = (start, start + 1);
    (0..=start).for_each(|known| finder.enter(known));
    while at <= limit {
        let found = finder.find(at, out);
        let repeated = match out.recent() {
            _ if !S::RECENT => None,
            [_, before] if at == anchor => finder.repeated(before, at),
            [last, _] => finder.repeated(last, at + 1),
        };
        let Some(mut found) = better(found, repeated) else {
            at += 1 + ((at - anchor) >> PATIENCE);
            continue;
        };
        if found.len < LONG
            && found.start == at
            && at < limit
            && let Some(later) = finder.find(at + 1, out).filter(|later| later.len > found.len + 1)
        {
            found = later;
        }
        let found = found.extended(src, anchor, usize::MAX);
        out.sequence(anchor, found.start, found.dist, found.len)?;
        at = found.end();
        anchor = at;
        if at <= limit {
            [found.start + 2, at - 3, at - 1].into_iter().for_each(|near| finder.enter(near));
        }
    }
    Some(anchor)
}

/// Which of both to take: a match, or one with a recent distance.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn better(found: Option<Match>, repeated: Option<Match>) -> Option<Match> {
    match (found, repeated) {
        (Some(found), Some(repeated)) if found.len > repeated.len + 2 => Some(found),
        (found, repeated) => repeated.or(found),
    }
}

struct Finder<'a, const N: usize> {
    src: &'a [u8],
    tables: Tables<'a, N>,
    /// Where matches end at the latest.
    end: usize,
}

impl<const N: usize> Finder<'_, N> {
    /// Puts `at` in the places of its hashes and tells what was there: 0 if nothing was.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, at: usize) -> [usize; 2] {
        let bytes = u64::from_le_bytes(read(self.src, at));
        let long = (bytes << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - N.ilog2());
        let short = (bytes as u32).wrapping_mul(2_654_435_761) >> (32 - N.ilog2());
        let long = core::mem::replace(&mut self.tables.long[long as usize], at as u32);
        let short = core::mem::replace(&mut self.tables.short[short as usize], at as u32);
        [long as usize, short as usize]
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn enter(&mut self, at: usize) {
        self.replace(at);
    }

    /// A match at `at`, which is entered: one of many bytes, or else one of few.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn find<S: Sequences>(&mut self, at: usize, rules: &S) -> Option<Match> {
        let [long, short] = self.replace(at);
        // In a run the last position of the same bytes often is near the end of another run.
        let before = if self.src[at - 1] == self.src[at] { self.matched(at, at - 1, rules) } else { None };
        match (self.matched(at, long, rules), before) {
            (Some(long), Some(before)) if long.len < before.len => Some(before),
            (None, None) => self.matched(at, short, rules),
            (long, before) => long.or(before),
        }
    }

    /// A match at `at` with a distance of before.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn repeated(&self, dist: usize, at: usize) -> Option<Match> {
        if !repeats(self.src, dist, at) {
            return None;
        }
        let ahead = common(self.src, at - dist + MIN_MATCH, at + MIN_MATCH, self.end);
        Some(Match { start: at, dist, len: MIN_MATCH + ahead })
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn matched<S: Sequences>(&self, at: usize, candidate: usize, rules: &S) -> Option<Match> {
        if !matches::<S>(self.src, candidate, at) {
            return None;
        }
        let ahead = common(self.src, candidate + MIN_MATCH, at + MIN_MATCH, self.end);
        let found = Match { start: at, dist: at - candidate, len: MIN_MATCH + ahead };
        rules.gains(found.dist, found.len).then_some(found)
    }
}

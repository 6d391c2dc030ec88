//! The first levels of LZ4HC: two tables of positions, one for long matches and one for short ones, instead of chains.
//!
//! A match by seven bytes is taken at once. After one by four, the next position may have a longer one.

use super::encode::{MATCH_LIMIT, MAX_DIST};
use super::found::{Heads, Match};
use super::writer::{LAST_LITERALS, Writer};
use crate::codec::matching::{common, read};

/// After so many literals, as a power of two, the search steps further.
const PATIENCE: u32 = 9;
/// From this length on a match is taken without a look at the next position.
const LONG: usize = 8;
/// Slots of a table, as a power of two.
const BITS: u32 = 14;

/// The last positions by a hash of seven bytes, and by one of four.
struct Tables<'a> {
    src: &'a [u8],
    long: &'a mut [u32; 1 << BITS],
    short: &'a mut [u32; 1 << BITS],
    /// Where matches end at the latest.
    end: usize,
}

/// Writes all sequences but the last, which begins where it says.
#[inline(always)]
pub(super) fn sequences(src: &[u8], start: usize, heads: &mut Heads, out: &mut Writer<'_>) -> Option<usize> {
    let limit = src.len() - MATCH_LIMIT;
    let (long, short) = heads.split_first_chunk_mut()?;
    let mut tables = Tables { src, long, short: short.first_chunk_mut()?, end: src.len() - LAST_LITERALS };
    let (mut anchor, mut at) = (start, start + 1);
    (0..=start).for_each(|known| tables.enter(known));
    while at <= limit {
        let Some(mut found) = tables.find(at) else {
            at += 1 + ((at - anchor) >> PATIENCE);
            continue;
        };
        if found.len < LONG
            && at < limit
            && let Some(later) = tables.find(at + 1).filter(|later| later.len > found.len + 1)
        {
            found = later;
        }
        let found = found.extended(src, anchor);
        out.sequence(anchor, found.start, found.dist, found.len)?;
        at = found.end();
        anchor = at;
        if at <= limit {
            [found.start + 2, at - 3, at - 1].into_iter().for_each(|near| tables.enter(near));
        }
    }
    Some(anchor)
}

impl Tables<'_> {
    /// Puts `at` in the places of its hashes and tells what was there: 0 if nothing was.
    #[inline(always)]
    fn replace(&mut self, at: usize) -> [usize; 2] {
        let bytes = u64::from_le_bytes(read(self.src, at));
        let long = (bytes << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS);
        let short = (bytes as u32).wrapping_mul(2_654_435_761) >> (32 - BITS);
        let long = core::mem::replace(&mut self.long[long as usize], at as u32);
        let short = core::mem::replace(&mut self.short[short as usize], at as u32);
        [long as usize, short as usize]
    }

    #[inline(always)]
    fn enter(&mut self, at: usize) {
        self.replace(at);
    }

    /// A match at `at`, which is entered: one of many bytes, or else one of few.
    #[inline(always)]
    fn find(&mut self, at: usize) -> Option<Match> {
        let [long, short] = self.replace(at);
        // In a run the last position of the same bytes often is near the end of another run.
        let before = if self.src[at - 1] == self.src[at] { self.matched(at, at - 1) } else { None };
        match (self.matched(at, long), before) {
            (Some(long), Some(before)) if long.len < before.len => Some(before),
            (None, None) => self.matched(at, short),
            (long, before) => long.or(before),
        }
    }

    #[inline(always)]
    fn matched(&self, at: usize, candidate: usize) -> Option<Match> {
        let dist = at - candidate;
        if dist > MAX_DIST || read::<4>(self.src, candidate) != read::<4>(self.src, at) {
            return None;
        }
        Some(Match { start: at, dist, len: 4 + common(self.src, candidate + 4, at + 4, self.end) })
    }
}

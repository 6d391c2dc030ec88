//! The finder with two tables of positions, one for long matches and one for short ones.
//!
//! A match by seven bytes is taken at once. After one by four, the next position may have a longer one. Behind a match, one that is
//! much longer may be where the last sequences have come before ([`Alike`]): labels with bytedelta take 0.41 of the space at
//! level 3 of zstd, masks of discs 0.77.
//!
//! A row of the item at hand is tried everywhere, and behind a match its distance once more, a few bytes on, if the format writes it
//! shorter: edges in images move from row to row. That takes 0.975 of the space at level 3 of zstd (the bench's 72 kinds of chunks),
//! 0.98 with zlib, 0.99 at level 1 of LZ4HC. Trying the row above at such a gap for all formats made chunks of zlib longer.
//!
//! Steps grow with the positions that had no match, thus with the square root of the literals. Steps of one byte per 512 literals took
//! a ninth more time at level 3 of zlib, a sixth at level 1 of LZ4HC, and 0.1 % less space. Steps twice as long saved another 6 %, and
//! made photographs 3 % larger.

use super::alike::Alike;
use super::found::Match;
use super::lend::{Lend, lent};
use super::{ITEM, MIN_MATCH, Rules, Sequences, common, likelier, matches, read, repeats, repeats_soon};

/// After so many positions without a match, as a power of two, the search steps further.
const PATIENCE: u32 = 5;
/// So many more bytes a match has to have if another one has a recent distance.
const DEARER: usize = 16;
/// A match behind like sequences is taken if it is so many times as long as another.
const MUCH: usize = 4;
/// From this length on a match is taken without a look at the next position.
const LONG: usize = 8;

/// The tables that the finder is lent: the last positions by a hash of seven bytes, and by one of four.
pub(in crate::codec) struct Tables<'a, T: ?Sized> {
    pub(in crate::codec) long: &'a mut T,
    pub(in crate::codec) short: &'a mut T,
}

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the
/// dictionary. The tables are empty.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::codec) fn sequences<T: Lend<Lent: AsMut<[u32]>>>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, T>,
    out: &mut impl Sequences,
) -> Option<usize> {
    let tables = Tables { long: tables.long.lend(), short: tables.short.lend() };
    find(src, start, tables, lent(out))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find(
    src: &[u8],
    start: usize,
    tables: Tables<'_, impl AsMut<[u32]> + ?Sized>,
    out: &mut (impl Sequences + ?Sized),
) -> Option<usize> {
    let rules = out.rules();
    if src.len() - start <= rules.match_limit {
        return Some(start);
    }
    let limit = src.len() - rules.match_limit;
    let mut finder = Finder { src, tables, rules, end: src.len() - rules.last_literals };
    let mut recent = if rules.recent { out.recent() } else { [0; 2] };
    let (mut anchor, mut at) = (start, start + 1);
    let (mut past, mut alike, mut item, mut before) = (0, 0, 1, Alike::EMPTY);
    let mut tried = 0;
    (0..=start).for_each(|known| finder.enter(known));
    while at <= limit {
        let mut found = finder.find(at, out);
        if at == anchor && at > start {
            found = longer(found, finder.matched(at, past, out));
            found = much_longer(found, finder.matched(at, alike, out));
        }
        let row = if at + item <= limit { finder.repeated(item, at + item) } else { None };
        found = likelier(found, row.map(|row| row.extended(src, at, usize::MAX)), rules.nearer, out);
        let repeated = if rules.recent && at < limit {
            let [last, second] = recent;
            let again = repeats_soon(src, last, at, limit - at)
                .and_then(|at| finder.repeated(last, at))
                .filter(|again| at > anchor || leads_on(again, found.as_ref()));
            let second = if at == anchor { finder.repeated(second, at) } else { None };
            longer(second, again)
        } else {
            None
        };
        let Some(mut found) = better(found, repeated) else {
            at += 1 + (tried >> PATIENCE);
            tried += 1;
            continue;
        };
        tried = 0;
        if found.len < LONG
            && found.start == at
            && at < limit
            && let Some(later) = finder.find(at + 1, out).filter(|later| later.len > found.len + 1)
        {
            found = later;
        }
        let found = found.extended(src, anchor, usize::MAX);
        out.sequence(anchor, found.start, found.dist, found.len)?;
        if rules.recent {
            recent = out.recent();
        }
        alike = before.replace(found.start - anchor, &found);
        if found.dist <= ITEM {
            item = found.dist;
        }
        at = found.end();
        anchor = at;
        if at <= limit {
            [found.start + 2, at - 3].into_iter().for_each(|near| finder.enter(near));
            // What has bytes of both sides of the end leads past the next run.
            past = finder.replace(at - 1)[0] + 1;
        }
    }
    Some(anchor)
}

/// The longer of two matches, or else the first one.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn longer(first: Option<Match>, second: Option<Match>) -> Option<Match> {
    match (&first, &second) {
        (Some(a), Some(b)) if b.len > a.len => second,
        _ => first.or(second),
    }
}

/// The first of two matches, unless the second one is much longer: that is a row which repeats another, rather than chance.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn much_longer(first: Option<Match>, second: Option<Match>) -> Option<Match> {
    match (&first, &second) {
        (Some(a), Some(b)) if b.len > MUCH * a.len => second,
        _ => first.or(second),
    }
}

/// Whether to look at a match by the last distance right behind one: the next run of a byte or a small item only if nothing longer is
/// likely, or if it goes as far: a literal takes less than another distance.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn leads_on(again: &Match, found: Option<&Match>) -> bool {
    again.dist > ITEM || found.is_some_and(|found| again.end() >= found.end() || again.len > 2 * found.len)
}

/// Which of both to take: a match, or one with a recent distance.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn better(found: Option<Match>, repeated: Option<Match>) -> Option<Match> {
    match (found, repeated) {
        (Some(found), Some(repeated)) if found.len > repeated.len + DEARER => Some(found),
        (found, repeated) => repeated.or(found),
    }
}

struct Finder<'a, T: ?Sized> {
    src: &'a [u8],
    tables: Tables<'a, T>,
    rules: Rules,
    /// Where matches end at the latest.
    end: usize,
}

impl<T: AsMut<[u32]> + ?Sized> Finder<'_, T> {
    /// Puts `at` in the places of its hashes and tells what was there: 0 if nothing was.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn replace(&mut self, at: usize) -> [usize; 2] {
        let bytes = u64::from_le_bytes(read(self.src, at));
        let (longs, shorts) = (self.tables.long.as_mut(), self.tables.short.as_mut());
        let long = (bytes << 8).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - longs.len().ilog2());
        let short = (bytes as u32).wrapping_mul(2_654_435_761) >> (32 - shorts.len().ilog2());
        let long = core::mem::replace(&mut longs[long as usize], at as u32);
        let short = core::mem::replace(&mut shorts[short as usize], at as u32);
        [long as usize, short as usize]
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn enter(&mut self, at: usize) {
        self.replace(at);
    }

    /// A match at `at`, which is entered: one of many bytes, or else one of few.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn find(&mut self, at: usize, out: &(impl Sequences + ?Sized)) -> Option<Match> {
        let [long, short] = self.replace(at);
        // In a run the last position of the same bytes often is near the end of another run.
        let before = if self.src[at - 1] == self.src[at] { self.matched(at, at - 1, out) } else { None };
        match (self.matched(at, long, out), before) {
            (Some(long), Some(before)) if long.len < before.len => Some(before),
            (None, None) => self.matched(at, short, out),
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
    fn matched(&self, at: usize, candidate: usize, out: &(impl Sequences + ?Sized)) -> Option<Match> {
        if !matches(self.src, candidate, at, self.rules.max_dist) {
            return None;
        }
        let ahead = common(self.src, candidate + MIN_MATCH, at + MIN_MATCH, self.end);
        let found = Match { start: at, dist: at - candidate, len: MIN_MATCH + ahead };
        out.gains(found.dist, found.len).then_some(found)
    }
}

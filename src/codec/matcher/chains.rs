//! The thorough finder: chains of all earlier positions of a hash.
//!
//! Shuffled data are full of runs of one byte. Where all positions of runs are in one chain, the search goes through
//! nothing but other places of the same run. So a position in a run is hashed by the byte and by how much of the run is
//! left: the candidate's run then ends where ours ends, and the match goes on behind it. Distance 1 is tried by itself, and
//! of a long run only the start and the end are entered. So it is with very long matches, which makes labels and periodic masks
//! ten times as fast. Where a format limits the length, a series of the longest matches with one distance counts as one: zlib's
//! level 5 is 1.2 times as fast in the mean by it, and takes 0.2 % more.
//!
//! Behind a match a row of the next item and the row above are tried besides: where values repeat all the time, a chain is cut off
//! before it gets there. That takes 0.976 of the space at level 5 of zlib and up to a tenth more time; at all positions it takes as much space.
//!
//! A match gives way to a longer one that begins a position later. It is looked for there among a sixteenth of the candidates, and
//! at the last two bytes of the match among all; a second position took a tenth of the time and saved 0.1 %. All candidates at the
//! first one saved 0.4 % with LZ4HC at level 9, where sorted ids took five times as long. Where one begins later than that, both are
//! found one after the other, and take no more space than if the first were cut short: cutting it took 0.4 % more with LZ4HC, and
//! 0.5 % with zlib at level 9. In long stretches without a match the search steps further: noise takes a tenth of the time, and at
//! level 5 of zlib all chunks a tenth less than with steps that grow by the literals and end at 8 positions.

use super::found::Match;
use super::lend::{Lend, lent};
use super::{ITEM, Rules, SOON, Sequences, common, likelier, read, repeats, repeats_soon};
use crate::simd::prefetch;
use core::mem;

/// As many positions before the end of a run are entered, besides its first.
const RUN_END: usize = 256;
/// As many positions at both ends of a match are entered if it has 16 times as many.
const MATCH_ENDS: usize = 64;
/// So many of the longest matches, which a search found, go on without one.
const SERIES: usize = 2;
/// Candidates for a match that begins later, which are a part of all: a sixteenth, but at least so many.
const LEAST_LATER: usize = 4;
/// How many positions after a match a longer one may begin: fewer than a match has bytes, so that no position is entered twice.
const LATER: usize = 1;
/// The longest step: with too few positions entered, none would be found again.
const LONGEST_STEP: usize = 16;
/// The last bytes of a match at which a longer one is looked for.
const LAST: usize = 2;
/// A match by a recent distance may be shorter by so many bytes.
const CHEAPER: usize = 2;
/// From this length on no longer one is looked for there.
const LONG: usize = 100;
/// Heads that are fetched ahead, and by how many positions: 4 and 16 gain less.
const MANY: usize = 1 << 16;
const AHEAD: usize = 8;

/// The links of windows of up to 64 KiB.
#[cfg(not(target_family = "wasm"))]
pub(in crate::codec) type Near = u16;
#[cfg(target_family = "wasm")]
pub(in crate::codec) type Near = u32;

/// How far before a position the one before in its chain is; 0 for none. As `u16` for windows of up to 64 KiB, as `u32` for
/// wider ones.
pub(in crate::codec) trait Link: Copy {
    /// The link for a distance, 0 if it is too far for the type.
    fn of(dist: usize) -> Self;
    /// The distance.
    fn dist(self) -> usize;
}

impl Link for u16 {
    #[inline(always)]
    fn of(dist: usize) -> Self {
        if dist > Self::MAX as usize { 0 } else { dist as Self }
    }

    #[inline(always)]
    fn dist(self) -> usize {
        self.into()
    }
}

impl Link for u32 {
    #[inline(always)]
    fn of(dist: usize) -> Self {
        dist as Self
    }

    #[inline(always)]
    fn dist(self) -> usize {
        self as usize
    }
}

/// The links of the last positions, by the position.
pub(in crate::codec) trait Links {
    /// How far before `at` the one before in its chain is; 0 for none.
    fn dist(&self, at: usize) -> usize;
    /// Sets it.
    fn set(&mut self, at: usize, dist: usize);
}

impl<L: Link> Links for [L] {
    #[inline(always)]
    fn dist(&self, at: usize) -> usize {
        self[at & (self.len() - 1)].dist()
    }

    #[inline(always)]
    fn set(&mut self, at: usize, dist: usize) {
        let at = at & (self.len() - 1);
        self[at] = L::of(dist);
    }
}

impl<L: Link, const N: usize> Links for [L; N] {
    #[inline(always)]
    fn dist(&self, at: usize) -> usize {
        self.as_slice().dist(at)
    }

    #[inline(always)]
    fn set(&mut self, at: usize, dist: usize) {
        self.as_mut_slice().set(at, dist);
    }
}

/// The tables that the finder is lent. The lengths are powers of two.
pub(in crate::codec) struct Tables<'a, H: ?Sized, K: ?Sized> {
    /// The last position of each hash plus 1; 0 for none.
    pub(in crate::codec) heads: &'a mut H,
    /// The links of the last positions, more than the farthest distance. Their content does not matter.
    pub(in crate::codec) links: &'a mut K,
    /// The last position plus 1 of each hash of three bytes, for matches of so many.
    pub(in crate::codec) threes: Option<&'a mut Threes>,
}

impl<'a, H: Lend, K: Lend> Tables<'a, H, K> {
    #[inline(always)]
    pub(super) fn lend(self) -> Tables<'a, H::Lent, K::Lent> {
        Tables { heads: self.heads.lend(), links: self.links.lend(), threes: self.threes }
    }
}

/// A table for matches of three bytes.
pub(in crate::codec) type Threes = [u32; 1 << 14];

/// How hard to search.
#[derive(Clone, Copy)]
pub(in crate::codec) struct Effort {
    /// Candidates that are compared.
    pub(in crate::codec) depth: usize,
    /// After so many positions without a match, as a power of two, the search steps further, and leaves out what it steps over.
    pub(in crate::codec) patience: u32,
    /// From this length on a match does not give way to a later one.
    pub(in crate::codec) lazy: usize,
    /// From this length on a match is taken without a look at further candidates.
    pub(in crate::codec) nice: usize,
}

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the
/// dictionary. The heads are 0.
#[inline(always)]
pub(in crate::codec) fn sequences<H: Lend<Lent: AsMut<[u32]>>, K: Lend<Lent: Links>>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, H, K>,
    effort: Effort,
    out: &mut impl Sequences,
) -> Option<usize> {
    find(src, start, tables.lend(), effort, lent(out))
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find<H: AsMut<[u32]> + ?Sized, K: Links + ?Sized>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, H, K>,
    effort: Effort,
    out: &mut (impl Sequences + ?Sized),
) -> Option<usize> {
    let rules = out.rules();
    let Some(mut finder) = Finder::new(src, start, tables, effort, rules) else { return Some(start) };
    let (mut anchor, mut at) = (start, start);
    let [mut item, mut row, mut tried] = [1, 0, 0];
    // LZ4HC takes a twentieth more time by it, and no less space.
    let likely = rules.recent || rules.nearer > 0;
    while at <= finder.limit {
        if let Some(found) = finder.going_on(at, item) {
            out.sequence(anchor, found.start, found.dist, found.len)?;
            (at, anchor) = (found.end(), found.end());
            finder.skip(&found);
            continue;
        }
        let found = finder.longest(at, at, rules.min_match - 1, out);
        let found = if likely && at == anchor { finder.likely(at, found, [item, row], out) } else { found };
        let again = if rules.recent { finder.again(at, at == anchor, out.recent()) } else { None };
        let mut found = match (found, again) {
            (Some(found), Some(again)) if found.len > again.len + CHEAPER => finder.later(found, out),
            (Some(found), None) => finder.later(found, out),
            (_, Some(again)) => again,
            (None, None) => {
                at = finder.step(at, tried);
                tried += 1;
                continue;
            }
        }
        .extended(src, anchor, rules.max_len);
        tried = 0;
        while let Some(longer) = finder.longer(&found, out) {
            found = longer;
        }
        out.sequence(anchor, found.start, found.dist, found.len)?;
        at = found.end();
        anchor = at;
        *(if found.dist <= ITEM { &mut item } else { &mut row }) = found.dist;
        finder.skip(&found);
    }
    Some(anchor)
}

/// Equal bytes in a row, of which it knows the last ones that it was asked for.
#[derive(Clone, Copy, Default)]
struct Run {
    start: usize,
    end: usize,
}

/// Matches of the longest length, one behind the other.
#[derive(Clone, Copy, Default)]
struct Series {
    start: usize,
    end: usize,
    /// The distance of the last one.
    dist: usize,
}

/// The candidates for a match that are left.
struct Chain {
    /// The position that was looked up, the first and the last one where a match may begin, and where it ends at the latest.
    at: usize,
    low: usize,
    last: usize,
    end: usize,
    /// The next candidate, if one is `left`.
    candidate: usize,
    left: usize,
}

pub(super) struct Finder<'a, H: ?Sized, K: ?Sized> {
    src: &'a [u8],
    tables: Tables<'a, H, K>,
    pub(super) rules: Rules,
    /// The last position where a match may begin.
    pub(super) limit: usize,
    /// Where matches end at the latest.
    end: usize,
    effort: Effort,
    /// The first position that has not been entered.
    next: usize,
    run: Run,
    series: Series,
}

impl<'a, H: AsMut<[u32]> + ?Sized, K: Links + ?Sized> Finder<'a, H, K> {
    /// A finder for `src[start..]` that has entered nothing; `None` if that is too short for a match.
    #[inline(always)]
    pub(super) fn new(
        src: &'a [u8],
        start: usize,
        tables: Tables<'a, H, K>,
        effort: Effort,
        rules: Rules,
    ) -> Option<Self> {
        if src.len() - start <= rules.match_limit {
            return None;
        }
        let (limit, end) = (src.len() - rules.match_limit, src.len() - rules.last_literals);
        Some(Self {
            src,
            tables,
            rules,
            limit,
            end,
            effort,
            next: 0,
            run: Run::default(),
            series: Series::default(),
        })
    }

    /// The byte at `at`.
    #[inline(always)]
    pub(super) const fn byte(&self, at: usize) -> u8 {
        self.src[at]
    }

    /// Matches of this length are taken without a look at others.
    #[inline(always)]
    pub(super) const fn nice(&self) -> usize {
        self.effort.nice
    }

    /// The next position to look up, after one without a match and so many others that were `tried`.
    #[inline(always)]
    fn step(&mut self, at: usize, tried: usize) -> usize {
        let step = (1 + (tried >> self.effort.patience)).min(LONGEST_STEP);
        if step > 1 {
            self.next = at + step;
        }
        at + step
    }

    /// Leaves out the inside of a long row of equal items, as of a run of equal bytes: its positions would all lead to itself. And
    /// that of a very long match or series, whose positions lead to what it repeats.
    #[inline(always)]
    pub(super) fn skip(&mut self, found: &Match) {
        let goes_on = (found.start, found.dist) == (self.series.end, self.series.dist);
        let start = if goes_on { self.series.start } else { found.start };
        // Quick searches only: others find what takes less space than the same again.
        let most = self.rules.max_len;
        let long = self.effort.nice < most && found.len >= most;
        let end = found.end();
        self.series = if long { Series { start, end, dist: found.dist } } else { Series::default() };
        if found.dist <= ITEM && found.len >= 4 * ITEM {
            self.next = self.next.max(end - ITEM);
        } else if end - start >= 16 * MATCH_ENDS {
            self.enter(start + MATCH_ENDS);
            self.next = self.next.max(end - MATCH_ENDS);
        }
    }

    /// A match of the longest length that goes on where one ended: with the distance of an item, which takes fewer bits, or with that
    /// of the series.
    #[inline(always)]
    fn going_on(&self, at: usize, item: usize) -> Option<Match> {
        let Series { start, end, dist } = self.series;
        if at != end || end - start < SERIES * self.rules.max_len {
            return None;
        }
        let longest = |dist| self.repeated(at, dist).filter(|found| found.len == self.rules.max_len);
        longest(item).or_else(|| longest(dist))
    }

    /// A match that begins a little later and is longer by more than that, or else the one that was found.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn later(&mut self, mut found: Match, out: &(impl Sequences + ?Sized)) -> Match {
        let depth = self.effort.depth;
        self.effort.depth = (depth / 16).max(LEAST_LATER).min(depth);
        let mut later = 1;
        while later <= LATER && found.len < self.effort.lazy && found.start + later <= self.limit {
            let at = found.start + later;
            match self.longest(at, at, found.len + later, out) {
                Some(other) => (found, later) = (other, 1),
                None => later += 1,
            }
        }
        self.effort.depth = depth;
        found
    }

    /// A longer match that has one of the last bytes of a match. Each position is looked up once.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn longer(&mut self, found: &Match, out: &(impl Sequences + ?Sized)) -> Option<Match> {
        let at = self.next.max(found.end() - LAST);
        if found.len >= LONG.min(self.effort.lazy) || at >= found.end() || at > self.limit {
            return None;
        }
        self.longest(at, found.start, found.len, out)
    }

    /// The longest match that has the byte at `at`, begins at `low` or up to [`LATER`] positions later, and is longer than `len`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn longest(
        &mut self,
        at: usize,
        low: usize,
        len: usize,
        out: &(impl Sequences + ?Sized),
    ) -> Option<Match> {
        let mut best = None;
        let take = |found: Match| {
            if out.gains(found.dist, found.len) {
                best = Some(found);
            }
        };
        self.search(at, low, len, |dist| out.least(dist), take);
        best
    }

    /// All matches at `at`, each longer than those before, and as near as one of that length is.
    #[inline(always)]
    pub(super) fn all(&mut self, at: usize, mut each: impl FnMut(Match)) {
        self.search(at, at, self.rules.min_match - 1, |_| 0, &mut each);
    }

    /// A match at `at` with this distance, or none if it is 0.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn repeated(&self, at: usize, dist: usize) -> Option<Match> {
        if dist == 0 || dist > at {
            return None;
        }
        let len = common(self.src, at - dist, at, self.end.min(at.saturating_add(self.rules.max_len)));
        (len >= self.rules.min_match).then_some(Match { start: at, dist, len })
    }

    /// A longer match than the one found, by the last distances to an item and to a row before: the row goes on, or the item at `at`
    /// begins one of such items.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn likely(
        &self,
        at: usize,
        found: Option<Match>,
        [item, row]: [usize; 2],
        out: &(impl Sequences + ?Sized),
    ) -> Option<Match> {
        let found = likelier(found, self.repeated(at, row), 0, out);
        let next = if at + item <= self.limit { self.repeated(at + item, item) } else { None };
        likelier(found, next, 0, out)
    }

    /// A match by a recent distance: by the one before the last right behind a match, else by the last one, or that a literal later.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn again(&self, at: usize, behind: bool, [last, before]: [usize; 2]) -> Option<Match> {
        let dist = if behind { before } else { last };
        // Four bytes tell most that are none: a tenth less time for zstd. In WebAssembly it would be another copy of that.
        let may_be = cfg!(target_family = "wasm") || repeats(self.src, dist, at);
        let here = if may_be { self.repeated(at, dist) } else { None };
        let gap = if behind { SOON } else { 1 };
        let next = repeats_soon(self.src, last, at, gap).and_then(|at| self.repeated(at, last));
        if next.is_some_and(|next| here.is_none_or(|here| next.len > here.len + 1)) { next } else { here }
    }

    /// Matches that have the byte at `at`, begin at `low` or up to [`LATER`] positions later, and are longer than `len`, each longer
    /// than the last one: if that gained nothing, none does that is as long and farther. Those of a chain are no shorter than
    /// `least` says of the nearest.
    /// Enters `at` and all positions before it: they come in order.
    #[inline(always)]
    fn search(
        &mut self,
        at: usize,
        low: usize,
        mut len: usize,
        least: impl Fn(usize) -> usize,
        mut take: impl FnMut(Match),
    ) {
        if self.next < at {
            self.enter(at);
        }
        let (bucket, run) = self.bucket(at);
        // The last position where a match may begin.
        let last = at.min(low + LATER);
        let (src, end) = (self.src, self.end.min(last.saturating_add(self.rules.max_len)));
        let (candidate, three) = (self.put(bucket, at), self.replace_three(at));
        if let Some(run) = run
            && at > 0
            && src[at - 1] == src[at]
        {
            let start = low.max(at.min(run.start + 1));
            let run = Match { start, dist: 1, len: run.end.min(end) - start };
            if start <= last && run.len > len {
                take(run);
                len = run.len;
                if len >= self.effort.nice {
                    return;
                }
            }
        }
        if let Some(three) = three
            && len < 3
            && let Some(found) = self.three(at, three)
        {
            take(found);
            len = found.len;
        }
        let Some(candidate) = candidate else { return };
        len = (len + 1).max(least(at - candidate)) - 1;
        let mut chain = Chain { at, low, last, end, candidate, left: self.effort.depth };
        while let Some(found) = self.next(&mut chain, len) {
            take(found);
            len = found.len;
            if len >= self.effort.nice {
                return;
            }
        }
    }

    /// The next match of a chain that is longer than `len`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&self, chain: &mut Chain, len: usize) -> Option<Match> {
        let Chain { at, low, last, end, mut candidate, mut left } = *chain;
        // A longer match has these four bytes as well.
        let tail = (low + len + 1).max(at + 4) - 4;
        if tail + 4 > end {
            return None;
        }
        let (word, tails) = (read::<4>(self.src, tail), &self.src[tail - at..]);
        let farthest = at - self.rules.max_dist.min(last);
        while left > 0 && candidate >= farthest {
            let dist = at - candidate;
            let equal = read::<4>(tails, candidate) == word;
            let back = self.tables.links.dist(candidate);
            candidate -= back;
            left = if back == 0 { 0 } else { left - 1 };
            if equal && read::<4>(self.src, last - dist) == read::<4>(self.src, last) {
                let ahead = 4 + common(self.src, last - dist + 4, last + 4, end);
                let found =
                    Match { start: last, dist, len: ahead }.extended(self.src, low, self.rules.max_len);
                if found.len > len {
                    (chain.candidate, chain.left) = (candidate, left);
                    return Some(found);
                }
            }
        }
        None
    }

    /// A match of three bytes, or a few more.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn three(&self, at: usize, candidate: usize) -> Option<Match> {
        let (dist, end) = (at - candidate, self.end.min(at.saturating_add(self.rules.max_len)));
        if dist > self.rules.max_dist {
            return None;
        }
        let len = common(self.src, candidate, at, end);
        (len >= 3).then_some(Match { start: at, dist, len })
    }

    /// Puts `at` in the place of its three bytes and tells what was there.
    #[inline(always)]
    fn replace_three(&mut self, at: usize) -> Option<usize> {
        let threes = self.tables.threes.as_mut().filter(|_| self.rules.min_match == 3)?;
        let three = u32::from_le_bytes(read(self.src, at)) << 8;
        let slot = three.wrapping_mul(506_832_829) >> (32 - threes.len().ilog2());
        (mem::replace(&mut threes[slot as usize], at as u32 + 1) as usize).checked_sub(1)
    }

    /// Enters all positions before `at`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn enter(&mut self, at: usize) {
        while self.next < at {
            let (bucket, run) = self.bucket(self.next);
            if let Some(run) = run
                && self.next > run.start
                && run.end - self.next > RUN_END
            {
                self.next = at.min(run.end - RUN_END);
                continue;
            }
            self.replace_three(self.next);
            self.put(bucket, self.next);
        }
    }

    /// Enters the next position and tells the one before it in its chain, which may be too far.
    #[inline(always)]
    fn put(&mut self, bucket: usize, at: usize) -> Option<usize> {
        self.next = at + 1;
        self.expect(at + AHEAD);
        let head = &mut self.tables.heads.as_mut()[bucket];
        let before = (mem::replace(head, at as u32 + 1) as usize).checked_sub(1);
        self.tables.links.set(at, before.map_or(0, |before| at - before));
        before
    }

    /// Fetches the head of a position that comes soon, where many heads are not in the cache. LZ4HC, which has few, takes a
    /// twentieth more time by it, zstd up to a third less.
    #[inline(always)]
    fn expect(&mut self, at: usize) {
        let heads = self.tables.heads.as_mut();
        if heads.len() >= MANY
            && let Some(bytes) = self.src.get(at..).and_then(<[u8]>::first_chunk)
        {
            prefetch(heads, slot(u32::from_le_bytes(*bytes), shift(heads)));
        }
    }

    /// The bucket of a position, and the run that it is in, if that has four bytes from there on.
    #[inline(always)]
    fn bucket(&mut self, at: usize) -> (usize, Option<Run>) {
        let bytes = u32::from_le_bytes(read(self.src, at));
        let shift = shift(self.tables.heads.as_mut());
        if bytes != bytes.rotate_left(8) {
            return (slot(bytes, shift), None);
        }
        if !(self.run.start..self.run.end).contains(&at) {
            self.run = run_at(self.src, at);
        }
        let left = (self.run.end - at) as u32;
        let key = (bytes & 255 | left << 8).wrapping_mul(2_246_822_519);
        ((key >> shift) as usize, Some(self.run))
    }
}

/// The shift that makes a bucket of a product.
#[inline(always)]
const fn shift(heads: &[u32]) -> u32 {
    32 - heads.len().ilog2()
}

/// The bucket of four bytes.
#[inline(always)]
const fn slot(bytes: u32, shift: u32) -> usize {
    (bytes.wrapping_mul(2_654_435_761) >> shift) as usize
}

/// The run at `at`. What lies before is not looked at: positions come in order.
#[inline(never)]
fn run_at(src: &[u8], at: usize) -> Run {
    let rest = &src[at..];
    let (many, byte) = ([rest[0]; 32], rest[0]);
    let whole = rest.as_chunks::<32>().0.iter().take_while(|chunk| **chunk == many).count() * 32;
    let more = rest[whole..].iter().take_while(|other| **other == byte).count();
    Run { start: at, end: at + whole + more }
}

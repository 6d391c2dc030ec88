//! The encoder of LZ4HC: chains of all earlier positions of a hash, and lazy matches.
//!
//! Shuffled data are full of runs of one byte. Where all positions of runs are in one chain, the search goes through
//! nothing but other places of the same run. So a position in a run is hashed by the byte and by how much of the run is
//! left: the candidate's run then ends where ours ends, and the match goes on behind it. Distance 1 is tried by itself, and
//! of a long run only the start and the end are entered.

use super::encode::{MATCH_LIMIT, MAX_DIST};
use super::writer::{LAST_LITERALS, Writer};
use crate::codec::matching::{common, read};
use crate::simd::{Repeat, Work, widest};

/// As many positions before the end of a run are entered, besides its first.
const RUN_END: usize = 256;

/// The last position of each hash plus 1; 0 for none.
pub(in crate::codec) type Heads = [u32; 1 << 15];
/// How far before each position of the last 64 KiB the one before in its chain is; 0 for none.
pub(in crate::codec) type Links = [u16; 1 << 16];

/// What an encoder of LZ4HC is lent.
pub(in crate::codec) struct Chains<'a> {
    pub(in crate::codec) heads: &'a mut Heads,
    pub(in crate::codec) links: &'a mut Links,
}

/// How hard to search.
#[derive(Clone, Copy)]
struct Effort {
    /// Candidates that are compared.
    depth: usize,
    /// How many positions after a match one is tried that would be longer.
    lazy: usize,
}

const fn effort(level: u8) -> Effort {
    let (depth, lazy) = match level {
        0..=1 => (2, 1),
        2 => (4, 1),
        3 => (8, 2),
        4 => (12, 2),
        5 => (20, 2),
        6 => (32, 2),
        7 => (64, 2),
        8 => (128, 2),
        _ => (256, 2),
    };
    Effort { depth, lazy }
}

/// Encodes `src` as one block into `dst` and returns its length; `None` if it does not fit.
pub(in crate::codec) fn encode(src: &[u8], dst: &mut [u8], chains: Chains<'_>, level: u8) -> Option<usize> {
    chains.heads.fill(0);
    widest(Block { src, dst, chains, effort: effort(level) })
}

struct Block<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    chains: Chains<'a>,
    effort: Effort,
}

impl Work for Block<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Self::Output {
        let Self { src, dst, chains, effort } = self;
        let mut out = Writer::new(src, dst);
        let mut anchor = 0;
        if src.len() > MATCH_LIMIT {
            let end = src.len() - LAST_LITERALS;
            let mut finder = Finder { src, chains, end, depth: effort.depth, next: 0, run: Run::default() };
            anchor = sequences(&mut finder, &mut out, effort.lazy)?;
        }
        out.last(anchor)
    }
}

/// A match, where there is one: else its length is 3.
#[derive(Clone, Copy)]
struct Match {
    at: usize,
    dist: usize,
    len: usize,
}

/// Writes all sequences but the last, which begins where it says.
#[inline(always)]
fn sequences(finder: &mut Finder<'_>, out: &mut Writer<'_>, lazy: usize) -> Option<usize> {
    let src = finder.src;
    let limit = src.len() - MATCH_LIMIT;
    let (mut anchor, mut at) = (0, 0);
    while at <= limit {
        let mut found = finder.best(at);
        if found.dist == 0 {
            at += 1;
            continue;
        }
        let mut later = 1;
        while later <= lazy && found.at + later <= limit {
            let other = finder.best(found.at + later);
            // It must be longer by more than what it gives up.
            if other.dist != 0 && other.len > found.len + later {
                found = other;
                later = 0;
            }
            later += 1;
        }
        let Match { at: mut start, dist, mut len } = found;
        while start > anchor && start > dist && src[start - 1] == src[start - 1 - dist] {
            start -= 1;
            len += 1;
        }
        out.sequence(anchor, start, dist, len)?;
        at = start + len;
        anchor = at;
    }
    Some(anchor)
}

/// Equal bytes in a row, of which it knows the last ones that it was asked for.
#[derive(Clone, Copy, Default)]
struct Run {
    start: usize,
    end: usize,
}

struct Finder<'a> {
    src: &'a [u8],
    chains: Chains<'a>,
    /// Where matches end at the latest.
    end: usize,
    depth: usize,
    /// The first position that has not been entered.
    next: usize,
    run: Run,
}

impl Finder<'_> {
    /// The longest match at `at`, after entering all positions before. They come in order.
    #[inline(always)]
    fn best(&mut self, at: usize) -> Match {
        self.enter(at);
        let (bucket, run) = self.bucket(at);
        let mut best = Match { at, dist: 0, len: 3 };
        if let Some(run) = run
            && at > 0
            && self.src[at - 1] == self.src[at]
        {
            best = Match { at, dist: 1, len: run.end.min(self.end) - at };
        }
        let (src, end) = (self.src, self.end);
        let Some(mut candidate) = (self.chains.heads[bucket] as usize).checked_sub(1) else { return best };
        for _ in 0..self.depth {
            if at - candidate > MAX_DIST || at + best.len >= end {
                break;
            }
            // A longer match has these four bytes as well.
            let tail = best.len - 3;
            if read::<4>(src, candidate + tail) == read::<4>(src, at + tail)
                && read::<4>(src, candidate) == read::<4>(src, at)
            {
                let len = 4 + common(src, candidate + 4, at + 4, end);
                if len > best.len {
                    best = Match { at, dist: at - candidate, len };
                }
            }
            match self.chains.links[candidate & MAX_DIST] {
                0 => break,
                back => candidate -= usize::from(back),
            }
        }
        best
    }

    /// Enters all positions before `at`.
    #[inline(always)]
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
            let head = &mut self.chains.heads[bucket];
            let back = (self.next + 1).saturating_sub(*head as usize);
            let back = if *head == 0 || back > MAX_DIST { 0 } else { back };
            self.chains.links[self.next & MAX_DIST] = back as u16;
            *head = self.next as u32 + 1;
            self.next += 1;
        }
    }

    /// The bucket of a position, and the run that it is in, if that has four bytes from there on.
    #[inline(always)]
    fn bucket(&mut self, at: usize) -> (usize, Option<Run>) {
        let bytes = u32::from_le_bytes(read(self.src, at));
        if bytes != bytes.rotate_left(8) {
            return ((bytes.wrapping_mul(2_654_435_761) >> 17) as usize, None);
        }
        if !(self.run.start..self.run.end).contains(&at) {
            self.run = run_at(self.src, at);
        }
        let left = (self.run.end - at) as u32;
        let key = (bytes & 255 | left << 8).wrapping_mul(2_246_822_519);
        ((key >> 17) as usize, Some(self.run))
    }
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

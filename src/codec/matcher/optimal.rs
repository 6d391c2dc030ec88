//! The parser that compares all ways: of all that matches and literals give, those of the lowest price.
//!
//! It goes through a stretch of positions. Each has the lowest price of what leads to it, and the last step there; from each, a
//! literal and all matches lead on. A very long match ends the stretch and is taken.

use super::Sequences;
use super::chains::{Effort, Finder, Links, Tables};
use super::found::Match;
use super::lend::Lend;
use core::mem;

/// Prices of literals and matches, in any unit.
pub(in crate::codec) trait Prices: Sequences {
    /// The state after all sequences so far.
    fn state(&self) -> State {
        State::default()
    }

    /// Distances that are worth a try besides those of the matches that are found, or 0.
    fn recent_at(&self, from: &Node) -> [usize; 3] {
        _ = from;
        [0; 3]
    }

    /// Called before the prices for what begins at `at` are asked for.
    fn prepare(&mut self, at: usize) {
        _ = at;
    }

    /// The price of a literal after `run` others in a row; less than 0 if a longer run is cheaper.
    fn literal(&self, byte: u8, run: u32) -> i32;

    /// The price of a match of `len` bytes, but for its distance.
    fn length(&self, len: usize) -> u32;

    /// The price of a distance, and the state behind such a match.
    fn distance(&self, dist: usize, from: &Node) -> (u32, State);
}

/// Positions of a stretch.
const STRETCH: usize = 4096;
/// Longer matches are taken at once.
const MAX_MATCH: usize = 512;

/// The state after a way, as far as it matters for the price of distances: the last ones, if the format writes them shorter.
pub(in crate::codec) type State = [u32; 3];

/// A position, and the cheapest way to it.
#[derive(Clone, Copy, Default)]
pub(in crate::codec) struct Node {
    price: u32,
    /// The last step: 1 for a literal, or a match of `len` bytes.
    len: u32,
    dist: u32,
    /// Literals in a row up to here.
    pub(in crate::codec) run: u32,
    pub(in crate::codec) state: State,
}

/// Memory for a stretch: 126 KiB.
pub(in crate::codec) type Nodes = [Node; STRETCH + MAX_MATCH];

/// Finds the sequences of `src[start..]` and returns where the last literals begin. What lies before `start` is the dictionary.
/// The heads are 0. Of an effort only `depth` and `nice` count.
#[inline(always)]
pub(in crate::codec) fn sequences<H: Lend<Lent: AsMut<[u32]>>, K: Lend<Lent: Links>>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, H, K>,
    effort: Effort,
    nodes: &mut Nodes,
    out: &mut impl Prices,
) -> Option<usize> {
    #[cfg(target_family = "wasm")]
    let out = out as &mut dyn Prices;
    find(src, start, tables.lend(), effort, nodes, out)
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find<H: AsMut<[u32]> + ?Sized, K: Links + ?Sized>(
    src: &[u8],
    start: usize,
    tables: Tables<'_, H, K>,
    effort: Effort,
    nodes: &mut Nodes,
    out: &mut (impl Prices + ?Sized),
) -> Option<usize> {
    let Some(mut finder) = Finder::new(src, start, tables, effort, out.rules()) else { return Some(start) };
    let (mut anchor, mut at) = (start, start);
    while at <= finder.limit {
        out.prepare(at);
        nodes[0] = Node { run: (at - anchor) as u32, state: out.state(), ..Node::default() };
        let (end, long) = stretch(&mut finder, at, nodes, out);
        turn(nodes, end);
        let mut step = 0;
        while step < end {
            let Node { len, dist, .. } = nodes[step];
            if dist > 0 {
                out.sequence(anchor, at + step, dist as usize, len as usize)?;
                anchor = at + step + len as usize;
            }
            step += len as usize;
        }
        at += end;
        if let Some(found) = long {
            out.sequence(anchor, at, found.dist, found.len)?;
            finder.skip(&found);
            at += found.len;
            anchor = at;
        }
    }
    Some(anchor)
}

/// Finds the cheapest ways from `at` on. Returns how far they go, and a long match behind that.
#[inline(always)]
fn stretch<H: AsMut<[u32]> + ?Sized, K: Links + ?Sized>(
    finder: &mut Finder<'_, H, K>,
    at: usize,
    nodes: &mut Nodes,
    out: &(impl Prices + ?Sized),
) -> (usize, Option<Match>) {
    let mut reach = 0;
    for step in 0..STRETCH {
        if at + step > finder.limit {
            return (step, None);
        }
        let from = nodes[step];
        let mut take = |step: usize, node: Node| {
            while reach < step {
                reach += 1;
                nodes[reach].price = u32::MAX;
            }
            if node.price < nodes[step].price {
                nodes[step] = node;
            }
        };
        let byte = finder.byte(at + step);
        let price = from.price.saturating_add_signed(out.literal(byte, from.run));
        take(step + 1, Node { price, len: 1, dist: 0, run: from.run + 1, state: from.state });
        let (mut long, nice) = (None, finder.nice().min(MAX_MATCH));
        let mut each = |found: Match, shortest: usize| {
            if found.len >= nice {
                long = Some(found);
                return;
            }
            let (price, state) = out.distance(found.dist, &from);
            let base = from.price + price;
            for len in shortest..=found.len {
                let price = base + out.length(len);
                take(step + len, Node { price, len: len as u32, dist: found.dist as u32, run: 0, state });
            }
        };
        let min_match = finder.rules.min_match;
        if finder.rules.recent {
            for dist in out.recent_at(&from) {
                if let Some(found) = finder.repeated(at + step, dist) {
                    each(found, min_match);
                }
            }
        }
        let mut shortest = min_match;
        finder.all(at + step, |found| {
            each(found, shortest);
            shortest = found.len + 1;
        });
        if long.is_some() {
            return (step, long);
        }
    }
    (STRETCH, None)
}

/// Makes each node of the way to `end` tell the next step instead of the last.
#[inline(always)]
fn turn(nodes: &mut Nodes, mut end: usize) {
    let mut next = Node::default();
    while end > 0 {
        mem::swap(&mut nodes[end], &mut next);
        end -= next.len as usize;
    }
    nodes[0] = next;
}

//! Sequences give back what they were found in, and keep to the rules of their format.

use super::*;
use crate::codec::tests::Random;
use alloc::vec;
use alloc::vec::Vec;

/// Takes sequences and builds what they stand for.
struct Copies<'a, const DIST: usize, const LIMIT: usize, const LAST: usize> {
    src: &'a [u8],
    plain: Vec<u8>,
    /// The start of the dictionary's end.
    anchor: usize,
    farthest: usize,
    matched: usize,
    sequences: usize,
}

impl<'a, const DIST: usize, const LIMIT: usize, const LAST: usize> Copies<'a, DIST, LIMIT, LAST> {
    fn new(src: &'a [u8], start: usize) -> Self {
        Self { src, plain: src[..start].to_vec(), anchor: start, farthest: 0, matched: 0, sequences: 0 }
    }

    fn last(mut self, anchor: usize) -> Self {
        assert_eq!(anchor, self.anchor);
        self.plain.extend_from_slice(&self.src[anchor..]);
        assert!(self.plain == self.src);
        self
    }
}

impl<const DIST: usize, const LIMIT: usize, const LAST: usize> Sequences for Copies<'_, DIST, LIMIT, LAST> {
    fn rules(&self) -> Rules {
        Rules { match_limit: LIMIT, last_literals: LAST, ..Rules::within(DIST) }
    }

    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, len: usize) -> Option<()> {
        assert!(anchor == self.anchor && start >= anchor && len >= MIN_MATCH && (1..=DIST).contains(&dist));
        assert!(start + LIMIT <= self.src.len() && start + len + LAST <= self.src.len());
        self.plain.extend_from_slice(&self.src[anchor..start]);
        for _ in 0..len {
            self.plain.push(self.plain[self.plain.len() - dist]);
        }
        self.anchor = start + len;
        self.farthest = self.farthest.max(dist);
        self.matched += len;
        self.sequences += 1;
        Some(())
    }
}

const EFFORT: chains::Effort = chains::Effort { depth: 8, patience: 8, lazy: 64, nice: 1000 };

/// Matches of each finder: by a table of 2 KiB if the positions fit, by one of 16 KiB, by two tables, by chains.
fn found<'a, const DIST: usize, const LIMIT: usize, const LAST: usize>(
    src: &'a [u8],
    start: usize,
    links: &mut [u32],
) -> Vec<Copies<'a, DIST, LIMIT, LAST>> {
    let mut all = vec![];
    let mut with = |find: &mut dyn FnMut(&mut Copies<'a, DIST, LIMIT, LAST>) -> Option<usize>| {
        let mut out = Copies::new(src, start);
        let anchor = find(&mut out).unwrap();
        all.push(out.last(anchor));
    };
    if src.len() < 1 << 16 {
        with(&mut |out| fast::sequences(src, start, &mut [0_u16; 1 << 10], 1, out));
    }
    with(&mut |out| fast::sequences(src, start, &mut [0_u32; 1 << 12], 1, out));
    with(&mut |out| {
        let (long, short) = (&mut [0_u32; 1 << 12], &mut [0_u32; 1 << 12]);
        double::sequences(src, start, double::Tables { long, short }, out)
    });
    with(&mut |out| {
        let tables = chains::Tables {
            heads: &mut [0; 1 << 12],
            links: links.first_chunk_mut().unwrap(),
            threes: None,
        };
        chains::sequences::<[u32; 1 << 12], [u32; 1 << 20]>(src, start, tables, EFFORT, out)
    });
    let mut nodes = vec![optimal::Node::default(); size_of::<optimal::Nodes>() / size_of::<optimal::Node>()];
    with(&mut |out| {
        let tables = chains::Tables {
            heads: &mut [0; 1 << 12],
            links: links.first_chunk_mut().unwrap(),
            threes: None,
        };
        let nodes = nodes.first_chunk_mut().unwrap();
        optimal::sequences::<[u32; 1 << 12], [u32; 1 << 20]>(src, start, tables, EFFORT, nodes, out)
    });
    all
}

impl<const DIST: usize, const LIMIT: usize, const LAST: usize> optimal::Prices
    for Copies<'_, DIST, LIMIT, LAST>
{
    fn literal(&self, _: u8, run: u32) -> i32 {
        4 + i32::from(run == 9)
    }

    fn length(&self, len: usize) -> u32 {
        9 + len as u32 / 100
    }

    fn distance(&self, dist: usize, from: &optimal::Node) -> (u32, optimal::State) {
        (dist.ilog2(), from.state)
    }
}

#[test]
fn sequences_give_back_the_stream() {
    let mut random = Random(81);
    let mut links = vec![9; 1 << 20];
    let long = if cfg!(miri) { 300 } else { 70_000 };
    for len in (0..40).chain([100, 1000, 5000, 32_768, 70_000]).filter(|len| *len <= long) {
        for _ in 0..if len < 1000 { 20 } else { 1 } {
            let src = random.data(len.max(1));
            let start = random.below(1 + src.len() / 2);
            for start in [0, start] {
                found::<32_767, 8, 0>(&src, start, &mut links);
                found::<65_535, 12, 5>(&src, start, &mut links);
                found::<{ (1 << 20) - 1 }, 8, 0>(&src, start, &mut links);
            }
        }
    }
}

/// A match is found at the farthest distance, and at no greater one.
#[test]
#[cfg_attr(miri, ignore = "long streams")]
fn windows_end_where_the_format_says() {
    let mut random = Random(82);
    for (dist, expected) in [(32_767, true), (32_768, false)] {
        check(&mut random, dist, expected, |src, links| found::<32_767, 8, 0>(src, 0, links));
    }
    for (dist, expected) in [(65_535, true), (65_536, false)] {
        check(&mut random, dist, expected, |src, links| found::<65_535, 12, 5>(src, 0, links));
    }
    for (dist, expected) in [(65_536, true), (300_000, true), ((1 << 20) - 1, true), (1 << 20, false)] {
        check(&mut random, dist, expected, |src, links| found::<{ (1 << 20) - 1 }, 8, 0>(src, 0, links));
    }
}

/// Checks whether the chains find what repeats at a distance.
fn check<const DIST: usize, const LIMIT: usize, const LAST: usize>(
    random: &mut Random,
    dist: usize,
    expected: bool,
    find: impl for<'a> Fn(&'a [u8], &mut [u32]) -> Vec<Copies<'a, DIST, LIMIT, LAST>>,
) {
    let text: Vec<u8> = (0..200).map(|_| random.next() as u8).collect();
    let between = (200..dist).map(|i| (i % 251) as u8).collect::<Vec<u8>>();
    let src = [&text[..], &between, &text].concat();
    let all = find(&src, &mut vec![9; 1 << 20]);
    for chains in &all[all.len() - 2..] {
        assert_eq!(chains.farthest == dist, expected, "{dist}");
    }
}

/// Rows that repeat parts of themselves are found to repeat the row above.
#[test]
#[cfg_attr(miri, ignore = "long streams")]
fn two_tables_find_rows_that_repeat_others() {
    let mut random = Random(83);
    let mut row = vec![0; 1024];
    for piece in row.chunks_exact_mut(37) {
        let kind = random.below(4) as u8;
        (piece[0], piece[1]) = (kind % 2, kind / 2);
    }
    let src = row.repeat(32);
    let mut out = Copies::<{ (1 << 20) - 1 }, 8, 0>::new(&src, 0);
    let (long, short) = (&mut [0_u32; 1 << 12], &mut [0_u32; 1 << 12]);
    let anchor = double::sequences(&src, 0, double::Tables { long, short }, &mut out).unwrap();
    let found = out.last(anchor);
    assert!(found.sequences < 120, "{} sequences", found.sequences);
}

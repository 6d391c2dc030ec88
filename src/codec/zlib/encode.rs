//! The encoder: one table of positions at level 1, two at levels 2 and 3, chains from level 4 on. Level 10 searches again with the
//! prices that the codes of the search before gave.
//!
//! From level 4 on, streams without matches whose bytes are about as frequent are given up at once, by a probe. One or two tables
//! take less time than it.
//!
//! Beside C-Blosc2, which uses zlib-ng, the bench's means at levels 1, 3, 5 and 9: 0.76, 0.88, 0.92 and 0.99 of the size, 1.4, 2.0,
//! 1.2 and 2.2 of the speed. At level 1 zlib-ng writes fixed codes, which need not be made. Where those are written here too if a block
//! has few symbols, sparse data take 0.9 of the space and half of the time. Two tables at level 3 are three times as fast as chains of 6
//! candidates, and take 3 % more. Level 10 takes 0.98 of the size of level 9 and ten times as long. Matches of three bytes at level 5
//! make unfiltered images 3 % and photographs 6 % smaller, and take a sixth more time for them.

use super::adler::Adler;
use super::blocks::Blocks;
use super::huffman_codes::Lengths;
use super::prices::Pass;
use super::symbols::{Codes, Sequence};
use crate::codec::encode::{BEST, is_best, table};
use crate::codec::matcher::chains::{self, Effort, Near};
use crate::codec::matcher::optimal::{self, Node, Nodes};
use crate::codec::matcher::{double, fast, probe};
use crate::simd::{Instructions, Work, widest};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

/// Slots of the chains' heads, and of the two tables, which lie in them.
const HEADS: usize = 1 << 15;
const SLOTS: usize = 1 << 14;
/// Slots of the one table of the first level, in the heads too.
const FAST: usize = 1 << 12;
/// The first level with chains.
const CHAINS: u8 = 4;
/// The first level that looks for matches of three bytes in all streams; from [`CHAINS`] on where longer ones are rare.
const THREES: u8 = 8;
/// At level 1, blocks of fewer literals and matches are not worth codes of their own.
const FEW: usize = 2048;
/// How often the best level searches with the prices of the pass before.
const PASSES: usize = 2;
/// A window of 32 KiB.
const LINKS: usize = 1 << 15;

/// Memory that streams share: 64 KiB of sequences, 5 KiB of codes and 128 KiB of positions, from level 4 on 64 KiB of links, from level 8
/// on 64 KiB for matches of three bytes, and at level 10 126 KiB of ways.
#[derive(Default)]
pub(crate) struct Encoder {
    sequences: Vec<Sequence>,
    heads: Vec<u32>,
    links: Vec<Near>,
    threes: Vec<u32>,
    nodes: Vec<Node>,
    codes: Option<Box<Codes>>,
    /// The code lengths of the last pass.
    last: Pass,
}

/// How to search for matches.
enum Search<'a> {
    Fast(&'a mut [u32; FAST]),
    Double(double::Tables<'a, [u32; SLOTS]>),
    Chains(chains::Tables<'a, [u32; HEADS], [Near; LINKS]>, Effort),
    Optimal(chains::Tables<'a, [u32; HEADS], [Near; LINKS]>, Effort, &'a mut Nodes),
}

impl Encoder {
    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    pub(crate) fn encode(&mut self, src: &[u8], dst: &mut [u8], level: u8) -> Option<usize> {
        let heads = table::<_, HEADS>(&mut self.heads)?;
        if level >= CHAINS
            && dst.len() < src.len()
            && probe::is_even(src)
            && probe::matchless(src, 0, LINKS, heads.first_chunk_mut::<FAST>()?)
        {
            return None;
        }
        if !is_best(level) {
            return self.pass(src, dst, level, &[]);
        }
        let mut best = self.pass(src, dst, BEST - 1, &[]);
        let mut before: Option<Pass> = None;
        for _ in 0..PASSES {
            let earlier = mem::take(&mut self.last);
            let len = self.pass(src, dst, level, &earlier);
            if best.is_some_and(|best| len.is_none_or(|len| len > best)) {
                // What was shorter, once more.
                return match before {
                    None => self.pass(src, dst, BEST - 1, &[]),
                    Some(before) => self.pass(src, dst, level, &before),
                };
            }
            (best, before) = (len, Some(earlier));
        }
        best
    }

    /// Encodes a stream with a search for matches; at [`BEST`] with the prices of an earlier pass.
    fn pass(&mut self, src: &[u8], dst: &mut [u8], level: u8, earlier: &[(usize, Lengths)]) -> Option<usize> {
        let heads = table::<_, HEADS>(&mut self.heads)?;
        let search = match level {
            ..=1 => Search::Fast(heads.first_chunk_mut()?),
            2..CHAINS => {
                let (long, short) = heads.split_first_chunk_mut()?;
                Search::Double(double::Tables { long, short: short.first_chunk_mut()? })
            }
            _ => {
                let threes =
                    level >= THREES || probe::is_sparse(src, LINKS, heads.first_chunk_mut::<FAST>()?);
                let threes = if threes { Some(table(&mut self.threes)?) } else { None };
                let tables = chains::Tables { heads, links: table(&mut self.links)?, threes };
                if is_best(level) {
                    Search::Optimal(tables, effort(level), table(&mut self.nodes)?)
                } else {
                    Search::Chains(tables, effort(level))
                }
            }
        };
        let sequences = table(&mut self.sequences)?;
        let codes = self.codes.get_or_insert_with(|| Box::new(Codes::EMPTY));
        let few = if level <= 1 { FEW } else { 0 };
        let blocks = Blocks::new(src, (head(level), few), dst, sequences, codes, &mut self.last, earlier)?;
        widest(Stream { src, blocks, search })
    }
}

/// The effort of a level.
const fn effort(level: u8) -> Effort {
    let (depth, patience, lazy, nice) = match level {
        ..=4 => (5, 5, 8, 48),
        5 => (8, 5, 20, 64),
        6 => (24, 7, 48, 128),
        7 => (64, 13, 258, 258),
        8 => (128, 14, 258, 258),
        9 => (256, 14, 258, 258),
        _ => (1024, 14, 258, 258),
    };
    Effort { depth, patience, lazy, nice }
}

/// The header: deflate with a window of 32 KiB, and four ranges of levels.
const fn head(level: u8) -> [u8; 2] {
    let flags = match level {
        ..=1 => 0x01,
        2..=5 => 0x5E,
        6 => 0x9C,
        _ => 0xDA,
    };
    [0x78, flags]
}

struct Stream<'a> {
    src: &'a [u8],
    blocks: Blocks<'a>,
    search: Search<'a>,
}

impl Work for Stream<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { src, mut blocks, search } = self;
        let anchor = match search {
            Search::Fast(table) => {
                table.fill(0);
                fast::sequences(src, 0, table, 1, &mut blocks)?
            }
            Search::Double(tables) => {
                tables.long.fill(0);
                tables.short.fill(0);
                double::sequences(src, 0, tables, &mut blocks)?
            }
            Search::Chains(mut tables, effort) => {
                clear(&mut tables);
                chains::sequences(src, 0, tables, effort, &mut blocks)?
            }
            Search::Optimal(mut tables, effort, nodes) => {
                clear(&mut tables);
                optimal::sequences(src, 0, tables, effort, nodes, &mut blocks)?
            }
        };
        let mut sum = Adler::EMPTY;
        sum.add(src);
        blocks.last(anchor, sum.value())
    }
}

/// Forgets all positions.
fn clear(tables: &mut chains::Tables<'_, [u32; HEADS], [Near; LINKS]>) {
    tables.heads.fill(0);
    if let Some(threes) = &mut tables.threes {
        threes.fill(0);
    }
}

//! The encoder: frames of one segment, with the size of their content and without a checksum.
//!
//! A sample tells whether a stream is noise, which is stored, or, above level 1, has no matches: then its bytes get Huffman codes and
//! nothing is searched. Level 1 looks for matches with one table, levels 2 and 3 with two, levels 4 to 6 with chains, or with two
//! tables where there are none but those of four bytes. From level 7 on all ways to use the matches are compared by what they take.
//! Below that, a match is left if it takes more space than literals would.
//!
//! The finders give sequences to [`block::Blocks`], which ends a block before it gets too long. Each block chooses anew, by cost,
//! how its literals and the three codes of its sequences are written.
//!
//! Beside libzstd 1.5.7 at the levels of C-Blosc2, on chunks of 18 kinds with four filters (geometric means of size and speed):
//! level 1 0.86 and 1.07, level 3 0.79 and 1.5, level 5 0.90 and 1.6, level 9, whose counterpart is libzstd's highest, 1.01 and
//! 2.6. Encoding again what becomes very short takes 0.96 of the space at level 9, and two to seven times as long for such streams.
//! Noise is stored 3 times as fast at level 1 and several hundred times at level 9. Most of the time of level 9 goes to candidates in
//! chains, which are not in the cache.

mod bits;
mod block;
mod codes;
mod fse;
mod huffman;
mod literals;
mod prices;
mod probe;
mod sequences;
mod store;
#[cfg(all(test, not(miri)))]
mod tests;
mod weights;

use super::dictionary::has_tables;
use super::frame::{MAGIC, MAX_BLOCK_BYTES};
use crate::codec::encode::table;
use crate::codec::matcher::chains::{self, Effort};
use crate::codec::matcher::optimal::{self, Node, Nodes};
use crate::codec::matcher::{double, fast};
use crate::simd::{Instructions, Work, widest};
use alloc::boxed::Box;
use alloc::vec::Vec;
use block::{Blocks, Workspace};
use core::mem;
use fse::BIT;
use prices::{Known, Priced};
use probe::{Probe, Shortest};

/// Slots for the last positions of hashes, and how many of them each of the quicker finders has.
const HEADS: usize = 1 << 17;
const FAST: usize = 1 << 13;
const DOUBLE: usize = 1 << 15;
/// Links between positions: matches are nearer.
const LINKS: usize = 1 << 20;
/// The first levels with chains, and that compare all ways.
const CHAINS: u8 = 4;
const OPTIMAL: u8 = 7;
/// Streams that become so many times as short are encoded again, and the candidates that are compared then, from which level on.
const SHORT: usize = 16;
const DEEP: usize = 32;
const AGAIN: u8 = 9;

/// Memory that streams reuse, allocated on first use. Blocks take 150 KiB and 15 bytes per sequence, positions 512 KiB, from level 4 on
/// links 4 MiB, of which streams touch four bytes per byte of their length, and from level 7 on prices of ways 126 KiB.
#[derive(Default)]
pub(crate) struct Encoder {
    work: Option<Box<Workspace>>,
    heads: Vec<u32>,
    links: Vec<u32>,
    threes: Vec<u32>,
    nodes: Vec<Node>,
    /// A dictionary and the stream that it precedes.
    joined: Vec<u8>,
    /// The shortest frame of a stream that is encoded again.
    shortest: Vec<u8>,
}

/// How to search for matches.
enum Search<'a> {
    Fast(&'a mut [u32; FAST]),
    Double(double::Tables<'a, [u32; DOUBLE]>),
    Chains(chains::Tables<'a, [u32; HEADS], [u32; LINKS]>, Effort),
    Optimal(chains::Tables<'a, [u32; HEADS], [u32; LINKS]>, Effort, &'a mut Nodes, &'a mut Known),
}

/// The effort of a level with chains.
const fn effort(clevel: u8) -> Effort {
    let (depth, patience, lazy, nice) = match clevel {
        ..=4 => (4, 5, 64, 128),
        5 => (10, 5, 64, 128),
        6 => (24, 6, 64, 256),
        7 => (4, 10, 0, 256),
        8 => (8, 10, 0, 256),
        9 => (16, 10, 0, 256),
        _ => (256, 10, 0, 512),
    };
    Effort { depth, patience, lazy, nice }
}

impl Encoder {
    /// Encodes `src` as one frame into `dst` and returns the length; `None` if it does not fit. `dict` is content that precedes
    /// the stream, or empty. `clevel` is 1 to 10.
    pub(crate) fn encode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8], clevel: u8) -> Option<usize> {
        // The decoder would take it for a dictionary with tables.
        if has_tables(dict) {
            return None;
        }
        if dict.is_empty() {
            return self.frame(src, 0, dst, clevel);
        }
        let mut joined = mem::take(&mut self.joined);
        joined.clear();
        joined.extend_from_slice(dict);
        joined.extend_from_slice(src);
        let len = self.frame(&joined, dict.len(), dst, clevel);
        self.joined = joined;
        len
    }

    /// Encodes `src[start..]`. What becomes very short has few sequences, which tell prices too late: then a quick search may do
    /// better, as may a deeper one that begins with the prices of the codes that were used.
    fn frame(&mut self, src: &[u8], start: usize, dst: &mut [u8], clevel: u8) -> Option<usize> {
        let mut known = None;
        let mut shortest = self.pass(src, start, dst, clevel, effort(clevel), &mut known)?;
        if known.is_none() || shortest > (src.len() - start) / SHORT {
            return Some(shortest);
        }
        self.shortest.clear();
        self.shortest.extend_from_slice(dst.get(..shortest)?);
        let deeper = Effort { depth: effort(clevel).depth.max(DEEP), nice: 512, ..effort(clevel) };
        let others = [(CHAINS - 1, effort(CHAINS)), (clevel, deeper)];
        for (level, effort) in others.into_iter().take(if clevel < AGAIN { 1 } else { 2 }) {
            let len = self.pass(src, start, dst, level, effort, &mut known);
            if let Some(len) = len.filter(|len| *len < shortest) {
                shortest = len;
                self.shortest.clear();
                self.shortest.extend_from_slice(dst.get(..len)?);
            }
        }
        dst.get_mut(..shortest)?.copy_from_slice(&self.shortest);
        Some(shortest)
    }

    /// Encodes with one search. Only one that compares all ways tells and uses what is known of the codes.
    fn pass(
        &mut self,
        src: &[u8],
        start: usize,
        dst: &mut [u8],
        clevel: u8,
        effort: Effort,
        known: &mut Option<Known>,
    ) -> Option<usize> {
        let at = write_head(src.len() - start, dst)?;
        let heads = table::<_, HEADS>(&mut self.heads)?;
        let shortest = match clevel {
            0..2 => Shortest::Five,
            2..OPTIMAL => Shortest::Near,
            _ => Shortest::Four,
        };
        let mut probe = Probe::new(src, start, heads, shortest);
        let mut clevel = clevel;
        if (CHAINS..OPTIMAL).contains(&clevel) && probe.leaves_short_matches() {
            // Chains would compare too many candidates for those of four bytes.
            probe = Probe::new(src, start, heads, Shortest::Four);
            clevel = CHAINS - 1;
        }
        // Chains find more than it pays to write where literals take less than a bit, which they do not do. The others are to find
        // long matches there, but a sample may lack what the stream has.
        let literal = probe.entropy.max(if clevel < CHAINS { BIT / 32 } else { BIT });
        let work = self.work.get_or_insert_with(Workspace::new);
        let blocks = Blocks::new(src, start, dst, at, work, literal);
        if probe.is_noise() {
            return blocks.store();
        }
        if !probe.matches {
            return blocks.finish(start);
        }
        let search = match clevel {
            ..=1 => Search::Fast(cleared(heads.first_chunk_mut()?)),
            2..CHAINS => {
                let (long, rest) = heads.split_first_chunk_mut()?;
                let short = rest.first_chunk_mut()?;
                Search::Double(double::Tables { long: cleared(long), short: cleared(short) })
            }
            _ => {
                let (heads, links) = (cleared(heads), table(&mut self.links)?);
                if clevel < OPTIMAL {
                    Search::Chains(chains::Tables { heads, links, threes: None }, effort)
                } else {
                    let threes = Some(cleared(table(&mut self.threes)?));
                    let nodes = table(&mut self.nodes)?;
                    let known = known.get_or_insert_with(|| Known::of(&src[start..]));
                    Search::Optimal(chains::Tables { heads, links, threes }, effort, nodes, known)
                }
            }
        };
        widest(Frame { src, start, blocks, search })
    }
}

fn cleared<const N: usize>(table: &mut [u32; N]) -> &mut [u32; N] {
    table.fill(0);
    table
}

/// Writes the header of a frame and returns its length.
fn write_head(len: usize, dst: &mut [u8]) -> Option<usize> {
    let (size, bytes, value) = match len {
        0..256 => (0, 1, len),
        256..65_792 => (1, 2, len - 256),
        _ => (2, 4, len),
    };
    let head = dst.get_mut(..5 + bytes)?;
    head[..4].copy_from_slice(&MAGIC.to_le_bytes());
    // One segment.
    head[4] = size << 6 | 1 << 5;
    head[5..].copy_from_slice(&u32::try_from(value).ok()?.to_le_bytes()[..bytes]);
    Some(5 + bytes)
}

struct Frame<'a> {
    src: &'a [u8],
    start: usize,
    blocks: Blocks<'a>,
    search: Search<'a>,
}

impl Work for Frame<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { src, start, mut blocks, search } = self;
        let anchor = match search {
            Search::Fast(table) => fast::sequences(src, start, table, 1, &mut blocks)?,
            Search::Double(tables) => double::sequences(src, start, tables, &mut blocks)?,
            Search::Chains(tables, effort) => chains::sequences(src, start, tables, effort, &mut blocks)?,
            Search::Optimal(tables, effort, nodes, known) => {
                let mut priced = Priced::new(src, &mut blocks, known);
                optimal::sequences(src, start, tables, effort, nodes, &mut priced)?
            }
        };
        blocks.finish(anchor)
    }
}

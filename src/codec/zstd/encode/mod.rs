//! The encoder: frames of one segment, with the size of their content and without a checksum.

mod bits;
mod block;
mod codes;
mod fse;
mod huffman;
mod literals;
mod probe;
mod sequences;
mod store;
#[cfg(test)]
mod tests;
mod weights;

use super::dictionary::has_tables;
use super::frame::{MAGIC, MOST_IN_BLOCK};
use crate::codec::matcher::{chains, double, fast};
use crate::simd::{Repeat, Work, widest};
use alloc::boxed::Box;
use alloc::vec::Vec;
use block::{Blocks, Workspace};
use fse::BIT;
use probe::Probe;

/// The farthest match.
const MAX_DIST: usize = LINKS - 1;
/// Slots for positions.
const HEADS: usize = 1 << 15;
/// Links between positions.
const LINKS: usize = 1 << 20;

/// State that streams reuse, allocated on first use.
#[derive(Default)]
pub(crate) struct Encoder {
    work: Option<Box<Workspace>>,
    heads: Vec<u32>,
    links: Vec<u32>,
    /// A dictionary and the stream that it precedes.
    joined: Vec<u8>,
}

impl Encoder {
    /// Encodes `src` as one frame into `dst` and returns the length; `None` if it does not fit. `dict` is content that precedes
    /// the stream, or empty. `clevel` is 1 to 10.
    pub(crate) fn encode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8], clevel: u8) -> Option<usize> {
        // The decoder would take it for a dictionary with tables.
        if has_tables(dict) {
            return None;
        }
        let work = self.work.get_or_insert_with(Workspace::new);
        let (src, start) = if dict.is_empty() {
            (src, 0)
        } else {
            self.joined.clear();
            self.joined.extend_from_slice(dict);
            self.joined.extend_from_slice(src);
            (&self.joined[..], dict.len())
        };
        let at = write_head(src.len() - start, dst)?;
        self.heads.resize(HEADS, 0);
        let probe = Probe::new(src, start, &mut self.heads, clevel > 1);
        let blocks =
            Blocks::new(src, start, dst, at, work, probe.entropy.max(if clevel > 3 { BIT } else { 0 }));
        if probe.is_noise() {
            return blocks.store();
        }
        if !probe.matches {
            return blocks.finish(start);
        }
        self.heads[..if clevel > 1 { HEADS } else { 1 << 14 }].fill(0);
        if clevel > 3 {
            self.links.resize(LINKS, 0);
        }
        widest(Frame { src, start, blocks, heads: &mut self.heads, links: &mut self.links, clevel })
    }
}

/// Writes the header of a frame and returns its length.
fn write_head(len: usize, dst: &mut [u8]) -> Option<usize> {
    let (size, bytes, value) = match len {
        ..256 => (0, 1, len),
        ..65_792 => (1, 2, len - 256),
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
    heads: &'a mut [u32],
    links: &'a mut [u32],
    clevel: u8,
}

impl Work for Frame<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Repeat) -> Self::Output {
        let Self { src, start, mut blocks, heads, links, clevel } = self;
        let anchor = match clevel {
            ..=1 => fast::sequences(src, start, heads.first_chunk_mut::<{ 1 << 14 }>()?, 1, &mut blocks)?,
            2..=3 => {
                let (long, short) = heads.split_first_chunk_mut::<{ 1 << 14 }>()?;
                double::sequences(
                    src,
                    start,
                    double::Tables { long, short: short.first_chunk_mut()? },
                    &mut blocks,
                )?
            }
            4.. => {
                let effort = chains::Effort {
                    depth: 6 << (clevel - 3),
                    patience: 10,
                    lazy: usize::MAX,
                    nice: usize::MAX,
                };
                let tables = chains::Tables {
                    heads: heads.first_chunk_mut::<HEADS>()?,
                    links: links.first_chunk_mut::<LINKS>()?,
                    threes: None,
                };
                chains::sequences(src, start, tables, effort, &mut blocks)?
            }
        };
        blocks.finish(anchor)
    }
}

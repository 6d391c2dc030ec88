//! The encoder of LZ4HC: two tables of positions at the first levels, chains at the others.
//!
//! Beside C-Blosc2's LZ4HC, the bench's means at levels 1, 5 and 9: 0.94, 0.95 and 1.01 of the size, 1.1, 2.7 and 3.1 times as
//! fast. Chains at level 1 took five times as long. Slowest at levels 5 and 9 are unfiltered ids and measurements, at 0.7 to 0.8 of
//! C's speed. Level 10 takes 0.99 of the size of level 9 and five times as long or more.

use super::writer::{MAX_DIST, Writer};
use crate::codec::matcher::chains::{self, Effort, Near};
use crate::codec::matcher::optimal::{self, Nodes};
use crate::codec::matcher::{double, probe};
use crate::simd::{Instructions, Work, widest};

/// The tables that an encoder of LZ4HC is lent.
pub(in crate::codec) type Chains<'a> = chains::Tables<'a, [u32; 1 << 15], [Near; 1 << 16]>;
/// Slots of the table of the probe.
const PROBED: usize = 1 << 12;
/// Slots of each of two tables, which lie in the heads of the chains.
const SLOTS: usize = 1 << 14;

/// The effort of a level; `None` for two tables instead of chains.
const fn effort(level: u8) -> Option<Effort> {
    let (depth, patience) = match level {
        ..=2 => return None,
        3 => (6, 6),
        4 => (10, 6),
        5 => (18, 7),
        6 => (32, 8),
        7 => (64, 13),
        8 => (128, 14),
        9 => (256, 14),
        _ => (1024, 14),
    };
    Some(Effort { depth, patience, lazy: usize::MAX, nice: usize::MAX })
}

/// Encodes `src[start..]` as one block into `dst` and returns its length; `None` if it does not fit. What lies before `start`
/// is the dictionary. With `nodes` it compares all ways to use the matches.
pub(in crate::codec) fn encode(
    src: &[u8],
    start: usize,
    dst: &mut [u8],
    chains: Chains<'_>,
    nodes: Option<&mut Nodes>,
    level: u8,
) -> Option<usize> {
    let effort = effort(level);
    if effort.is_some() && dst.len() < src.len() - start {
        let table = chains.heads.first_chunk_mut::<PROBED>()?;
        if probe::matchless(src, start, MAX_DIST, table) {
            return None;
        }
    }
    chains.heads.fill(0);
    widest(Block { src, start, dst, chains, nodes, effort })
}

struct Block<'a> {
    src: &'a [u8],
    start: usize,
    dst: &'a mut [u8],
    chains: Chains<'a>,
    nodes: Option<&'a mut Nodes>,
    effort: Option<Effort>,
}

impl Work for Block<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { src, start, dst, chains, nodes, effort } = self;
        let mut out = Writer::new(src, dst);
        let anchor = match (effort, nodes) {
            (Some(effort), Some(nodes)) => optimal::sequences(src, start, chains, effort, nodes, &mut out)?,
            (Some(effort), None) => chains::sequences(src, start, chains, effort, &mut out)?,
            (None, _) => {
                let (long, short) = chains.heads.split_first_chunk_mut::<SLOTS>()?;
                let tables = double::Tables { long, short: short.first_chunk_mut()? };
                double::sequences(src, start, tables, &mut out)?
            }
        };
        out.last(anchor)
    }
}

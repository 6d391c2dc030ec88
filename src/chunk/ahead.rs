//! Streams that are decoded two at a time, before the filters of either are undone.

use super::block::EncodedBlock;
use super::memory::{DecodeMemory, LentMemory, MemoryNeeds};
use crate::base::Result;
use crate::codec::{self, PAIRS};
use core::mem;
use core::ops::Range;

/// Plain bytes for each compressed one, from which on a stream is mostly long runs: nothing is gained there.
const RUNS: usize = 16;

/// What of a chunk's blocks the memory holds ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    blocks: [Option<u32>; 2],
    lens: [usize; 2],
}

impl Ahead {
    /// Nothing yet.
    pub(super) const NOTHING: Self = Self { blocks: [None; 2], lens: [0; 2] };

    /// Decodes the streams of two blocks, of which the first is to be decoded next, if they are such that it pays.
    /// What is wrong with them shows when each is decoded by itself. The memory keeps `first` bytes of a first block.
    pub(super) fn decode(
        &mut self,
        blocks: [&EncodedBlock<'_>; 2],
        first: usize,
        memory: &mut dyn DecodeMemory,
    ) {
        let codec = blocks[0].head.header().codec;
        if !codec::in_pairs(codec) || self.blocks.contains(&Some(blocks[0].nblock)) {
            return;
        }
        *self = Self::NOTHING;
        let lens = blocks.map(|block| block.head.plain_range(block.nblock).len());
        let (Some(one), Some(other)) = (blocks[0].lone_stream(lens[0]), blocks[1].lone_stream(lens[1]))
        else {
            return;
        };
        if (RUNS * one.len()).min(RUNS * other.len()) < lens[0] {
            return;
        }
        let wants = MemoryNeeds { first, ahead: lens[0] + lens[1], ..MemoryNeeds::default() };
        let Ok(LentMemory { ahead, work, .. }) = memory.lend(wants) else { return };
        let Some((to, other_to)) = ahead.split_at_mut_checked(lens[0]) else { return };
        if codec::decode_two(codec, [one, other], [to, other_to], work.codecs.tables, work.codecs.registry) {
            *self = Self { blocks: blocks.map(|block| Some(block.nblock)), lens };
        }
    }

    /// What a block wants, and its stream if that is there, which is held no longer then.
    pub(super) fn lend<'m>(
        &mut self,
        nblock: u32,
        wants: MemoryNeeds,
        memory: &'m mut dyn DecodeMemory,
    ) -> Result<LentMemory<'m>> {
        let Some((range, held)) = self.take(nblock) else { return memory.lend(wants) };
        let mut lent = memory.lend(MemoryNeeds { ahead: held, buffer: 0, ..wants })?;
        lent.work.ready = mem::take(&mut lent.ahead).get_mut(range);
        Ok(lent)
    }

    /// Where in the memory the stream of a block is, and how much of it is taken in all.
    fn take(&mut self, nblock: u32) -> Option<(Range<usize>, usize)> {
        if !PAIRS {
            return None;
        }
        let which = self.blocks.iter().position(|&held| held == Some(nblock))?;
        self.blocks[which] = None;
        let [one, other] = self.lens;
        Some((if which == 0 { 0..one } else { one..one + other }, one + other))
    }
}

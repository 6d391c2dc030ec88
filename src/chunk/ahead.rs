//! Decoding the streams of two blocks in one loop, before either is unfiltered.

use super::block::EncodedBlock;
use super::memory::{DecodeMemory, LentMemory, MemoryNeeds};
use crate::base::Result;
use crate::codec::{self, PAIRS};
use core::mem;
use core::ops::Range;

/// Compression ratio from which on streams are mostly long runs. Pairing does not pay there.
const RUNS: usize = 16;

/// Up to two blocks whose streams are decoded and not yet unfiltered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    blocks: [Option<u32>; 2],
    lens: [usize; 2],
}

impl Ahead {
    /// Nothing yet.
    pub(super) const NOTHING: Self = Self { blocks: [None; 2], lens: [0; 2] };

    /// Decodes the streams of two blocks if that pays; the first one is needed next. Errors are left to be found when each
    /// block is decoded by itself. The memory keeps `first` bytes of the plain first block.
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

    /// The memory that a block needs, with its stream if that is decoded already. The stream is then forgotten.
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

    /// Where the stream of a block lies in the memory, and how many bytes both streams take.
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

//! A chunk that grows by runs of blocks, which are encoded to other memory.
//!
//! A chunk that is encoded in place needs memory for a copy of the plain bytes. Clearing that takes longer than encoding data that
//! compress well.

use super::block_encoder::BlockEncoder;
use super::blocks::{Job, Starts};
use crate::base::Result;
use alloc::vec::Vec;
use core::ops::Range;

/// Plain bytes of a run, if it is not a single block. It fits the L2 cache, and is worth waking up a thread.
const RUN: usize = 128 << 10;

impl Job<'_> {
    /// The numbers of the blocks of each run.
    pub(super) fn runs(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
        let (nblocks, blocks) = (self.nblocks(), (RUN / self.cut.blocksize.max(1)).max(1));
        (0..nblocks).step_by(blocks).map(move |first| first..nblocks.min(first + blocks))
    }

    /// The most that so many blocks take: if they are stored as they are.
    pub(super) fn room(&self, nblocks: usize) -> usize {
        nblocks * (self.cut.blocksize + 4 * self.cut.nstreams(self.cut.blocksize, self.cparams))
    }
}

/// A chunk, to which blocks are added.
pub(super) struct Growing<'a> {
    chunk: &'a mut Vec<u8>,
    /// Where the starts of the next blocks go.
    table: usize,
    /// Bytes of a copy, which it is to be shorter than.
    copy_len: usize,
}

impl<'a> Growing<'a> {
    /// Replaces the content of `chunk` by places for the header and the block starts, and the dictionary. `None` if the chunk
    /// would not be shorter than a copy.
    pub(super) fn new(job: &Job<'_>, chunk: &'a mut Vec<u8>) -> Option<Self> {
        let table = job.cparams.format.header_len();
        let copy_len = job.cparams.max_len(job.plain.len());
        let start = table + 4 * job.nblocks();
        chunk.clear();
        if start >= copy_len {
            return None;
        }
        chunk.reserve_exact(copy_len);
        chunk.resize(start, 0);
        if !job.dict.is_empty() {
            chunk.extend_from_slice(&(job.dict.len() as u32).to_le_bytes());
            chunk.extend_from_slice(job.dict);
        }
        Some(Self { chunk, table, copy_len })
    }

    /// Encodes all blocks, run by run, with `memory` for one; `None` if they do not fit.
    pub(super) fn write(
        &mut self,
        job: &Job<'_>,
        encoder: &mut BlockEncoder,
        memory: &mut Vec<u8>,
    ) -> Result<Option<()>> {
        for numbers in job.runs() {
            memory.resize(memory.len().max(job.room(numbers.len())), 0);
            let starts = self.starts(numbers.len());
            let len = encoder.write(job, numbers.step_by(1), starts, memory)?;
            if len.and_then(|len| self.add(&memory[..len])).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The places of the starts of the next blocks.
    pub(super) fn starts(&mut self, nblocks: usize) -> Starts<'_> {
        let offset = self.chunk.len();
        let table = self.chunk[self.table..].as_chunks_mut().0;
        self.table += 4 * nblocks;
        Starts { table: &mut table[..nblocks], offset }
    }

    /// Adds encoded blocks; `None` if they do not fit.
    pub(super) fn add(&mut self, blocks: &[u8]) -> Option<()> {
        (self.chunk.len() + blocks.len() < self.copy_len).then(|| self.chunk.extend_from_slice(blocks))
    }
}

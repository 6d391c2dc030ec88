//! An encoder of blocks that allocates its memory.

use super::CParams;
use super::blocks::{BlockWriter, Job, Starts};
use super::cut::Cut;
use super::streams::Streams;
use crate::base::Result;
use crate::codec::Encoder;
use alloc::vec::Vec;
use core::iter::StepBy;
use core::ops::Range;

/// The tables of the codecs, and the memory of the filters.
#[derive(Debug, Default)]
pub(super) struct BlockEncoder {
    pub(super) encoder: Encoder,
    /// A block between two filters.
    buffers: [Vec<u8>; 2],
}

impl BlockEncoder {
    /// Memory for blocks of at most `blocksize` bytes.
    pub(super) fn lend(&mut self, blocksize: usize) -> BlockWriter<'_> {
        let Self { encoder, buffers } = self;
        buffers.iter_mut().for_each(|buffer| buffer.resize(buffer.len().max(blocksize), 0));
        let [now, next] = buffers;
        BlockWriter { encoder, buffers: [now, next] }
    }

    /// Writes blocks as [`BlockWriter::write`] does. One type of numbers, so that this code exists once.
    pub(super) fn write(
        &mut self,
        job: &Job<'_>,
        nblocks: StepBy<Range<usize>>,
        starts: Starts<'_>,
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let blocksize = if job.pipeline.needs().buffers > 0 { job.cut.blocksize } else { 0 };
        self.lend(blocksize).write(job, nblocks, starts, dst)
    }

    /// Blocks as codecs get them, one after the other.
    pub(super) fn filtered_blocks(
        &mut self,
        job: &Job<'_>,
        nblocks: impl Iterator<Item = usize>,
    ) -> Result<Vec<u8>> {
        let mut blocks = Vec::new();
        for nblock in nblocks {
            blocks.extend_from_slice(job.filtered(nblock, self.lend(job.cut.blocksize).buffers)?);
        }
        Ok(blocks)
    }

    /// Writes the length of a plain block and its only stream; `None` if they do not fit.
    pub(super) fn write_variable(
        &mut self,
        cparams: &CParams,
        plain: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let BlockWriter { encoder, buffers } = self.lend(plain.len());
        let job = Job::new(cparams, Cut { blocksize: plain.len(), split: false }, plain);
        let filtered = job.filtered(0, buffers)?;
        let mut streams = Streams { cparams, encoder, dict: &[], dst, at: 0 };
        let Some(len) = streams.encode(filtered)? else { return Ok(None) };
        dst[..4].copy_from_slice(&(plain.len() as u32).to_le_bytes());
        Ok(Some(4 + len))
    }
}

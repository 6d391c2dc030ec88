//! Encoding blocks, which do not depend on each other.

use super::cut::Cut;
use super::params::CParams;
use super::streams::Streams;
use crate::base::Result;
use crate::codec::Encoder;
use crate::filter::Pipeline;
use alloc::vec::Vec;
use core::ops::Range;

/// A chunk whose blocks are to be encoded.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) cparams: &'a CParams,
    pub(super) pipeline: Pipeline,
    pub(super) cut: Cut,
    pub(super) plain: &'a [u8],
    /// The first block as readers decode it.
    pub(super) first: &'a [u8],
}

impl<'a> Job<'a> {
    pub(super) fn nblocks(&self) -> usize {
        self.plain.len().div_ceil(self.cut.blocksize)
    }

    /// A plain block.
    fn block(&self, nblock: usize) -> &'a [u8] {
        let start = nblock * self.cut.blocksize;
        &self.plain[start..self.plain.len().min(start + self.cut.blocksize)]
    }
}

/// A part of the table of block starts.
pub(super) struct Starts<'a> {
    pub(super) table: &'a mut [[u8; 4]],
    /// Where in the chunk the first of these blocks starts.
    pub(super) offset: usize,
}

/// Encodes blocks by one thread.
#[derive(Debug, Default)]
pub(super) struct BlockEncoder {
    encoder: Encoder,
    /// A block between two filters.
    buffers: [Vec<u8>; 2],
}

impl BlockEncoder {
    /// Writes blocks one after the other, and where they start. Returns their length, or `None` if they do not fit.
    pub(super) fn write(
        &mut self,
        job: &Job<'_>,
        nblocks: Range<usize>,
        starts: Starts<'_>,
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let filtered = job.pipeline.iter().next().is_some();
        self.buffers
            .iter_mut()
            .for_each(|buffer| buffer.resize(if filtered { job.cut.blocksize } else { 0 }, 0));
        let [now, next] = &mut self.buffers;
        let mut streams = Streams { cparams: job.cparams, encoder: &mut self.encoder, dst, at: 0 };
        let mut info = job.cparams.block_info();
        for (nblock, start) in nblocks.zip(starts.table) {
            *start = ((starts.offset + streams.at) as u32).to_le_bytes();
            let plain = job.block(nblock);
            let len = plain.len().min(now.len());
            info.first = (nblock > 0).then_some(job.first);
            let filtered = job.pipeline.forward(&info, plain, [&mut now[..len], &mut next[..len]])?;
            if !streams.write(filtered, job.cut.nstreams(plain.len(), job.cparams))? {
                return Ok(None);
            }
        }
        Ok(Some(streams.at))
    }

    /// Writes the length of a plain block and its only stream; `None` if they do not fit.
    pub(super) fn write_variable(
        &mut self,
        cparams: &CParams,
        plain: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        self.buffers.iter_mut().for_each(|buffer| buffer.resize(plain.len(), 0));
        let [now, next] = &mut self.buffers;
        let filtered = cparams.pipeline().forward(&cparams.block_info(), plain, [now, next])?;
        let mut streams = Streams { cparams, encoder: &mut self.encoder, dst, at: 0 };
        let Some(len) = streams.encode(filtered)? else { return Ok(None) };
        dst[..4].copy_from_slice(&(plain.len() as u32).to_le_bytes());
        Ok(Some(4 + len))
    }

    /// Writes to `first` the first block as readers decode it.
    pub(super) fn read_back(&mut self, job: &Job<'_>, first: &mut Vec<u8>) -> Result<()> {
        let plain = job.block(0);
        let info = job.cparams.block_info();
        self.buffers.iter_mut().for_each(|buffer| buffer.resize(plain.len(), 0));
        let [now, next] = &mut self.buffers;
        let filtered = job.pipeline.forward(&info, plain, [&mut *now, next])?.to_vec();
        first.resize(plain.len(), 0);
        job.pipeline.backward(&info, now, first, |dst| {
            dst.copy_from_slice(&filtered);
            Ok(())
        })
    }
}

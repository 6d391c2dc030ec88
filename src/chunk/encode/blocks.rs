//! Encoding blocks, which do not depend on each other.

use super::cut::Cut;
use super::params::CParams;
use super::streams::Streams;
use crate::base::Result;
use crate::codec::Encoder;
use crate::filter::Pipeline;
use alloc::vec::Vec;

/// A chunk whose blocks are to be encoded.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) cparams: &'a CParams,
    pub(super) pipeline: Pipeline,
    pub(super) cut: Cut,
    pub(super) plain: &'a [u8],
    /// The first block as readers decode it.
    pub(super) first: &'a [u8],
    /// What precedes each stream.
    pub(super) dict: &'a [u8],
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

    /// A block as codecs get it.
    fn filtered<'b>(&self, nblock: usize, buffers: &'b mut [Vec<u8>; 2]) -> Result<&'b [u8]>
    where
        'a: 'b,
    {
        let plain = self.block(nblock);
        let len = if self.pipeline.iter().next().is_some() { plain.len() } else { 0 };
        buffers.iter_mut().for_each(|buffer| buffer.resize(buffer.len().max(len), 0));
        let [now, next] = buffers;
        let mut info = self.cparams.block_info();
        info.first = (nblock > 0).then_some(self.first);
        self.pipeline.forward(&info, plain, [&mut now[..len], &mut next[..len]])
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
        nblocks: impl Iterator<Item = usize>,
        starts: Starts<'_>,
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let Self { encoder, buffers } = self;
        let mut streams = Streams { cparams: job.cparams, encoder, dict: job.dict, dst, at: 0 };
        for (nblock, start) in nblocks.zip(starts.table) {
            *start = ((starts.offset + streams.at) as u32).to_le_bytes();
            let filtered = job.filtered(nblock, buffers)?;
            if !streams.write(filtered, job.cut.nstreams(filtered.len(), job.cparams))? {
                return Ok(None);
            }
        }
        Ok(Some(streams.at))
    }

    /// Blocks as codecs get them, one after the other.
    pub(super) fn filtered_blocks(
        &mut self,
        job: &Job<'_>,
        nblocks: impl Iterator<Item = usize>,
    ) -> Result<Vec<u8>> {
        let mut blocks = Vec::new();
        for nblock in nblocks {
            blocks.extend_from_slice(job.filtered(nblock, &mut self.buffers)?);
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
        self.buffers.iter_mut().for_each(|buffer| buffer.resize(plain.len(), 0));
        let [now, next] = &mut self.buffers;
        let filtered = cparams.pipeline().forward(&cparams.block_info(), plain, [now, next])?;
        let mut streams = Streams { cparams, encoder: &mut self.encoder, dict: &[], dst, at: 0 };
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

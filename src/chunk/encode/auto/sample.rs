//! The sample of a chunk.

use super::super::block_encoder::BlockEncoder;
use super::super::blocks::Job;
use super::super::cut::Cut;
use super::super::params::CParams;
use crate::base::Result;
use crate::filter::{NDCELL, Pipeline};
use alloc::vec::Vec;

/// Slices of a chunk.
const SLICES: usize = 4;
/// Bytes of a slice, about.
pub(super) const SHORT: usize = 16 << 10;
/// Bytes of a slice of data that encodes to little, of which short slices tell too little.
pub(super) const LONG: usize = 128 << 10;

/// Slices of a chunk, from its start to its end.
pub(super) struct Sample<'a> {
    chunk: &'a [u8],
    /// Whether slices are long.
    pub(super) is_long: bool,
    /// Bytes of a slice: whole groups of eight items, for bitshuffle.
    slice: usize,
    /// Where the slices are in the chunk.
    starts: Vec<usize>,
    /// The slices one after the other.
    plain: Vec<u8>,
    /// The slices of the chunk in cells.
    cells: Vec<u8>,
}

impl<'a> Sample<'a> {
    /// Slices of about `len` bytes, but no longer than blocks.
    pub(super) fn new(chunk: &'a [u8], cparams: &CParams, len: usize) -> Self {
        let typesize = cparams.header_typesize();
        let blocksize = Cut::of(cparams, chunk.len()).blocksize;
        let wanted = if chunk.len() <= SLICES * len { blocksize } else { blocksize.min(len) };
        let group = if wanted < 8 * typesize { typesize } else { 8 * typesize };
        let slice = (wanted - wanted % group).clamp(1, chunk.len());
        let count = (SLICES * len / slice).clamp(1, chunk.len() / slice);
        // In the middle of as many parts of the chunk.
        let start = |n| {
            let start = (2 * n + 1) * (chunk.len() - slice) / (2 * count);
            start - start % typesize
        };
        let starts: Vec<usize> = (0..count).map(start).collect();
        let plain = starts.iter().flat_map(|&start| &chunk[start..start + slice]).copied().collect();
        Self { chunk, is_long: len > SHORT, slice, starts, plain, cells: Vec::new() }
    }

    /// The slices for a candidate, the length of one, and the filters that are to be applied to them.
    pub(super) fn blocks(
        &mut self,
        encoder: &mut BlockEncoder,
        candidate: &CParams,
    ) -> Result<(&[u8], usize, Pipeline)> {
        let mut rest = candidate.filters;
        let Some(cell) = rest.slots.iter_mut().find(|filter| filter.id == NDCELL) else {
            return Ok((&self.plain, self.slice, rest));
        };
        let mut filters = Pipeline::default();
        core::mem::swap(&mut filters.slots[0], cell);
        if self.cells.is_empty() {
            self.arrange(encoder, &CParams { filters, ..candidate.clone() })?;
        }
        Ok((&self.cells, self.slice, rest))
    }

    /// Takes the slices from blocks in cells.
    fn arrange(&mut self, encoder: &mut BlockEncoder, cells: &CParams) -> Result<()> {
        let cut = Cut::of(cells, self.chunk.len());
        let job = Job::new(cells, cut, self.chunk);
        for start in &self.starts {
            let block = encoder.filtered_blocks(&job, [start / cut.blocksize].into_iter())?;
            let at = (start % cut.blocksize).min(block.len() - self.slice);
            self.cells.extend_from_slice(&block[at..at + self.slice]);
        }
        Ok(())
    }
}

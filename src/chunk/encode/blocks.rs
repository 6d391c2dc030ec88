//! Encoding blocks, which do not depend on each other.

use super::cut::Cut;
use super::params::CParams;
use super::streams::Streams;
use crate::base::Result;
use crate::codec::Encode;
use crate::filter::Pipeline;

/// A chunk whose blocks are to be encoded.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) cparams: &'a CParams,
    pub(super) pipeline: Pipeline,
    pub(super) cut: Cut,
    pub(super) plain: &'a [u8],
    /// The first block as readers decode it.
    pub(super) first: &'a [u8],
    /// The dictionary that precedes each stream.
    pub(super) dict: &'a [u8],
}

impl<'a> Job<'a> {
    /// A chunk without a dictionary.
    pub(super) fn new(cparams: &'a CParams, cut: Cut, plain: &'a [u8]) -> Self {
        let first = &plain[..cut.blocksize.min(plain.len())];
        Self { cparams, pipeline: cparams.pipeline(), cut, plain, first, dict: &[] }
    }

    pub(super) fn nblocks(&self) -> usize {
        self.plain.len().div_ceil(self.cut.blocksize.max(1))
    }

    /// A plain block.
    fn block(&self, nblock: usize) -> &'a [u8] {
        let rest = self.plain.get(nblock * self.cut.blocksize..).unwrap_or_default();
        &rest[..rest.len().min(self.cut.blocksize)]
    }

    /// A block as codecs get it.
    pub(super) fn filtered<'b>(&self, nblock: usize, buffers: Buffers<'b>) -> Result<&'b [u8]>
    where
        'a: 'b,
    {
        let plain = self.block(nblock);
        let mut info = self.cparams.block_info();
        info.first = (nblock > 0).then_some(self.first);
        // One that is not needed may be empty.
        let buffers = buffers.map(|buffer| {
            let len = buffer.len().min(plain.len());
            &mut buffer[..len]
        });
        self.pipeline.forward(&info, plain, buffers)
    }

    /// Divides `dst`, which has room for a copy of the chunk, into the table of block starts and what the blocks may take;
    /// `None` if the chunk would not be shorter than the copy.
    pub(super) fn divide<'b>(&self, dst: &'b mut [u8]) -> Option<(Starts<'b>, &'b mut [u8])> {
        // A copy would take one byte more.
        let room = dst.len().checked_sub(1)?;
        let body = dst.get_mut(self.cparams.format.header_len()..room)?;
        let (starts, body) = body.split_at_mut_checked(4 * self.nblocks())?;
        Some((Starts { table: starts.as_chunks_mut().0, offset: room - body.len() }, body))
    }
}

/// A part of the table of block starts.
pub(super) struct Starts<'a> {
    pub(super) table: &'a mut [[u8; 4]],
    /// Where in the chunk the first of these blocks starts.
    pub(super) offset: usize,
}

/// Memory of a block each, for the filters; what they do not [need](Pipeline::needs) may be empty.
pub(super) type Buffers<'a> = [&'a mut [u8]; 2];

/// Encodes blocks.
pub(super) struct BlockWriter<'a> {
    pub(super) encoder: &'a mut dyn Encode,
    pub(super) buffers: Buffers<'a>,
}

impl BlockWriter<'_> {
    /// Writes blocks one after the other, and where they start. Returns their length, or `None` if they do not fit.
    pub(super) fn write(
        &mut self,
        job: &Job<'_>,
        nblocks: impl Iterator<Item = usize>,
        starts: Starts<'_>,
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let Self { encoder, buffers: [now, next] } = self;
        let mut streams =
            Streams { cparams: job.cparams, encoder: &mut **encoder, dict: job.dict, dst, at: 0 };
        for (nblock, start) in nblocks.zip(starts.table) {
            *start = ((starts.offset + streams.at) as u32).to_le_bytes();
            let filtered = job.filtered(nblock, [&mut *now, &mut *next])?;
            if !streams.write(filtered, job.cut.nstreams(filtered.len(), job.cparams))? {
                return Ok(None);
            }
        }
        Ok(Some(streams.at))
    }

    /// Writes to `first` the first block as readers decode it. `buffers` and `spare` have its length or more.
    pub(super) fn read_back(&mut self, job: &Job<'_>, first: &mut [u8], spare: &mut [u8]) -> Result<()> {
        let len = job.block(0).len();
        let [now, next] = &mut self.buffers;
        let filtered = &mut spare[..len];
        filtered.copy_from_slice(job.filtered(0, [&mut *now, &mut *next])?);
        job.pipeline.backward(&job.cparams.block_info(), &mut now[..len], first, |dst| {
            dst.copy_from_slice(filtered);
            Ok(())
        })
    }
}

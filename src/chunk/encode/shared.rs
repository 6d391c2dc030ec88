//! The first block and the dictionary, which the other blocks of a chunk refer to.

use super::block_encoder::BlockEncoder;
use super::blocks::Job;
use super::dictionary;
use crate::base::Result;
use alloc::vec::Vec;

/// Memory for them.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The first block as readers decode it, if lossy filters change it.
    first: Vec<u8>,
    /// The dictionary, or empty.
    dict: Vec<u8>,
}

impl Shared {
    /// The job with the first block and the dictionary. `spare` is memory that loses its content.
    pub(super) fn prepare<'a>(
        &'a mut self,
        encoder: &mut BlockEncoder,
        spare: &mut Vec<u8>,
        mut job: Job<'a>,
    ) -> Result<Job<'a>> {
        let Self { first, dict } = self;
        if job.pipeline.needs().first {
            let blocksize = job.cut.blocksize;
            first.resize(blocksize, 0);
            spare.resize(spare.len().max(blocksize), 0);
            encoder.lend(blocksize).read_back(&job, first, spare)?;
            job.first = first;
        }
        *dict = dictionary::find(encoder, &job)?;
        job.dict = dict;
        Ok(job)
    }
}

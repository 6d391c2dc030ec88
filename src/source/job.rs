//! One chunk's part of a plan.

use crate::base::{Error, Result};
use crate::chunk::{Blocks, Header};
use crate::frame::Part;
use crate::plan::{ChunkTask, Plan};

/// Where a stored chunk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) part: Part,
    pub(super) offset: u64,
}

/// One chunk of a plan, and the result that its items go to.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    pub(super) task: &'a ChunkTask,
    pub(super) out: &'a mut [u8],
}

impl Job<'_> {
    /// Decodes one block, straight to its place if it stays in one piece there.
    pub(super) fn decode(&mut self, decoder: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let range = decoder.head().plain_range(nblock);
        if let Some(place) = self.plan.straight(self.task, range.clone()) {
            return decoder.decode_into(nblock, bytes, &mut self.out[place]);
        }
        self.plan.place(self.task, range.start, decoder.decode(nblock, bytes)?, self.out);
        Ok(())
    }
}

/// A chunk's header against the plain length that the frame gives the chunk.
pub(super) fn check_nbytes(header: &Header, expected: u64) -> Result<()> {
    let found = u64::from(header.nbytes);
    if found == expected { Ok(()) } else { Err(Error::mismatch("chunk nbytes", found, expected)) }
}

//! Sinks of the blocks of a chunk.

use super::blocks::Blocks;
use super::head::Head;
use crate::base::Result;

/// Takes the blocks of a chunk, one after the other, and decodes what it wants of each.
pub(crate) trait Sink {
    /// Takes block `nblock` of a chunk whose blocks are of one length. `bytes` may go on after its end.
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()>;

    /// Takes the plain bytes of a block of variable length. They begin at byte `start` of the plain chunk.
    fn take_plain(&mut self, start: usize, plain: &[u8]) -> Result<()>;

    /// Whether all of a block is wanted, so that its streams may be decoded along with those of the next one.
    fn takes_whole(&self, head: &Head<'_>, nblock: u32) -> bool;

    /// Whether it has the plain first block when it takes the others, so that DELTA needs no copy of that.
    fn has_first(&self) -> bool {
        false
    }
}

/// Where plain blocks are of no further use.
#[derive(Debug)]
pub(crate) struct Discard;

impl Sink for Discard {
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        blocks.decode(nblock, bytes).map(drop)
    }

    fn take_plain(&mut self, _: usize, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn takes_whole(&self, _: &Head<'_>, _: u32) -> bool {
        true
    }
}

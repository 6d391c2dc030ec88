//! Decoded blocks on their way to their places in the result.

use crate::base::{Result, Unsupported, slice_mut_at};
use crate::chunk::Head;
use crate::chunk::{Blocks, Body, Chunk, DecodeMemory, Header, PartialDecode, Pick, Planes, Sink};
use crate::plan::{ChunkTask, Patch, Plan};

/// Places the items that a plan takes of one chunk in the result.
pub(crate) struct Scatter<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) task: &'a ChunkTask,
    pub(crate) out: &'a mut [u8],
}

/// Decodes what a plan wants of a chunk that lies in memory.
#[inline(never)]
pub(crate) fn read_chunk(
    chunk: &Chunk<'_>,
    (plan, task): (&Plan, &ChunkTask),
    memory: &mut dyn DecodeMemory,
    out: &mut [u8],
) -> Result<()> {
    let header = chunk.header();
    check_task(header, task)?;
    chunk.read(&mut plan.blocks(task, header.blocksize), &mut Scatter { plan, task, out }, memory)
}

/// Checks that a plan can take items of a chunk.
#[inline]
pub(crate) fn check_task(header: &Header, task: &ChunkTask) -> Result<()> {
    header.check_nbytes(task.nbytes())?;
    if header.body == Body::VlBlocks {
        return Err(Unsupported::VariableBlocks.into());
    }
    Ok(())
}

impl Sink for Scatter<'_> {
    /// Decodes a block straight to its place if it stays in one piece there, and only a part of it if that is less work.
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let range = blocks.head().plain_range(nblock);
        let len = range.len();
        let Some(patch) = self.plan.patch_of(self.task, range.clone()) else {
            return self.plan.place(self.task, range.start, blocks.decode(nblock, bytes)?, self.out);
        };
        if let Some(place) = patch.straight(0..len) {
            return blocks.decode_into(nblock, bytes, slice_mut_at(self.out, place.start, place.len())?);
        }
        match blocks.partial(nblock, bytes) {
            PartialDecode::Planes(planes) => {
                if let Some((pick, patch)) = patch.pick(&planes, len) {
                    let len = pick.len() * planes.count;
                    return self.take_pick(blocks, (nblock, bytes), &planes, (&pick, &patch), len);
                }
            }
            PartialDecode::Start => {
                return patch.copy(blocks.decode_start(nblock, bytes, patch.end())?, 0, self.out);
            }
            PartialDecode::Whole => {}
        }
        patch.copy(blocks.decode(nblock, bytes)?, 0, self.out)
    }

    fn take_plain(&mut self, start: usize, plain: &[u8]) -> Result<()> {
        self.plan.place(self.task, start, plain, self.out)
    }

    fn takes_whole(&self, head: &Head<'_>, nblock: u32) -> bool {
        let range = head.plain_range(nblock);
        let len = range.len();
        self.plan.patch_of(self.task, range).is_none_or(|patch| patch.straight(0..len).is_some())
    }
}

impl Scatter<'_> {
    /// Decodes `len` bytes of a block and no more.
    fn take_pick(
        &mut self,
        blocks: &mut Blocks<'_, '_>,
        (nblock, bytes): (u32, &[u8]),
        planes: &Planes,
        (pick, patch): (&Pick, &Patch<'_>),
        len: usize,
    ) -> Result<()> {
        if let Some(place) = patch.straight(0..len) {
            let out = slice_mut_at(self.out, place.start, place.len())?;
            return blocks.decode_pick(nblock, bytes, planes, pick, Some(out)).map(drop);
        }
        patch.copy(blocks.decode_pick(nblock, bytes, planes, pick, None)?, 0, self.out)
    }
}

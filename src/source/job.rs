//! One chunk's part of a plan.

use crate::base::Result;
use crate::chunk::{Blocks, Pick, Planes, Way};
#[cfg(feature = "alloc")]
use crate::frame::Part;
use crate::plan::{ChunkTask, Patch, Plan};

/// Where a stored chunk is.
#[cfg(feature = "alloc")]
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

/// Takes the blocks of a chunk as they are read.
#[cfg(feature = "alloc")]
pub(super) trait Sink {
    /// Decodes a block.
    fn take(&mut self, decoder: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()>;

    /// May decode some of two blocks at once, the next ones.
    fn look_ahead(&self, decoder: &mut Blocks<'_, '_>, now: (u32, &[u8]), next: (u32, &[u8]));
}

#[cfg(feature = "alloc")]
impl Sink for Job<'_> {
    fn take(&mut self, decoder: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        self.decode(decoder, nblock, bytes)
    }

    /// If both are wanted as wholes.
    fn look_ahead(&self, decoder: &mut Blocks<'_, '_>, now: (u32, &[u8]), next: (u32, &[u8])) {
        let whole = |nblock| {
            let range = decoder.head().plain_range(nblock);
            let len = range.len();
            self.plan.patch_of(self.task, range).is_none_or(|patch| patch.straight(0..len).is_some())
        };
        if whole(now.0) && whole(next.0) {
            decoder.look_ahead(now, next);
        }
    }
}

impl Job<'_> {
    /// Decodes one block, straight to its place if it stays in one piece there.
    pub(super) fn decode(&mut self, decoder: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let range = decoder.head().plain_range(nblock);
        let len = range.len();
        let Some(patch) = self.plan.patch_of(self.task, range.clone()) else {
            self.plan.place(self.task, range.start, decoder.decode(nblock, bytes)?, self.out);
            return Ok(());
        };
        if let Some(place) = patch.straight(0..len) {
            return decoder.decode_into(nblock, bytes, &mut self.out[place]);
        }
        match decoder.way(nblock).0 {
            Way::Planes(planes) => {
                if let Some((pick, patch)) = patch.pick(&planes, len) {
                    let len = pick.len() * planes.count;
                    return self.decode_pick(decoder, (nblock, bytes), &planes, (&pick, &patch), len);
                }
            }
            Way::Start => {
                patch.copy(decoder.decode_start(nblock, bytes, patch.end())?, 0, self.out);
                return Ok(());
            }
            Way::Whole => {}
        }
        patch.copy(decoder.decode(nblock, bytes)?, 0, self.out);
        Ok(())
    }

    /// Decodes `len` bytes of a block and no more.
    fn decode_pick(
        &mut self,
        decoder: &mut Blocks<'_, '_>,
        (nblock, bytes): (u32, &[u8]),
        planes: &Planes,
        (pick, patch): (&Pick, &Patch),
        len: usize,
    ) -> Result<()> {
        if let Some(place) = patch.straight(0..len) {
            return decoder.decode_pick(nblock, bytes, planes, pick, Some(&mut self.out[place])).map(drop);
        }
        patch.copy(decoder.decode_pick(nblock, bytes, planes, pick, None)?, 0, self.out);
        Ok(())
    }
}

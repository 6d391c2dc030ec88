//! Which chunks of an array, and which blocks of these, a selection touches.

use super::cover::unravel;
use super::cover::{Cover, ravel};
#[cfg(not(feature = "small"))]
use super::place::Patch;
use super::reading::{ChunkTask, Plan};
use crate::base::Extent;
use core::ops::Range;

impl Plan {
    /// The chunks that the selection touches, in C order.
    pub fn chunks(&self) -> impl Iterator<Item = ChunkTask> + '_ {
        TouchedChunks::new(self)
    }

    /// The chunks from `nchunk` on.
    #[cfg(feature = "alloc")]
    pub fn chunks_from(&self, nchunk: u64) -> impl Iterator<Item = ChunkTask> + '_ {
        TouchedChunks::starting(self, nchunk)
    }

    /// The numbers of the blocks that the selection touches, in their order. `blocksize` is that of the chunk's header.
    pub fn blocks<'p>(&'p self, task: &'p ChunkTask, blocksize: u32) -> impl Iterator<Item = u32> + 'p {
        TouchedBlocks::new(self, task, blocksize)
    }

    /// The blocks from `nblock` on.
    pub(crate) fn blocks_from<'p>(
        &'p self,
        task: &'p ChunkTask,
        blocksize: u32,
        nblock: u32,
    ) -> impl Iterator<Item = u32> + 'p {
        TouchedBlocks::starting(self, task, blocksize, nblock)
    }
}

/// The chunks that a selection touches.
#[derive(Debug)]
pub(crate) struct TouchedChunks<'p> {
    plan: &'p Plan,
    cover: Cover<'p>,
    /// The next item, where chunks differ in length.
    item: Extent,
}

impl<'p> TouchedChunks<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self { plan, cover: Cover::of_array(&plan.axes, &plan.grid.shape, &plan.grid.chunk), item: 0 }
    }

    /// Starts at chunk `nchunk`.
    #[cfg(feature = "alloc")]
    pub(super) fn starting(plan: &'p Plan, nchunk: u64) -> Self {
        let (mut this, grid) = (Self::new(plan), &plan.grid);
        match grid.chunk_box(nchunk) {
            Some(chunk) if grid.is_uneven() => this.item = chunk.origin[0],
            Some(_) => this.cover.seek(unravel(nchunk, &grid.shape, &grid.chunk)),
            None => {
                this.cover.end();
                this.item = grid.shape.first().copied().unwrap_or(0);
            }
        }
        this
    }
}

impl Iterator for TouchedChunks<'_> {
    type Item = ChunkTask;

    #[inline(never)]
    fn next(&mut self) -> Option<ChunkTask> {
        let grid = &self.plan.grid;
        #[cfg(feature = "alloc")]
        if grid.is_uneven() {
            let task = self.plan.chunk(grid.uneven_chunk(self.plan.axes[0].next(self.item)?)?)?;
            self.item = task.chunk.end[0];
            return Some(task);
        }
        let position = self.cover.next()?;
        let nchunk = ravel(&position, &grid.shape, &grid.chunk);
        Some(ChunkTask::new(grid, grid.box_at(nchunk, position)))
    }
}

/// The blocks of a chunk that a selection touches. They may be shorter than tiles, or reach from one to the next.
pub(super) struct TouchedBlocks<'p> {
    plan: &'p Plan,
    task: &'p ChunkTask,
    blocksize: Extent,
    tiles: Cover<'p>,
    /// Remaining blocks of the current tile.
    blocks: Range<u32>,
    last: Option<u32>,
    /// The current tile's range and patch, where its blocks are smaller than the tile.
    #[cfg(not(feature = "small"))]
    patch: Option<(Range<usize>, Patch<'p>)>,
}

impl<'p> TouchedBlocks<'p> {
    pub(super) fn new(plan: &'p Plan, task: &'p ChunkTask, blocksize: u32) -> Self {
        Self {
            plan,
            task,
            // A chunk without bytes has blocks of 0 bytes; no selection touches it.
            blocksize: Extent::from(blocksize.max(1)),
            tiles: plan.grid.touched_tiles(&plan.axes, &task.chunk),
            blocks: 0..0,
            last: None,
            #[cfg(not(feature = "small"))]
            patch: None,
        }
    }

    /// Starts at block `nblock`.
    pub(super) fn starting(plan: &'p Plan, task: &'p ChunkTask, blocksize: u32, nblock: u32) -> Self {
        let mut this = Self::new(plan, task, blocksize);
        if nblock > 0 {
            let grid = &plan.grid;
            let ntile = Extent::from(nblock) * this.blocksize / grid.tile_nbytes() as Extent;
            this.tiles.seek(unravel(ntile, &grid.chunk, &grid.tile));
            this.last = Some(nblock - 1);
        }
        this
    }

    /// Goes on to the next tile.
    #[inline(never)]
    fn next_tile(&mut self) -> Option<()> {
        let (grid, blocksize) = (&self.plan.grid, self.blocksize.max(1));
        let ntile = grid.ntile(&self.tiles.next()?);
        let tile = grid.tile_nbytes() as Extent;
        let (start, end) = (ntile * tile, ((ntile + 1) * tile).min(self.task.nbytes));
        self.blocks = (start / blocksize) as u32..end.div_ceil(blocksize) as u32;
        // Blocks differ from tiles only where the array has no blocks, or the writer made them smaller.
        #[cfg(not(feature = "small"))]
        if tile != blocksize {
            let patch = self.plan.patch(self.task, ntile);
            self.patch = patch.map(|patch| (start as usize..end as usize, patch));
        }
        Some(())
    }

    /// Whether a block holds some of what is wanted of the tile.
    #[cfg(not(feature = "small"))]
    fn holds(&self, nblock: u32) -> bool {
        let Some((tile, patch)) = &self.patch else { return true };
        let blocksize = self.blocksize as usize;
        let start = (nblock as usize * blocksize).max(tile.start);
        let end = ((nblock as usize + 1) * blocksize).min(tile.end);
        patch.takes(start - tile.start..end - tile.start)
    }

    /// Assumes that it does, which saves the code that would tell.
    #[cfg(feature = "small")]
    #[allow(clippy::unused_self)]
    const fn holds(&self, _: u32) -> bool {
        true
    }
}

impl Iterator for TouchedBlocks<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            match self.blocks.next() {
                Some(nblock) if self.last < Some(nblock) && self.holds(nblock) => {
                    self.last = Some(nblock);
                    return Some(nblock);
                }
                Some(_) => {}
                None => self.next_tile()?,
            }
        }
    }
}

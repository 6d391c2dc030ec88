//! How many chunks and blocks a selection touches, by arithmetic where possible.

use super::axis::{Axis, distinct};
use super::cover::unravel;
use super::reading::{ChunkTask, Plan};
use super::{Dims, dims};
use crate::base::Extent;

/// At most so many blocks of a chunk are counted one by one.
const MAX_COUNTED_BLOCKS: u64 = 1 << 16;

impl Plan {
    /// How many chunks the selection touches.
    pub fn count_chunks(&self) -> u64 {
        if self.grid.is_uneven() {
            return self.chunks().count() as u64;
        }
        let cells = self.axes.iter().zip(&self.grid.chunk).map(|(axis, chunk)| cells(axis, 0, *chunk));
        cells.product()
    }

    /// How many blocks of `blocksize` bytes the selection touches in a chunk. Where these are no boxes of the array
    /// and very many, all of them.
    pub fn count_blocks(&self, task: &ChunkTask, blocksize: u32) -> u64 {
        let Some(lens) = self.block_lens(blocksize) else {
            let all = task.nbytes().div_ceil(u64::from(blocksize).max(1));
            return if all > MAX_COUNTED_BLOCKS { all } else { self.blocks(task, blocksize).count() as u64 };
        };
        let mut count = 1;
        for (number, axis) in self.axes.iter().enumerate() {
            let origin = task.chunk.origin[number];
            let part = axis.items(axis.within(origin, task.chunk.end[number]));
            count *= cells(&part, origin, lens[number]);
        }
        count
    }

    /// Bytes that the selection takes of a chunk.
    pub fn nbytes_of(&self, task: &ChunkTask) -> u64 {
        let ends = task.chunk.origin.iter().zip(&task.chunk.end);
        let items = self.axes.iter().zip(ends).map(|(axis, (origin, end))| {
            let taken = axis.within(*origin, *end);
            taken.end - taken.start
        });
        items.product::<u64>() * self.grid.itemsize
    }

    /// How many items block `nblock` of `blocksize` bytes has, without padding; 1 of any that is no box of the array.
    pub fn block_items(&self, task: &ChunkTask, blocksize: u32, nblock: u64) -> u64 {
        let Some(lens) = self.block_lens(blocksize) else { return 1 };
        let position = unravel(nblock, &self.grid.chunk, &lens);
        let mut items = 1;
        for (axis, at) in position.iter().enumerate() {
            let start = at * lens[axis];
            let end = (start + lens[axis]).min(task.chunk.end[axis] - task.chunk.origin[axis]);
            items *= end.saturating_sub(start);
        }
        items
    }

    /// The items of a block of `blocksize` bytes along each axis; `None` if it is no box of the array.
    pub(super) fn block_lens(&self, blocksize: u32) -> Option<Dims<Extent>> {
        let (grid, blocksize) = (&self.grid, Extent::from(blocksize));
        if grid.tile_nbytes() as Extent == blocksize {
            return Some(grid.tile.clone());
        }
        let items = blocksize / grid.itemsize.max(1);
        let row = grid.tile.len() == 1 && grid.tile == grid.chunk && items * grid.itemsize == blocksize;
        (row && items > 0).then(|| dims(items, 1))
    }
}

/// How many cells of `cell` items, counted from `origin` on, an axis touches.
fn cells(axis: &Axis, origin: Extent, cell: Extent) -> Extent {
    let Some(last) = axis.count.checked_sub(1) else { return 0 };
    if let Some(positions) = axis.positions() {
        return distinct(positions, |at| (at - origin) / cell);
    }
    if axis.step.unsigned_abs() >= cell {
        return axis.count;
    }
    // All cells between the first and the last are touched.
    let ends = [0, last].map(|k| (axis.coordinate(k) - origin) / cell);
    ends[0].abs_diff(ends[1]) + 1
}

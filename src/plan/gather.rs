//! Writing of a selection: copies items from the caller's buffer to the tiles of an uncompressed chunk. The reverse of `place`.

use super::place::{Loop, Patch, Starts};
use super::reading::{ChunkTask, Plan};
use crate::base::Extent;

impl Plan {
    /// Copies the selected items of one chunk from `items`, the whole result of the selection ([`nbytes`](Self::nbytes) long),
    /// to the uncompressed `chunk`.
    pub(crate) fn gather(&self, task: &ChunkTask, items: &[u8], chunk: &mut [u8]) {
        for (ntile, tile) in chunk.chunks_mut(self.grid.tile_nbytes().max(1)).enumerate() {
            if let Some(patch) = self.patch(task, ntile as Extent) {
                patch.gather(patch.loops(), patch.starts(), items, tile);
            }
        }
    }

    /// Whether a chunk has items outside of the array.
    pub(crate) fn has_padding(&self, task: &ChunkTask) -> bool {
        let lens = task.chunk.end.iter().zip(&task.chunk.origin).map(|(end, origin)| end - origin);
        lens.product::<Extent>() * self.grid.itemsize < task.nbytes
    }

    /// Whether the selection contains all items of a chunk.
    pub(crate) fn covers(&self, task: &ChunkTask) -> bool {
        let chunk = &task.chunk;
        let bounds = chunk.origin.iter().zip(&chunk.end);
        self.axes.iter().zip(bounds).all(|(axis, (&origin, &end))| axis.takes_all(origin, end))
    }
}

impl Patch<'_> {
    fn gather(&self, loops: &[Loop<'_>], starts: Starts, items: &[u8], tile: &mut [u8]) {
        let run = self.run();
        match loops {
            [] => tile[starts.tile..][..run].copy_from_slice(&items[starts.items..][..run]),
            [last] => last.gather_runs(run, starts, items, tile),
            [this, inner @ ..] => {
                for k in 0..this.count {
                    self.gather(inner, this.at(starts, k), items, tile);
                }
            }
        }
    }
}

impl Loop<'_> {
    /// Where iteration `k` starts.
    fn at(&self, starts: Starts, k: usize) -> Starts {
        let tile = starts.tile.wrapping_add_signed(self.src(k));
        Starts { tile, items: starts.items + self.dst(k) }
    }

    fn gather_runs(&self, run: usize, starts: Starts, items: &[u8], tile: &mut [u8]) {
        match run {
            1 => self.gather_items::<1>(starts, items, tile),
            2 => self.gather_items::<2>(starts, items, tile),
            4 => self.gather_items::<4>(starts, items, tile),
            8 => self.gather_items::<8>(starts, items, tile),
            16 => self.gather_items::<16>(starts, items, tile),
            _ => {
                for k in 0..self.count {
                    let at = self.at(starts, k);
                    tile[at.tile..][..run].copy_from_slice(&items[at.items..][..run]);
                }
            }
        }
    }

    fn gather_items<const N: usize>(&self, starts: Starts, items: &[u8], tile: &mut [u8]) {
        for k in 0..self.count {
            let at = self.at(starts, k);
            let item = items.get(at.items..).and_then(|rest| rest.first_chunk::<N>());
            let room = tile.get_mut(at.tile..).and_then(|rest| rest.first_chunk_mut::<N>());
            let (Some(item), Some(room)) = (item, room) else { return };
            *room = *item;
        }
    }
}

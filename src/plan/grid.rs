//! How an array is cut: chunks, blocks within them, and which of both a selection touches (FORMAT §8.4).

use super::Dims;
use super::axis::Axis;
pub(crate) use super::cover::ChunkBox;
use super::cover::{Cover, ravel};
use crate::base::{ArgumentError, Error, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// An array cut into chunks and these into tiles. Tiles are what lies in C order in a chunk, one after the other:
/// the blocks of the array, or the chunk itself where an array has no blocks of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) shape: Dims<u64>,
    /// Items of a chunk along each axis.
    pub(crate) chunk: Dims<u64>,
    /// Items of a tile along each axis.
    pub(crate) tile: Dims<u64>,
    /// Bytes of an item.
    pub(crate) itemsize: u64,
    /// Whether chunks at the edges are as long as all others; in a super-chunk they end with the data.
    pub(crate) padded: bool,
    /// Where chunks of different lengths start, and where the last one ends; empty if they have one length.
    #[cfg(feature = "alloc")]
    starts: Vec<u64>,
}

impl Grid {
    /// Checks that no product overflows.
    ///
    /// # Errors
    /// `Format` if a chunk cannot be as large, or there cannot be as many.
    pub(crate) fn new(
        shape: Dims<u64>,
        chunk: Dims<u64>,
        tile: Dims<u64>,
        itemsize: u64,
        padded: bool,
    ) -> Result<Self> {
        let mut grid = Self {
            shape,
            chunk,
            tile,
            itemsize,
            padded,
            #[cfg(feature = "alloc")]
            starts: Vec::new(),
        };
        if grid.is_empty() {
            // Where there are no items the reference writes zeros for these; any number will do that can be counted.
            grid.chunk.iter_mut().chain(&mut grid.tile).for_each(|len| *len = 1);
            return Ok(grid);
        }
        for (name, lens) in [("chunkshape", &grid.chunk), ("blockshape", &grid.tile)] {
            if let Some(&len) = lens.iter().find(|len| **len == 0) {
                return Err(Error::format(crate::Malformed::Field { name, value: len as i64 }));
            }
        }
        let product = |lens: Dims<u64>| lens.iter().try_fold(1u64, |product, &len| product.checked_mul(len));
        let chunk_nbytes = product(grid.chunk_padded()).and_then(|items| items.checked_mul(itemsize));
        if chunk_nbytes.is_none_or(|nbytes| nbytes > i32::MAX as u64) || product(grid.chunks()).is_none() {
            let value = chunk_nbytes.unwrap_or(u64::MAX);
            return Err(Error::mismatch("chunk size", value, i32::MAX as u64));
        }
        Ok(grid)
    }

    /// Items in a row, in chunks that start at `starts`; its last entry is where the last chunk ends.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_starts(starts: Vec<u64>, itemsize: u64) -> Self {
        let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0).max(1);
        let (shape, chunk) = ([starts.last().copied().unwrap_or(0)], [longest]);
        Self { shape: shape.into(), chunk: chunk.into(), tile: chunk.into(), itemsize, padded: false, starts }
    }

    /// Where chunks start, if they are of different lengths. To list them takes an allocator.
    #[allow(clippy::missing_const_for_fn)]
    fn starts(&self) -> &[u64] {
        #[cfg(feature = "alloc")]
        return &self.starts;
        #[cfg(not(feature = "alloc"))]
        &[]
    }

    /// Whether there are no items.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Chunks along each axis.
    pub(crate) fn chunks(&self) -> Dims<u64> {
        self.shape.iter().zip(&self.chunk).map(|(len, chunk)| len.div_ceil(*chunk)).collect()
    }

    /// Tiles of a chunk along each axis.
    fn tiles(&self) -> Dims<u64> {
        self.chunk.iter().zip(&self.tile).map(|(chunk, tile)| chunk.div_ceil(*tile)).collect()
    }

    /// Items of a chunk along each axis, with the padding that fills its last tiles.
    fn chunk_padded(&self) -> Dims<u64> {
        self.tiles().iter().zip(&self.tile).map(|(tiles, tile)| tiles.saturating_mul(*tile)).collect()
    }

    /// Chunks in all.
    pub(crate) fn nchunks(&self) -> u64 {
        if self.is_empty() { 0 } else { self.chunks().iter().product() }
    }

    /// Bytes of a tile.
    pub(crate) fn tile_nbytes(&self) -> usize {
        (self.tile.iter().product::<u64>() * self.itemsize) as usize
    }

    /// Bytes of a plain chunk.
    pub(crate) fn chunk_nbytes(&self, chunk: &ChunkBox) -> u64 {
        if self.padded {
            self.chunk_padded().iter().product::<u64>() * self.itemsize
        } else {
            chunk.end.iter().zip(&chunk.origin).map(|(end, origin)| end - origin).product::<u64>()
                * self.itemsize
        }
    }

    /// The chunks that a selection touches, in C order.
    pub(crate) fn touched_chunks<'g>(&'g self, axes: &'g [Axis]) -> impl Iterator<Item = ChunkBox> + 'g {
        let counts = self.chunks();
        let whole =
            ChunkBox { nchunk: 0, origin: self.shape.iter().map(|_| 0).collect(), end: self.shape.clone() };
        let regular = self.starts().is_empty().then(|| Cover::new(axes, &whole, &self.chunk));
        let regular = regular.into_iter().flatten().map(move |at| {
            let origin: Dims<u64> = at.iter().zip(&self.chunk).map(|(at, chunk)| at * chunk).collect();
            let far = origin.iter().zip(&self.chunk).map(|(origin, chunk)| origin.saturating_add(*chunk));
            let end = far.zip(&self.shape).map(|(far, len)| far.min(*len)).collect();
            ChunkBox { nchunk: ravel(&at, &counts), origin, end }
        });
        let irregular = self.starts().windows(2).enumerate().filter_map(move |(nchunk, pair)| {
            let touched = axes[0].next(pair[0]).is_some_and(|position| position < pair[1]);
            touched.then(|| ChunkBox {
                nchunk: nchunk as u64,
                origin: [pair[0]].into(),
                end: [pair[1]].into(),
            })
        });
        regular.chain(irregular)
    }

    /// Chunk `nchunk`; `None` if there is none.
    pub(crate) fn chunk_box(&self, nchunk: u64) -> Option<ChunkBox> {
        if !self.starts().is_empty() {
            let starts =
                usize::try_from(nchunk).ok().and_then(|first| self.starts().get(first..)?.first_chunk())?;
            let [origin, end] = *starts;
            return Some(ChunkBox { nchunk, origin: [origin].into(), end: [end].into() });
        }
        if nchunk >= self.nchunks() {
            return None;
        }
        let mut rest = nchunk;
        let mut origin = self.chunks();
        for (count, chunk) in origin.iter_mut().zip(&self.chunk).rev() {
            let at = rest % *count;
            rest /= *count;
            *count = at * chunk;
        }
        let far = origin.iter().zip(&self.chunk).map(|(origin, chunk)| origin.saturating_add(*chunk));
        let end = far.zip(&self.shape).map(|(far, len)| far.min(*len)).collect();
        Some(ChunkBox { nchunk, origin, end })
    }

    /// The chunk that the item at a position lies in, and the item's first byte in it. Chunks have one length.
    pub(crate) fn item(&self, position: &[u64]) -> Result<(u64, usize)> {
        if position.len() != self.shape.len() {
            let (given, ndim) = (position.len(), self.shape.len());
            return Err(ArgumentError::Dimensions { given, ndim }.into());
        }
        let (mut nchunk, mut ntile, mut item) = (0, 0, 0);
        for (axis, &at) in position.iter().enumerate() {
            let (len, chunk, tile) = (self.shape[axis], self.chunk[axis], self.tile[axis]);
            if at >= len {
                return Err(ArgumentError::Index { axis, index: at as i64, len }.into());
            }
            nchunk = nchunk * len.div_ceil(chunk) + at / chunk;
            ntile = ntile * chunk.div_ceil(tile) + at % chunk / tile;
            item = item * tile + at % chunk % tile;
        }
        Ok((nchunk, ntile as usize * self.tile_nbytes() + (item * self.itemsize) as usize))
    }

    /// The numbers of the tiles of a chunk that a selection touches, in their order.
    pub(crate) fn touched_tiles<'g>(
        &'g self,
        axes: &'g [Axis],
        chunk: &ChunkBox,
    ) -> impl Iterator<Item = u64> + 'g {
        let counts = self.tiles();
        Cover::new(axes, chunk, &self.tile).map(move |at| ravel(&at, &counts))
    }

    /// The position of the first item of tile `ntile` of a chunk.
    pub(crate) fn tile_origin(&self, ntile: u64, chunk: &ChunkBox) -> Dims<u64> {
        let counts = self.tiles();
        let mut origin = chunk.origin.clone();
        let mut rest = ntile;
        for axis in (0..counts.len()).rev() {
            origin[axis] += rest % counts[axis] * self.tile[axis];
            rest /= counts[axis];
        }
        origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_items_anything_goes_and_can_be_counted() {
        let any = [u64::MAX, 0, u64::MAX];
        let grid = Grid::new([0, 5, 7].into(), any.into(), any.into(), 9, true).unwrap();
        assert_eq!((grid.tile_nbytes(), grid.nchunks()), (9, 0));
    }
}

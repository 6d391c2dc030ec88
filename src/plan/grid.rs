//! How an array is cut: chunks, blocks within them, and which of both a selection touches (FORMAT §8.4).

use super::axis::Axis;
pub(crate) use super::cover::ChunkBox;
use super::cover::{Cover, count, ravel, unravel};
use super::{Dims, dims};
use crate::base::{ArgumentError, Error, Extent, Result, times, wide};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Bytes of a chunk at most.
const MAX_CHUNK_BYTES: Extent = i32::MAX as Extent;

/// An array cut into chunks and these into tiles. Tiles are what lies in C order in a chunk, one after the other:
/// the blocks of the array, or the chunk itself where an array has no blocks of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) shape: Dims<Extent>,
    /// Items of a chunk along each axis.
    pub(crate) chunk: Dims<Extent>,
    /// Items of a tile along each axis.
    pub(crate) tile: Dims<Extent>,
    /// Bytes of an item.
    pub(crate) itemsize: Extent,
    /// Whether chunks at the edges are as long as all others; in a super-chunk they end with the data.
    pub(crate) padded: bool,
    /// Chunks of different lengths, and an end; empty if they have one length.
    #[cfg(feature = "alloc")]
    stretches: Vec<Stretch>,
}

/// Chunks of one length in a row, up to the next ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    /// Number of the first.
    nchunk: Extent,
    /// Its first item.
    origin: Extent,
    /// Items of each.
    len: Extent,
}

impl Grid {
    /// One without axes, to be given some and then [checked](Self::check).
    pub(crate) fn new(itemsize: Extent, padded: bool) -> Self {
        Self {
            shape: Dims::new(),
            chunk: Dims::new(),
            tile: Dims::new(),
            itemsize,
            padded,
            #[cfg(feature = "alloc")]
            stretches: Vec::new(),
        }
    }

    /// Checks that no product overflows.
    ///
    /// # Errors
    /// `Format` if a chunk cannot be as large, or there cannot be as many.
    pub(crate) fn check(&mut self) -> Result<()> {
        if self.is_empty() {
            // Where there are no items the reference writes zeros for these; any number will do that can be counted.
            (self.chunk, self.tile) = (dims(1, self.chunk.len()), dims(1, self.tile.len()));
            return Ok(());
        }
        for (name, lens) in [("chunkshape", &self.chunk), ("blockshape", &self.tile)] {
            if let Some(&len) = lens.iter().find(|len| **len == 0) {
                return Err(Error::format(crate::Malformed::Field { name, value: len as i64 }));
            }
        }
        // With the padding that fills its last tiles.
        let tile = self.tile.iter().try_fold(self.itemsize, |nbytes, &len| times(nbytes, len));
        let tiles = count(&self.chunk, &self.tile);
        let chunk_nbytes = tile.zip(tiles).and_then(|(tile, tiles)| times(tile, tiles));
        if chunk_nbytes.is_none_or(|nbytes| nbytes > MAX_CHUNK_BYTES)
            || count(&self.shape, &self.chunk).is_none()
        {
            let value = chunk_nbytes.unwrap_or(Extent::MAX);
            return Err(Error::mismatch("chunk size", wide(value), wide(MAX_CHUNK_BYTES)));
        }
        Ok(())
    }

    /// Whether there are no items.
    pub(crate) fn is_empty(&self) -> bool {
        !self.shape.iter().all(|&len| len > 0)
    }

    /// Chunks in all.
    pub(crate) fn nchunks(&self) -> Extent {
        if self.is_empty() { 0 } else { count(&self.shape, &self.chunk).unwrap_or(Extent::MAX) }
    }

    /// Bytes of a tile.
    pub(crate) fn tile_nbytes(&self) -> usize {
        (self.tile.iter().product::<Extent>() * self.itemsize) as usize
    }

    /// Bytes of a plain chunk with all of its padding.
    pub(crate) fn padded_nbytes(&self) -> Extent {
        count(&self.chunk, &self.tile).unwrap_or(0) * self.tile_nbytes() as Extent
    }

    /// Bytes of a plain chunk.
    pub(crate) fn chunk_nbytes(&self, chunk: &ChunkBox) -> Extent {
        if self.padded {
            return self.padded_nbytes();
        }
        let items: Extent = chunk.end.iter().zip(&chunk.origin).map(|(end, origin)| end - origin).product();
        items * self.itemsize
    }

    /// Chunk `nchunk`; `None` if there is none.
    pub(crate) fn chunk_box(&self, nchunk: Extent) -> Option<ChunkBox> {
        #[cfg(feature = "alloc")]
        if self.is_uneven() {
            return self.uneven_box(nchunk);
        }
        if nchunk >= self.nchunks() {
            return None;
        }
        Some(self.box_at(nchunk, unravel(nchunk, &self.shape, &self.chunk)))
    }

    /// Chunk `nchunk`, which is at this position in the grid. Chunks have one length.
    pub(super) fn box_at(&self, nchunk: Extent, mut origin: Dims<Extent>) -> ChunkBox {
        let mut end = self.shape.clone();
        for ((origin, end), chunk) in origin.iter_mut().zip(&mut end).zip(&self.chunk) {
            *origin *= chunk;
            *end = (*origin + chunk).min(*end);
        }
        ChunkBox { nchunk, origin, end }
    }

    /// The chunk that the item at a position lies in, and the item's first byte in it. Chunks have one length.
    pub(crate) fn item(&self, position: &[u64]) -> Result<(Extent, usize)> {
        if position.len() != self.shape.len() {
            let (given, ndim) = (position.len(), self.shape.len());
            return Err(ArgumentError::Dimensions { given, ndim }.into());
        }
        let (mut nchunk, mut ntile, mut item) = (0, 0, 0);
        let lens = self.shape.iter().zip(&self.chunk).zip(&self.tile);
        for (axis, (&at, ((&len, &chunk), &tile))) in position.iter().zip(lens).enumerate() {
            let (chunk, tile) = (chunk.max(1), tile.max(1));
            let at = Extent::try_from(at).ok().filter(|&at| at < len).ok_or_else(|| {
                let index = i64::try_from(at).unwrap_or(i64::MAX);
                ArgumentError::Index { axis, index, len: wide(len) }
            })?;
            nchunk = nchunk * len.div_ceil(chunk) + at / chunk;
            ntile = ntile * chunk.div_ceil(tile) + at % chunk / tile;
            item = item * tile + at % chunk % tile;
        }
        Ok((nchunk, ntile as usize * self.tile_nbytes() + (item * self.itemsize) as usize))
    }

    /// The tiles of a chunk that a selection touches.
    pub(super) fn touched_tiles<'g>(&'g self, axes: &'g [Axis], chunk: &'g ChunkBox) -> Cover<'g> {
        Cover::of_chunk(axes, chunk, &self.tile)
    }

    /// The number of a tile in its chunk.
    pub(super) fn ntile(&self, position: &[Extent]) -> Extent {
        ravel(position, &self.chunk, &self.tile)
    }
}

#[cfg(feature = "alloc")]
impl Grid {
    /// Items in a row, in chunks of different lengths: so many with so many items each, and so on.
    ///
    /// # Errors
    /// `Format` if there are more than can be counted.
    pub(crate) fn of_runs(runs: impl Iterator<Item = (u64, Extent)>, itemsize: Extent) -> Result<Self> {
        let mut stretches = Vec::with_capacity(runs.size_hint().0 + 1);
        let (mut nchunk, mut origin, mut longest) = (0_u64, 0, 1);
        for (count, len) in runs {
            stretches.push(Stretch { nchunk, origin, len });
            let end = times(count, len).and_then(|items| items.checked_add(origin));
            nchunk = nchunk.saturating_add(count);
            origin = end.ok_or_else(|| Error::mismatch("nchunks", nchunk, 0))?;
            longest = len.max(longest);
        }
        stretches.push(Stretch { nchunk, origin, len: 0 });
        let (shape, chunk) = (dims(origin, 1), dims(longest, 1));
        Ok(Self { shape, tile: chunk.clone(), chunk, itemsize, padded: false, stretches })
    }

    /// Whether chunks have different lengths.
    pub(super) const fn is_uneven(&self) -> bool {
        !self.stretches.is_empty()
    }

    /// The last stretch for which this holds, as it does for those before; `None` for the end.
    fn stretch(&self, holds: impl Fn(&Stretch) -> bool) -> Option<&Stretch> {
        let next = self.stretches.partition_point(holds);
        self.stretches[..next].last().filter(|_| next < self.stretches.len())
    }

    /// Chunk `nchunk`, where they have different lengths.
    pub(super) fn uneven_box(&self, nchunk: Extent) -> Option<ChunkBox> {
        let stretch = self.stretch(|stretch| stretch.nchunk <= nchunk)?;
        let origin = stretch.origin + (nchunk - stretch.nchunk) * stretch.len;
        Some(ChunkBox { nchunk, origin: dims(origin, 1), end: dims(origin + stretch.len, 1) })
    }

    /// The number of the chunk that an item lies in, where they have different lengths.
    pub(super) fn uneven_chunk(&self, item: Extent) -> Option<Extent> {
        let stretch = self.stretch(|stretch| stretch.origin <= item)?;
        Some(stretch.nchunk + (item - stretch.origin).checked_div(stretch.len)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_items_anything_goes_and_can_be_counted() {
        let any = [Extent::MAX, 0, Extent::MAX];
        let mut grid =
            Grid { shape: [0, 5, 7].into(), chunk: any.into(), tile: any.into(), ..Grid::new(9, true) };
        grid.check().unwrap();
        assert_eq!((grid.tile_nbytes(), grid.nchunks()), (9, 0));
    }
}

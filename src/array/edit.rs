//! Changes of an array's shape.

use super::shapes::shapes;
use super::{Layout, WireArray};
use crate::base::{ArgumentError, Extent, Limits, Result, extent};
use crate::plan::{MAX_DIM, dims};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The shapes of an array, its chunks and its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Axes {
    pub(crate) shape: Vec<u64>,
    pub(crate) chunkshape: Vec<u32>,
    pub(crate) blockshape: Vec<u32>,
}

impl Layout {
    /// A copy of the axes, to be modified.
    pub(crate) fn axes(&self) -> Axes {
        Axes {
            shape: self.grid.shape.to_vec(),
            chunkshape: self.chunkshape.to_vec(),
            blockshape: self.blockshape.to_vec(),
        }
    }

    /// Uncompressed bytes of a chunk and of a block. The grid of an empty array does not provide them.
    pub(crate) fn sizes(&self) -> Result<(u32, u32)> {
        let mut grid = self.grid.clone();
        grid.shape = dims(1, grid.shape.len());
        grid.chunk = self.chunkshape.iter().copied().map(Extent::from).collect();
        grid.tile = self.blockshape.iter().copied().map(Extent::from).collect();
        grid.check()?;
        Ok((grid.padded_nbytes() as u32, grid.tile_nbytes() as u32))
    }

    /// The axes for another shape. An empty array may have chunk or block shapes with zeros; these are replaced by default
    /// ones.
    pub(crate) fn axes_for(&self, shape: &[u64]) -> Result<Axes> {
        let mut axes = Axes { shape: shape.to_vec(), ..self.axes() };
        if axes.chunkshape.iter().chain(&axes.blockshape).any(|&len| len == 0) {
            (axes.chunkshape, axes.blockshape) = shapes(shape, self.itemsize(), None, None)?;
        }
        Ok(axes)
    }

    /// Returns the array with other axes, and its new metalayer. `content` is the current one.
    pub(crate) fn with_axes(&self, axes: &Axes, content: &[u8], caterva: bool) -> Result<(Self, Vec<u8>)> {
        let mut wire = if caterva {
            WireArray::parse_caterva(content)?
        } else {
            WireArray::parse_b2nd(content, &Limits::default())?
        };
        if axes.shape.len() > MAX_DIM {
            return Err(ArgumentError::Dimensions { given: axes.shape.len(), ndim: MAX_DIM }.into());
        }
        wire.shape = axes.shape.iter().map(|&len| extent(len)).collect::<Result<_>>()?;
        wire.chunkshape = axes.chunkshape.iter().copied().collect();
        wire.blockshape = axes.blockshape.iter().copied().collect();
        let array = Self::of_wire(self.itemsize(), &wire)?;
        Ok((Self { early_bitshuffle: self.early_bitshuffle, ..array }, wire.emit()))
    }

    /// The number of chunks along each axis.
    fn chunk_counts(&self) -> Vec<u64> {
        let lens = self.grid.shape.iter().zip(&self.grid.chunk);
        lens.map(|(len, chunk)| if self.grid.is_empty() { 0 } else { len.div_ceil(*chunk) }).collect()
    }

    /// Whether both arrays have the same chunks, apart from their items.
    pub(crate) fn has_chunks_of(&self, old: &Self) -> bool {
        self.chunk_counts() == old.chunk_counts()
    }

    /// For each chunk of this array, in order, the chunk of `old` with its items, or `None` for a new chunk. Both arrays have
    /// the same chunk shape. Chunks at positions from `from` on along `axis` have moved by `by`; the chunks in the gap are new.
    pub(crate) fn chunks_of(&self, old: &Self, axis: usize, (from, by): (u64, i64)) -> Vec<Option<u64>> {
        let (new, old) = (self.chunk_counts(), old.chunk_counts());
        let before = |this: usize, at: u64| -> Option<u64> {
            if this != axis || at < from {
                return Some(at);
            }
            at.checked_add_signed(-by).filter(|&at| at >= from.saturating_add_signed(-by.min(0)))
        };
        let mut chunks = Vec::new();
        let mut position = vec![0; new.len()];
        for _ in 0..self.grid.nchunks() {
            let number = position.iter().enumerate().try_fold(0, |number, (this, &at)| {
                before(this, at).filter(|&at| at < old[this]).map(|at| number * old[this] + at)
            });
            chunks.push(number);
            for this in (0..new.len()).rev() {
                position[this] += 1;
                if position[this] < new[this] {
                    break;
                }
                position[this] = 0;
            }
        }
        chunks
    }

    /// The ranges of all chunks that lie at least partly within a smaller shape.
    pub(crate) fn chunks_within(&self, shape: &[u64]) -> Vec<Range<u64>> {
        let axes = shape.iter().zip(self.grid.shape.iter().zip(&self.grid.chunk));
        axes.map(|(&new, (&old, &chunk))| 0..new.next_multiple_of(chunk).min(old)).collect()
    }

    /// The range along `axis` from `at` to the end of its chunk; `None` if `at` is the start of a chunk.
    pub(crate) fn rest_of_chunk(&self, axis: usize, at: u64) -> Option<Range<u64>> {
        let chunk = self.grid.chunk[axis];
        (!at.is_multiple_of(chunk)).then(|| at..at.next_multiple_of(chunk))
    }
}

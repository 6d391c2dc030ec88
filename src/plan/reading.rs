//! Reading a selection, planned: which chunks, which blocks of them, and where their items go.

use super::Dims;
use super::axis::Axis;
use super::grid::{ChunkBox, Grid};
#[cfg(feature = "indexing")]
use super::joined;
use super::layout::{Layout, Strides};
use super::place::Patch;
#[cfg(feature = "alloc")]
use super::selection::Selection;
use super::selection::{Index, resolve};
use super::shape::Shape;
use crate::base::ArgumentError;
use crate::base::{Error, Extent, LONGEST, Limit, LimitError, Result, slice_at, times, wide};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::Range;

/// How to read a selection. Pure: somebody else brings the bytes, in any order.
///
/// 1. [`chunks`](Self::chunks) names the chunks that the selection touches.
/// 2. [`blocks`](Self::blocks) names the blocks of such a chunk, once the chunk's header is known.
/// 3. [`place`](Self::place) copies the items of a plain block to where they belong.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) grid: Grid,
    pub(super) axes: Dims<Axis>,
    /// The order of the result's axes. Without `indexing` it is the array's.
    pub(super) layout: Layout,
    pub(super) strides: Strides,
    pub(super) shape: Dims<Extent>,
    pub(super) nbytes: Extent,
}

/// A chunk that a plan touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkTask {
    pub(super) chunk: ChunkBox,
    pub(super) nbytes: Extent,
}

impl ChunkTask {
    pub(super) fn new(grid: &Grid, chunk: ChunkBox) -> Self {
        Self { nbytes: grid.chunk_nbytes(&chunk), chunk }
    }

    /// The chunk's number.
    pub const fn nchunk(&self) -> u64 {
        wide(self.chunk.nchunk)
    }

    /// Bytes that the chunk must have, plain.
    pub const fn nbytes(&self) -> u64 {
        wide(self.nbytes)
    }
}

impl Plan {
    /// The plan for a selection of what is cut so.
    pub(crate) fn new(grid: &Grid, selection: &[Index]) -> Result<Self> {
        #[cfg(feature = "indexing")]
        if selection.iter().any(Index::joins) {
            let (grid, axes) = joined::resolve(grid, selection)?;
            return Self::of_axes(&grid, &axes);
        }
        Self::of_axes(grid, &resolve(selection, &grid.shape)?)
    }

    pub(super) fn of_axes(grid: &Grid, axes: &Dims<Axis>) -> Result<Self> {
        Self::of_layout(grid, axes, Layout::new(0..axes.len() as u8, axes))
    }

    /// The plan whose result has its axes in this order.
    #[inline(never)]
    pub(super) fn of_layout(grid: &Grid, axes: &Dims<Axis>, layout: Layout) -> Result<Self> {
        let nbytes = Self::count_nbytes(grid, axes)?;
        let (shape, strides) = (layout.shape(axes), layout.strides(axes, grid.itemsize));
        Ok(Self { grid: grid.clone(), axes: axes.clone(), layout, strides, shape, nbytes })
    }

    /// The plan for other items along the same axes.
    pub(super) fn with_axes(&self, axes: &Dims<Axis>) -> Result<Self> {
        Self::of_layout(&self.grid, axes, self.layout.clone())
    }

    /// The axes of the array that the result has, from the outermost on. Without `indexing` also those that were indexed.
    pub(super) fn outward(&self) -> impl Iterator<Item = usize> + '_ {
        self.layout.outward(self.axes.len())
    }

    fn count_nbytes(grid: &Grid, axes: &[Axis]) -> Result<Extent> {
        let mut nbytes = grid.itemsize;
        for axis in axes.iter().rev() {
            nbytes = times(nbytes, axis.count).ok_or_else(|| {
                let allowed = LONGEST as u64;
                Error::from(LimitError { limit: Limit::Memory, wanted: u64::MAX, allowed })
            })?;
        }
        Ok(nbytes)
    }

    /// The shape of the result: the array's axes without those that were indexed.
    pub fn shape(&self) -> Shape<'_> {
        Shape::new(&self.shape)
    }

    /// Bytes of the result; `usize::MAX` if there are more than the memory can have, so that it takes
    /// [parts](Self::parts) to read them.
    pub const fn nbytes(&self) -> usize {
        if wide(self.nbytes) > usize::MAX as u64 { usize::MAX } else { self.nbytes as usize }
    }

    /// Bytes of the tiles that the selection touches, about.
    #[cfg(feature = "std")]
    pub(crate) fn nbytes_touched(&self) -> u64 {
        let tiles = self.axes.iter().zip(&self.grid.tile).map(|(axis, tile)| {
            let span = axis.count.saturating_mul(axis.step.unsigned_abs());
            let span = axis.positions().map_or(span, |positions| {
                positions.last().zip(positions.first()).map_or(0, |(last, first)| last - first + 1)
            });
            axis.count.min(span.div_ceil(*tile))
        });
        tiles.fold(self.grid.tile_nbytes() as u64, u64::saturating_mul)
    }

    /// Bytes of a block of the array, or of a chunk where there are no blocks.
    pub fn tile_nbytes(&self) -> usize {
        self.grid.tile_nbytes()
    }

    /// Chunk `nchunk`, if the selection touches it.
    pub fn chunk(&self, nchunk: u64) -> Option<ChunkTask> {
        let chunk = self.grid.chunk_box(Extent::try_from(nchunk).ok()?)?;
        for (taken, (origin, end)) in self.axes.iter().zip(chunk.origin.iter().zip(&chunk.end)) {
            if taken.within(*origin, *end).is_empty() {
                return None;
            }
        }
        Some(ChunkTask::new(&self.grid, chunk))
    }

    /// Where in the result the plain bytes `range` of a chunk go if they go there in one piece.
    pub fn straight(&self, task: &ChunkTask, range: Range<usize>) -> Option<Range<usize>> {
        let tile = self.tile_len();
        let (ntile, start) = (range.start / tile, range.start % tile);
        self.patch(task, ntile as Extent)?.straight(start..start + range.len())
    }

    /// Copies from `plain`, which begins `start` bytes after the start of the plain chunk, what the selection takes
    /// of it to `out`, which has [`nbytes`](Self::nbytes).
    ///
    /// # Errors
    /// `Format` (truncated) if `out` has fewer.
    #[inline(never)]
    pub fn place(&self, task: &ChunkTask, start: usize, plain: &[u8], out: &mut [u8]) -> Result<()> {
        let tile = self.tile_len();
        let end = start + plain.len();
        for ntile in start / tile..end.div_ceil(tile) {
            let Some(patch) = self.patch(task, ntile as Extent) else { continue };
            let from = start.max(ntile * tile);
            let to = end.min((ntile + 1) * tile);
            patch.copy(slice_at(plain, from - start, to - from)?, from - ntile * tile, out)?;
        }
        Ok(())
    }

    /// Bytes of a tile, which has an item at least.
    fn tile_len(&self) -> usize {
        self.grid.tile_nbytes().max(1)
    }

    /// The items that the selection takes of the plain bytes `range` of a chunk, counted from their start, if they are a tile, or
    /// if they are part of one and it is one piece.
    pub(crate) fn patch_of(&self, task: &ChunkTask, range: Range<usize>) -> Option<Patch<'_>> {
        let tile = self.tile_len();
        let (ntile, start) = (range.start / tile, range.start % tile);
        let window = start..start + range.len();
        let mut patch = if window.end <= tile { self.patch(task, ntile as Extent)? } else { return None };
        (window.len() == tile || patch.clip(window)).then_some(patch)
    }

    pub(super) fn patch(&self, task: &ChunkTask, ntile: Extent) -> Option<Patch<'_>> {
        let strides = self.strides.inward(self.grid.itemsize as usize);
        Patch::new(&self.grid, &self.axes, strides, &task.chunk, ntile)
    }
}

#[cfg(feature = "alloc")]
impl Plan {
    /// Splits the selection into about `count` parts, one after the other in C order, that have no block in common: for
    /// threads. There are fewer where blocks are long along the first axis of the result, and one where that takes a list of
    /// positions whose order is not ascending.
    pub fn shares(&self, count: usize) -> Vec<Self> {
        self.cut(count, false)
    }

    /// [`shares`](Self::shares) that end where a chunk does, unless this made one longer than two: for sources from which a whole chunk
    /// takes fewer requests than its parts.
    pub fn shares_of_chunks(&self, count: usize) -> Vec<Self> {
        self.cut(count, true)
    }

    fn cut(&self, count: usize, at_chunks: bool) -> Vec<Self> {
        let first = self.outward().find(|axis| self.axes[*axis].count > 1);
        let Some(axis) = first.filter(|axis| !self.axes[*axis].is_permuted()) else {
            return Vec::from([self.clone()]);
        };
        let items = self.axes[axis].count;
        let (chunk, tile) = (self.grid.chunk[axis], self.grid.tile[axis]);
        let share = items.div_ceil(count.max(1) as u64);
        let mut shares = Vec::new();
        let mut done = 0;
        while done < items {
            let last = self.axes[axis].coordinate((done + share).min(items) - 1);
            // To the end of the tile that the last item lies in, be it upward or downward.
            let (in_chunk, origin) = (last % chunk, last / chunk * chunk);
            let low = origin + in_chunk / tile * tile;
            let high = (low + tile).min(origin + chunk);
            let chunk_end = self.axes[axis].within(origin, origin + chunk).end;
            let is_near = at_chunks && chunk_end - done <= 2 * share;
            let end = if is_near { chunk_end } else { self.axes[axis].within(low, high).end };
            let Some(part) = self.narrow(axis, done..end) else { return Vec::from([self.clone()]) };
            shares.push(part);
            done = end;
        }
        shares
    }

    fn narrow(&self, axis: usize, taken: Range<u64>) -> Option<Self> {
        let mut axes = self.axes.clone();
        axes[axis] = self.axes[axis].items(taken);
        self.with_axes(&axes).ok()
    }

    /// The part of the plan within one chunk, as a plan of its own, and the box of the result that this fills: a range
    /// for each axis of [`shape`](Self::shape). For those who decode chunks in different places.
    ///
    /// # Errors
    /// Errors of planning; `Argument` for a list of positions whose order is not ascending, since what it takes of a chunk is
    /// no box of the result.
    pub fn part(&self, task: &ChunkTask) -> Result<(Self, Vec<Range<u64>>)> {
        self.part_of_box(&task.chunk)
    }

    /// The part of the plan within consecutive chunks of a row, `first` to `last`. Rows are along the last axis.
    ///
    /// # Errors
    /// Errors of planning.
    pub fn part_of_row(&self, first: &ChunkTask, last: &ChunkTask) -> Result<(Self, Vec<Range<u64>>)> {
        self.part_of_box(&ChunkBox { end: last.chunk.end.clone(), ..first.chunk.clone() })
    }

    /// How many chunks make a row.
    pub fn chunks_in_row(&self) -> u64 {
        let lens = self.grid.shape.last().zip(self.grid.chunk.last());
        lens.map_or(1, |(len, chunk)| len.div_ceil((*chunk).max(1)))
    }

    /// Turns a chunk into the next one of its row, which has to exist. Faster than [`chunk`](Self::chunk).
    pub fn advance(&self, task: &mut ChunkTask) {
        let (grid, chunk) = (&self.grid, &mut task.chunk);
        chunk.nchunk += 1;
        if let Some(next) = grid.uneven_box(chunk.nchunk) {
            *chunk = next;
        } else if let (Some(origin), Some(end)) = (chunk.origin.last_mut(), chunk.end.last_mut()) {
            let last = grid.shape.len() - 1;
            *origin = *end;
            *end = (*origin + grid.chunk[last]).min(grid.shape[last]);
        }
        task.nbytes = grid.chunk_nbytes(chunk);
    }

    /// The part of the plan within a box of items.
    pub(super) fn part_of_box(&self, window: &ChunkBox) -> Result<(Self, Vec<Range<u64>>)> {
        let mut part = self.axes.clone();
        for (number, axis) in part.iter_mut().enumerate() {
            if axis.is_permuted() {
                return Err(ArgumentError::ListOrder { axis: number }.into());
            }
            *axis = axis.items(axis.within(window.origin[number], window.end[number]));
        }
        let within = |axis: usize| self.axes[axis].within(window.origin[axis], window.end[axis]);
        let kept = self.outward().filter(|&axis| !self.axes[axis].single);
        let place = kept.map(within).collect();
        Ok((self.with_axes(&part)?, place))
    }
}

#[cfg(feature = "alloc")]
impl Selection {
    /// The shape of the result for an array of this shape.
    ///
    /// ```
    /// let selection: b2nd::Selection = "-1, ::2".parse()?;
    /// assert_eq!(selection.shape(&[12, 30, 40])?, [15, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit the array.
    pub fn shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        #[cfg(not(feature = "indexing"))]
        let axes = resolve(&self.0, shape)?;
        #[cfg(feature = "indexing")]
        let axes = if self.0.iter().any(Index::joins) {
            joined::resolve(&Grid::of_shape(shape), &self.0)?.1
        } else {
            resolve(&self.0, shape)?
        };
        Ok(axes.iter().filter(|axis| !axis.single).map(|axis| axis.count).collect())
    }
}

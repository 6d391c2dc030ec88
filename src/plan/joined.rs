//! Selections of points: the axes that they are in are joined to one.

use super::Dims;
use super::axis::Axis;
use super::grid::Grid;
use super::points::Points;
use super::selection::{Index, resolve_one};
use crate::base::{ArgumentError, Extent, LONGEST, Limit, LimitError, Result, times, wide};
use alloc::vec::Vec;

impl Index {
    /// These positions along one axis, in this order. Positions may repeat; negative ones count from the end.
    ///
    /// Lists for several axes are independent of each other: the result has all combinations, as with `numpy.ix_` and Zarr's
    /// `oindex`. [`points`](Self::points) takes positions in several axes together.
    ///
    /// ```
    /// use b2nd::{Index, Selection};
    /// let selection = Selection(vec![Index::list([5, 1, -1]), Index::ALL, Index::list([0, 0])]);
    /// assert_eq!(selection, "[5, 1, -1], :, [0, 0]".parse()?);
    /// assert_eq!(selection.shape(&[10, 20, 30])?, [3, 20, 2]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn list(positions: impl IntoIterator<Item = i64>) -> Self {
        Self::Points(Points { ndim: 1, positions: positions.into_iter().collect(), mask: None })
    }

    /// The items at these points of `N` adjacent axes, as with Zarr's `vindex`. The result has one axis for them.
    /// [`Points::new`] is for a number of axes that is not known beforehand.
    ///
    /// ```
    /// use b2nd::{Index, Selection};
    /// let selection = Selection(vec![Index::points(&[[0, 3], [9, -1], [0, 3]]), Index::At(7)]);
    /// assert_eq!(selection.shape(&[10, 20, 30])?, [3]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn points<const N: usize>(points: &[[i64; N]]) -> Self {
        const { assert!(N > 0, "points need an axis") };
        Self::Points(Points { ndim: N, positions: points.as_flattened().to_vec(), mask: None })
    }

    /// The positions along one axis at which the mask is true. It must be as long as the axis. [`Points::of_mask`] is for
    /// masks of several axes.
    ///
    /// ```
    /// use b2nd::{Index, Selection};
    /// let selection = Selection(vec![Index::mask(&[true, false, true, true])]);
    /// assert_eq!(selection.shape(&[4, 9])?, [3, 9]);
    /// assert_eq!(selection.shape(&[5, 9]).unwrap_err().to_string(), "a mask of 4 for axis 0 of length 5");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn mask(mask: &[bool]) -> Self {
        let positions = (0..).zip(mask).filter_map(|(at, taken)| taken.then_some(at)).collect();
        Self::Points(Points { ndim: 1, positions, mask: Some(Vec::from([mask.len() as u64])) })
    }

    /// The number of axes that it is for; 0 of an ellipsis.
    const fn width(&self) -> usize {
        match self {
            Self::Ellipsis => 0,
            Self::Points(points) => points.ndim,
            _ => 1,
        }
    }

    /// Whether it joins several axes to one, as [`resolve`] does.
    pub(super) const fn joins(&self) -> bool {
        self.width() > 1
    }
}

/// One [`Axis`] for each axis of an array, and the grid with these axes. Those that points are in are one axis, along which the
/// items are in the order in which they are stored: chunk after chunk, tile after tile. So points in the same tile are neighbours.
pub(super) fn resolve(grid: &Grid, given: &[Index]) -> Result<(Grid, Dims<Axis>)> {
    let ndim = grid.shape.len();
    let all = [Index::Ellipsis];
    let ellipses = given.iter().filter(|index| index.width() == 0).count();
    let rest = ndim.checked_sub(given.iter().map(Index::width).sum());
    let Some(rest) = rest.filter(|_| ellipses < 2) else {
        return Err(ArgumentError::Dimensions { given: given.len(), ndim }.into());
    };
    let mut joined = Grid::new(grid.itemsize, grid.padded);
    let (mut axes, mut axis) = (Dims::new(), 0);
    for index in given.iter().chain(&all[ellipses..]) {
        let count = if index.width() == 0 { rest } else { 1 };
        for _ in 0..count {
            let width = index.width().max(1);
            joined.push(grid.joined(axis, width)?);
            // There is room: these are no more axes than those of the grid.
            let _ = axes.push(match index {
                Index::Points(points) if width > 1 => points.joined(grid, axis)?,
                index => resolve_one(axis, index, grid.shape[axis])?,
            });
            axis += width;
        }
    }
    Ok((joined, axes))
}

impl Grid {
    /// The lengths of an axis, of chunks and of tiles that joins `width` axes, from axis `axis` on.
    fn joined(&self, axis: usize, width: usize) -> Result<[Extent; 3]> {
        if width == 1 {
            return Ok([self.shape[axis], self.chunk[axis], self.tile[axis]]);
        }
        let (mut chunks, mut tiles, mut tile) = (Some(1), 1, 1);
        for axis in axis..axis + width {
            chunks = chunks.and_then(|chunks| times(chunks, self.shape[axis].div_ceil(self.chunk[axis])));
            tiles *= self.chunk[axis].div_ceil(self.tile[axis]);
            tile *= self.tile[axis];
        }
        let shape = chunks.and_then(|chunks| times(chunks, tiles * tile));
        let allowed = LONGEST as u64;
        let limit = LimitError { limit: Limit::Memory, wanted: u64::MAX, allowed };
        Ok([shape.filter(|&shape| wide(shape) <= allowed).ok_or(limit)?, tiles * tile, tile])
    }

    /// Adds an axis.
    pub(super) fn push(&mut self, [shape, chunk, tile]: [Extent; 3]) {
        for (own, len) in
            [&mut self.shape, &mut self.chunk, &mut self.tile].into_iter().zip([shape, chunk, tile])
        {
            let _ = own.push(len);
        }
    }

    /// An array in chunks of one item.
    pub(super) fn of_shape(shape: &[Extent]) -> Self {
        let mut grid = Self::new(1, true);
        shape.iter().for_each(|len| grid.push([*len, 1, 1]));
        grid
    }
}

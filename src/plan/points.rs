//! Positions given one by one: along an axis, or in several axes together.

use super::Dims;
use super::axis::Axis;
use super::grid::Grid;
use super::selection::{Index, position, resolve_one};
use crate::base::{ArgumentError, Extent, LONGEST, Limit, LimitError, Result, times, wide};
use alloc::vec::Vec;

/// Positions in one axis or in several adjacent ones, in any order and as often as one likes. The result has one axis in place
/// of these.
///
/// Of one axis they are a list of positions. In several axes they are points: item `k` of the result is at the `k`-th position
/// in each of the axes. [`Index::list`], [`Index::points`] and [`Index::mask`] make indices of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    ndim: usize,
    /// The positions in all axes of one point, and so on. Negative ones count from the end.
    positions: Vec<i64>,
    /// The shape of the mask that they come from.
    mask: Option<Vec<u64>>,
}

impl Points {
    /// Points in `ndim` axes: the positions of the first point, then those of the next. Negative positions count from the end.
    ///
    /// ```
    /// use b2nd::{Index, Selection, plan::Points};
    /// let points = Points::new(2, vec![0, 3, -1, 2, 5, 5])?;
    /// let selection = Selection(vec![Index::Points(points), Index::ALL]);
    /// assert_eq!(selection.shape(&[10, 20, 7])?, [3, 7]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `positions` is not a whole number of points, or if they have no axis.
    pub fn new(ndim: usize, positions: Vec<i64>) -> Result<Self> {
        if ndim == 0 || !positions.len().is_multiple_of(ndim) {
            let (expected, actual) = (positions.len().next_multiple_of(ndim.max(1)), positions.len());
            return Err(ArgumentError::ValueCount { expected: expected as u64, actual: actual as u64 }.into());
        }
        Ok(Self { ndim, positions, mask: None })
    }

    /// The positions at which a mask of this shape is true, in C order. The mask must be as long as the axes that it is for.
    ///
    /// ```
    /// use b2nd::{Index, Selection, plan::Points};
    /// let mask = Points::of_mask(&[2, 3], &[true, false, false, false, true, true])?;
    /// assert_eq!(Selection(vec![Index::Points(mask)]).shape(&[2, 3, 8])?, [3, 8]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `mask` does not have the length of the shape, or if that has no axes.
    pub fn of_mask(shape: &[u64], mask: &[bool]) -> Result<Self> {
        let expected = shape.iter().try_fold(1, |count, &len| times(count, len)).unwrap_or(u64::MAX);
        if shape.is_empty() || expected != mask.len() as u64 {
            return Err(ArgumentError::ValueCount { expected, actual: mask.len() as u64 }.into());
        }
        let mut positions = Vec::new();
        for number in mask.iter().enumerate().filter_map(|(number, taken)| taken.then_some(number)) {
            let (mut rest, start) = (number as u64, positions.len());
            positions.resize(start + shape.len(), 0);
            for (position, len) in positions[start..].iter_mut().zip(shape).rev() {
                (*position, rest) = ((rest % len) as i64, rest / len);
            }
        }
        Ok(Self { ndim: shape.len(), positions, mask: Some(shape.to_vec()) })
    }

    /// The number of axes.
    pub const fn ndim(&self) -> usize {
        self.ndim
    }

    /// The number of points.
    pub const fn len(&self) -> usize {
        self.positions.len() / self.ndim
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions of each point, as given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.positions.chunks_exact(self.ndim)
    }

    /// Its positions along axis `axis`, which is `len` long, if it has no others.
    pub(super) fn along(&self, axis: usize, len: Extent) -> Result<Axis> {
        self.check_mask(axis, &[len])?;
        let positions = self.positions.iter().map(|&index| position(axis, index, len));
        Ok(Axis::of_positions(positions.collect::<Result<_>>()?))
    }

    fn check_mask(&self, axis: usize, shape: &[Extent]) -> Result<()> {
        let lens = self.mask.iter().flatten().zip(shape).enumerate();
        for (number, (&given, &len)) in lens.filter(|(_, (given, len))| given != len) {
            return Err(ArgumentError::MaskLen { axis: axis + number, given, len: wide(len) }.into());
        }
        Ok(())
    }

    /// The places of the points in axes that lie one tile after the other, from axis `axis` of the grid on.
    fn joined(&self, grid: &Grid, axis: usize) -> Result<Axis> {
        let axes = axis..axis + self.ndim;
        self.check_mask(axis, &grid.shape[axes.clone()])?;
        let mut places = Vec::with_capacity(self.len());
        for point in self.iter() {
            let (mut nchunk, mut ntile, mut item) = (0, 0, 0);
            let (mut tiles, mut items) = (1, 1);
            for (axis, &index) in axes.clone().zip(point) {
                let (len, chunk, tile) = (grid.shape[axis], grid.chunk[axis], grid.tile[axis]);
                let at = position(axis, index, len)?;
                nchunk = nchunk * len.div_ceil(chunk) + at / chunk;
                ntile = ntile * chunk.div_ceil(tile) + at % chunk / tile;
                item = item * tile + at % chunk % tile;
                (tiles, items) = (tiles * chunk.div_ceil(tile), items * tile);
            }
            places.push((nchunk * tiles + ntile) * items + item);
        }
        Ok(Axis::of_positions(places))
    }
}

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

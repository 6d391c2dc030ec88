//! Positions given one by one: along an axis, or in several axes together.

use super::axis::{Axis, position};
use super::grid::Grid;
use crate::base::{ArgumentError, Extent, Result, times, wide};
use alloc::vec::Vec;
use core::fmt;

/// Positions in one axis or in several adjacent ones, in any order and as often as one likes. The result has one axis in place
/// of these.
///
/// Of one axis they are a list of positions. In several axes they are points: item `k` of the result is at the `k`-th position
/// in each of the axes. [`Index::list`](super::Index::list), [`Index::points`](super::Index::points) and
/// [`Index::mask`](super::Index::mask) make indices of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    pub(super) ndim: usize,
    /// The positions in all axes of one point, and so on. Negative ones count from the end.
    pub(super) positions: Vec<i64>,
    /// The shape of the mask that they come from.
    pub(super) mask: Option<Vec<u64>>,
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ndim == 1 {
            return self.list(0, f);
        }
        f.write_str("(")?;
        for axis in 0..self.ndim {
            f.write_str(if axis > 0 { ", " } else { "" })?;
            self.list(axis, f)?;
        }
        f.write_str(")")
    }
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
    ///
    /// ```
    /// # use b2nd::plan::Points;
    /// let points = Points::of_mask(&[2, 2], &[true, false, true, true])?;
    /// assert_eq!(points.ndim(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn ndim(&self) -> usize {
        self.ndim
    }

    /// The number of points.
    ///
    /// ```
    /// # use b2nd::plan::Points;
    /// let points = Points::of_mask(&[2, 2], &[true, false, true, true])?;
    /// assert_eq!(points.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn len(&self) -> usize {
        self.positions.len() / self.ndim
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use b2nd::plan::Points;
    /// let points = Points::of_mask(&[2, 2], &[true, false, true, true])?;
    /// assert!(!points.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions of each point, as given.
    ///
    /// ```
    /// # use b2nd::plan::Points;
    /// let points = Points::of_mask(&[2, 2], &[true, false, true, true])?;
    /// assert!(points.iter().eq([[0, 0], [1, 0], [1, 1]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.positions.chunks_exact(self.ndim)
    }

    /// The positions along one of its axes.
    fn list(&self, axis: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (number, point) in self.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{}", point[axis])?;
        }
        f.write_str("]")
    }

    /// Its positions along axis `axis`, which is `len` long, if it has no others.
    pub(super) fn along(&self, axis: usize, len: Extent) -> Result<Axis> {
        self.check_mask(axis, &[len])?;
        let positions = self.positions.iter().map(|&index| position(axis, index, len));
        Ok(Axis::of_positions(positions.collect::<Result<_>>()?))
    }

    fn check_mask(&self, axis: usize, shape: &[Extent]) -> Result<()> {
        let mut lens = self.mask.iter().flatten().zip(shape).enumerate();
        if let Some((number, (&given, &len))) = lens.find(|(_, (given, len))| given != len) {
            return Err(ArgumentError::MaskLen { axis: axis + number, given, len: wide(len) }.into());
        }
        Ok(())
    }

    /// The places of the points in axes that lie one tile after the other, from axis `axis` of the grid on.
    pub(super) fn joined(&self, grid: &Grid, axis: usize) -> Result<Axis> {
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

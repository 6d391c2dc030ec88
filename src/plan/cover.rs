//! Cells of a regular grid, and which of them a selection touches.

use super::axis::Axis;
use super::{Dims, ROOM, dims};
use crate::base::{Extent, times};

/// A chunk as a box of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkBox {
    /// The chunk's number.
    pub(crate) nchunk: Extent,
    /// Position of its first item.
    pub(crate) origin: Dims<Extent>,
    /// Position after its last item, without padding.
    pub(crate) end: Dims<Extent>,
}

/// The cells of a regular grid that a selection touches, by their positions in the grid, in C order.
///
/// Borrows all but its own position: it lies on small stacks for as long as something is read.
#[derive(Debug)]
pub(super) struct Cover<'g> {
    axes: &'g [Axis],
    origin: &'g [Extent],
    end: &'g [Extent],
    cell: &'g [Extent],
    /// From which cell on to look along each axis, and the first axis to look along; none after the last cell.
    from: Dims<Extent>,
    axis: Option<usize>,
}

impl<'g> Cover<'g> {
    /// Of an array of this shape.
    pub(super) fn of_array(axes: &'g [Axis], shape: &'g [Extent], cell: &'g [Extent]) -> Self {
        Self::new(axes, &[0; ROOM], shape, cell)
    }

    pub(super) fn of_chunk(axes: &'g [Axis], chunk: &'g ChunkBox, cell: &'g [Extent]) -> Self {
        Self::new(axes, &chunk.origin, &chunk.end, cell)
    }

    fn new(axes: &'g [Axis], origin: &'g [Extent], end: &'g [Extent], cell: &'g [Extent]) -> Self {
        Self { axes, origin, end, cell, from: dims(0, axes.len()), axis: Some(0) }
    }

    /// Goes on with the first cell that is touched and not before this one.
    pub(super) fn seek(&mut self, cell: Dims<Extent>) {
        let before = (0..cell.len()).find(|&axis| self.touched(axis, cell[axis]) != Some(cell[axis]));
        self.from = cell;
        if let Some(axis) = before {
            self.from[axis + 1..].fill(0);
        }
    }

    /// Leaves no cell to come.
    pub(super) const fn end(&mut self) {
        self.axis = None;
    }

    /// The first cell along an axis that is touched and not before cell `from`.
    fn touched(&self, axis: usize, from: Extent) -> Option<Extent> {
        let (&origin, &end, &cell) = (self.origin.get(axis)?, self.end.get(axis)?, self.cell.get(axis)?);
        let from = times(from, cell)?.checked_add(origin)?;
        let position = self.axes.get(axis)?.next(from).filter(|position| *position < end)?;
        Some((position - origin) / cell.max(1))
    }

    fn set(&mut self, axis: usize, cell: Extent) {
        if let Some(from) = self.from.get_mut(axis) {
            *from = cell;
        }
    }
}

impl Iterator for Cover<'_> {
    type Item = Dims<Extent>;

    fn next(&mut self) -> Option<Dims<Extent>> {
        let mut axis = self.axis.take()?;
        while let Some(&from) = self.from.get(axis) {
            match self.touched(axis, from) {
                Some(cell) => {
                    self.set(axis, cell);
                    axis += 1;
                }
                // There is none along this axis, wherever the others are.
                None if from == 0 => return None,
                None => {
                    self.set(axis, 0);
                    axis = axis.checked_sub(1)?;
                    self.set(axis, self.from.get(axis)? + 1);
                }
            }
        }
        let cell = self.from.clone();
        self.axis = axis.checked_sub(1);
        if let Some(last) = self.from.last_mut() {
            *last += 1;
        }
        Some(cell)
    }
}

/// How many cells of this length fill an axis. A cell has an item at least.
pub(super) fn cells(len: Extent, cell: Extent) -> Extent {
    len.div_ceil(cell.max(1))
}

/// How many cells of these lengths fill an axis, or how many there are in all.
pub(super) fn count(lens: &[Extent], cell: &[Extent]) -> Option<Extent> {
    lens.iter().zip(cell).try_fold(1, |count, (len, cell)| times(count, cells(*len, *cell)))
}

/// The number, in C order, of the cell at a position in what has these lengths.
pub(super) fn ravel(position: &[Extent], lens: &[Extent], cell: &[Extent]) -> Extent {
    let counts = lens.iter().zip(cell);
    position.iter().zip(counts).fold(0, |number, (at, (len, cell))| number * cells(*len, *cell) + at)
}

/// The position of the cell of this number.
pub(super) fn unravel(mut number: Extent, lens: &[Extent], cell: &[Extent]) -> Dims<Extent> {
    let mut position = dims(0, lens.len());
    for ((at, len), cell) in position.iter_mut().zip(lens).zip(cell).rev() {
        let count = cells(*len, *cell).max(1);
        *at = number % count;
        number /= count;
    }
    position
}

//! Cells of a regular grid, and which of them a selection touches.

use super::axis::Axis;
use super::{Dims, MAX_DIM};
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
pub(super) struct Cover<'g> {
    axes: &'g [Axis],
    origin: &'g [Extent],
    end: &'g [Extent],
    cell: &'g [Extent],
    now: Option<Dims<Extent>>,
}

impl<'g> Cover<'g> {
    /// Of an array of this shape.
    pub(super) fn of_array(axes: &'g [Axis], shape: &'g [Extent], cell: &'g [Extent]) -> Self {
        Self::new(axes, &[0; MAX_DIM], shape, cell)
    }

    pub(super) fn of_chunk(axes: &'g [Axis], chunk: &'g ChunkBox, cell: &'g [Extent]) -> Self {
        Self::new(axes, &chunk.origin, &chunk.end, cell)
    }

    fn new(axes: &'g [Axis], origin: &'g [Extent], end: &'g [Extent], cell: &'g [Extent]) -> Self {
        let mut cover = Self { axes, origin, end, cell, now: None };
        let mut first = Dims::of(0, axes.len());
        cover.now = cover.begin(&mut first, 0).map(|()| first);
        cover
    }

    /// The first cell along an axis that is touched and not before cell `from`.
    fn touched(&self, axis: usize, from: Extent) -> Option<Extent> {
        let (origin, cell) = (self.origin[axis], self.cell[axis]);
        let from = times(from, cell)?.checked_add(origin)?;
        let position = self.axes[axis].next(from).filter(|position| *position < self.end[axis])?;
        Some((position - origin) / cell)
    }

    /// Puts the axes from `axis` on to the first cells that are touched.
    fn begin(&self, now: &mut [Extent], axis: usize) -> Option<()> {
        for (axis, at) in now.iter_mut().enumerate().skip(axis) {
            *at = self.touched(axis, 0)?;
        }
        Some(())
    }

    fn advance(&self, now: &mut [Extent]) -> Option<()> {
        for axis in (0..now.len()).rev() {
            if let Some(next) = self.touched(axis, now[axis] + 1) {
                now[axis] = next;
                return self.begin(now, axis + 1);
            }
        }
        None
    }
}

impl Iterator for Cover<'_> {
    type Item = Dims<Extent>;

    fn next(&mut self) -> Option<Dims<Extent>> {
        let now = self.now?;
        let mut next = now;
        self.now = self.advance(&mut next).map(|()| next);
        Some(now)
    }
}

/// How many cells there are along each axis of what has these lengths.
pub(super) fn cells<'g>(
    lens: &'g [Extent],
    cell: &'g [Extent],
) -> impl DoubleEndedIterator<Item = Extent> + ExactSizeIterator + 'g {
    lens.iter().zip(cell).map(|(len, cell)| len.div_ceil(*cell))
}

/// The number, in C order, of a position in a box.
pub(super) fn ravel(position: &[Extent], lens: impl Iterator<Item = Extent>) -> Extent {
    position.iter().zip(lens).fold(0, |number, (at, len)| number * len + at)
}

//! Cells of a regular grid, and which of them a selection touches.

use super::Dims;
use super::axis::Axis;

/// A chunk as a box of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkBox {
    /// The chunk's number.
    pub(crate) nchunk: u64,
    /// Position of its first item.
    pub(crate) origin: Dims<u64>,
    /// Position after its last item, without padding.
    pub(crate) end: Dims<u64>,
}

/// The cells of a regular grid that a selection touches, by their positions in the grid, in C order.
pub(super) struct Cover<'g> {
    axes: &'g [Axis],
    origin: Dims<u64>,
    end: Dims<u64>,
    cell: &'g [u64],
    now: Option<Dims<u64>>,
}

impl<'g> Cover<'g> {
    pub(super) fn new(axes: &'g [Axis], within: &ChunkBox, cell: &'g [u64]) -> Self {
        let (origin, end) = (within.origin.clone(), within.end.clone());
        let mut cover = Self { axes, origin, end, cell, now: None };
        cover.now = (0..axes.len()).map(|axis| cover.touched(axis, 0)).collect();
        cover
    }

    /// The first cell along an axis that is touched and not before cell `from`.
    fn touched(&self, axis: usize, from: u64) -> Option<u64> {
        let (origin, cell) = (self.origin[axis], self.cell[axis]);
        let from = from.checked_mul(cell)?.checked_add(origin)?;
        let position = self.axes[axis].next(from).filter(|position| *position < self.end[axis])?;
        Some((position - origin) / cell)
    }

    fn advance(&self, mut now: Dims<u64>) -> Option<Dims<u64>> {
        for axis in (0..now.len()).rev() {
            match self.touched(axis, now[axis] + 1) {
                Some(next) => {
                    now[axis] = next;
                    return Some(now);
                }
                None => now[axis] = self.touched(axis, 0)?,
            }
        }
        None
    }
}

impl Iterator for Cover<'_> {
    type Item = Dims<u64>;

    fn next(&mut self) -> Option<Dims<u64>> {
        let now = self.now.take()?;
        self.now = self.advance(now.clone());
        Some(now)
    }
}

/// The number, in C order, of a position in a box.
pub(super) fn ravel(position: &[u64], lens: &[u64]) -> u64 {
    position.iter().zip(lens).fold(0, |number, (at, len)| number * len + at)
}

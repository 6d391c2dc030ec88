//! Parts of selections.

use super::axis::Axis;
use super::selection::{Index, Selection, resolve};
use crate::base::{ArgumentError, Result};
use core::ops::Range;

impl Selection {
    /// A part of what the selection takes of an array of this shape: `items` are ranges along the axes of its result.
    ///
    /// ```
    /// use b2nd::Selection;
    /// let selection: Selection = "::-2, 5".parse()?;
    /// assert_eq!(selection.part(&[10, 20], &[1..3])?, "7:4:-2, 5".parse()?);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit the shape, has lists of positions, or takes fewer items.
    pub fn part(&self, shape: &[u64], items: &[Range<u64>]) -> Result<Self> {
        let axes = resolve(&self.0, shape)?;
        self.must_have_ranges()?;
        let mut given = items.iter();
        let part = axes.iter().enumerate().map(|(number, axis)| {
            if axis.single {
                return Ok(Index::At(axis.start as i64));
            }
            let range = given.next().cloned().unwrap_or(0..axis.count);
            if range.start > range.end || range.end > axis.count {
                return Err(
                    ArgumentError::Index { axis: number, index: range.end as i64, len: axis.count }.into()
                );
            }
            Ok(axis.part(range).index())
        });
        part.collect()
    }

    /// Refuses lists of positions.
    pub(crate) fn must_have_ranges(&self) -> Result<()> {
        let is_range = |index: &Index| matches!(index, Index::At(_) | Index::Range { .. } | Index::Ellipsis);
        if self.0.iter().all(is_range) { Ok(()) } else { Err(ArgumentError::ListOfLazy.into()) }
    }
}

impl Axis {
    /// Some of the positions, which are no list.
    pub(crate) fn part(&self, range: Range<u64>) -> Self {
        let start = if range.is_empty() { 0 } else { self.coordinate(range.start) };
        Self::new(start, self.step, range.end - range.start)
    }

    /// These positions among those of another axis, which are no list.
    pub(crate) fn among(&self, other: &Self) -> Self {
        let start = if self.count == 0 { 0 } else { other.coordinate(self.start) };
        // A single position may have any step, and the product of two such has no room.
        let step = if self.count > 1 { other.step * self.step } else { 1 };
        Self::new(start, step, self.count)
    }

    /// The positions as a range, which keeps the axis.
    pub(crate) fn index(&self) -> Index {
        let Some(last) = self.count.checked_sub(1) else { return Index::from(0..0) };
        let last = self.coordinate(last) as i64;
        // Before the first position there is none to stop at.
        let stop = if self.step > 0 { Some(last + 1) } else { Some(last - 1).filter(|stop| *stop >= 0) };
        Index::Range { start: Some(self.start as i64), stop, step: self.step }
    }
}

//! The positions that a selection takes along one axis: an arithmetic progression, or a list.

#[cfg_attr(not(feature = "indexing"), path = "axis/no_list.rs")]
mod list;

use crate::base::{ArgumentError, Extent, Result, Signed, wide};
use core::ops::Range;
pub(super) use list::Listed;

/// The positions that a selection takes along one axis: `start`, `start + step`, … `count` of them, or `count` positions of an
/// ascending list. Item `k` is the k-th of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The first position. Of a list: the number of the first position that is taken.
    pub(crate) start: Extent,
    /// Not 0; negative to go backward. 1 of a list.
    pub(crate) step: Signed,
    pub(crate) count: Extent,
    /// Whether the axis was indexed, so that the result does not have it.
    pub(crate) single: bool,
    pub(super) list: list::List,
}

impl Axis {
    pub(crate) fn new(start: Extent, step: Signed, count: Extent) -> Self {
        Self { start, step, count, ..Self::default() }
    }

    /// The position of item `k < count`.
    pub(crate) fn coordinate(&self, k: Extent) -> Extent {
        if let Some(positions) = self.positions() {
            return positions[k as usize];
        }
        self.start.wrapping_add((k as Signed).wrapping_mul(self.step) as Extent)
    }

    /// The items whose positions lie in `lo..hi`.
    pub(crate) fn within(&self, lo: Extent, hi: Extent) -> Range<Extent> {
        if let Some(positions) = self.positions() {
            let below = |limit: Extent| positions.partition_point(|at| *at < limit) as Extent;
            return below(lo)..below(hi);
        }
        let step = self.step.unsigned_abs().max(1);
        let range = if self.step > 0 {
            lo.saturating_sub(self.start).div_ceil(step)..hi.saturating_sub(self.start).div_ceil(step)
        } else {
            // The mirror image: positions above `lo - 1` and not above `hi - 1`.
            let above = |limit: Extent| (self.start + 1).saturating_sub(limit).div_ceil(step);
            above(hi)..above(lo)
        };
        range.start.min(self.count)..range.end.min(self.count)
    }

    /// The lowest position taken that is not below `from`.
    pub(crate) fn next(&self, from: Extent) -> Option<Extent> {
        let k = if self.step > 0 {
            Some(self.within(0, from).end)
        } else {
            self.within(0, from).start.checked_sub(1)
        };
        k.filter(|&k| k < self.count).map(|k| self.coordinate(k))
    }
}

/// How many values these ascending positions are mapped to by a function that ascends, too.
pub(in crate::plan) fn distinct(positions: &[Extent], map: impl Fn(Extent) -> Extent) -> Extent {
    positions.chunk_by(|a, b| map(*a) == map(*b)).count() as Extent
}

/// A position counted from the start of an axis of length `len`.
pub(super) const fn from_start(at: i64, len: i64) -> i64 {
    if at < 0 { at + len } else { at }
}

/// A position, which counts from the end if it is negative.
pub(super) fn position(axis: usize, index: i64, len: Extent) -> Result<Extent> {
    let at = from_start(index, len as i64);
    if (0..len as i64).contains(&at) {
        return Ok(at as Extent);
    }
    Err(ArgumentError::Index { axis, index, len: wide(len) }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn agrees_with_counting() {
        for (start, step, count) in
            [(0, 1, 20), (3, 4, 5), (19, -1, 20), (18, -5, 4), (7, 100, 1), (2, -9, 1), (4, 3, 0)]
        {
            check(&Axis::new(start, step, count));
        }
    }

    #[test]
    fn lists_agree_with_counting() {
        for list in [&[3, 4, 9][..], &[9, 0, 4], &[5, 5, 5, 1, 1, 21], &[]] {
            check(&Axis::of_positions(list.to_vec()));
        }
    }

    fn check(axis: &Axis) {
        let taken: Vec<u64> = (0..axis.count).map(|k| axis.coordinate(k)).collect();
        for lo in (0..22).step_by(if cfg!(miri) { 4 } else { 1 }) {
            let lowest = taken.iter().copied().filter(|&at| at >= lo).min();
            assert_eq!(axis.next(lo), lowest, "{axis:?} from {lo}");
            for hi in lo..22 {
                let expected = taken.iter().filter(|at| (lo..hi).contains(at)).count() as u64;
                let range = axis.within(lo, hi);
                assert_eq!(range.end - range.start, expected, "{axis:?} in {lo}..{hi}");
                assert!(range.clone().all(|k| (lo..hi).contains(&axis.coordinate(k))));
            }
        }
    }
}

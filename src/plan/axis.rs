//! Arithmetic progressions along one axis.

use crate::base::{Extent, Signed};
use core::ops::Range;

/// The positions that a selection takes along one axis: `start`, `start + step`, … `count` of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) start: Extent,
    /// Not 0; negative to go backward.
    pub(crate) step: Signed,
    pub(crate) count: Extent,
    /// Whether the axis was indexed, so that the result does not have it.
    pub(crate) single: bool,
}

impl Axis {
    /// The position of item `k < count`.
    pub(crate) const fn coordinate(&self, k: Extent) -> Extent {
        self.start.wrapping_add((k as Signed).wrapping_mul(self.step) as Extent)
    }

    /// The items whose positions lie in `lo..hi`.
    pub(crate) fn within(&self, lo: Extent, hi: Extent) -> Range<Extent> {
        let step = self.step.unsigned_abs();
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn agrees_with_counting() {
        for (start, step, count) in
            [(0, 1, 20), (3, 4, 5), (19, -1, 20), (18, -5, 4), (7, 100, 1), (2, -9, 1), (4, 3, 0)]
        {
            let axis = Axis { start, step, count, single: false };
            let taken: Vec<u64> = (0..count).map(|k| axis.coordinate(k)).collect();
            for lo in 0..22 {
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
}

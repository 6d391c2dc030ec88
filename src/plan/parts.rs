//! Reading a selection in parts, where the result does not fit into memory.

use super::axis::Axis;
use super::{Dims, Plan};
use crate::base::Extent;

impl Plan {
    /// Splits the selection into parts of at most `nbytes` (or one item, if that is larger), in C order. Parts end at chunk
    /// boundaries where possible, so that few chunks are decoded twice.
    pub const fn parts(&self, nbytes: usize) -> Parts<'_> {
        Parts { plan: self, nbytes: nbytes as Extent, next: Some(0) }
    }
}

/// The parts of a selection, in C order.
#[derive(Debug, Clone)]
pub struct Parts<'p> {
    plan: &'p Plan,
    nbytes: Extent,
    /// Byte of the result that the next part begins with.
    next: Option<Extent>,
}

impl Parts<'_> {
    /// Skips the next `nbytes` of the result, a whole number of items. The result may have more bytes than memory could.
    pub fn pass(&mut self, nbytes: u64) {
        let nbytes = Extent::try_from(nbytes).unwrap_or(Extent::MAX);
        let next = self.next.map(|next| next.saturating_add(nbytes));
        self.next = next.filter(|next| *next < self.plan.nbytes);
    }
}

impl Iterator for Parts<'_> {
    type Item = Plan;

    #[inline(never)]
    fn next(&mut self) -> Option<Plan> {
        let mut axes = self.plan.axes.clone();
        let end = self.narrow(&mut axes, self.next?);
        self.next = (end < self.plan.nbytes).then_some(end);
        self.plan.with_axes(&axes).ok()
    }
}

impl Parts<'_> {
    /// Narrows the axes to the part that begins at byte `start` of the result. Returns the byte after its end.
    fn narrow(&self, axes: &mut Dims<Axis>, start: Extent) -> Extent {
        let plan = self.plan;
        if start == 0 && plan.nbytes <= self.nbytes {
            return plan.nbytes;
        }
        let (mut stride, mut rest) = (plan.nbytes, start);
        for axis in plan.outward() {
            let Some((now, chunk)) = axes.get_mut(axis).zip(plan.grid.chunk.get(axis)) else { continue };
            stride = (stride / now.count.max(1)).max(1);
            let first = rest / stride;
            rest %= stride;
            // The axes before have one position each.
            let whole = rest == 0 && stride <= self.nbytes || stride == plan.grid.itemsize;
            let count = if whole { self.fitting(now, *chunk, first, stride) } else { 1 };
            *now = now.places(&(first..first + count));
            if whole {
                return start + count * stride;
            }
        }
        plan.nbytes
    }

    /// How many items of an axis from `first` on fit, rounded down to a chunk boundary where there is one. Selections that do
    /// not ascend are not rounded, which costs time only.
    fn fitting(&self, axis: &Axis, chunk: Extent, first: Extent, stride: Extent) -> Extent {
        let Axis { count, step, .. } = *axis;
        let forward = step > 0 && !axis.is_permuted();
        let end = first.saturating_add((self.nbytes / stride).max(1));
        if end >= count {
            return count - first;
        }
        let last_chunk = axis.coordinate(end) / chunk.max(1);
        let whole = if forward { axis.within(0, last_chunk * chunk).end } else { 0 };
        if whole > first { whole - first } else { end - first }
    }
}

//! Selections that are larger than the memory for their result.

use super::Plan;
use super::axis::Axis;

impl Plan {
    /// The same selection in parts of at most `nbytes` where an item is not more, one after the other in C order. They
    /// end where chunks end as far as that is possible, so that few chunks are decoded twice.
    pub fn parts(&self, nbytes: usize) -> impl Iterator<Item = Self> + use<> {
        let (plan, mut next) = (self.clone(), Some(0));
        core::iter::from_fn(move || {
            let (part, end) = plan.part_from(next?, nbytes)?;
            next = (end < plan.nbytes).then_some(end);
            Some(part)
        })
    }

    /// The part that begins at byte `start` of the result, and where it ends.
    #[inline(never)]
    fn part_from(&self, start: usize, nbytes: usize) -> Option<(Self, usize)> {
        if self.nbytes <= nbytes {
            return Some((self.clone(), self.nbytes));
        }
        let (mut axes, mut rest) = (self.axes.clone(), start);
        for (axis, &stride) in self.strides.iter().enumerate() {
            let first = (rest / stride) as u64;
            rest %= stride;
            let last = axis + 1 == self.strides.len();
            let fits = rest == 0 && stride <= nbytes;
            // Of the axes before it is one position each.
            let count = if fits || last { self.fitting(axis, first, nbytes) } else { 1 };
            axes[axis].start = self.axes[axis].coordinate(first);
            axes[axis].count = count;
            if fits || last {
                let part = Self::of_axes(self.grid.clone(), axes).ok()?;
                return Some((part, start + count as usize * stride));
            }
        }
        Some((self.clone(), self.nbytes))
    }

    /// How many items of an axis from `first` on fit; no more than end with a chunk, if there is such an end. Going
    /// backward, chunks are rarely cut at their ends; that costs time and nothing else.
    fn fitting(&self, axis: usize, first: u64, nbytes: usize) -> u64 {
        let Axis { count, step, .. } = self.axes[axis];
        let end = first + (nbytes / self.strides[axis]).max(1) as u64;
        if end >= count {
            return count - first;
        }
        let chunk = self.grid.chunk[axis];
        let last_chunk = self.axes[axis].coordinate(end) / chunk;
        let whole = if step > 0 { self.axes[axis].within(0, last_chunk * chunk).end } else { 0 };
        if whole > first { whole - first } else { end - first }
    }
}

//! The part of an array that a picture is of.

use crate::error::CommandError;
use crate::opened::Opened;
use crate::values::ValueError;
use b2nd::{Index, Selection};

/// An axis of the array: the positions that are chosen on it.
#[derive(Debug, Clone, Copy)]
struct Axis {
    first: i64,
    step: i64,
    len: u64,
    is_single: bool,
}

/// The part of an array that a selection chooses.
pub(super) struct Part(Vec<Axis>);

impl Part {
    pub(super) fn new(opened: &Opened<'_>, selection: Option<&str>) -> Result<Self, CommandError> {
        let wrong = |error| CommandError::Blosc(opened.path.into(), error);
        let selection: Selection = selection.unwrap_or("").parse().map_err(wrong)?;
        // This checks it, too.
        opened.of(opened.reader.plan(&selection))?;
        let shape = opened.of(opened.reader.plan(Selection::all()))?.shape().to_vec();
        let before = selection.0.iter().position(|index| matches!(index, Index::Ellipsis));
        let (before, after) = selection.0.split_at(before.unwrap_or(selection.0.len()));
        let after = after.get(1..).unwrap_or_default();
        let middle = shape.len() - before.len() - after.len();
        let all = before.iter().chain(core::iter::repeat_n(&Index::ALL, middle)).chain(after);
        all.zip(shape)
            .map(|(index, len)| axis(index, len as i64))
            .collect::<Option<_>>()
            .map(Self)
            .ok_or_else(|| {
                ValueError::NoPicture("a picture is of ranges, not of lists of positions".into()).into()
            })
    }

    /// The items along each axis that is left.
    pub(super) fn shape(&self) -> Vec<u64> {
        self.0.iter().filter(|axis| !axis.is_single).map(|axis| axis.len).collect()
    }

    /// Every `step`-th position along some of the axes that are left, one position of the others.
    pub(super) fn selection(&self, cuts: &[Cut]) -> Selection {
        let mut cuts = cuts.iter();
        let index = |axis: &Axis| match if axis.is_single { Some(&Cut::At(0)) } else { cuts.next() } {
            Some(&Cut::Every(step)) => axis.every(step as i64),
            Some(&Cut::At(at)) => Index::At(axis.first + at as i64 * axis.step),
            None => Index::ALL,
        };
        Selection(self.0.iter().map(index).collect())
    }

    /// The axis of the array that an axis is.
    pub(super) fn axis(&self, left: usize) -> usize {
        let left = (0..self.0.len()).filter(|&axis| !self.0[axis].is_single).nth(left);
        left.unwrap_or_default()
    }
}

/// The positions that are taken along an axis.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    /// Every so many positions, from the first.
    Every(u64),
    At(u64),
}

impl Axis {
    fn every(self, step: i64) -> Index {
        let step = step * self.step;
        let last = self.first + (self.len as i64 - 1) * self.step;
        let stop = last + self.step.signum();
        Index::Range { start: Some(self.first), stop: (stop >= 0).then_some(stop), step }
    }
}

/// As Python has it.
fn axis(index: &Index, len: i64) -> Option<Axis> {
    let from_start = |at: i64| if at < 0 { at.saturating_add(len) } else { at };
    match *index {
        Index::At(at) => Some(Axis { first: from_start(at), step: 1, len: 1, is_single: true }),
        Index::Range { start, stop, step } => {
            let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
            let bound = |at: Option<i64>| at.map(|at| from_start(at).clamp(low, high));
            let first = bound(start).unwrap_or(if step > 0 { low } else { high });
            let stop = bound(stop).unwrap_or(if step > 0 { high } else { low });
            let distance = if step > 0 { stop - first } else { first - stop };
            let len = distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
            Some(Axis { first, step, len, is_single: false })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_selection() {
        for text in ["1:9:3", "-3:", "::-1", "8:1:-2", "3:1", ":-20", "100:", "::4"] {
            let selection: Selection = text.parse().unwrap();
            let axis = axis(&selection.0[0], 10).unwrap();
            assert_eq!(vec![axis.len], selection.shape(&[10]).unwrap(), "{text}");
            if axis.len > 0 {
                assert_eq!(Selection(vec![axis.every(1)]).shape(&[10]).unwrap(), [axis.len], "{text}");
                let some = Selection(vec![axis.every(2)]).shape(&[10]).unwrap();
                assert_eq!(some, [axis.len.div_ceil(2)], "{text}");
            }
        }
    }
}

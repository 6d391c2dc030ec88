//! Selections of the rows of tables and of the objects of sequences.

use b2nd::{Error, Index, Selection};
use core::ops::Range;

/// Rows that one read takes at most.
const AT_ONCE: u64 = 4096;
/// More rows are shown only at the edges in text.
const THRESHOLD: u64 = 1000;
/// Rows shown at either end.
const EDGE: u64 = 3;

/// The selected rows: an arithmetic progression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rows {
    start: u64,
    step: i64,
    pub(crate) count: u64,
    /// Whether one row was indexed.
    pub(crate) single: bool,
}

impl Rows {
    /// The rows of a selection of one axis.
    pub(crate) fn of(selection: &str, len: u64) -> Result<Self, Error> {
        let selection: Selection = selection.parse()?;
        let counts = selection.shape(&[len])?;
        let (start, step) = match selection.0.iter().find(|index| !matches!(index, Index::Ellipsis)) {
            Some(Index::At(at)) => (Some(*at), 1),
            Some(Index::Range { start, step, .. }) => (*start, *step),
            _ => (None, 1),
        };
        let (len, default) = (len as i64, if step < 0 { -1 } else { 0 });
        let start = start.unwrap_or(default);
        let start = if start < 0 { start + len } else { start };
        let start = start.clamp(0, if step < 0 { len - 1 } else { len }.max(0)) as u64;
        Ok(Self { start, step, count: counts.first().copied().unwrap_or(1), single: counts.is_empty() })
    }

    /// The number of hidden rows, in the middle, if only the edges are shown.
    pub(crate) fn hidden(&self) -> Option<Range<u64>> {
        (self.count > THRESHOLD).then(|| EDGE..self.count - EDGE)
    }

    /// Some of the rows.
    pub(crate) fn part(&self, part: Range<u64>) -> Self {
        let start = self.at(part.start);
        Self { start, count: part.end - part.start, ..*self }
    }

    fn at(&self, index: u64) -> u64 {
        self.start.wrapping_add_signed((index as i64).wrapping_mul(self.step))
    }

    /// Ranges of rows to read, and which of each are selected, counted from its start.
    pub(crate) fn windows(self) -> impl Iterator<Item = (Range<u64>, Vec<usize>)> {
        let at_once = (AT_ONCE / self.step.unsigned_abs()).max(1);
        (0..self.count.div_ceil(at_once)).map(move |part| {
            let part = part * at_once..((part + 1) * at_once).min(self.count);
            let (first, last) = (self.at(part.start), self.at(part.end - 1));
            let window = first.min(last)..first.max(last) + 1;
            let picked = part.map(|index| (self.at(index) - window.start) as usize).collect();
            (window, picked)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(selection: &str, len: u64) -> Vec<u64> {
        let windows = Rows::of(selection, len).unwrap().windows();
        windows
            .flat_map(|(window, picked)| picked.into_iter().map(move |at| window.start + at as u64))
            .collect()
    }

    #[test]
    fn are_those_of_python() {
        assert_eq!(rows("", 3), [0, 1, 2]);
        assert_eq!(rows("-1", 3), [2]);
        assert_eq!(rows("::-1", 3), [2, 1, 0]);
        assert_eq!(rows("-1:0:-2", 6), [5, 3, 1]);
        assert_eq!(rows("9::-3", 6), [5, 2]);
        assert_eq!(rows("-9:4:3", 6), [0, 3]);
        assert_eq!(rows("4:1", 6), [0; 0]);
        assert_eq!(rows("::-1", 0), [0; 0]);
        assert_eq!(rows("::5000", 20_000), [0, 5000, 10_000, 15_000]);
        assert_eq!(rows(":", 10_000), (0..10_000).collect::<Vec<_>>());
        assert_eq!(Rows::of("1:9", 20).unwrap().part(2..4).windows().next(), Some((3..5, vec![0, 1])));
        assert!(Rows::of("3", 3).is_err() && Rows::of("0, 0", 3).is_err());
    }
}

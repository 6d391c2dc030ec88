//! Selections of the rows of tables and of the objects of sequences.

use crate::values::Format;
use b2nd::{Error, Index, Selection};
use core::ops::Range;

/// Rows that one read takes at most.
pub(crate) const AT_ONCE: u64 = 4096;
/// Rows that one read of the columns of a condition takes at most: about a block, whose bytes are then read once.
pub(crate) const CONDITION_AT_ONCE: u64 = 1 << 14;
/// Rows in any order that one read takes at most: each read decodes most blocks of a column again.
const LISTED_AT_ONCE: u64 = 1 << 17;
/// More rows are shown only at the edges in text.
const THRESHOLD: u64 = 1000;
/// Rows shown at either end.
const EDGE: u64 = 3;

/// The selected rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows {
    positions: Positions,
    pub(crate) count: u64,
    /// Whether one row was indexed.
    pub(crate) single: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Positions {
    /// An arithmetic progression.
    Even { start: u64, step: i64 },
    /// In any order, and as often as they are wanted.
    List(Vec<u64>),
}

impl Rows {
    /// The rows of a selection of one axis.
    pub(crate) fn of(selection: &str, len: u64) -> Result<Self, Error> {
        let selection: Selection = selection.parse()?;
        let counts = selection.shape(&[len])?;
        let (start, step) = match selection.0.iter().find(|index| !matches!(index, Index::Ellipsis)) {
            Some(Index::Points(points)) => {
                let place = |at: &i64| if *at < 0 { len.wrapping_add_signed(*at) } else { at.unsigned_abs() };
                let list: Vec<u64> = points.iter().flatten().map(place).collect();
                return Ok(Self {
                    count: list.len() as u64,
                    positions: Positions::List(list),
                    single: false,
                });
            }
            Some(Index::At(at)) => (Some(*at), 1),
            Some(Index::Range { start, step, .. }) => (*start, *step),
            _ => (None, 1),
        };
        let (len, default) = (len as i64, if step < 0 { -1 } else { 0 });
        let start = start.unwrap_or(default);
        let start = if start < 0 { start + len } else { start };
        let start = start.clamp(0, if step < 0 { len - 1 } else { len }.max(0)) as u64;
        let count = counts.first().copied().unwrap_or(1);
        Ok(Self { positions: Positions::Even { start, step }, count, single: counts.is_empty() })
    }

    /// These rows in this order.
    pub(crate) const fn listed(list: Vec<u64>) -> Self {
        Self { count: list.len() as u64, positions: Positions::List(list), single: false }
    }

    /// The parts that are written: in text only the edges of many rows.
    pub(crate) fn shown(self, format: Format) -> Vec<Self> {
        if format == Format::Text && self.count > THRESHOLD {
            vec![self.part(0..EDGE), self.part(self.count - EDGE..self.count)]
        } else {
            vec![self]
        }
    }

    /// Some of the rows.
    fn part(&self, part: Range<u64>) -> Self {
        let positions = match &self.positions {
            Positions::Even { step, .. } => Positions::Even { start: self.at(part.start), step: *step },
            Positions::List(list) => Positions::List(list[part.start as usize..part.end as usize].into()),
        };
        Self { positions, count: part.end - part.start, ..*self }
    }

    fn at(&self, index: u64) -> u64 {
        match &self.positions {
            Positions::Even { start, step } => start.wrapping_add_signed((index as i64).wrapping_mul(*step)),
            Positions::List(list) => list[index as usize],
        }
    }

    /// Ranges of rows to read, and which of each are selected, counted from its start.
    pub(crate) fn windows(self) -> impl Iterator<Item = (Range<u64>, Vec<usize>)> {
        self.windows_of(AT_ONCE)
    }

    /// These rows, at most so many. Those of a list may lie anywhere in their range.
    pub(crate) fn windows_of(self, most: u64) -> impl Iterator<Item = (Range<u64>, Vec<usize>)> {
        let is_list = matches!(self.positions, Positions::List(_));
        let most = if is_list { most.max(LISTED_AT_ONCE) } else { most };
        let mut next = 0;
        core::iter::from_fn(move || {
            let from = (next < self.count).then_some(next)?;
            let first = self.at(from);
            let mut window = first..first + 1;
            while next < self.count {
                let at = self.at(next);
                let wider = window.start.min(at)..window.end.max(at + 1);
                if !is_list && wider.end - wider.start > most || next - from == most {
                    break;
                }
                (window, next) = (wider, next + 1);
            }
            let picked = (from..next).map(|index| (self.at(index) - window.start) as usize).collect();
            Some((window, picked))
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
        assert_eq!(rows("[2, 0, -1, 2]", 6), [2, 0, 5, 2]);
        assert_eq!(rows("[]", 6), [0; 0]);
        assert_eq!(rows("[9999, 0, 5000, 5001]", 10_000), [9999, 0, 5000, 5001]);
        assert_eq!(
            Rows::of("[7, 1, 3, 5]", 20).unwrap().part(1..3).windows().next(),
            Some((1..4, vec![0, 2]))
        );
        assert_eq!(Rows::listed(vec![70_000, 2]).windows().next(), Some((2..70_001, vec![69_998, 0])));
        assert!(Rows::of("[6]", 6).is_err());
        assert_eq!(rows(":", 10_000), (0..10_000).collect::<Vec<_>>());
        assert_eq!(Rows::of("1:9", 20).unwrap().part(2..4).windows().next(), Some((3..5, vec![0, 1])));
        assert!(Rows::of("3", 3).is_err() && Rows::of("0, 0", 3).is_err());
    }
}

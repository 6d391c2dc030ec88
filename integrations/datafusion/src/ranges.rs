//! Ranges of rows, divided among partitions.

use core::ops::Range;

/// Rows that a partition has at least, if there are as many: opening a file costs more than reading fewer.
const LEAST: u64 = 1 << 16;
/// Partitions begin at multiples of it, in or near the blocks of the columns.
const STEP: u64 = 1 << 13;

/// Rows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "proto", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Part {
    /// The number of the file.
    pub(crate) file: usize,
    pub(crate) rows: Range<u64>,
}

/// Divides parts among at most so many partitions, of which each has about the same rows, in order.
pub(crate) fn divide(parts: Vec<Part>, partitions: usize) -> Vec<Vec<Part>> {
    let total: u64 = parts.iter().map(|part| part.rows.end - part.rows.start).sum();
    let share = total.div_ceil(partitions.max(1) as u64).max(LEAST).next_multiple_of(STEP);
    let (mut divided, mut room) = (vec![Vec::new()], share);
    for Part { file, mut rows } in parts {
        while !rows.is_empty() {
            if room == 0 {
                divided.push(Vec::new());
                room = share;
            }
            let end = rows.end.min(rows.start + room);
            let number = divided.len() - 1;
            divided[number].push(Part { file, rows: rows.start..end });
            room -= end - rows.start;
            rows.start = end;
        }
    }
    divided
}

/// Joins ranges that touch.
pub(crate) fn joined(ranges: impl IntoIterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut all: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => all.push(range),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_have_all_rows_in_order() {
        let parts = vec![Part { file: 0, rows: 0..300_000 }, Part { file: 1, rows: 5..700_000 }];
        let divided = divide(parts.clone(), 4);
        assert_eq!(divided.len(), 4);
        let rows = |file: usize| {
            joined(divided.iter().flatten().filter(|part| part.file == file).map(|part| part.rows.clone()))
        };
        assert_eq!([rows(0), rows(1)], [vec![0..300_000], vec![5..700_000]]);
        assert_eq!(divide(vec![Part { file: 0, rows: 0..10 }], 4).len(), 1);
        assert_eq!(divide(Vec::new(), 4), [[]]);
    }
}

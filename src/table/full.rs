//! Full indexes: the values of a column in order, and the rows that have them (FORMAT §10.4).

use super::arrays::Arrays;
use super::cells::Cells;
use super::filter::{Extremes, Filter, RunContents};
use super::schema::ColumnSpec;
use super::summary::key_of;
use crate::array::{Dtype, Element, Kind};
use crate::base::Limits;
use crate::msgpack::Value;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;

/// An index tells of one in so many values at most. Those of more would be found in most blocks of the column.
const SELECTIVE: u64 = 16;
/// The most parts of an index, and rows that it tells of: small files may claim any number.
const MAX_PARTS: u64 = 1 << 20;
const MAX_ROWS: u64 = 1 << 20;
/// The most values that are read, each of which takes about a hundred bytes while it is compared, and their bytes.
const MAX_VALUES: u64 = 1 << 21;
const MAX_BYTES: u64 = 1 << 26;
/// The most reads of positions. Values in order match in few runs: those of a damaged index may match in any number.
const MAX_RUNS: usize = 1 << 10;

/// A full index that fits to its column.
struct FullIndex<'t, A: Arrays> {
    spec: &'t ColumnSpec,
    dtype: Dtype,
    values: A::Array,
    positions: A::Array,
    /// The first and the last value of each part.
    ends: A::Array,
    /// Values in a part, of which the last may have fewer, and in all.
    part: u64,
    len: u64,
}

/// The stored rows that may match a condition on columns of a table, some with indexes; `None` if these tell nothing or of too many rows.
pub(super) fn found_in_indexes<A: Arrays>(
    arrays: &A,
    group: &str,
    filter: &Filter,
    entries: &[Option<(&ColumnSpec, &Value)>],
    limits: &Limits,
) -> Result<Option<Vec<Range<u64>>>, A::Error> {
    let mut found: Option<Vec<Range<u64>>> = None;
    for (number, entry) in entries.iter().enumerate() {
        let Some((spec, entry)) = entry else { continue };
        let Some(index) = FullIndex::open(arrays, group, spec, entry, limits)? else { continue };
        found = match (found, index.rows(arrays, filter, number)?) {
            (Some(found), Some(rows)) => Some(common(&found, &rows)),
            (found, rows) => found.or(rows),
        };
    }
    Ok(found)
}

impl<'t, A: Arrays> FullIndex<'t, A> {
    /// `None` if the entry of the catalogue has no full index, or one that does not fit to the column.
    fn open(
        arrays: &A,
        group: &str,
        spec: &'t ColumnSpec,
        entry: &Value,
        limits: &Limits,
    ) -> Result<Option<Self>, A::Error> {
        let Some(full) = entry.get("full").filter(|full| **full != Value::Nil) else { return Ok(None) };
        let member = |name| arrays.open(&key_of(full.get(name).and_then(Value::as_str).unwrap_or_default()));
        let (Some(values), Some(positions), Some(ends), Some(column)) = (
            member("values_path")?,
            member("positions_path")?,
            member("l2_path")?,
            arrays.open(&format!("{group}{}", spec.key()))?,
        ) else {
            return Ok(None);
        };
        let part = full.get("sidecar_block_len").and_then(Value::as_u64).unwrap_or(0);
        let &[len] = &values.shape[..] else { return Ok(None) };
        // The array of a column grows when rows are appended.
        let indexed = entry.get("shape").and_then(Value::as_array).and_then(<[Value]>::last);
        let fits = len > 0
            && part > 0
            && len.div_ceil(part) <= MAX_PARTS
            && positions.shape == values.shape
            && ends.shape == [len.div_ceil(part)]
            && column.shape.first().copied() == indexed.and_then(Value::as_u64)
            && values.dtype == column.dtype
            && i64::fits(&positions.dtype)
            && is_pair(&ends.dtype, &column.dtype);
        if !fits {
            return Ok(None);
        }
        let dtype = spec.row_dtype(column.dtype, &[len], limits)?;
        let (values, positions, ends) = (values.array, positions.array, ends.array);
        Ok(Some(Self { spec, dtype, values, positions, ends, part, len }))
    }

    /// The stored rows that may match a condition on the column of this number and others, of which nothing is known.
    fn rows(&self, arrays: &A, filter: &Filter, number: usize) -> Result<Option<Vec<Range<u64>>>, A::Error> {
        let nparts = self.len.div_ceil(self.part);
        let size = self.dtype.itemsize();
        let ends = arrays.items(&self.ends, slice::from_ref(&(0..nparts)))?;
        let side =
            |at: usize| ends.chunks_exact(2 * size).flat_map(|pair| pair[at..at + size].to_vec()).collect();
        let matches = self.may_match(filter, number, side(0), side(size));
        let parts: Vec<Range<u64>> = runs(&matches)
            .map(|parts| self.part * parts.start..self.part.saturating_mul(parts.end).min(self.len))
            .collect();
        let count = count_of(&parts);
        let most = (nparts / 4).max(1).saturating_mul(self.part);
        if count > most.min(MAX_VALUES) || count.saturating_mul(size as u64) > MAX_BYTES {
            return Ok(None);
        }
        let values = arrays.items(&self.values, &parts)?;
        let matches = self.may_match(filter, number, values.clone(), values);
        let found = places(&parts, &matches);
        if count_of(&found) > MAX_ROWS.min(self.len / SELECTIVE) || found.len() > MAX_RUNS {
            return Ok(None);
        }
        let positions = arrays.items(&self.positions, &found)?;
        let mut rows: Vec<u64> = positions.as_chunks().0.iter().map(|row| u64::from_le_bytes(*row)).collect();
        rows.sort_unstable();
        Ok(Some(
            rows.chunk_by(|a, b| a.checked_add(1) == Some(*b))
                .map(|run| run[0]..run[0].saturating_add(run.len() as u64))
                .collect(),
        ))
    }

    /// Which of the values between pairs of these may match. Numbers that are none have no order, so that nothing is known beside them.
    fn may_match(&self, filter: &Filter, number: usize, least: Vec<u8>, most: Vec<u8>) -> Vec<bool> {
        let count = least.len() / self.dtype.itemsize().max(1);
        let cells = |items| -> Cells { self.spec.cells_of_items(&self.dtype, items) };
        // Nulls are among the values, or they are not.
        let contents = RunContents { ordered: true, nan: false, null: true };
        let extremes =
            Extremes { least: cells(least), most: cells(most), runs: alloc::vec![contents; count] };
        let mut known = alloc::vec![None; filter.columns().len()];
        known[number] = Some(extremes);
        filter.may_match(&known, count).unwrap_or_else(|_| alloc::vec![true; count])
    }
}

/// Whether these are the items of two values.
fn is_pair(pair: &Dtype, value: &Dtype) -> bool {
    matches!(pair.kind(), Kind::Struct { fields, .. } if fields.iter().all(|field| field.dtype == *value))
        && pair.itemsize() == 2 * value.itemsize()
}

/// The runs of what is true.
fn runs(matches: &[bool]) -> impl Iterator<Item = Range<u64>> {
    let mut at = 0;
    let chunks = matches.chunk_by(|a, b| a == b).map(move |run| {
        let range = at..at + run.len() as u64;
        at = range.end;
        (run[0], range)
    });
    chunks.filter(|(matches, _)| *matches).map(|(_, range)| range)
}

/// The places of what is true of the items in ranges, which are one behind the other.
fn places(ranges: &[Range<u64>], mut matches: &[bool]) -> Vec<Range<u64>> {
    let mut places = Vec::new();
    for range in ranges {
        let (own, rest) = matches.split_at(matches.len().min((range.end - range.start) as usize));
        places.extend(runs(own).map(|run| range.start + run.start..range.start + run.end));
        matches = rest;
    }
    places
}

fn count_of(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// The rows in both of two ascending lists of ranges.
pub(super) fn common(left: &[Range<u64>], right: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut at, mut other, mut rows) = (0, 0, Vec::new());
    while let (Some(a), Some(b)) = (left.get(at), right.get(other)) {
        let both = a.start.max(b.start)..a.end.min(b.end);
        if !both.is_empty() {
            rows.push(both);
        }
        if a.end < b.end { at += 1 } else { other += 1 }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_both_lists_are_found() {
        let (left, right) = ([0..3, 5..9, 12..20], [1..2, 3..6, 8..13, 19..30]);
        assert_eq!(common(&left, &right), [1..2, 5..6, 8..9, 12..13, 19..20]);
        assert_eq!(common(&left, &[]), []);
    }

    #[test]
    fn runs_are_those_that_match() {
        let found: Vec<_> = runs(&[true, false, true, true]).collect();
        assert_eq!(found, [0..1, 2..4]);
    }

    #[test]
    fn items_have_places_in_ranges() {
        let matches = [false, true, true, true, false, true];
        assert_eq!(places(&[10..13, 20..22, 30..31], &matches), [11..13, 20..21, 30..31]);
    }
}

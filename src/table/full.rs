//! Full indexes: the values of a column in order, and the rows that have them (FORMAT §10.4).

use super::cells::Cells;
use super::filter::{Extremes, Filter, RunContents};
use super::schema::ColumnSpec;
use super::{Read, Table};
use crate::array::{Dtype, Element, Kind};
use crate::msgpack::Value;
use crate::plan::Selection;
use crate::source::{ReadAt, Reader};
use crate::store::Member;
use alloc::vec::Vec;
use core::ops::Range;

/// An index tells of one in so many values at most. Those of more would be found in most blocks of the column.
const SELECTIVE: u64 = 16;
/// The most parts of an index, and rows that it tells of: small files may claim any number.
const MAX_PARTS: u64 = 1 << 20;
const MAX_ROWS: u64 = 1 << 20;
/// The most reads of positions. Values in order match in few runs: those of a damaged index may match in any number.
const MAX_RUNS: usize = 1 << 10;

/// A full index that fits to its column.
struct FullIndex<'t, S> {
    spec: &'t ColumnSpec,
    dtype: Dtype,
    values: Reader<Member<S>>,
    positions: Reader<Member<S>>,
    /// The first and the last value of each part.
    ends: Reader<Member<S>>,
    /// Values in a part, of which the last may have fewer, and in all.
    part: u64,
    len: u64,
}

impl<'t, S: ReadAt> Table<'t, S> {
    /// The stored rows that may match a condition on columns, some with indexes; `None` if these tell nothing or of too many rows.
    pub(super) fn found_in_indexes(
        &self,
        filter: &Filter,
        entries: &[Option<(&ColumnSpec, &Value)>],
    ) -> Read<Option<Vec<Range<u64>>>, S> {
        let mut found: Option<Vec<Range<u64>>> = None;
        for (number, entry) in entries.iter().enumerate() {
            let Some((spec, entry)) = entry else { continue };
            let Some(index) = FullIndex::open(self, spec, entry)? else { continue };
            found = match (found, index.rows(filter, number)?) {
                (Some(found), Some(rows)) => Some(common(&found, &rows)),
                (found, rows) => found.or(rows),
            };
        }
        Ok(found)
    }
}

impl<'t, S: ReadAt> FullIndex<'t, S> {
    /// `None` if the entry of the catalogue has no full index, or one that does not fit to the column.
    fn open(table: &Table<'_, S>, spec: &'t ColumnSpec, entry: &Value) -> Read<Option<Self>, S> {
        let Some(full) = entry.get("full").filter(|full| **full != Value::Nil) else { return Ok(None) };
        let member = |name| table.index_member(full.get(name).and_then(Value::as_str).unwrap_or_default());
        let (Some(values), Some(positions), Some(ends)) =
            (member("values_path")?, member("positions_path")?, member("l2_path")?)
        else {
            return Ok(None);
        };
        let column = table.member(&spec.key())?;
        let (dtype, rows) = (column.dtype()?, shape_of(&column)?);
        let (of_values, of_positions, of_ends) =
            (shape_of(&values)?, shape_of(&positions)?, shape_of(&ends)?);
        let part = full.get("sidecar_block_len").and_then(Value::as_u64).unwrap_or(0);
        let &[len] = &of_values[..] else { return Ok(None) };
        // The array of a column grows when rows are appended.
        let indexed = entry.get("shape").and_then(Value::as_array).and_then(<[Value]>::last);
        let fits = len > 0
            && part > 0
            && len.div_ceil(part) <= MAX_PARTS
            && of_positions == of_values
            && of_ends == [len.div_ceil(part)]
            && rows.first().copied() == indexed.and_then(Value::as_u64)
            && values.dtype()? == dtype
            && i64::fits(&positions.dtype()?)
            && is_pair(&ends.dtype()?, &dtype);
        if !fits {
            return Ok(None);
        }
        let dtype = spec.row_dtype(dtype, &[len], values.limits())?;
        Ok(Some(Self { spec, dtype, values, positions, ends, part, len }))
    }

    /// The stored rows that may match a condition on the column of this number and others, of which nothing is known.
    fn rows(&self, filter: &Filter, number: usize) -> Read<Option<Vec<Range<u64>>>, S> {
        let size = self.dtype.itemsize();
        let ends = self.ends.get(..)?;
        let side =
            |at: usize| ends.chunks_exact(2 * size).flat_map(|pair| pair[at..at + size].to_vec()).collect();
        let parts = self.may_match(filter, number, side(0), side(size));
        let parts: Vec<Range<u64>> = runs(&parts, |part| self.part.saturating_mul(part)).collect();
        let most = (self.len.div_ceil(self.part) / 4).max(1).saturating_mul(self.part);
        if parts.iter().map(|part| part.end - part.start).sum::<u64>() > most {
            return Ok(None);
        }
        let (mut rows, mut count, mut reads) = (Vec::new(), 0, 0);
        for part in parts {
            let part = part.start..part.end.min(self.len);
            let values = self.values.get(Selection::of_ranges(core::slice::from_ref(&part)))?;
            let matches = self.may_match(filter, number, values.clone(), values);
            for found in runs(&matches, |value| part.start + value) {
                count += found.end - found.start;
                reads += 1;
                if count > MAX_ROWS.min(self.len / SELECTIVE) || reads > MAX_RUNS {
                    return Ok(None);
                }
                let positions = self.positions.get(Selection::of_ranges(&[found]))?;
                rows.extend(positions.as_chunks().0.iter().map(|row| u64::from_le_bytes(*row)));
            }
        }
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

/// The runs of what is true, each end by its number.
fn runs(matches: &[bool], end: impl Fn(u64) -> u64) -> impl Iterator<Item = Range<u64>> {
    let mut at = 0;
    let chunks = matches.chunk_by(|a, b| a == b).map(move |run| {
        let range = at..at + run.len() as u64;
        at = range.end;
        (run[0], range)
    });
    chunks.filter(|(matches, _)| *matches).map(move |(_, range)| end(range.start)..end(range.end))
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

pub(super) fn shape_of<S: ReadAt>(reader: &Reader<Member<S>>) -> Read<Vec<u64>, S> {
    Ok(reader.layout()?.map(|array| array.shape().to_vec()).unwrap_or_default())
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
        let found: Vec<_> = runs(&[true, false, true, true], |at| 10 * at).collect();
        assert_eq!(found, [0..10, 20..40]);
    }
}

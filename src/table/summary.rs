//! Summaries of columns: which rows may match a condition, by the smallest and largest values of runs of rows (FORMAT §10.4).

use super::arrays::{Arrays, IndexArray};
use super::cells::Cells;
use super::filter::{Extremes, Filter, RunContents};
use super::schema::ColumnSpec;
use super::sort::Sorter;
use crate::array::{Dtype, Kind};
use crate::base::{Error, Limits};
use crate::msgpack::Value;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;

/// Flags of a record: no value is between the extremes; some are numbers that are none.
const ALL_NAN: u8 = 1;
pub(super) const HAS_NAN: u8 = 2;

/// Summaries with more records are not used, nor are those that take more bytes for all runs: small files may claim any number. Without
/// them nothing is skipped.
const MAX_RECORDS: u64 = 1 << 20;
const MAX_BYTES: u64 = 1 << 26;

/// The stored summary of a column.
pub(super) struct Summary {
    dtype: Dtype,
    /// The stored rows of the column, deleted ones among them.
    pub(super) stored: u64,
    /// The stored rows of each record, of which the last may have fewer.
    rows: u64,
    /// The smallest values, the largest, and the flags.
    least: Vec<u8>,
    most: Vec<u8>,
    pub(super) flags: Vec<u8>,
    pub(super) may_be_null: bool,
}

/// The rows of a record, and the path, of the summary with the shortest runs.
pub(super) fn finest_level<'e>(entry: &'e Value) -> Option<(u64, &'e str)> {
    let Value::Map(levels) = entry.get("levels")? else { return None };
    let level = |(_, level): &'e (Value, Value)| {
        Some((level.get("segment_len")?.as_u64()?, level.get("path")?.as_str()?))
    };
    levels.iter().filter_map(level).min_by_key(|(rows, _)| *rows)
}

/// The key of a member that an index has, by its path.
pub(super) fn key_of(path: &str) -> String {
    format!("/{}", path.trim_end_matches(".b2nd"))
}

/// The size of a column's items, if this is the dtype of the records of its summary.
fn size_of(record: &Dtype, column: &Dtype) -> Option<usize> {
    let Kind::Struct { fields, .. } = record.kind() else { return None };
    let [least, most, flags] = &fields[..] else { return None };
    let size = column.itemsize();
    let are_extremes =
        least.dtype == *column && most.dtype == *column && [least.offset, most.offset] == [0, size];
    (are_extremes && flags.offset == 2 * size && record.itemsize() == 2 * size + 1).then_some(size)
}

/// The runs of stored rows that no record of a summary is for a part of. `None` if nothing is known.
pub(super) fn runs_of(summaries: &[Option<Summary>]) -> Option<Vec<Range<u64>>> {
    let starts = |summary: &Summary| {
        let rows = summary.rows;
        (0..=summary.flags.len() as u64).map(move |n| n.saturating_mul(rows))
    };
    let mut starts: Vec<u64> = summaries.iter().flatten().flat_map(starts).collect();
    starts.sort_unstable();
    starts.dedup();
    let last = *starts.last()?;
    let known = starts.windows(2).map(|pair| pair[0]..pair[1]);
    // No record tells of what follows.
    Some(known.chain(core::iter::once(last..u64::MAX)).collect())
}

/// The runs that may have rows that match; `None` if that is all that is known.
pub(super) fn may_match(
    filter: &Filter,
    columns: &[ColumnSpec],
    summaries: &[Option<Summary>],
    runs: Vec<Range<u64>>,
) -> Option<Vec<Range<u64>>> {
    let largest = summaries.iter().flatten().map(|summary| summary.dtype.itemsize()).max().unwrap_or(0);
    if runs.len() as u64 > MAX_RECORDS || (runs.len() * 2).checked_mul(largest)? as u64 > MAX_BYTES {
        return None;
    }
    let known = filter.columns().iter().zip(summaries).map(|(name, summary)| {
        let spec = columns.iter().find(|spec| spec.name == *name);
        spec.zip(summary.as_ref()).map(|(spec, summary)| summary.extremes(spec, &runs))
    });
    let matches = filter.may_match(&known.collect::<Vec<_>>(), runs.len()).ok()?;
    let mut stored: Vec<Range<u64>> = Vec::new();
    for (run, _) in runs.into_iter().zip(matches).filter(|(_, matches)| *matches) {
        match stored.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            _ => stored.push(run),
        }
    }
    Some(stored)
}

impl Summary {
    /// The finest summary of an index of a table's column. `None` if there is none that fits to the column.
    pub(super) fn read<A: Arrays>(
        arrays: &A,
        group: &str,
        spec: &ColumnSpec,
        entry: &Value,
        limits: &Limits,
    ) -> Result<Option<Self>, A::Error> {
        let Some((rows, path)) = finest_level(entry) else { return Ok(None) };
        let Some(index) = arrays.open(&key_of(path))? else { return Ok(None) };
        let Some(column) = arrays.open(&format!("{group}{}", spec.key()))? else { return Ok(None) };
        let IndexArray { dtype: record, shape, array } = index;
        let (Some(size), &[stored], &[records]) =
            (size_of(&record, &column.dtype), &column.shape[..], &shape[..])
        else {
            return Ok(None);
        };
        if rows == 0 || records > MAX_RECORDS || records * record.itemsize() as u64 > MAX_BYTES {
            return Ok(None);
        }
        let dtype = spec.row_dtype(column.dtype, &shape, limits)?;
        let content = arrays.items(&array, slice::from_ref(&(0..records)))?;
        let part = |part: Range<usize>| {
            content.chunks_exact(2 * size + 1).flat_map(move |record| record[part.clone()].iter())
        };
        // A column with a mask has no nulls where the mask is missing.
        let is_masked = spec.entry.get("null_storage").and_then(Value::as_str) == Some("mask");
        let is_nullable = spec.entry.get("nullable") == Some(&Value::Bool(true))
            || spec.entry.get("null_value").is_some_and(|null| *null != Value::Nil);
        let may_be_null = is_nullable && !is_masked || arrays.has(&format!("{group}{}", spec.mask_key()))?;
        let (least, most) = (part(0..size).copied().collect(), part(size..2 * size).copied().collect());
        let flags = part(2 * size..2 * size + 1).copied().collect();
        Ok(Some(Self { dtype, stored, rows, least, most, flags, may_be_null }))
    }

    /// Whether each stored row is in a record.
    pub(super) fn is_of_all(&self) -> bool {
        self.rows.saturating_mul(self.flags.len() as u64) >= self.stored
    }

    /// The smallest and the largest value of all records; `None` if some are unknown, or all are null.
    pub(super) fn ends(&self, spec: &ColumnSpec, limits: &Limits) -> crate::Result<Option<Cells>> {
        let starts = (0..self.flags.len() as u64).map(|record| record.saturating_mul(self.rows));
        let runs: Vec<_> = starts.map(|start| start..start.saturating_add(self.rows)).collect();
        let Extremes { mut least, mut most, runs } = self.extremes(spec, &runs);
        let is_hidden = |run: usize| least.is_null(run) || most.is_null(run);
        if runs.iter().enumerate().any(|(run, contents)| contents.ordered && is_hidden(run)) {
            return Ok(None);
        }
        let ordered: Vec<bool> = runs.iter().map(|contents| contents.ordered).collect();
        let first = |cells: &mut Cells, descending| {
            cells.valid = Some(ordered.clone());
            let mut sorter = Sorter::new(&[descending], Some(1), limits);
            sorter.push(0..runs.len() as u64, slice::from_ref(cells))?;
            Ok::<_, Error>(sorter.finish().first().map(|run| cells.at(&[*run as usize])))
        };
        let (first, last) = (first(&mut least, false)?, first(&mut most, true)?);
        let (Some(mut ends), Some(last)) = (first.filter(|_| ordered.contains(&true)), last) else {
            return Ok(None);
        };
        ends.append(last);
        ends.valid = None;
        Ok(Some(ends))
    }

    /// The extremes of each of some runs, in which one record is of all rows, or none.
    fn extremes(&self, spec: &ColumnSpec, runs: &[Range<u64>]) -> Extremes {
        let size = self.dtype.itemsize();
        let (mut least, mut most, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_known = Vec::new();
        for run in runs {
            let record = (run.start / self.rows) as usize;
            let flags = self.flags.get(record).copied();
            is_known.push(flags.is_some());
            match flags {
                Some(_) => {
                    least.extend_from_slice(&self.least[record * size..][..size]);
                    most.extend_from_slice(&self.most[record * size..][..size]);
                }
                None => {
                    [&mut least, &mut most].into_iter().for_each(|side| side.resize(side.len() + size, 0))
                }
            }
            let has = |flag: u8| flags.is_none_or(|flags| flags & flag != 0);
            contents.push(RunContents {
                ordered: flags.is_none_or(|flags| flags & ALL_NAN == 0),
                nan: has(ALL_NAN | HAS_NAN),
                null: self.may_be_null || flags.is_none(),
            });
        }
        let cells = |items: Vec<u8>| {
            let mut cells = spec.cells_of_items(&self.dtype, items);
            let valid =
                is_known.iter().enumerate().map(|(run, known)| *known && !cells.is_null(run)).collect();
            cells.valid = Some(valid);
            cells
        };
        Extremes { least: cells(least), most: cells(most), runs: contents }
    }
}

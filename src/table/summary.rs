//! Summaries of columns: which rows may match a condition, by the smallest and largest values of runs of rows.

use super::cells::Cells;
use super::filter::{Extremes, Filter, RunContents};
use super::full::{common, shape_of};
use super::live::Live;
use super::schema::ColumnSpec;
use super::sort::Sorter;
use super::{META, Read, Table};
use crate::array::{Dtype, Kind};
use crate::base::{ArgumentError, Error, Limits};
use crate::msgpack::Value;
use crate::source::{ReadAt, Reader};
use crate::store::Member;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Flags of a record: no value is between the extremes; some are numbers that are none.
const ALL_NAN: u8 = 1;
const HAS_NAN: u8 = 2;

/// Summaries with more records are not used, nor are those that take more bytes for all runs: small files may claim any number. Without
/// them nothing is skipped.
const MAX_RECORDS: u64 = 1 << 20;
const MAX_BYTES: u64 = 1 << 26;

/// A column, and the entry of its index.
type Current<'e> = Option<(&'e ColumnSpec, &'e Value)>;

/// The rows of a table that may match a condition.
#[derive(Debug)]
pub struct Candidates<'t, S> {
    live: &'t Live<S>,
    /// The stored rows that may match, in order; `None` for all.
    stored: Option<Vec<Range<u64>>>,
}

/// The smallest and the largest value of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Two cells: no value is smaller than the first, or larger than the second, except numbers that are none and nulls.
    pub ends: Cells,
    /// Whether both are values of the column, which then has no nulls and no numbers that are none. Otherwise they may be of rows that
    /// were deleted.
    pub exact: bool,
}

/// The stored summary of a column.
struct Summary {
    dtype: Dtype,
    /// The stored rows of the column, deleted ones among them.
    stored: u64,
    /// The stored rows of each record, of which the last may have fewer.
    rows: u64,
    /// The smallest values, the largest, and the flags.
    least: Vec<u8>,
    most: Vec<u8>,
    flags: Vec<u8>,
    may_be_null: bool,
}

impl<S: ReadAt> Table<'_, S> {
    /// The rows that may match a condition, by the indexes of its columns that are not stale. Reads the indexes only.
    ///
    /// ```
    /// use b2nd::table::{Filter, Table};
    /// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let table = Table::open(&store, "")?;
    /// let filter = Filter::parse("f2 > 1e30", table.columns())?;
    /// println!("{}", table.candidates(&filter)?.may_be_in(0..table.len())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the catalogue of indexes is damaged; errors of reading.
    pub fn candidates(&self, filter: &Filter) -> Read<Candidates<'_, S>, S> {
        let catalogue = self.catalogue()?;
        let entries = self.current(&catalogue, filter.columns())?;
        let summaries = self.summaries(&entries)?;
        let near = runs_of(&summaries).and_then(|runs| may_match(filter, self.columns(), &summaries, runs));
        let stored = match (near, self.found_in_indexes(filter, &entries)?) {
            (Some(near), Some(found)) => Some(common(&near, &found)),
            (near, found) => found.or(near),
        };
        Ok(Candidates { live: self.live(), stored })
    }

    /// The smallest and the largest value of a column, by its index, if that is not stale. Reads the index only. `None` if nothing is
    /// known, or all values are null.
    ///
    /// ```
    /// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// if let Some(bounds) = table.bounds("f2")? {
    ///     println!("{:?}, exact: {}", bounds.ends, bounds.exact);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such column, `Format` if the catalogue of indexes is damaged; errors of reading.
    pub fn bounds(&self, name: &str) -> Read<Option<Bounds>, S> {
        let spec = self.columns().iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| Error::from(ArgumentError::NoColumn))?;
        let catalogue = self.catalogue()?;
        let summary = self.summaries(&self.current(&catalogue, &[name.into()])?)?.pop().flatten();
        let Some(summary) = summary.filter(Summary::is_of_all) else { return Ok(None) };
        let exact = self.len() == summary.stored && !summary.may_be_null && !summary.flags.contains(&HAS_NAN);
        let ends = summary.ends(spec, &self.store.dparams().limits)?;
        Ok(ends.map(|ends| Bounds { ends, exact }))
    }

    /// The entries of the catalogue for columns, if they tell of their values as they are.
    fn current<'e>(&'e self, catalogue: &'e [(Value, Value)], names: &[String]) -> Read<Vec<Current<'e>>, S> {
        let epoch = self.value_epoch()?;
        let entry = |name: &String| {
            let spec = self.columns().iter().find(|spec| spec.name == *name)?;
            let (_, entry) = catalogue.iter().find(|(column, _)| column.as_str() == Some(name))?;
            (is_current(entry, epoch) && !self.is_stale(name)).then_some((spec, entry))
        };
        Ok(names.iter().map(entry).collect())
    }

    fn summaries(&self, entries: &[Current<'_>]) -> Read<Vec<Option<Summary>>, S> {
        let summary = |entry: &Current<'_>| match entry {
            Some((spec, entry)) => self.summary(spec, entry),
            None => Ok(None),
        };
        entries.iter().map(summary).collect()
    }

    /// A member that an index has, by its path.
    pub(super) fn index_member(&self, path: &str) -> Read<Option<Reader<Member<S>>>, S> {
        let key = format!("/{}", path.trim_end_matches(".b2nd"));
        self.store.storage(&key).map(|_| self.store.get(&key)).transpose()
    }

    /// The columns whose only index is a summary of blocks, which tells of their values as they are, and the rows of a block.
    #[cfg(all(feature = "std", feature = "write"))]
    pub(crate) fn summaries_of_blocks(&self) -> Read<Vec<(String, u64)>, S> {
        let epoch = self.value_epoch()?;
        let summary = |(name, entry): (Value, Value)| {
            let is_summary = entry.get("kind").and_then(Value::as_str) == Some("summary");
            let Some(Value::Map(levels)) = entry.get("levels") else { return None };
            let (rows, path) = finest_level(&entry).filter(|_| is_summary && levels.len() == 1)?;
            let name = name.as_str().filter(|name| path.ends_with(&format!("/{name}/summary.block.b2nd")))?;
            is_current(&entry, epoch).then(|| (name.into(), rows))
        };
        Ok(self.catalogue()?.into_iter().filter_map(summary).collect())
    }

    /// How often values of the table were changed.
    fn value_epoch(&self) -> Read<Option<u64>, S> {
        let meta = self.member(META)?;
        let layer = meta.trailer()?.attributes.iter().find(|layer| layer.name == b"value_epoch");
        Ok(layer.map(|layer| layer.value(meta.limits())).transpose()?.and_then(|epoch| epoch.as_u64()))
    }

    /// The finest summary of an index. `None` if there is none that fits to the column.
    fn summary(&self, spec: &ColumnSpec, entry: &Value) -> Read<Option<Summary>, S> {
        let Some((rows, path)) = finest_level(entry) else { return Ok(None) };
        let Some(reader) = self.index_member(path)? else { return Ok(None) };
        let column = self.member(&spec.key())?;
        let (stored, record, shape) = (column.dtype()?, reader.dtype()?, shape_of(&reader)?);
        let (Some(size), [rows_stored]) = (size_of(&record, &stored), &shape_of(&column)?[..]) else {
            return Ok(None);
        };
        let records = shape.first().map_or(0, |&records| records);
        if rows == 0
            || shape.len() != 1
            || records > MAX_RECORDS
            || records * record.itemsize() as u64 > MAX_BYTES
        {
            return Ok(None);
        }
        let dtype = spec.row_dtype(stored, &[shape[0]], reader.limits())?;
        let content = reader.get(..)?;
        let part = |part: Range<usize>| {
            content.chunks_exact(2 * size + 1).flat_map(move |record| record[part.clone()].iter())
        };
        // A column with a mask has no nulls where the mask is missing (FORMAT §10.4).
        let is_masked = spec.entry.get("null_storage").and_then(Value::as_str) == Some("mask");
        let is_nullable = spec.entry.get("nullable") == Some(&Value::Bool(true))
            || spec.entry.get("null_value").is_some_and(|null| *null != Value::Nil);
        let may_be_null = self.has(&spec.mask_key()) || is_nullable && !is_masked;
        let (least, most) = (part(0..size).copied().collect(), part(size..2 * size).copied().collect());
        let flags = part(2 * size..2 * size + 1).copied().collect();
        Ok(Some(Summary { dtype, stored: *rows_stored, rows, least, most, flags, may_be_null }))
    }
}

impl<S: ReadAt> Candidates<'_, S> {
    /// Whether some of these rows may match. `false` means that none does.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// let filter = b2nd::table::Filter::parse("f2 < 1e30", table.columns())?;
    /// assert!(table.candidates(&filter)?.may_be_in(0..table.len())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the range exceeds the table; errors of reading which rows are deleted.
    pub fn may_be_in(&self, rows: Range<u64>) -> Read<bool, S> {
        let Some(stored) = &self.stored else { return Ok(true) };
        let may_be_in = |range: &Range<u64>| {
            let next = stored.partition_point(|run| run.end <= range.start);
            stored.get(next).is_some_and(|run| run.start < range.end)
        };
        let near = self.live.around(rows.clone())?;
        Ok(near.iter().any(may_be_in) && self.live.windows(&rows)?.iter().any(|(range, _)| may_be_in(range)))
    }
}

/// Whether an index is one of the column's values as they are.
fn is_current(entry: &Value, epoch: Option<u64>) -> bool {
    let built = entry.get("built_value_epoch").and_then(Value::as_u64);
    let source = entry.get("target").and_then(|target| target.get("source")).and_then(Value::as_str);
    entry.get("stale") == Some(&Value::Bool(false)) && built == epoch && source == Some("field")
}

/// The rows of a record, and the path, of the summary with the shortest runs.
fn finest_level<'e>(entry: &'e Value) -> Option<(u64, &'e str)> {
    let Value::Map(levels) = entry.get("levels")? else { return None };
    let level = |(_, level): &'e (Value, Value)| {
        Some((level.get("segment_len")?.as_u64()?, level.get("path")?.as_str()?))
    };
    levels.iter().filter_map(level).min_by_key(|(rows, _)| *rows)
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
fn runs_of(summaries: &[Option<Summary>]) -> Option<Vec<Range<u64>>> {
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
fn may_match(
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
    /// Whether each stored row is in a record.
    fn is_of_all(&self) -> bool {
        self.rows.saturating_mul(self.flags.len() as u64) >= self.stored
    }

    /// The smallest and the largest value of all records; `None` if some are unknown, or all are null.
    fn ends(&self, spec: &ColumnSpec, limits: &Limits) -> crate::Result<Option<Cells>> {
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
            sorter.push(0..runs.len() as u64, core::slice::from_ref(cells))?;
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

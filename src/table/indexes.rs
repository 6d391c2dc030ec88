//! Indexes of a table: which of its rows may match a condition (FORMAT §10.4).

use super::arrays::Arrays;
use super::cells::Cells;
use super::filter::Filter;
use super::full::{common, found_in_indexes};
use super::live::Live;
use super::schema::{ColumnSpec, Schema};
#[cfg(all(feature = "std", feature = "write"))]
use super::summary::finest_level;
use super::summary::{HAS_NAN, Summary, may_match, runs_of};
use super::{META, Read, Table};
use crate::base::{ArgumentError, Error, Limits};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use crate::source::ReadAt;
#[cfg(all(feature = "std", feature = "write"))]
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A column, and the entry of its index.
type Current<'e> = Option<(&'e ColumnSpec, &'e Value)>;

/// The indexes of a table, whose [arrays](Arrays) the caller reads. [`Table::candidates`] is for those who have a [`Table`].
#[derive(Debug)]
pub struct Indexes<'t> {
    schema: &'t Schema,
    /// The key of the table.
    group: &'t str,
    /// The names of columns, and what is known of the index of each.
    catalogue: Vec<(Value, Value)>,
    /// How often values of the table were changed.
    epoch: Option<u64>,
    limits: Limits,
}

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

impl<'t> Indexes<'t> {
    /// The indexes of the table under a key, by its schema and the attributes of the frame that describes it.
    ///
    /// ```
    /// use b2nd::{Limits, table::{Indexes, Schema}};
    /// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let meta = store.get("/_meta")?;
    /// let (attributes, limits) = (&meta.trailer()?.attributes, Limits::default());
    /// let schema = Schema::read(attributes, &limits)?.expect("a table");
    /// assert!(Indexes::new(&schema, "", attributes, &limits).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the catalogue of indexes is damaged.
    pub fn new(
        schema: &'t Schema,
        group: &'t str,
        attributes: &[Metalayer],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let value = |name: &[u8]| {
            let layer = attributes.iter().find(|layer| layer.name == name);
            layer.map(|layer| layer.value(limits)).transpose()
        };
        let catalogue = match value(b"index_catalog")? {
            Some(Value::Map(entries)) => entries,
            _ => Vec::new(),
        };
        let epoch = value(b"value_epoch")?.and_then(|epoch| epoch.as_u64());
        Ok(Self { schema, group, catalogue, epoch, limits: *limits })
    }

    /// The stored rows that may match a condition, in order, deleted rows among them, by the indexes of its columns that are not stale;
    /// `None` if nothing is known.
    ///
    /// ```
    /// use b2nd::{Limits, table::{Filter, Indexes, Schema}};
    /// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let meta = store.get("/_meta")?;
    /// let (attributes, limits) = (&meta.trailer()?.attributes, Limits::default());
    /// let schema = Schema::read(attributes, &limits)?.expect("a table");
    /// let filter = Filter::parse("f2 > 1e30", &schema.columns)?;
    /// println!("{:?}", Indexes::new(&schema, "", attributes, &limits)?.candidates(&filter, &store)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the arrays.
    pub fn candidates<A: Arrays>(
        &self,
        filter: &Filter,
        arrays: &A,
    ) -> Result<Option<Vec<Range<u64>>>, A::Error> {
        let entries: Vec<_> = filter.columns().iter().map(|name| self.current(name)).collect();
        let summaries = entries.iter().map(|entry| self.summary(*entry, arrays));
        let summaries = summaries.collect::<Result<Vec<_>, _>>()?;
        let near =
            runs_of(&summaries).and_then(|runs| may_match(filter, &self.schema.columns, &summaries, runs));
        let found = found_in_indexes(arrays, self.group, filter, &entries, &self.limits)?;
        Ok(match (near, found) {
            (Some(near), Some(found)) => Some(common(&near, &found)),
            (near, found) => found.or(near),
        })
    }

    /// The entry of the catalogue for a column, if it tells of the values as they are.
    fn current(&self, name: &str) -> Current<'_> {
        let spec = self.schema.columns.iter().find(|spec| spec.name == name)?;
        let (_, entry) = self.catalogue.iter().find(|(column, _)| column.as_str() == Some(name))?;
        let is_stale = self.schema.stale.iter().any(|stale| stale == name);
        (is_current(entry, self.epoch) && !is_stale).then_some((spec, entry))
    }

    fn summary<A: Arrays>(&self, entry: Current<'_>, arrays: &A) -> Result<Option<Summary>, A::Error> {
        match entry {
            Some((spec, entry)) => Summary::read(arrays, self.group, spec, entry, &self.limits),
            None => Ok(None),
        }
    }
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
        let stored = self.catalogue()?.candidates(filter, self.store)?;
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
        let indexes = self.catalogue()?;
        let summary = indexes.summary(indexes.current(name), self.store)?;
        let Some(summary) = summary.filter(Summary::is_of_all) else { return Ok(None) };
        let exact = self.len() == summary.stored && !summary.may_be_null && !summary.flags.contains(&HAS_NAN);
        let ends = summary.ends(spec, &self.store.dparams().limits)?;
        Ok(ends.map(|ends| Bounds { ends, exact }))
    }

    /// The indexes of columns: the name of each column, python-blosc2's kind of index, and whether it is stale.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// for (column, kind, stale) in table.indexes()? {
    ///     println!("{column}: {kind}, {stale}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the catalogue of indexes is damaged; errors of reading.
    pub fn indexes(&self) -> Read<Vec<(String, String, bool)>, S> {
        let index = |(name, entry): (Value, Value)| {
            let kind = entry.get("kind").and_then(Value::as_str).unwrap_or_default();
            let stale = entry.get("stale") == Some(&Value::Bool(true));
            Some((name.as_str()?.into(), kind.into(), stale))
        };
        Ok(self.catalogue()?.catalogue.into_iter().filter_map(index).collect())
    }

    fn catalogue(&self) -> Read<Indexes<'_>, S> {
        let meta = self.member(META)?;
        Ok(Indexes::new(&self.schema, &self.group, &meta.trailer()?.attributes, meta.limits())?)
    }

    /// The columns whose only index is a summary of blocks, which tells of their values as they are, and the rows of a block.
    #[cfg(all(feature = "std", feature = "write"))]
    pub(crate) fn summaries_of_blocks(&self) -> Read<Vec<(String, u64)>, S> {
        let Indexes { catalogue, epoch, .. } = self.catalogue()?;
        let summary = |(name, entry): (Value, Value)| {
            let is_summary = entry.get("kind").and_then(Value::as_str) == Some("summary");
            let Some(Value::Map(levels)) = entry.get("levels") else { return None };
            let (rows, path) = finest_level(&entry).filter(|_| is_summary && levels.len() == 1)?;
            let name = name.as_str().filter(|name| path.ends_with(&format!("/{name}/summary.block.b2nd")))?;
            is_current(&entry, epoch).then(|| (name.into(), rows))
        };
        Ok(catalogue.into_iter().filter_map(summary).collect())
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

//! Generated columns: computed from others, and stored.

use super::entries::{self, is_named, name_of};
use super::{TableEditor, Written};
use crate::array::{Dtype, Kind};
use crate::base::{ArgumentError, Unsupported};
use crate::msgpack::Value;
use crate::sink::indexes::put;
use crate::table::{Cells, ColumnKind, ColumnSpec, ComputedColumn, Data, Nulls, Table, compute};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

/// Rows that are computed at once.
const AT_ONCE: usize = 1 << 17;

impl TableEditor<'_> {
    /// Adds a generated column: one with the values that a computed column has now. Those of rows that are appended later are computed,
    /// too. The column becomes stale when cells of its inputs are [set](Self::set). A computed `float16` has no column.
    ///
    /// ```
    /// # #[cfg(feature = "expression")] {
    /// # use b2nd::{expression::Expression, table::{ComputedColumn, Table}};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-generate-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let double = ComputedColumn::new("double", &Expression::parse("2 * f2")?, table.columns())?;
    /// table.add_generated(&double)?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// let table = Table::open(&store, "")?;
    /// assert!(table.columns().iter().any(|column| column.name == "double") && !table.is_stale("double"));
    /// # drop(store);
    /// # std::fs::remove_file(&path)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add_computed`](Self::add_computed) and of [`add_columns`](Self::add_columns); `Unsupported` if the table was changed
    /// before; what is wrong with the data.
    pub fn add_generated(&mut self, column: &ComputedColumn) -> Written<()> {
        entries::computed(column, &self.specs)?;
        self.must_be_unchanged()?;
        let is_input = |spec: &&ColumnSpec| column.inputs.contains(&spec.name);
        let nullable = self.specs.iter().filter(is_input).any(ColumnSpec::is_nullable);
        let kind = ColumnKind::Number(Dtype::parse(&column.dtype, &self.store.dparams().limits)?);
        let spec = ColumnSpec::new(&column.name, &kind, if nullable { &Nulls::Mask } else { &Nulls::None })?;
        let rows = self.rows;
        let mut new = self.add_columns(&[spec])?;
        for rows in batches(rows) {
            new.append_computed(column, rows)?;
        }
        new.finish()?;
        self.generated.push(entries::generated(column));
        Ok(())
    }

    /// Computes the values of a generated column again, which is not stale after that.
    ///
    /// ```
    /// # #[cfg(feature = "expression")] {
    /// # use b2nd::{store::open, table::Table};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-refresh-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/stale.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// assert!(Table::open(&open(&path)?, "")?.is_stale("double"));
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// table.refresh_generated("double")?;
    /// table.finish()?;
    /// store.commit()?;
    /// assert!(!Table::open(&open(&path)?, "")?.is_stale("double"));
    /// # std::fs::remove_file(&path)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such generated column; `Unsupported` if the table was changed before, if an input is stale itself, and for
    /// a column that is computed by a function in Python; what is wrong with the data.
    pub fn refresh_generated(&mut self, name: &str) -> Written<()> {
        let entry =
            self.generated.iter().find(|entry| is_named(entry, name)).ok_or(ArgumentError::NoColumn)?;
        let column = ComputedColumn::of(entry, &self.store.dparams().limits, &mut 0)?;
        self.must_be_unchanged()?;
        for rows in batches(self.rows) {
            let disk = self.store.on_disk().ok_or(Unsupported::NoTable)?;
            let cells = Table::open(disk, &self.key)?.compute(&column, rows.clone())?;
            self.set(name, rows.start, &self.storable(name, cells))?;
        }
        if let Some(entry) = self.generated.iter_mut().find(|entry| is_named(entry, name)) {
            put(entry, "stale", Value::Bool(false));
        }
        Ok(())
    }

    /// The names of the columns that are computed from others, and stored.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-generated-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/stale.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// # let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert!(table.generated().eq(["double", "four", "half"]));
    /// # drop(table);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generated(&self) -> impl Iterator<Item = &str> {
        self.generated.iter().filter_map(name_of)
    }

    /// The stored columns that are not generated.
    pub(super) fn given(&self) -> impl Iterator<Item = &ColumnSpec> {
        let generated: BTreeSet<&str> = self.generated().collect();
        self.specs.iter().filter(move |spec| !generated.contains(&*spec.name))
    }

    /// The cells of new rows in all stored columns, by those in the columns that are not generated.
    pub(super) fn complete_rows(&self, cells: &[Cells], rows: usize) -> Written<Vec<Cells>> {
        let given = self.given().map(|spec| &*spec.name);
        let mut known: BTreeMap<&str, Cells> = given.zip(cells.iter().cloned()).collect();
        let stored: BTreeSet<&str> = self.specs.iter().map(|spec| &*spec.name).collect();
        for entry in &self.generated {
            let Some(name) = name_of(entry).filter(|name| stored.contains(name)) else { continue };
            let column = ComputedColumn::of(entry, &self.store.dparams().limits, &mut 0)?;
            let inputs = column.inputs.iter().map(|input| known.get(&**input).cloned());
            let inputs = inputs.collect::<Option<Vec<_>>>().ok_or(Unsupported::InputColumn)?;
            known.insert(name, self.storable(name, compute(&column, inputs, rows)?));
        }
        let cells = self.specs.iter().map(|spec| known.remove(&*spec.name));
        Ok(cells.collect::<Option<_>>().ok_or(Unsupported::InputColumn)?)
    }

    /// Computed cells as their column can have them: in those without nulls, as python-blosc2 generates them, null floats are NaN.
    fn storable(&self, name: &str, cells: Cells) -> Cells {
        let is_nullable = self.specs.iter().any(|spec| spec.name == name && spec.is_nullable());
        if is_nullable { cells } else { with_nan(cells) }
    }

    /// Fails if the columns on disk are not those of the table any more.
    fn must_be_unchanged(&self) -> Written<()> {
        if self.columns.is_some() || self.changes.visibility || self.changes.columns.is_some() {
            return Err(Unsupported::InputColumn.into());
        }
        Ok(())
    }
}

/// Rows, in ranges that are computed at once.
fn batches(rows: u64) -> impl Iterator<Item = Range<u64>> {
    (0..rows).step_by(AT_ONCE).map(move |start| start..rows.min(start + AT_ONCE as u64))
}

/// The cells with NaN for null if they are floats.
fn with_nan(cells: Cells) -> Cells {
    match cells {
        Cells { data: Data::Items { dtype, mut items }, valid: Some(valid) }
            if *dtype.kind() == Kind::Float =>
        {
            let rows = items.chunks_exact_mut(dtype.itemsize()).zip(valid);
            // A float of any size whose bits are all 1 is NaN.
            rows.filter(|(_, valid)| !valid).for_each(|(item, _)| item.fill(0xff));
            Cells { data: Data::Items { dtype, items }, valid: None }
        }
        cells => cells,
    }
}

//! Computed columns, added and dropped: entries of the schema.

use super::changing::Changing;
use super::entries::{self, is_named, name_of};
use super::{TableEditor, TableWriter, Written};
use crate::base::ArgumentError;
use crate::table::{ColumnSpec, ComputedColumn};
use alloc::vec::Vec;

impl TableEditor<'_> {
    /// Adds a column that is computed from others. Its values are not stored.
    ///
    /// ```
    /// # #[cfg(feature = "expression")] {
    /// # use b2nd::{expression::Expression, table::{ComputedColumn, Table}};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-compute-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let double = ComputedColumn::new("double", &Expression::parse("2 * f2")?, table.columns())?;
    /// table.add_computed(&double)?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// assert_eq!(Table::open(&store, "")?.column("double")?.cells(0..3)?.len(), 3);
    /// # drop(store);
    /// # std::fs::remove_file(&path)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is such a column, or none of one that it is computed from, if it is a kernel, or for a name that columns
    /// cannot have.
    pub fn add_computed(&mut self, column: &ComputedColumn) -> Written<()> {
        let entry = entries::computed(column, &self.specs)?;
        self.must_be_free(&ColumnSpec::of(&entry)?, self.specs.iter())?;
        self.change(|editor| {
            editor.computed.push(entry);
            Ok(())
        })
    }

    pub(super) fn drop_computed(&mut self, name: &str) -> Written<()> {
        self.change(|editor| {
            editor.computed.retain(|entry| !is_named(entry, name));
            Ok(())
        })
    }

    /// The names of the columns that are computed, and not stored.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-computed-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// # let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert_eq!(table.computed().count(), 0);
    /// # drop(table);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn computed(&self) -> impl Iterator<Item = &str> {
        self.computed.iter().filter_map(name_of)
    }
}

impl TableWriter<'_> {
    /// Adds a column that is computed from others. Its values are not stored.
    ///
    /// ```
    /// # #[cfg(feature = "expression")] {
    /// # use b2nd::{array::Dtype, expression::Expression, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, ComputedColumn, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-computing-{}.b2z", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, b2nd::store::StoreKind::Tree)?;
    /// let columns = [ColumnSpec::new("x", &ColumnKind::Number(Dtype::of::<i16>()), &Nulls::None)?];
    /// let mut table = TableWriter::create(&mut store, "", &columns, &TableParams::default())?;
    /// table.add_computed(&ComputedColumn::new("half", &Expression::parse("x / 2")?, &columns)?)?;
    /// table.finish()?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TableEditor::add_computed`].
    pub fn add_computed(&mut self, column: &ComputedColumn) -> Written<()> {
        let specs: Vec<ColumnSpec> = self.columns.iter().map(|column| column.spec().clone()).collect();
        let entry = entries::computed(column, &specs)?;
        let is_taken = self.catalogue.computed.iter().any(|other| is_named(other, &column.name));
        if is_taken || specs.iter().any(|spec| spec.name == column.name) {
            return Err(ArgumentError::ColumnInUse.into());
        }
        self.catalogue.computed.push(entry);
        Ok(())
    }
}

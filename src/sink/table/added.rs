//! Columns added to a table.

use super::changing::Changing;
use super::column::ColumnWriter;
use super::editor::pieces;
use super::{Grid, TableEditor, Written, must_fit, template_of};
use crate::base::{ArgumentError, Unsupported};
use crate::sink::StoreEditor;
use crate::source::ReadError;
use crate::table::{Cells, ColumnSpec, ComputedColumn, Table};
use alloc::vec::Vec;
use core::ops::Range;
use std::io;

/// New columns of a table, of which the cells are written in batches of rows of any number.
#[derive(Debug)]
pub struct NewColumns<'e, 's> {
    table: &'e mut TableEditor<'s>,
    writers: Vec<ColumnWriter>,
    /// The rows so far, and the stored ones, of which some are deleted.
    rows: u64,
    stored: u64,
    /// The cells of the last row.
    last: Vec<Cells>,
    /// Whether a batch failed, so that columns may have different lengths.
    failed: bool,
}

impl<'s> TableEditor<'s> {
    /// Begins columns after those that are there. They have a cell for each row.
    ///
    /// ```
    /// # use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls, Table};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-add-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let names = (0..table.len()).map(|row| format!("row {row}")).collect();
    /// let mut columns = table.add_columns(&[ColumnSpec::new("name", &ColumnKind::Text, &Nulls::None)?])?;
    /// columns.append(&[Cells { data: Data::Texts(names), valid: None }])?;
    /// columns.finish()?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// let cells = Table::open(&store, "")?.column("name")?.cells(3..4)?;
    /// assert_eq!(cells.data, Data::Texts(vec!["row 3".into()]));
    /// # drop(store);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is a column with one of the names or in its place, and for names that columns cannot have; `Unsupported` for
    /// tables whose rows are all deleted; `Limit` for more than 1024
    /// deleted rows for each one that is left, if they are more than [`Limits::expansion`](crate::Limits::expansion).
    pub fn add_columns<'e>(&'e mut self, columns: &[ColumnSpec]) -> Written<NewColumns<'e, 's>> {
        for (number, spec) in columns.iter().enumerate() {
            spec.must_have_valid_name()?;
            let others = self.specs.iter().chain(&columns[..number]);
            self.must_be_free(spec, others)?;
        }
        let writers = self.change(|editor| {
            editor.open_columns()?;
            if editor.rows == 0 && editor.stored > 0 {
                return Err(Unsupported::ColumnKind.into());
            }
            // Deleted rows get cells as well, and a few bytes may claim any number of them.
            editor.store.dparams().limits.allow_expansion(editor.stored - editor.rows, editor.rows)?;
            let (grid, template) = (Grid::of(&editor.valid), template_of(editor.valid.cparams()));
            let summaries = editor.store.can_have_indexes();
            let writer =
                |spec| ColumnWriter::create(editor.store, &editor.key, spec, (grid, &template), summaries);
            columns.iter().map(writer).collect::<Written<Vec<_>>>()
        })?;
        // Until they are finished, the table cannot be.
        *self.failed() = true;
        Ok(NewColumns { table: self, writers, rows: 0, stored: 0, last: Vec::new(), failed: false })
    }
}

impl NewColumns<'_, '_> {
    /// Appends the cells of rows: for each new column, in their order.
    ///
    /// ```
    /// # use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-add-append-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// # let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let rows = table.len();
    /// let mut columns = table.add_columns(&[ColumnSpec::new("name", &ColumnKind::Text, &Nulls::None)?])?;
    /// for row in 0..rows {
    ///     columns.append(&[Cells { data: Data::Texts(vec![format!("row {row}")]), valid: None }])?;
    /// }
    /// columns.finish()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for another number of columns, columns of different lengths, more cells than the table has rows, cells of another type
    /// than the column, and nulls in a column without; `Source` if a file cannot be written. After an error the change cannot be finished.
    pub fn append(&mut self, cells: &[Cells]) -> Written<()> {
        self.change(|columns| columns.append_rows(cells))
    }

    /// Appends the cells that some rows have of a computed column, by the columns on disk.
    pub(super) fn append_computed(&mut self, column: &ComputedColumn, rows: Range<u64>) -> Written<()> {
        let disk = self.table.store.on_disk().ok_or(Unsupported::NoTable)?;
        let cells = Table::open(disk, &self.table.key)?.compute(column, rows)?;
        self.append(&[cells])
    }

    fn append_rows(&mut self, cells: &[Cells]) -> Written<()> {
        let len = cells.first().map_or(0, Cells::len);
        must_fit(cells, self.writers.len(), len)?;
        let rows = self.rows + len as u64;
        if rows > self.table.rows {
            return Err(self.wrong_count(rows));
        }
        let mut done = 0;
        while done < len {
            let (cells_of_rows, live) = self.rows_of(done, len)?;
            for (writer, cells) in self.writers.iter_mut().zip(cells) {
                writer.append(self.table.store, &cells.at(&cells_of_rows))?;
            }
            self.stored += cells_of_rows.len() as u64;
            done += live;
        }
        self.rows = rows;
        if len > 0 {
            self.last = cells.iter().map(|cells| cells.at(&[len - 1])).collect();
        }
        Ok(())
    }

    /// For some of the next stored rows, the cell of `done..len` that is written: that of the next row if the stored one is deleted. And
    /// how many of them are rows.
    fn rows_of(&self, done: usize, len: usize) -> Written<(Vec<usize>, usize)> {
        let piece = pieces(self.stored..self.table.stored).next();
        let piece = piece.ok_or_else(|| self.wrong_count(self.rows + len as u64))?;
        let (mut cells, mut live) = (Vec::new(), 0);
        for bit in self.table.bits(&piece)? {
            if done + live == len {
                break;
            }
            cells.push(done + live);
            live += usize::from(bit != 0);
        }
        Ok((cells, live))
    }

    /// Completes the columns. Without this the table cannot be finished.
    ///
    /// ```
    /// # use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-add-finish-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// # let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let columns = table.add_columns(&[ColumnSpec::new("name", &ColumnKind::Text, &Nulls::None)?])?;
    /// // Rows have no cells yet.
    /// assert!(columns.finish().is_err());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if a batch failed, and if rows have no cells yet; `Source` if a file cannot be written.
    pub fn finish(mut self) -> Written<()> {
        self.end()
    }

    fn wrong_count(&self, actual: u64) -> ReadError<io::Error> {
        ArgumentError::RowCount { expected: self.table.rows, actual }.into()
    }
}

impl Changing for NewColumns<'_, '_> {
    fn store(&mut self) -> &mut StoreEditor {
        self.table.store
    }

    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }

    fn complete(&mut self) -> Written<()> {
        if self.rows < self.table.rows {
            return Err(self.wrong_count(self.rows));
        }
        for piece in pieces(self.stored..self.table.stored) {
            // Deleted rows after the last one.
            let cells = alloc::vec![0; (piece.end - piece.start) as usize];
            for (writer, last) in self.writers.iter_mut().zip(&self.last) {
                writer.append(self.table.store, &last.at(&cells))?;
            }
        }
        let table = &mut *self.table;
        table.specs.extend(self.writers.iter().map(|writer| writer.spec().clone()));
        table.columns.get_or_insert_default().append(&mut self.writers);
        table.changes.columns = Some(table.specs.clone());
        *table.failed() = false;
        Ok(())
    }
}

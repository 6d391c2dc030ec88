//! Tables, changed.

use super::catalogue::{self, COMPUTED, Changes, GENERATED};
use super::changing::Changing;
use super::column::ColumnWriter;
use super::entries::mark_stale;
use super::{Grid, Written, mask, must_fit, template_of};
use crate::base::{ArgumentError, Error, Malformed, Unsupported};
use crate::msgpack::Value;
use crate::plan::Selection;
use crate::sink::{Editor, File, StoreEditor};
use crate::table::{Cells, ColumnSpec, Table};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// Rows whose bits are read at once.
const PIECE: u64 = 1 << 16;

/// Appends rows to a table in a store, deletes rows, sets cells, and adds, drops and renames columns.
///
/// Changes are made to staged copies of the table's members, so that the commit of the store makes them visible all at once.
///
/// ```
/// use b2nd::array::Dtype;
/// use b2nd::sink::{StoreEditor, TableEditor};
/// use b2nd::table::Table;
/// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-{}.b2z", std::process::id()));
/// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
/// let mut store = StoreEditor::open(&path, b2nd::DParams::default())?;
/// let mut table = TableEditor::open(&mut store, "")?;
/// table.delete(&[0, 3])?;
/// table.finish()?;
/// store.commit()?;
/// assert_eq!(Table::open(&b2nd::store::open(&path)?, "")?.len(), 8);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableEditor<'s> {
    pub(super) store: &'s mut StoreEditor,
    pub(super) key: String,
    pub(super) specs: Vec<ColumnSpec>,
    /// The columns, once cells are written.
    pub(super) columns: Option<Vec<ColumnWriter>>,
    pub(super) valid: Editor<File>,
    /// The stored rows, of which some may be deleted, and the rows.
    pub(super) stored: u64,
    pub(super) rows: u64,
    pub(super) changes: Changes,
    /// The entries of columns that are computed from others, and stored.
    pub(super) generated: Vec<Value>,
    /// The columns with summaries of blocks that tell of their values, and the rows of a block.
    pub(super) summaries: Vec<(String, u64)>,
    /// The entries of those that are not stored.
    pub(super) computed: Vec<Value>,
    failed: bool,
}

impl<'s> TableEditor<'s> {
    /// Opens a table of a store on disk; the empty key is the whole store.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-open-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert_eq!(table.len(), 10);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Table::open`], and of copying members.
    pub fn open(store: &'s mut StoreEditor, key: &str) -> Written<Self> {
        let key = key.trim_end_matches('/').to_string();
        let disk = store.on_disk().ok_or(Unsupported::NoTable)?;
        let table = Table::open(disk, &key)?;
        let (specs, rows) = (table.columns().to_vec(), table.len());
        let [computed, generated] = [COMPUTED, GENERATED].map(|list| table.entries(list));
        let summaries = table.summaries_of_blocks()?;
        drop(table);
        let dparams = store.dparams().clone();
        let valid = Editor::open(store.edit_copy(&[&key, "/_valid_rows"].concat())?, dparams)?;
        let mut editor = Self {
            store,
            key,
            specs,
            columns: None,
            valid,
            stored: 0,
            rows,
            changes: Changes::default(),
            generated,
            summaries,
            computed,
            failed: false,
        };
        editor.stored = editor.last_row()?;
        Ok(editor)
    }

    /// The stored columns by the schema.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-columns-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert_eq!(table.columns()[0].kind, "timestamp");
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn columns(&self) -> &[ColumnSpec] {
        &self.specs
    }

    /// The number of rows.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-len-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert_eq!(table.len(), 10);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn len(&self) -> u64 {
        self.rows
    }

    /// Whether there are none.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-empty-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// assert!(!table.is_empty());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Appends rows, as [`TableWriter::append`](super::TableWriter::append) does. There are cells for each stored column, or for each that is
    /// not [generated](Self::generated): the others are computed. Summaries of blocks are kept up to date, other indexes become stale.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-append-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let source = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let rows = b2nd::table::Table::open(&source, "")?;
    /// let cells = rows.columns().iter().map(|spec| rows.column(&spec.name)?.cells(0..3));
    /// table.append(&cells.collect::<Result<Vec<_>, _>>()?)?;
    /// assert_eq!(table.len(), 13);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`TableWriter::append`](super::TableWriter::append); `Unsupported` for columns that cannot be written or computed. After an
    /// error the change cannot be finished.
    pub fn append(&mut self, cells: &[Cells]) -> Written<()> {
        let rows = cells.first().map_or(0, Cells::len);
        let is_complete = cells.len() == self.specs.len();
        must_fit(cells, if is_complete { cells.len() } else { self.given().count() }, rows)?;
        self.change(|editor| {
            editor.open_columns()?;
            let computed = if is_complete { None } else { Some(editor.complete_rows(cells, rows)?) };
            let cells = computed.as_deref().unwrap_or(cells);
            for (column, cells) in editor.columns.iter_mut().flatten().zip(cells) {
                column.append(editor.store, cells)?;
            }
            mask::append_true(&mut editor.valid, rows as u64)?;
            editor.stored += rows as u64;
            editor.rows += rows as u64;
            editor.changes.values = true;
            Ok(())
        })
    }

    /// Deletes rows. They stay stored, as the reference leaves them.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-delete-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// table.delete(&[0, 9])?;
    /// assert_eq!(table.len(), 8);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such row.
    pub fn delete(&mut self, rows: &[u64]) -> Written<()> {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows.dedup();
        self.must_have(rows.last().map_or(0, |last| last + 1))?;
        self.change(|editor| {
            let (mut rest, mut before) = (&rows[..], 0);
            for piece in pieces(0..editor.stored) {
                let mut bits = editor.bits(&piece)?;
                let live = bits.iter().enumerate().filter(|(_, bit)| **bit != 0).map(|(at, _)| at);
                let live: Vec<usize> = live.collect();
                let (now, later) =
                    rest.split_at(rest.partition_point(|row| *row < before + live.len() as u64));
                now.iter().for_each(|row| bits[live[(row - before) as usize]] = 0);
                if !now.is_empty() {
                    editor.valid.set(Selection::of_ranges(&[piece]), &bits)?;
                }
                (rest, before) = (later, before + live.len() as u64);
            }
            editor.rows -= rows.len() as u64;
            editor.changes.visibility |= !rows.is_empty();
            Ok(())
        })
    }

    /// Sets the cells of a column from row `start` on. Its indexes become stale, and those of other columns that are no summaries of blocks;
    /// so do the columns that are generated from it.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-set-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// let source = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let cells = b2nd::table::Table::open(&source, "")?.column("f0")?.cells(8..10)?;
    /// table.set("f0", 0, &cells)?;
    /// table.finish()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there are no such rows or no such column, and for cells of another type; `Unsupported` for columns whose cells have no
    /// fixed size, which would move all that follow.
    pub fn set(&mut self, column: &str, start: u64, cells: &Cells) -> Written<()> {
        let number = self.specs.iter().position(|spec| spec.name == column);
        let number = number.ok_or(ArgumentError::NoColumn)?;
        let end = start.saturating_add(cells.len() as u64);
        self.must_have(end)?;
        let spec = &self.specs[number];
        if spec.kind != "dictionary" && spec.stored_dtype(&self.store.dparams().limits)?.is_none() {
            return Err(Unsupported::ColumnKind.into());
        }
        self.change(|editor| {
            editor.open_columns()?;
            let runs = editor.runs(start..end)?;
            if let Some(column) = editor.columns.as_mut().map(|columns| &mut columns[number]) {
                column.set(editor.store, &runs, cells)?;
            }
            mark_stale(&mut editor.generated, column);
            editor.changes.values = true;
            Ok(())
        })
    }

    /// Completes the change, which is in the store once that is committed.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-edit-finish-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// table.finish()?;
    /// store.commit()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if a change failed; `Source` if a file cannot be written, after which the store refuses commits.
    pub fn finish(mut self) -> Written<()> {
        self.end()
    }

    fn must_have(&self, rows: u64) -> Written<()> {
        if rows <= self.rows {
            return Ok(());
        }
        let index = i64::try_from(rows).unwrap_or(i64::MAX).saturating_sub(1);
        Err(ArgumentError::Index { axis: 0, index, len: self.rows }.into())
    }

    /// Opens the columns, and leaves out room that nothing is in. Columns of objects may have rows after the last one that is there.
    pub(super) fn open_columns(&mut self) -> Written<()> {
        if self.columns.is_some() {
            return Ok(());
        }
        let grid = Grid::of(&self.valid);
        let template = template_of(self.valid.cparams());
        let mut columns = Vec::new();
        for spec in &self.specs {
            columns.push(ColumnWriter::open(self.store, &self.key, spec, (grid, &template))?);
        }
        let longest = columns.iter().filter_map(ColumnWriter::len).max().unwrap_or(0);
        self.stored = self.stored.max(longest);
        for column in &mut columns {
            match column.len() {
                Some(len) if len != self.stored => {
                    let what =
                        Malformed::Mismatch { name: "rows of a column", found: len, expected: self.stored };
                    return Err(Error::format(what).into());
                }
                _ => column.begin_at(self.stored)?,
            }
        }
        for (name, block) in core::mem::take(&mut self.summaries) {
            let number = self.specs.iter().position(|spec| spec.name == name);
            if let Some(column) = number.and_then(|number| columns.get_mut(number)) {
                column.keep_summary(self.store, block)?;
            }
        }
        self.valid.resize(&[self.stored])?;
        self.columns = Some(columns);
        Ok(())
    }

    pub(super) fn bits(&self, rows: &Range<u64>) -> Written<Vec<u8>> {
        self.valid.get(Selection::of_ranges(core::slice::from_ref(rows)))
    }

    /// The end of the last stored row that is there.
    fn last_row(&self) -> Written<u64> {
        let stored = self.valid.layout().map_or(0, |array| array.shape()[0]);
        for piece in pieces(0..stored).collect::<Vec<_>>().into_iter().rev() {
            if let Some(at) = self.bits(&piece)?.iter().rposition(|bit| *bit != 0) {
                return Ok(piece.start + at as u64 + 1);
            }
        }
        Ok(0)
    }

    /// Where rows are stored: ranges, in order.
    fn runs(&self, rows: Range<u64>) -> Written<Vec<Range<u64>>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        let mut row = 0;
        for piece in pieces(0..self.stored) {
            for (at, _) in self.bits(&piece)?.into_iter().enumerate().filter(|(_, bit)| *bit != 0) {
                let stored = piece.start + at as u64;
                match runs.last_mut() {
                    _ if !rows.contains(&row) => {}
                    Some(run) if run.end == stored => run.end += 1,
                    _ => runs.push(stored..stored + 1),
                }
                row += 1;
            }
        }
        Ok(runs)
    }
}

impl Changing for TableEditor<'_> {
    fn store(&mut self) -> &mut StoreEditor {
        self.store
    }

    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }

    fn complete(&mut self) -> Written<()> {
        let capacity = self.stored.max(1);
        if let Some(columns) = self.columns.take() {
            for column in columns {
                self.changes.summaries.extend(column.finish(self.store, capacity)?);
            }
            self.valid.resize(&[capacity])?;
        }
        self.valid.commit()?;
        let file = self.store.edit_copy(&[&self.key, "/_meta"].concat())?;
        let mut changes = core::mem::take(&mut self.changes);
        changes.computed = core::mem::take(&mut self.computed);
        changes.generated = core::mem::take(&mut self.generated);
        catalogue::update(file, self.store.dparams().clone(), (&self.key, changes), self.rows)
    }
}

/// Ranges that rows are read in.
pub(super) fn pieces(rows: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let end = rows.end;
    rows.step_by(PIECE as usize).map(move |start| start..end.min(start + PIECE))
}

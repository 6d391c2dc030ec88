//! The frames of a column.

use super::catalogue::{self, Summary};
use super::codes::Codes;
use super::extremes::Extremes;
use super::texts::Texts;
use super::{Grid, Written, array_params, mask, objects, template_of};
use crate::array::{ArrayParams, Dtype, Kind};
use crate::base::{Limits, Unsupported};
use crate::plan::Selection;
use crate::sink::{Editor, File, ObjectEditor, StoreEditor};
use crate::table::{BATCH_ROWS, Cells, ColumnSpec, ColumnStorage};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// Writes a column of a table.
#[derive(Debug)]
pub(super) struct ColumnWriter {
    spec: ColumnSpec,
    /// The key of the table, and how its arrays are stored.
    table: String,
    storage: (Grid, ArrayParams),
    limits: Limits,
    values: Values,
    /// Which cells are not null, once one is.
    mask: Option<Editor<File>>,
    extremes: Option<Extremes>,
    rows: u64,
}

#[derive(Debug)]
enum Values {
    Items { editor: Box<Editor<File>>, dtype: Dtype },
    Texts(Box<Texts>),
    Codes(Box<Codes>),
    Objects(Box<ObjectEditor<File>>),
}

impl ColumnWriter {
    pub(super) fn create(
        store: &mut StoreEditor,
        table: &str,
        spec: &ColumnSpec,
        (grid, template): (Grid, &ArrayParams),
        summaries: bool,
    ) -> Written<Self> {
        let limits = store.dparams().limits;
        let own = spec.cparams(&template.cparams)?.map(|cparams| template_of(&cparams));
        let template = own.as_ref().unwrap_or(template);
        let key = [table, &spec.key()].concat();
        let dtype = spec.stored_dtype(&limits)?;
        let values = match (spec.storage(), dtype) {
            (_, Some(dtype)) => {
                let editor = store.create_array(&key, &items_params(&dtype, grid, template))?;
                Values::Items { editor: Box::new(editor), dtype }
            }
            (ColumnStorage::Texts(bytes), _) => {
                Values::Texts(Box::new(Texts::create(store, [&key, &[table, &bytes].concat()], template)?))
            }
            (ColumnStorage::Codes(words), _) => {
                let codes = store.create_array(&key, &array_params("<i4", &[], grid, template))?;
                let words = store.new_member(&[table, &words].concat())?;
                let words = objects::create_words(words, &template.cparams)?;
                Values::Codes(Box::new(Codes::new(codes, words, BTreeMap::new())))
            }
            _ => {
                let file = store.new_member(&key)?;
                Values::Objects(Box::new(objects::create(file, spec, &template.cparams)?))
            }
        };
        let extremes = match &values {
            Values::Items { dtype, .. } if summaries => Extremes::new(dtype, grid.block.into()),
            _ => None,
        };
        let storage = (grid, template.clone());
        let (table, spec) = (table.to_string(), spec.clone());
        Ok(Self { spec, table, storage, limits, values, mask: None, extremes, rows: 0 })
    }

    /// Opens the frames of a column.
    pub(super) fn open(
        store: &mut StoreEditor,
        table: &str,
        spec: &ColumnSpec,
        (grid, template): (Grid, &ArrayParams),
    ) -> Written<Self> {
        let (dparams, limits) = (store.dparams().clone(), store.dparams().limits);
        let key = [table, &spec.key()].concat();
        let mut array = |key: &str| Editor::open(store.edit_copy(key)?, dparams.clone());
        let values = match (spec.storage(), spec.stored_dtype(&limits)?) {
            (_, Some(dtype)) => {
                let editor = array(&key)?;
                let inner =
                    editor.layout().map(|array| array.shape()[1..].iter().map(|len| *len as usize).collect());
                let inner: Vec<usize> = inner.unwrap_or_default();
                let stored = editor.dtype()?;
                if dtype != if inner.is_empty() { stored } else { stored.subarray(&inner)? } {
                    return Err(Unsupported::ColumnKind.into());
                }
                Values::Items { editor: Box::new(editor), dtype }
            }
            (ColumnStorage::Texts(bytes), _) => {
                Values::Texts(Box::new(Texts::open(array(&key)?, array(&[table, &bytes].concat())?)?))
            }
            (ColumnStorage::Codes(words), _) => {
                let codes = array(&key)?;
                let (words, numbers) =
                    objects::open_words(store.edit_copy(&[table, &words].concat())?, dparams)?;
                Values::Codes(Box::new(Codes::new(codes, words, numbers)))
            }
            _ => Values::Objects(Box::new(ObjectEditor::open(store.edit_copy(&key)?, dparams, BATCH_ROWS)?)),
        };
        let mask = [table, &spec.mask_key()].concat();
        let dparams = store.dparams().clone();
        let mask = match spec.is_masked() && store.has(&mask) {
            true => Some(Editor::open(store.edit_copy(&mask)?, dparams)?),
            false => None,
        };
        let storage = (grid, template.clone());
        let (table, spec) = (table.to_string(), spec.clone());
        Ok(Self { spec, table, storage, limits, values, mask, extremes: None, rows: 0 })
    }

    pub(super) const fn spec(&self) -> &ColumnSpec {
        &self.spec
    }

    /// Gives the column the name of another description, whose frames are in its place.
    pub(super) fn rename(&mut self, spec: ColumnSpec) {
        (self.spec, self.extremes) = (spec, None);
    }

    /// The number of rows of a column that has no room for more.
    pub(super) fn len(&self) -> Option<u64> {
        match &self.values {
            Values::Texts(texts) => Some(texts.len()),
            Values::Objects(objects) => Some(objects.len()),
            _ => None,
        }
    }

    /// Lets new rows follow so many.
    pub(super) fn begin_at(&mut self, rows: u64) -> Written<()> {
        self.rows = rows;
        match &mut self.values {
            Values::Items { editor, .. } => resize(editor, rows)?,
            Values::Codes(codes) => resize(&mut codes.editor, rows)?,
            _ => {}
        }
        self.mask.as_mut().map_or(Ok(()), |mask| resize(mask, rows))
    }

    /// Keeps the summary of the column, whose blocks have so many rows, up to date with rows that are appended. Called after
    /// [`begin_at`](Self::begin_at). Blocks before those rows stay as they are.
    pub(super) fn keep_summary(&mut self, store: &mut StoreEditor, block: u64) -> Written<()> {
        let Values::Items { editor, dtype } = &self.values else { return Ok(()) };
        let Some(mut extremes) =
            Extremes::new(dtype, block).filter(|_| block == u64::from(Grid::of(editor).block))
        else {
            return Ok(());
        };
        let key = [&self.table, &catalogue::key_of(&self.spec.name)[..]].concat();
        let summary = Editor::open(store.edit_copy(&key)?, store.dparams().clone())?;
        let mut records = summary.get(..)?;
        let (whole, first) = (self.rows / block, self.rows / block * block);
        let len = whole as usize * extremes.record_len();
        if records.len() < len {
            return Ok(());
        }
        records.truncate(len);
        extremes = extremes.after(records);
        if first < self.rows {
            let range = Selection::of_ranges(core::slice::from_ref(&(first..self.rows)));
            let rows = editor.get(range.clone())?;
            let mask = self.mask.as_ref().map(|mask| mask.get(range)).transpose()?;
            let mut cells = self.spec.cells_of_items(dtype, rows.clone());
            if let Some(mask) = mask {
                cells.mask(&mask);
            }
            extremes.add(&rows, cells.valid.as_deref());
        }
        self.extremes = Some(extremes);
        Ok(())
    }

    /// Sets the cells of stored rows. Their summary is not kept up to date.
    pub(super) fn set(&mut self, store: &mut StoreEditor, runs: &[Range<u64>], cells: &Cells) -> Written<()> {
        self.extremes = None;
        match &mut self.values {
            Values::Items { editor, dtype } => {
                set_rows(editor, runs, &self.spec.rows_of(cells, dtype, &self.limits)?)?;
            }
            Values::Codes(codes) => {
                let rows = codes.rows_of(&self.spec, cells)?;
                set_rows(&mut codes.editor, runs, &rows)?;
            }
            _ => return Err(Unsupported::ColumnKind.into()),
        }
        let bits = ColumnSpec::mask_of(cells).unwrap_or_else(|| alloc::vec![1; cells.len()]);
        if self.spec.is_masked() && bits.contains(&0) {
            self.make_mask(store)?;
        }
        self.mask.as_mut().map_or(Ok(()), |mask| set_rows(mask, runs, &bits))
    }

    /// Appends cells.
    pub(super) fn append(&mut self, store: &mut StoreEditor, cells: &Cells) -> Written<()> {
        let spec = &self.spec;
        match &mut self.values {
            Values::Items { editor, dtype } => {
                let rows = spec.rows_of(cells, dtype, &self.limits)?;
                editor.append(0, &rows)?;
                if let Some(extremes) = &mut self.extremes {
                    extremes.add(&rows, spec.valid_rows(cells, dtype, &rows).as_deref());
                }
            }
            Values::Texts(texts) => texts.append(spec.texts_of(cells)?)?,
            Values::Codes(codes) => {
                let rows = codes.rows_of(spec, cells)?;
                codes.editor.append(0, &rows)?;
            }
            Values::Objects(objects) => {
                for object in spec.objects_of(cells)? {
                    objects.push(&object)?;
                }
            }
        }
        if self.spec.is_masked() {
            self.append_mask(store, cells)?;
        }
        self.rows += cells.len() as u64;
        Ok(())
    }

    /// Appends to the array of booleans, which is made for the first null.
    fn append_mask(&mut self, store: &mut StoreEditor, cells: &Cells) -> Written<()> {
        let bits = ColumnSpec::mask_of(cells);
        if bits.is_some() {
            self.make_mask(store)?;
        }
        match (&mut self.mask, bits) {
            (Some(mask), Some(bits)) => mask.append(0, &bits),
            (Some(mask), None) => mask::append_true(mask, cells.len() as u64),
            (None, _) => Ok(()),
        }
    }

    /// Makes the array of booleans, if there is none.
    fn make_mask(&mut self, store: &mut StoreEditor) -> Written<()> {
        if self.mask.is_none() {
            let (grid, template) = &self.storage;
            let key = [&self.table[..], &self.spec.mask_key()].concat();
            let mut made = mask::create(store, &key, *grid, template)?;
            mask::append_true(&mut made, self.rows)?;
            self.mask = Some(made);
        }
        Ok(())
    }

    /// Completes the frames, arrays with so many rows. Returns what the catalogue of indexes says of the column.
    pub(super) fn finish(self, store: &mut StoreEditor, rows: u64) -> Written<Option<Summary>> {
        let (spec, table) = (self.spec, self.table);
        let mut summary = None;
        match self.values {
            Values::Items { mut editor, dtype } => {
                if let Some(extremes) = self.extremes.filter(|_| self.rows > 0) {
                    let grid = Grid::of(&editor);
                    summary = Summary::write(store, (&table, &spec, &dtype), extremes, (self.rows, grid))?;
                }
                resize(&mut editor, rows)?;
                editor.commit()?;
            }
            Values::Codes(mut codes) => {
                resize(&mut codes.editor, rows)?;
                codes.commit()?;
            }
            Values::Texts(texts) => texts.finish()?,
            Values::Objects(mut objects) => objects.commit()?,
        }
        if let Some(mut mask) = self.mask {
            resize(&mut mask, rows)?;
            mask.commit()?;
        }
        Ok(summary)
    }
}

/// Sets rows in several ranges, in order.
fn set_rows(editor: &mut Editor<File>, runs: &[Range<u64>], mut rows: &[u8]) -> Written<()> {
    let count: u64 = runs.iter().map(|run| run.end - run.start).sum();
    let size = rows.len() / count.max(1) as usize;
    for run in runs {
        let (now, later) = rows.split_at((run.end - run.start) as usize * size);
        editor.set(Selection::of_ranges(core::slice::from_ref(run)), now)?;
        rows = later;
    }
    Ok(())
}

/// Gives an array this many rows.
fn resize(editor: &mut Editor<File>, rows: u64) -> Written<()> {
    let mut shape = editor.layout().map(|array| array.shape().to_vec()).unwrap_or_default();
    match shape.first_mut() {
        Some(len) if *len != rows => *len = rows,
        _ => return Ok(()),
    }
    editor.resize(&shape)
}

/// The parameters of an array with rows of a dtype: a sub-array is its other axes.
fn items_params(dtype: &Dtype, grid: Grid, template: &ArrayParams) -> ArrayParams {
    match dtype.kind() {
        Kind::Subarray { item, shape } => {
            let inner: Vec<u64> = shape.iter().map(|len| *len as u64).collect();
            array_params(&item.to_string(), &inner, grid, template)
        }
        _ => array_params(&dtype.to_string(), &[], grid, template),
    }
}

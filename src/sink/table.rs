//! Tables, written (FORMAT §10.4).

mod added;
mod catalogue;
mod changing;
mod codes;
mod column;
mod columns;
mod computed;
mod editor;
mod entries;
mod extremes;
mod generated;
mod mask;
mod objects;
mod texts;

use super::{Editor, File, StoreEditor};
use crate::array::ArrayParams;
use crate::base::ArgumentError;
#[cfg(feature = "auto")]
use crate::chunk::Auto;
use crate::chunk::CParams;
use crate::codec::Codec;
use crate::source::ReadError;
use crate::table::{Cells, ColumnSpec};
pub use added::NewColumns;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use catalogue::Catalogue;
use changing::Changing;
use column::ColumnWriter;
pub use editor::TableEditor;
use std::io;

type Written<T> = Result<T, ReadError<io::Error>>;

/// The bytes of a chunk of the widest column.
const CHUNK_BYTES: u64 = 4 << 20;
const MAX_CHUNK_ROWS: u32 = 1 << 17;
/// Blocks in a chunk.
const BLOCKS: u32 = 8;

/// How a new table is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableParams {
    /// How the columns are compressed, unless they have [parameters](ColumnSpec::with_cparams) of their own. Each determines its type
    /// size.
    pub cparams: CParams,
    /// Codecs and filters of the arrays that are chosen by the data, column by column; none by default. Columns with parameters of their
    /// own and objects keep those.
    #[cfg(feature = "auto")]
    pub auto: Option<Auto>,
    /// The number of rows, if it is known: chunks of small tables are small then.
    pub rows: Option<u64>,
    /// Whether to write the smallest and the largest value of each block of a column of numbers, as the reference does.
    pub summaries: bool,
}

/// Zstd at level 5 with shuffle, and summaries.
impl Default for TableParams {
    fn default() -> Self {
        let cparams = ArrayParams::of_type::<u8>(&[]).cparams;
        Self {
            cparams: CParams { codec: Codec::ZSTD, clevel: 5, ..cparams },
            #[cfg(feature = "auto")]
            auto: None,
            rows: None,
            summaries: true,
        }
    }
}

impl TableParams {
    /// The parameters that the arrays have in common.
    fn template(&self) -> ArrayParams {
        ArrayParams {
            #[cfg(feature = "auto")]
            auto: self.auto,
            ..template_of(&self.cparams)
        }
    }
}

/// Arrays that are compressed in this way.
fn template_of(cparams: &CParams) -> ArrayParams {
    ArrayParams { cparams: cparams.clone(), ..ArrayParams::new(&[0], "|u1") }
}

/// The rows of a chunk and of a block, which all columns have in common.
#[derive(Debug, Clone, Copy)]
struct Grid {
    chunk: u32,
    block: u32,
}

impl Grid {
    /// The grid for rows of so many bytes.
    fn new(widest: u64, rows: Option<u64>) -> Self {
        let fitting = (CHUNK_BYTES / widest.max(1)).clamp(1, MAX_CHUNK_ROWS.into());
        let chunk = 1 << fitting.ilog2();
        let chunk = rows.map_or(chunk, |rows| chunk.min(rows.clamp(1, chunk.into()) as u32));
        Self { chunk, block: chunk.div_ceil(BLOCKS) }
    }

    /// That of a stored array.
    fn of(editor: &Editor<File>) -> Self {
        let first = |lens: Option<&[u32]>| lens.and_then(<[u32]>::first).copied().unwrap_or(1).max(1);
        let array = editor.layout();
        let chunk = first(array.map(|array| array.chunkshape()));
        Self { chunk, block: first(array.and_then(|array| array.blockshape())).min(chunk) }
    }
}

/// Creates a table in a store, column by column, in batches of rows of any number.
///
/// ```
/// use b2nd::array::Dtype;
/// use b2nd::sink::{StoreEditor, TableParams, TableWriter};
/// use b2nd::store::StoreKind;
/// use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls, Table};
/// # let path = std::env::temp_dir().join(format!("b2nd-table-{}.b2z", std::process::id()));
/// let columns = [
///     ColumnSpec::new("mass", &ColumnKind::Number(Dtype::of::<f64>()), &Nulls::Mask)?,
///     ColumnSpec::new("name", &ColumnKind::Text, &Nulls::None)?,
/// ];
/// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
/// let mut table = TableWriter::create(&mut store, "/planets", &columns, &TableParams::default())?;
/// let dtype = Dtype::of::<f64>();
/// let items = dtype.encode(&[4.87, 0.0])?;
/// let masses = Cells { data: Data::Items { dtype, items }, valid: Some(vec![true, false]) };
/// let names = Cells { data: Data::Texts(vec!["Venus".into(), "Vulcan".into()]), valid: None };
/// table.append(&[masses, names])?;
/// table.finish()?;
/// store.commit()?;
/// let store = b2nd::store::open(&path)?;
/// assert_eq!(Table::open(&store, "/planets")?.len(), 2);
/// # drop(store);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableWriter<'s> {
    store: &'s mut StoreEditor,
    key: String,
    columns: Vec<ColumnWriter>,
    catalogue: Catalogue,
    attributes: Vec<(String, Vec<u8>)>,
    grid: Grid,
    template: ArrayParams,
    rows: u64,
    /// Whether a batch failed, so that columns may have different lengths.
    failed: bool,
}

impl<'s> TableWriter<'s> {
    /// Begins a table at a key where nothing is; the empty key makes the whole store a table, as a `.b2e` needs it.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-create-{}.b2d", std::process::id()));
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// let column = ColumnSpec::new("a", &ColumnKind::Number(Dtype::of::<u8>()), &Nulls::None)?;
    /// TableWriter::create(&mut store, "", &[column], &TableParams::default())?.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if something is at the key, for columns of one name, for columns in one place, as `a` and `a.b`, and if there
    /// are none; errors of [`StoreEditor::new_member`].
    pub fn create(
        store: &'s mut StoreEditor,
        key: &str,
        columns: &[ColumnSpec],
        params: &TableParams,
    ) -> Written<Self> {
        let key = store.place_of_table(key)?;
        let limits = store.dparams().limits;
        let mut keys = BTreeSet::new();
        let mut widest = 1;
        for spec in columns {
            if spec.keys().into_iter().any(|key| !keys.insert(key)) {
                return Err(ArgumentError::ColumnInUse.into());
            }
            let dtype = spec.stored_dtype(&limits)?;
            widest = widest.max(dtype.map_or(1, |dtype| dtype.itemsize() as u64));
        }
        if columns.is_empty() {
            return Err(ArgumentError::NoColumn.into());
        }
        let grid = Grid::new(widest, params.rows);
        let summaries = params.summaries && store.can_have_indexes();
        let template = params.template();
        let mut writers = Vec::new();
        for spec in columns {
            writers.push(ColumnWriter::create(store, &key, spec, (grid, &template), summaries)?);
        }
        let catalogue = Catalogue::new(columns);
        Ok(Self {
            store,
            key,
            columns: writers,
            catalogue,
            attributes: Vec::new(),
            grid,
            template,
            rows: 0,
            failed: false,
        })
    }

    /// The number of rows so far.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-len-{}.b2d", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// # let column = ColumnSpec::new("a", &ColumnKind::Number(Dtype::of::<u8>()), &Nulls::None)?;
    /// assert_eq!(TableWriter::create(&mut store, "/t", &[column], &TableParams::default())?.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn len(&self) -> u64 {
        self.rows
    }

    /// Whether there are no rows so far.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-empty-{}.b2d", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// # let column = ColumnSpec::new("a", &ColumnKind::Text, &Nulls::None)?;
    /// let table = TableWriter::create(&mut store, "/t", &[column], &TableParams::default())?;
    /// assert!(table.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Appends rows: cells for each column, in the order of the columns. A chunk of each column is in memory at a time, and the texts of
    /// dictionaries.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-append-{}.b2d", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// # let column = ColumnSpec::new("a", &ColumnKind::Text, &Nulls::None)?;
    /// let mut table = TableWriter::create(&mut store, "/t", &[column], &TableParams::default())?;
    /// let texts = Data::Texts(vec!["x".into(), "y".into()]);
    /// table.append(&[Cells { data: texts, valid: None }])?;
    /// assert_eq!(table.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` for another number of columns, columns of different lengths, cells of another type than the column, and nulls
    /// in a column without; `Source` if a file cannot be written. After an error the table cannot be finished.
    pub fn append(&mut self, cells: &[Cells]) -> Written<()> {
        let rows = cells.first().map_or(0, Cells::len);
        must_fit(cells, self.columns.len(), rows)?;
        self.change(|writer| {
            for (column, cells) in writer.columns.iter_mut().zip(cells) {
                column.append(writer.store, cells)?;
            }
            writer.rows += rows as u64;
            Ok(())
        })
    }

    /// Sets an attribute of the table to MessagePack.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-attr-{}.b2d", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// # let column = ColumnSpec::new("a", &ColumnKind::Number(Dtype::of::<u8>()), &Nulls::None)?;
    /// let mut table = TableWriter::create(&mut store, "/t", &[column], &TableParams::default())?;
    /// table.set_attr_bytes("author", b"\xa3Ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_attr_bytes(&mut self, name: &str, content: &[u8]) {
        self.attributes.retain(|(other, _)| other != name);
        self.attributes.push((name.to_string(), content.to_vec()));
    }

    /// Completes the table, which is in the store once that is committed. Without this nothing is.
    ///
    /// ```
    /// # use b2nd::{store::StoreKind, sink::{StoreEditor, TableParams, TableWriter}};
    /// # use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-finish-{}.b2d", std::process::id()));
    /// # let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// # let column = ColumnSpec::new("a", &ColumnKind::Text, &Nulls::None)?;
    /// let table = TableWriter::create(&mut store, "/t", &[column], &TableParams::default())?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// assert!(b2nd::table::Table::open(&store, "/t")?.is_empty());
    /// # std::fs::remove_dir_all(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` if a batch failed; `Source` if a file cannot be written, after which the store refuses commits.
    pub fn finish(mut self) -> Written<()> {
        self.end()
    }

    fn create_bools(&mut self, name: &str) -> Written<Editor<File>> {
        mask::create(self.store, &[&self.key, name].concat(), self.grid, &self.template)
    }
}

impl Changing for TableWriter<'_> {
    fn store(&mut self) -> &mut StoreEditor {
        self.store
    }

    fn failed(&mut self) -> &mut bool {
        &mut self.failed
    }

    fn complete(&mut self) -> Written<()> {
        let rows = self.rows.max(1);
        for column in core::mem::take(&mut self.columns) {
            self.catalogue.add_all(&self.key, column.finish(self.store, rows)?);
        }
        let mut valid = self.create_bools("/_valid_rows")?;
        // The reference cannot append to a table without room for a row.
        valid.resize(&[rows])?;
        valid.fill(0..self.rows, &[1])?;
        valid.commit()?;
        if !self.attributes.is_empty() {
            let key = [&self.key, "/_vlmeta"].concat();
            catalogue::write(self.store.new_member(&key)?, &self.attributes)?;
        }
        let meta = self.store.new_member(&[&self.key, "/_meta"].concat())?;
        catalogue::write(meta, &self.catalogue.attributes(self.rows))?;
        self.store.register_table(&self.key);
        Ok(())
    }
}

/// Fails unless there are cells for all columns, of one number.
fn must_fit(cells: &[Cells], columns: usize, rows: usize) -> Written<()> {
    let wrong = |expected: usize, actual: usize| {
        let (expected, actual) = (expected as u64, actual as u64);
        Err(ArgumentError::ValueCount { expected, actual }.into())
    };
    if cells.len() != columns {
        return wrong(columns, cells.len());
    }
    match cells.iter().find(|cells| cells.len() != rows) {
        Some(other) => wrong(rows, other.len()),
        None => Ok(()),
    }
}

/// The parameters of an array of the table without rows.
fn array_params(dtype: &str, inner: &[u64], grid: Grid, template: &ArrayParams) -> ArrayParams {
    let shape: Vec<u64> = [0].into_iter().chain(inner.iter().copied()).collect();
    let own = ArrayParams::new(&shape, dtype);
    let cparams = CParams { typesize: own.cparams.typesize, ..template.cparams.clone() };
    let params = ArrayParams { shape: own.shape, dtype: own.dtype, cparams, ..template.clone() };
    let grid_of =
        |rows: u32| [rows].into_iter().chain(inner.iter().map(|len| *len as u32)).collect::<Vec<_>>();
    params.with_chunks(&grid_of(grid.chunk)).with_blocks(&grid_of(grid.block))
}

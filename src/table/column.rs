//! Columns, and the values of their rows.

use super::cells::{Cells, Data};
use super::computed::{self, ComputedColumn};
use super::formula::Formula;
use super::live::{Live, Window};
use super::schema::{ColumnSpec, ColumnStorage};
use super::values::TextPlaces;
use super::{Read, Table};
use crate::array::Dtype;
use crate::base::{Error, Limits, Malformed, Unsupported};
use crate::frame::Location;
use crate::msgpack::Value;
use crate::objects::{Objects, Serializer};
use crate::plan::Selection;
use crate::source::{ReadAt, Reader};
use crate::store::Member;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// The texts of a dictionary column, and the number of the text of each row; `None` for null.
#[cfg(feature = "arrow")]
type Words<'c> = (&'c [String], Vec<Option<usize>>);

/// Texts one behind the other.
#[cfg(feature = "arrow")]
pub(super) struct JoinedTexts {
    pub(super) places: TextPlaces,
    pub(super) bytes: Vec<u8>,
    /// A byte for each text, which is 0 for null; empty if none is.
    pub(super) valid: Vec<u8>,
}

/// A column of a table, opened.
#[derive(Debug)]
pub struct Column<'t, S> {
    live: &'t Live<S>,
    spec: &'t ColumnSpec,
    limits: Limits,
    stored: Stored<'t, S>,
    /// Which rows are not null.
    mask: Option<Reader<Member<S>>>,
}

#[derive(Debug)]
enum Stored<'t, S> {
    /// An array with a row per row.
    Items {
        items: Reader<Member<S>>,
        dtype: Dtype,
    },
    /// Where the text of each row begins and ends in the bytes.
    Texts {
        offsets: Reader<Member<S>>,
        bytes: Box<Reader<Member<S>>>,
    },
    /// The number of a text for each row.
    Codes {
        codes: Reader<Member<S>>,
        texts: Vec<String>,
    },
    Objects(Objects<Member<S>>),
    /// Columns, and how values are computed from theirs.
    Computed {
        inputs: Vec<Column<'t, S>>,
        formula: Formula,
    },
}

impl<'t, S: ReadAt> Column<'t, S> {
    pub(super) fn open(table: &'t Table<'_, S>, spec: &'t ColumnSpec) -> Read<Self, S> {
        let key = spec.key();
        let values = table.member(&key)?;
        let limits = *values.limits();
        let mask = spec.mask_key();
        let mask = if table.has(&mask) { Some(table.member(&mask)?) } else { None };
        let stored = match spec.storage() {
            _ if Objects::kind_of(&values)?.is_some() => Stored::Objects(Objects::open(values)?),
            ColumnStorage::Texts(bytes) => {
                Stored::Texts { offsets: values, bytes: Box::new(table.member(&bytes)?) }
            }
            ColumnStorage::Codes(texts) => {
                let texts = all_of(&Objects::open(table.member(&texts)?)?)?;
                let texts = texts.into_iter().map(|value| match value {
                    Value::Str(text) => Ok(text),
                    _ => Err(wrong("text of a dictionary")),
                });
                Stored::Codes { codes: values, texts: texts.collect::<Result<_, _>>()? }
            }
            ColumnStorage::Items => {
                let (shape, _) = shape_of(&values)?;
                let dtype = spec.row_dtype(values.dtype()?, &shape, &limits)?;
                Stored::Items { items: values, dtype }
            }
        };
        Ok(Self { live: table.live(), spec, limits, stored, mask })
    }

    /// A column that is computed from stored ones.
    pub(super) fn computed(
        table: &'t Table<'_, S>,
        column: &ComputedColumn,
        spec: &'t ColumnSpec,
    ) -> Read<Self, S> {
        let is_stored = |name: &String| table.columns().iter().any(|spec| spec.name == *name);
        if !column.inputs.iter().all(is_stored) {
            return Err(computed::wrong().into());
        }
        let inputs = column.inputs.iter().map(|name| table.column(name)).collect::<Read<Vec<_>, S>>()?;
        let dtypes = inputs.iter().map(Self::dtype).collect::<Vec<_>>();
        let formula = formula_of(column, &dtypes)?;
        let limits = table.store.dparams().limits;
        Ok(Self {
            live: table.live(),
            spec,
            limits,
            stored: Stored::Computed { inputs, formula },
            mask: None,
        })
    }

    /// The column by the schema.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.spec().kind, "timestamp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn spec(&self) -> &'t ColumnSpec {
        self.spec
    }

    /// How the objects of the column are stored, if they are objects.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.serializer(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn serializer(&self) -> Option<Serializer> {
        match &self.stored {
            Stored::Objects(objects) => Some(objects.serializer()),
            _ => None,
        }
    }

    /// The dtype of a cell, if all have one size: booleans beside a value that stands for null are read as booleans.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.dtype().map(|dtype| dtype.itemsize()), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dtype(&self) -> Option<Dtype> {
        match &self.stored {
            Stored::Items { dtype, .. } if self.spec.is_widened(dtype) => Some(Dtype::of::<bool>()),
            Stored::Items { dtype, .. } => Some(dtype.clone()),
            Stored::Computed { formula, .. } => Some(formula.dtype()),
            _ => None,
        }
    }

    /// The stored rows in a block of the column, or of its offsets or codes; `None` for objects. Who reads the column in ranges that end
    /// at multiples of them decodes each block once.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert!(table.column("f0")?.block_rows()? >= Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the array's shape is damaged.
    pub fn block_rows(&self) -> Read<Option<u64>, S> {
        let array = match &self.stored {
            Stored::Items { items: array, .. }
            | Stored::Texts { offsets: array, .. }
            | Stored::Codes { codes: array, .. } => array,
            Stored::Objects(_) => return Ok(None),
            Stored::Computed { inputs, .. } => return inputs.first().map_or(Ok(None), Self::block_rows),
        };
        let first = array.layout()?.and_then(|layout| layout.blockshape()?.first().copied());
        Ok(first.map(|rows| u64::from(rows.max(1))))
    }

    /// The values of a range of rows. Deleted rows do not count.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.cells(8..10)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the range exceeds the table, `Limit` if the values take more memory than the limits allow, `Unsupported` for
    /// values that are stored as Arrow without the feature `arrow`, and what is wrong with the data.
    pub fn cells(&self, rows: Range<u64>) -> Read<Cells, S> {
        self.cells_in(&self.live.windows(&rows)?)
    }

    /// The values of rows in any order, such as that of [`Table::sorted`], which may repeat. Rows that are stored near each other are
    /// read at once.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.take(&[9, 0, 9])?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`cells`](Self::cells).
    pub fn take(&self, rows: &[u64]) -> Read<Cells, S> {
        let (windows, places) = self.sought(rows)?;
        // What is in objects is counted while they are read.
        let at_once = if matches!(self.stored, Stored::Objects(_)) { windows.len().max(1) } else { 1 };
        let (mut cells, mut used) = (self.cells_in(&[])?, 0u64);
        for windows in windows.chunks(at_once) {
            let more = self.cells_in(windows)?;
            used = used.saturating_add(more.size());
            self.limits.allow_memory(used)?;
            cells.append(more);
        }
        check_places(&places, cells.len())?;
        Ok(cells.at(&places))
    }

    /// Where rows in any order are stored, and the place of each among those that are there.
    fn sought(&self, rows: &[u64]) -> Read<(Vec<Window>, Vec<usize>), S> {
        let mut distinct = rows.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |row: &u64| distinct.partition_point(|other| other < row);
        Ok((self.live.windows_at(&distinct)?, rows.iter().map(place).collect()))
    }

    fn cells_in(&self, windows: &[Window]) -> Read<Cells, S> {
        // First, as it is small: where bytes come later, what was decoded before is decoded again.
        let mask = self.mask_in(windows)?;
        let mut cells = match &self.stored {
            Stored::Items { items, dtype } => self.items(items, dtype, windows)?,
            Stored::Texts { offsets, bytes } => self.texts(offsets, bytes, windows)?,
            Stored::Codes { codes, texts } => self.coded(codes, texts, windows)?,
            Stored::Objects(objects) => self.objects(objects, windows)?,
            Stored::Computed { inputs, formula } => self.values(inputs, formula, windows)?,
        };
        if let Some(mask) = mask {
            cells.mask(&mask);
        }
        Ok(cells)
    }

    /// The bytes of the mask for rows, if there is one.
    fn mask_in(&self, windows: &[Window]) -> Read<Option<Vec<u8>>, S> {
        self.mask.as_ref().map(|mask| self.rows(mask, 1, windows)).transpose()
    }

    /// Decodes all that is stored of the column, what is stored in one place once. The texts and codes of rows are checked one by
    /// one.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// table.column("f0")?.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`cells`](Self::cells).
    pub fn verify(&self) -> Read<(), S> {
        /// Rows that are checked at once.
        const AT_ONCE: u64 = 4096;
        let len = self.live.len();
        self.cells(len.saturating_sub(1)..len)?;
        self.mask.as_ref().map_or(Ok(()), verify_all)?;
        let numbers = match &self.stored {
            Stored::Items { items, .. } => return verify_all(items),
            Stored::Objects(objects) => return objects.verify(),
            Stored::Computed { inputs, .. } => return inputs.iter().try_for_each(Self::verify),
            Stored::Texts { offsets: numbers, .. } | Stored::Codes { codes: numbers, .. } => numbers,
        };
        let mut start = 0;
        while start < len {
            let end = (start + AT_ONCE).min(len);
            self.cells(start..end)?;
            start = self.alike(numbers, end - 1, AT_ONCE)?.max(end);
        }
        Ok(())
    }

    /// The end of the rows after `row` that need no check: their codes or offsets are those of rows before. The last `least` rows of
    /// a run are checked, since those after it are different.
    fn alike(&self, numbers: &Reader<Member<S>>, row: u64, least: u64) -> Read<u64, S> {
        let Some((stored, rows)) = self.live.straight(row) else { return Ok(0) };
        let array = numbers.layout()?.ok_or(Unsupported::ColumnKind)?;
        let chunk = array.chunkshape().first().map_or(1, |len| u64::from(*len).max(1));
        let index = numbers.index()?;
        let run = index.run_around(stored / chunk);
        let is_special = matches!(index.locate(stored / chunk)?, Location::Special(_));
        // What repeats: one value, or a chunk. Two of these and the last are checked.
        let period = if is_special { least } else { chunk };
        let (first, end) = (run.start * chunk, (run.end * chunk).min(stored + (rows.end - rows.start)));
        if stored < first + 2 * period {
            return Ok(0);
        }
        Ok(row + end.saturating_sub(period).saturating_sub(stored))
    }

    /// Whether cells may be null although the schema does not say so: an array of booleans tells, or a column that this one is computed from.
    #[cfg(feature = "arrow")]
    pub(super) fn has_mask(&self) -> bool {
        match &self.stored {
            Stored::Computed { inputs, .. } => {
                inputs.iter().any(|input| input.has_mask() || input.spec.is_nullable())
            }
            _ => self.mask.is_some(),
        }
    }

    /// The texts of a dictionary column, and the number of the text of each row in a range; `None` for null.
    #[cfg(feature = "arrow")]
    pub(super) fn words(&self, rows: &Range<u64>) -> Read<Option<Words<'_>>, S> {
        match &self.stored {
            Stored::Codes { .. } => self.words_in(&self.live.windows(rows)?),
            _ => Ok(None),
        }
    }

    /// Like `words`, of rows in any order.
    #[cfg(feature = "arrow")]
    pub(super) fn words_at(&self, rows: &[u64]) -> Read<Option<Words<'_>>, S> {
        if !matches!(self.stored, Stored::Codes { .. }) {
            return Ok(None);
        }
        let (windows, places) = self.sought(rows)?;
        let Some((texts, codes)) = self.words_in(&windows)? else { return Ok(None) };
        check_places(&places, codes.len())?;
        Ok(Some((texts, places.into_iter().map(|place| codes[place]).collect())))
    }

    #[cfg(feature = "arrow")]
    fn words_in(&self, windows: &[Window]) -> Read<Option<Words<'_>>, S> {
        let Stored::Codes { codes, texts } = &self.stored else { return Ok(None) };
        Ok(Some((texts, self.spec.codes(&self.rows(codes, 4, windows)?, texts.len())?)))
    }

    fn items(&self, items: &Reader<Member<S>>, dtype: &Dtype, windows: &[Window]) -> Read<Cells, S> {
        Ok(self.spec.cells_of_items(dtype, self.rows(items, dtype.itemsize(), windows)?))
    }

    /// Values that are computed from those of columns.
    fn values(&self, inputs: &[Self], formula: &Formula, windows: &[Window]) -> Read<Cells, S> {
        let rows = |(range, picked): &Window| {
            picked.as_ref().map_or(range.end - range.start, |picked| picked.len() as u64)
        };
        let rows: u64 = windows.iter().map(rows).sum();
        self.limits.allow_memory(rows.saturating_mul(formula.dtype().itemsize() as u64))?;
        let inputs = inputs.iter().map(|input| input.cells_in(windows)).collect::<Read<Vec<_>, S>>()?;
        Ok(formula.cells(inputs, rows as usize)?)
    }

    fn texts(
        &self,
        offsets: &Reader<Member<S>>,
        bytes: &Reader<Member<S>>,
        windows: &[Window],
    ) -> Read<Cells, S> {
        let (mut texts, mut used) = (Vec::new(), 0u64);
        for (range, picked) in windows {
            let (places, content) = self.text_bytes(offsets, bytes, range, &mut used)?;
            texts.extend(places.texts(&content, picked.as_deref()));
        }
        Ok(self.spec.cells_of_texts(texts))
    }

    /// The bytes of the texts of stored rows, and where each is.
    fn text_bytes(
        &self,
        offsets: &Reader<Member<S>>,
        bytes: &Reader<Member<S>>,
        rows: &Range<u64>,
        used: &mut u64,
    ) -> Read<(TextPlaces, Vec<u8>), S> {
        // The offset after the last row is its end.
        let around = (rows.start..rows.end.saturating_add(1), None);
        let places = TextPlaces::parse(&self.rows(offsets, 8, &[around])?)?;
        places.allow(bytes.frame().header.cbytes, &self.limits, used)?;
        let content = self.rows(bytes, 1, &[(places.range(), None)])?;
        Ok((places, content))
    }

    /// The texts of a range of rows as they are stored, one behind the other, and which are not null; `None` if they lie apart, or one of
    /// them stands for null.
    #[cfg(feature = "arrow")]
    pub(super) fn joined_texts(&self, rows: &Range<u64>) -> Read<Option<JoinedTexts>, S> {
        let Stored::Texts { offsets, bytes } = &self.stored else { return Ok(None) };
        let windows = self.live.windows(rows)?;
        let [(range, None)] = &windows[..] else { return Ok(None) };
        if self.spec.null().is_some() {
            return Ok(None);
        }
        let mut valid = self.mask_in(&windows)?.unwrap_or_default();
        if !valid.contains(&0) {
            valid.clear();
        }
        let (places, bytes) = self.text_bytes(offsets, bytes, range, &mut 0)?;
        Ok(Some(JoinedTexts { places, bytes, valid }))
    }

    fn coded(&self, codes: &Reader<Member<S>>, texts: &[String], windows: &[Window]) -> Read<Cells, S> {
        let codes = self.spec.codes(&self.rows(codes, 4, windows)?, texts.len())?;
        let valid = codes.iter().map(Option::is_some).collect::<Vec<_>>();
        let mut used = 0;
        let text = |code: Option<usize>| -> Result<String, Error> {
            let text = code.map_or("", |code| &texts[code]);
            used += code.map_or(0, |_| (size_of::<String>() + text.len()) as u64);
            self.limits.allow_memory(used)?;
            Ok(text.to_string())
        };
        let texts = codes.into_iter().map(text).collect::<Result<_, _>>()?;
        Ok(Cells { data: Data::Texts(texts), valid: valid.contains(&false).then_some(valid) })
    }

    fn objects(&self, objects: &Objects<Member<S>>, windows: &[Window]) -> Read<Cells, S> {
        let (mut values, mut used) = (Vec::new(), 0);
        for (range, picked) in windows {
            check_rows(range, objects.len())?;
            let mut read = objects.range_counted(range.clone(), &mut used)?;
            match picked {
                Some(picked) => {
                    values.extend(picked.iter().map(|at| core::mem::replace(&mut read[*at], Value::Nil)))
                }
                None => values.append(&mut read),
            }
        }
        Ok(ColumnSpec::cells_of_objects(values))
    }

    /// Rows of an array, of `size` bytes each.
    fn rows(&self, array: &Reader<Member<S>>, size: usize, windows: &[Window]) -> Read<Vec<u8>, S> {
        let (shape, itemsize) = shape_of(array)?;
        if itemsize.checked_mul(shape[1..].iter().product()) != Some(size as u64) {
            return Err(wrong("item size of a column").into());
        }
        let mut bytes = Vec::new();
        for (range, picked) in windows {
            check_rows(range, shape[0])?;
            let rows = range.end - range.start;
            self.limits.allow_memory(rows.saturating_mul(size as u64).saturating_add(bytes.len() as u64))?;
            let read = array.get(Selection::of_ranges(core::slice::from_ref(range)))?;
            match picked {
                Some(picked) => {
                    picked.iter().for_each(|at| bytes.extend_from_slice(&read[at * size..][..size]))
                }
                None if bytes.is_empty() => bytes = read,
                None => bytes.extend_from_slice(&read),
            }
        }
        Ok(bytes)
    }
}

/// All objects of a dictionary. A few that are stored may be many.
fn all_of<S: ReadAt>(objects: &Objects<Member<S>>) -> Read<Vec<Value>, S> {
    const AT_ONCE: u64 = 4096;
    let (mut values, mut used) = (Vec::new(), 0);
    for start in (0..objects.len()).step_by(AT_ONCE as usize) {
        let end = (start + AT_ONCE).min(objects.len());
        values.append(&mut objects.range_counted(start..end, &mut used)?);
        let room = used.saturating_add(end * size_of::<Value>() as u64);
        objects.reader().limits().allow_expansion(room, objects.reader().frame().header.cbytes)?;
    }
    Ok(values)
}

/// The shape of an array with at least one axis, and the bytes of its items.
fn shape_of<S: ReadAt>(array: &Reader<Member<S>>) -> Read<(Vec<u64>, u64), S> {
    let found = array.layout()?.ok_or(Unsupported::ColumnKind)?;
    let shape = found.shape().to_vec();
    if shape.is_empty() { Err(Unsupported::ColumnKind.into()) } else { Ok((shape, found.itemsize().into())) }
}

/// The cells of rows in a computed column, by those in the columns that it needs.
#[cfg(all(feature = "std", feature = "write"))]
pub(crate) fn compute(column: &ComputedColumn, inputs: Vec<Cells>, rows: usize) -> Result<Cells, Error> {
    let dtype = |cells: &Cells| match &cells.data {
        Data::Items { dtype, .. } => Some(dtype.clone()),
        _ => None,
    };
    let dtypes: Vec<_> = inputs.iter().map(dtype).collect();
    formula_of(column, &dtypes)?.cells(inputs, rows)
}

/// How values are computed from inputs of these dtypes.
fn formula_of(column: &ComputedColumn, inputs: &[Option<Dtype>]) -> Result<Formula, Error> {
    let formula = column.formula.as_deref().ok_or(Unsupported::ComputedColumn)?;
    Formula::new(formula, &column.dtype, inputs)
}

/// Decodes all chunks.
fn verify_all<S: ReadAt>(reader: &Reader<Member<S>>) -> Read<(), S> {
    let mut wrong = None;
    reader.verify_each(|_, info| wrong = wrong.take().or(info.err()))?;
    wrong.map_or(Ok(()), Err)
}

/// Fails unless so many rows were found for the places. Each is, unless the file has changed since it was opened.
fn check_places(places: &[usize], found: usize) -> Result<(), Error> {
    let wanted = places.iter().max().map_or(0, |last| last + 1);
    if found == wanted {
        Ok(())
    } else {
        Err(Error::mismatch("rows of a column", found as u64, wanted as u64))
    }
}

fn check_rows(range: &Range<u64>, rows: u64) -> Result<(), Error> {
    if range.end > rows { Err(Error::mismatch("rows of a column", rows, range.end)) } else { Ok(()) }
}

fn wrong(name: &'static str) -> Error {
    Error::format(Malformed::Field { name, value: 0 })
}

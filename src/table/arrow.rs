//! Columns as arrays of Apache Arrow, and the reverse.

mod arrays;
mod cells;
mod error;
mod fields;
mod objects;
mod units;

use super::{Cells, Column, ColumnSpec, Read, Table};
use crate::array::Dtype;
use crate::base::{Error, Malformed, Unsupported};
use crate::source::ReadAt;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};
use core::ops::Range;
pub use error::FieldError;

impl<S: ReadAt> Table<'_, S> {
    /// The rows in a range as a record batch, with all columns or those that are named.
    ///
    /// The types are those of [`Column::field`].
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.record_batch(None, 0..4)?.num_columns(), table.columns().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`column`](Self::column) and of [`Column::array`].
    pub fn record_batch(&self, names: Option<&[&str]>, rows: Range<u64>) -> Read<RecordBatch, S> {
        let specs = self.columns().iter();
        let all: Vec<&str> = specs.map(|spec| spec.name.as_str()).collect();
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for name in names.unwrap_or(&all) {
            let column = self.column(name)?;
            fields.push(column.field()?);
            arrays.push(column.array(rows.clone())?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some((rows.end - rows.start) as usize));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options);
        Ok(batch.map_err(|_| Error::from(Unsupported::ColumnKind))?)
    }
}

impl<S: ReadAt> Column<'_, S> {
    /// The name and the type of the column in Arrow.
    ///
    /// Numbers, booleans, texts, bytes and times have Arrow's types for them, dictionaries have numbers of 32 bits. Complex numbers are
    /// lists of two, and arrays lists of fixed size; the metadata `blosc2:ndarray_shape` tells their shape, as python-blosc2 has it.
    /// Lists and structures have the types of what is in them. Other objects are binary: the value as MessagePack.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.field()?.name(), "f0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for dtypes that Arrow has no type for.
    pub fn field(&self) -> Result<Field, Error> {
        fields::field(self.spec(), self.dtype().as_ref(), self.has_mask())
    }

    /// The values of a range of rows as an array of the type of [`field`](Self::field). Deleted rows do not count.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// use arrow_array::Array;
    /// assert_eq!(table.column("f0")?.array(8..10)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`cells`](Self::cells) and [`field`](Self::field); `Format` for objects of other types than the schema tells, and
    /// `Limit` for texts of 2 GiB and more.
    pub fn array(&self, rows: Range<u64>) -> Read<ArrayRef, S> {
        let data_type = self.field()?.data_type().clone();
        if let Some((words, codes)) = self.words(&rows)? {
            return Ok(arrays::coded(words, codes)?);
        }
        if let Some(texts) = self.joined_texts(&rows)?
            && let Some(array) = arrays::joined_texts(texts)?
        {
            return Ok(array);
        }
        Ok(arrays::array(&self.cells(rows)?, &data_type)?)
    }

    /// The values of rows in any order, which may repeat, as an array: [`take`](Self::take) for Arrow.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// use arrow_array::Array;
    /// assert_eq!(table.column("f0")?.take_array(&[9, 0, 9])?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`array`](Self::array).
    pub fn take_array(&self, rows: &[u64]) -> Read<ArrayRef, S> {
        let data_type = self.field()?.data_type().clone();
        Ok(match self.words_at(rows)? {
            Some((words, codes)) => arrays::coded(words, codes)?,
            None => arrays::array(&self.take(rows)?, &data_type)?,
        })
    }
}

impl Dtype {
    /// The type of items in Arrow, which is that of a column of them ([`Column::field`]).
    ///
    /// ```
    /// use arrow_schema::{DataType, TimeUnit};
    /// use b2nd::{Limits, array::Dtype};
    /// let data_type = Dtype::parse("<M8[ms]", &Limits::default())?.arrow_type()?;
    /// assert_eq!(data_type, DataType::Timestamp(TimeUnit::Millisecond, None));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for dtypes that Arrow has no type for.
    pub fn arrow_type(&self) -> Result<DataType, Error> {
        fields::of_dtype(self, None)
    }

    /// Items, as they are stored, as an array of [`arrow_type`](Self::arrow_type). Times that are none are null.
    ///
    /// ```
    /// use arrow_array::{Array, Int16Array};
    /// use b2nd::{Limits, array::Dtype};
    /// let array = Dtype::parse(">i2", &Limits::default())?.arrow_array(&[0, 1, 1, 0])?;
    /// assert_eq!(array.as_any().downcast_ref(), Some(&Int16Array::from(vec![1, 256])));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`arrow_type`](Self::arrow_type); `Format` (truncated) if the last item is incomplete, and `Limit` for texts of 2 GiB
    /// and more.
    pub fn arrow_array(&self, items: &[u8]) -> Result<ArrayRef, Error> {
        let needed = items.len().next_multiple_of(self.itemsize().max(1)) as u64;
        let available = items.len() as u64;
        if needed != available {
            return Err(Error::format(Malformed::Truncated { needed, available }));
        }
        arrays::of_items(self, items, &self.arrow_type()?, None)
    }
}

impl ColumnSpec {
    /// The column for a field of Arrow: nullable fields have a mask for nulls, unless the column's kind has nulls of its own.
    ///
    /// Texts become `utf8`, texts of dictionaries `dictionary`, binary data `vlbytes`, and lists of fixed size `ndarray`. Dates become
    /// timestamps, and floats of 16 bits have 32, as tables have no columns for them.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, TimeUnit};
    /// use b2nd::table::ColumnSpec;
    /// let time = DataType::Timestamp(TimeUnit::Millisecond, Some("Europe/Berlin".into()));
    /// let spec = ColumnSpec::of_field(&Field::new("when", time, true))?;
    /// assert!(spec.kind == "timestamp" && spec.is_masked());
    /// assert!(ColumnSpec::of_field(&Field::new("price", DataType::Decimal128(9, 2), true)).is_err());
    /// # Ok::<(), b2nd::table::FieldError>(())
    /// ```
    ///
    /// # Errors
    /// [`FieldError::Type`] if tables have no columns of this type, such as decimals and durations, and [`FieldError::Column`] for names
    /// that columns cannot have.
    pub fn of_field(field: &Field) -> Result<Self, FieldError> {
        fields::spec(field)
    }
}

impl Cells {
    /// The cells of columns, which are found in a record batch by their names.
    ///
    /// ```
    /// use arrow_array::{RecordBatch, Float64Array, StringArray};
    /// use b2nd::sink::{StoreEditor, TableParams, TableWriter};
    /// use b2nd::store::StoreKind;
    /// use b2nd::table::{Cells, ColumnSpec};
    /// use std::sync::Arc;
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-arrow-{}.b2z", std::process::id()));
    /// let batch = RecordBatch::try_from_iter([
    ///     ("mass", Arc::new(Float64Array::from(vec![Some(4.87), None])) as _),
    ///     ("name", Arc::new(StringArray::from(vec!["Venus", "Vulcan"])) as _),
    /// ])?;
    /// let schema = batch.schema();
    /// let columns = schema.fields().iter().map(|field| ColumnSpec::of_field(field));
    /// let columns = columns.collect::<Result<Vec<_>, _>>()?;
    /// let mut store = StoreEditor::create(&path, StoreKind::Tree)?;
    /// let mut table = TableWriter::create(&mut store, "/planets", &columns, &TableParams::default())?;
    /// table.append(&Cells::of_batch(&batch, &columns)?)?;
    /// table.finish()?;
    /// store.commit()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FieldError::NoColumn`] if a column is not in the batch, and errors of [`of_array`](Self::of_array).
    pub fn of_batch(batch: &RecordBatch, columns: &[ColumnSpec]) -> Result<Vec<Self>, FieldError> {
        let cells = |spec: &ColumnSpec| match batch.column_by_name(&spec.name) {
            Some(array) => Self::of_array(array, spec),
            None => Err(FieldError::NoColumn { column: spec.name.clone() }),
        };
        columns.iter().map(cells).collect()
    }

    /// The cells of a column that the values of an array are. Numbers and times of other types are converted if none changes. Columns of
    /// floats take decimals, as the nearest floats, and columns of integers durations and times of day, as the numbers of their units.
    ///
    /// ```
    /// use arrow_array::Int8Array;
    /// use b2nd::array::Dtype;
    /// use b2nd::table::{Cells, ColumnKind, ColumnSpec, Nulls};
    /// let spec = ColumnSpec::new("a", &ColumnKind::Number(Dtype::of::<u8>()), &Nulls::Mask)?;
    /// assert!(Cells::of_array(&Int8Array::from(vec![Some(1), None]), &spec)?.is_null(1));
    /// assert!(Cells::of_array(&Int8Array::from(vec![-1]), &spec).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FieldError::Kind`] for an array of another type, [`FieldError::Value`] for a value that the column cannot have, and
    /// [`FieldError::Null`] for nulls in a column without.
    pub fn of_array(array: &dyn Array, spec: &ColumnSpec) -> Result<Self, FieldError> {
        cells::cells(array, spec)
    }
}

//! Columns as arrays of Apache Arrow.

use super::{Cells, ColumnSpec, Data, Read, Table};
use crate::array::{Dtype, Kind, TimeUnit, characters};
use crate::base::{Error, Unsupported};
use crate::msgpack::Value;
use crate::source::ReadAt;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, FixedSizeListArray, Float16Array,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, RecordBatch,
    RecordBatchOptions, StringArray, TimestampMicrosecondArray, TimestampMillisecondArray,
    TimestampNanosecondArray, TimestampSecondArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::{Field, Schema};
use core::ops::Range;

impl<S: ReadAt> Table<'_, S> {
    /// The rows in a range as a record batch, with all columns or those that are named.
    ///
    /// Numbers, booleans, texts, bytes and times have Arrow's types for them. Complex numbers and items of columns of arrays are lists
    /// of fixed size, without their shape. Lists of integers, floats, texts or booleans are lists. Other objects are binary: the value
    /// as MessagePack.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.record_batch(None, 0..4)?.num_columns(), table.columns().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`column`](Self::column) and of [`Column::cells`](super::Column::cells); `Unsupported` for items of other dtypes.
    pub fn record_batch(&self, names: Option<&[&str]>, rows: Range<u64>) -> Read<RecordBatch, S> {
        let specs = self.columns().iter();
        let all: Vec<&str> = specs.map(|spec| spec.name.as_str()).collect();
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for name in names.unwrap_or(&all) {
            let column = self.column(name)?;
            let array = array(column.spec(), &column.cells(rows.clone())?)?;
            fields.push(Field::new(*name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some((rows.end - rows.start) as usize));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options);
        Ok(batch.map_err(|_| Error::from(Unsupported::ColumnKind))?)
    }
}

/// Nulls in the form of options.
struct Nullable<'c>(&'c Cells);

impl Nullable<'_> {
    fn of<T>(&self, values: impl IntoIterator<Item = T>) -> Vec<Option<T>> {
        let values = values.into_iter().enumerate();
        values.map(|(at, value)| (!self.0.is_null(at)).then_some(value)).collect()
    }
}

fn array(spec: &ColumnSpec, cells: &Cells) -> Result<ArrayRef, Error> {
    let nullable = Nullable(cells);
    Ok(match &cells.data {
        Data::Items { dtype, items } => return of_items(dtype, items, &nullable),
        Data::Texts(texts) => Arc::new(StringArray::from(nullable.of(texts.iter().map(String::as_str)))),
        Data::Objects(objects) => of_objects(spec, objects),
    })
}

fn of_items(dtype: &Dtype, items: &[u8], nullable: &Nullable<'_>) -> Result<ArrayRef, Error> {
    let size = dtype.itemsize();
    macro_rules! numbers {
        ($array:ty, $number:ty) => {
            Arc::new(<$array>::from(nullable.of(dtype.decode::<$number>(items)?)))
        };
    }
    let rows = || items.chunks_exact(size.max(1));
    Ok(match (dtype.kind(), size) {
        (Kind::Bool, _) => Arc::new(BooleanArray::from(nullable.of(items.iter().map(|item| *item != 0)))),
        (Kind::Int, 1) => numbers!(Int8Array, i8),
        (Kind::Int, 2) => numbers!(Int16Array, i16),
        (Kind::Int, 4) => numbers!(Int32Array, i32),
        (Kind::Int, 8) => numbers!(Int64Array, i64),
        (Kind::Uint, 1) => numbers!(UInt8Array, u8),
        (Kind::Uint, 2) => numbers!(UInt16Array, u16),
        (Kind::Uint, 4) => numbers!(UInt32Array, u32),
        (Kind::Uint, 8) => numbers!(UInt64Array, u64),
        (Kind::Float, 2) => {
            let bits =
                Dtype::scalar(Kind::Uint, 2)?.with_byte_order(dtype.byte_order()).decode::<u16>(items)?;
            Arc::new(Float16Array::from(nullable.of(bits.into_iter().map(half::f16::from_bits))))
        }
        (Kind::Float, 4) => numbers!(Float32Array, f32),
        (Kind::Float, 8) => numbers!(Float64Array, f64),
        (Kind::Datetime(step), _) => {
            let stored = Dtype::scalar(Kind::Int, 8)?.with_byte_order(dtype.byte_order());
            let times = stored.decode::<i64>(items)?.into_iter();
            let times = nullable
                .of(times)
                .into_iter()
                .map(|time| time.filter(|time| *time != i64::MIN))
                .collect::<Vec<_>>();
            match step.unit {
                TimeUnit::Second => Arc::new(TimestampSecondArray::from(times)),
                TimeUnit::Millisecond => Arc::new(TimestampMillisecondArray::from(times)),
                TimeUnit::Microsecond => Arc::new(TimestampMicrosecondArray::from(times)),
                TimeUnit::Nanosecond => Arc::new(TimestampNanosecondArray::from(times)),
                _ => Arc::new(Int64Array::from(times)),
            }
        }
        (Kind::Bytes, _) => {
            let stripped =
                rows().map(|row| &row[..row.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]);
            Arc::new(BinaryArray::from(nullable.of(stripped)))
        }
        (Kind::Str, _) => {
            let texts = rows().map(|row| characters(row, dtype.byte_order()));
            Arc::new(StringArray::from(nullable.of(texts)))
        }
        (Kind::Complex, _) => {
            let part = Dtype::scalar(Kind::Float, size / 2)?.with_byte_order(dtype.byte_order());
            lists(&part, 2, items, nullable)?
        }
        (Kind::Subarray { item, .. }, _) => lists(item, size / item.itemsize().max(1), items, nullable)?,
        (Kind::Void, 1..) => {
            let size = i32::try_from(size).map_err(|_| Unsupported::Dtype)?;
            let rows = nullable.of(rows()).into_iter();
            Arc::new(
                FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows, size)
                    .map_err(|_| Unsupported::Dtype)?,
            )
        }
        _ => return Err(Unsupported::Dtype.into()),
    })
}

/// Lists of `len` items each.
fn lists(item: &Dtype, len: usize, items: &[u8], nullable: &Nullable<'_>) -> Result<ArrayRef, Error> {
    let none = Cells { data: Data::Objects(Vec::new()), valid: None };
    let values = of_items(item, items, &Nullable(&none))?;
    let field = Arc::new(Field::new("item", values.data_type().clone(), true));
    let len = i32::try_from(len).map_err(|_| Unsupported::Dtype)?;
    let nulls = nullable.0.valid.clone().map(Into::into);
    let lists = FixedSizeListArray::try_new(field, len, values, nulls);
    Ok(Arc::new(lists.map_err(|_| Error::from(Unsupported::Dtype))?))
}

fn of_objects(spec: &ColumnSpec, objects: &[Value]) -> ArrayRef {
    let item = spec.entry.get("item").and_then(|item| item.get("kind")).and_then(Value::as_str).unwrap_or("");
    match (&*spec.kind, item) {
        ("vlstring", _) if objects.iter().all(|object| matches!(object, Value::Str(_) | Value::Nil)) => {
            Arc::new(objects.iter().map(Value::as_str).collect::<StringArray>())
        }
        ("list", "string") => {
            list(objects, StringBuilder::new(), |builder, item| builder.append_option(item.as_str()))
        }
        ("list", "bool") => list(objects, BooleanBuilder::new(), |builder, item| match item {
            Value::Bool(item) => builder.append_value(*item),
            _ => builder.append_null(),
        }),
        ("list", "float32" | "float64") => list(objects, Float64Builder::new(), |builder, item| match item {
            Value::Float(item) => builder.append_value(*item),
            Value::Int(item) => builder.append_value(*item as f64),
            _ => builder.append_null(),
        }),
        ("list", "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32") => {
            list(objects, Int64Builder::new(), |builder, item| match item {
                Value::Int(item) => builder.append_option(i64::try_from(*item).ok()),
                _ => builder.append_null(),
            })
        }
        _ => {
            let mut builder = BinaryBuilder::new();
            for object in objects {
                match object {
                    Value::Nil => builder.append_null(),
                    Value::Bin(bytes) if spec.kind == "vlbytes" => builder.append_value(bytes),
                    object => builder.append_value(object.emit()),
                }
            }
            Arc::new(builder.finish())
        }
    }
}

fn list<B: arrow_array::builder::ArrayBuilder>(
    objects: &[Value],
    items: B,
    append: impl Fn(&mut B, &Value),
) -> ArrayRef {
    let mut builder = ListBuilder::new(items);
    for object in objects {
        let entries = object.as_array();
        entries.unwrap_or_default().iter().for_each(|item| append(builder.values(), item));
        builder.append(entries.is_some());
    }
    Arc::new(builder.finish())
}

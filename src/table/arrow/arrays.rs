//! Arrays for the cells of columns.

use super::fields::item_field;
use crate::array::{Dtype, Kind, characters};
use crate::base::{Error, Limit, LimitError, Malformed, Result, Unsupported};
use crate::msgpack::Value;
use crate::table::column::JoinedTexts;
use crate::table::{Cells, Data};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray,
    Int64Array, ListArray, PrimitiveArray, StringArray, StructArray, make_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};

/// Calls a macro with the Rust type that Arrow has for integers of a type; `$other` for other types.
macro_rules! by_integer {
    ($data_type:expr, $make:ident, $other:expr) => {
        match $data_type {
            DataType::Int8 => $make!(Int8Type),
            DataType::Int16 => $make!(Int16Type),
            DataType::Int32 => $make!(Int32Type),
            DataType::Int64 => $make!(Int64Type),
            DataType::UInt8 => $make!(UInt8Type),
            DataType::UInt16 => $make!(UInt16Type),
            DataType::UInt32 => $make!(UInt32Type),
            DataType::UInt64 => $make!(UInt64Type),
            _ => $other,
        }
    };
}

/// The array of cells, of the type that the column has in Arrow.
pub(super) fn array(cells: &Cells, data_type: &DataType) -> Result<ArrayRef> {
    match &cells.data {
        Data::Items { dtype, items } => {
            of_items(dtype, items, data_type, cells.valid.clone().map(NullBuffer::from))
        }
        Data::Texts(_) | Data::Words { .. } => {
            texts_of((0..cells.len()).map(|at| cells.data.text(at).filter(|_| !cells.is_null(at))))
        }
        Data::Objects(objects) => of_objects(&objects.iter().collect::<Vec<_>>(), data_type),
    }
}

/// The numbers of texts, and those that are numbered.
pub(super) fn coded(words: &[String], codes: Vec<Option<usize>>) -> Result<ArrayRef> {
    let keys =
        codes.into_iter().map(|code| code.map(|code| code as i32)).collect::<PrimitiveArray<Int32Type>>();
    let words = texts_of(words.iter().map(Some))?;
    Ok(Arc::new(DictionaryArray::try_new(keys, words).map_err(refused)?))
}

/// Texts as they are stored; `None` if some are not UTF-8.
pub(super) fn joined_texts(texts: JoinedTexts) -> Result<Option<ArrayRef>> {
    let ends = texts.places.ends().map(|at| end(at as usize)).collect::<Result<Vec<_>>>()?;
    let is_valid = |valid: &u8| *valid != 0;
    let nulls = (!texts.valid.is_empty()).then(|| texts.valid.iter().map(is_valid).collect::<NullBuffer>());
    let array = StringArray::try_new(OffsetBuffer::new(ends.into()), texts.bytes.into(), nulls);
    Ok(array.ok().map(|array| Arc::new(array) as _))
}

pub(super) fn of_items(
    dtype: &Dtype,
    items: &[u8],
    data_type: &DataType,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let size = dtype.itemsize();
    let rows = || items.chunks_exact(size.max(1)).enumerate();
    let is_valid = |at: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
    let stored_as = |kind| Ok::<_, Error>(Dtype::scalar(kind, size)?.with_byte_order(dtype.byte_order()));
    Ok(match (dtype.kind(), data_type) {
        (Kind::Bool, _) => {
            Arc::new(BooleanArray::new(items.iter().map(|item| *item != 0).collect::<Vec<_>>().into(), nulls))
        }
        (Kind::Float, DataType::Float16) => {
            let bits = stored_as(Kind::Uint)?.decode::<u16>(items)?.into_iter();
            let values = bits.map(half::f16::from_bits).collect::<Vec<_>>();
            Arc::new(PrimitiveArray::<Float16Type>::new(values.into(), nulls))
        }
        (Kind::Datetime(_) | Kind::Timedelta(_), _) => {
            let steps = stored_as(Kind::Int)?.decode::<i64>(items)?;
            let some = steps.iter().map(|step| *step != i64::MIN).collect::<NullBuffer>();
            let nulls = NullBuffer::union(nulls.as_ref(), Some(&some)).filter(|nulls| nulls.null_count() > 0);
            times(Int64Array::new(steps.into(), nulls), data_type)?
        }
        (Kind::Bytes, _) => {
            let end = |row: &[u8]| row.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            bytes_of(rows().map(|(at, row)| is_valid(at).then_some(&row[..end(row)])))?
        }
        (Kind::Str, _) => {
            texts_of(rows().map(|(at, row)| is_valid(at).then(|| characters(row, dtype.byte_order()))))?
        }
        (Kind::Complex, DataType::FixedSizeList(field, len)) => {
            let part = Dtype::scalar(Kind::Float, size / 2)?.with_byte_order(dtype.byte_order());
            lists(of_items(&part, items, field.data_type(), None)?, *len, nulls)?
        }
        (Kind::Subarray { item, .. }, DataType::FixedSizeList(field, len)) => {
            lists(of_items(item, items, field.data_type(), None)?, *len, nulls)?
        }
        (Kind::Void, DataType::FixedSizeBinary(len)) => {
            Arc::new(FixedSizeBinaryArray::try_new(*len, items.to_vec().into(), nulls).map_err(refused)?)
        }
        _ => {
            macro_rules! numbers {
                ($type:ty) => {
                    Arc::new(PrimitiveArray::<$type>::new(dtype.decode(items)?.into(), nulls))
                };
            }
            match data_type {
                DataType::Float32 => numbers!(Float32Type),
                DataType::Float64 => numbers!(Float64Type),
                _ => by_integer!(data_type, numbers, return Err(Unsupported::Dtype.into())),
            }
        }
    })
}

fn lists(values: ArrayRef, len: i32, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let field = item_field(values.data_type().clone());
    Ok(Arc::new(FixedSizeListArray::try_new(field, len, values, nulls).map_err(refused)?))
}

/// Numbers of steps as times of a type.
fn times(steps: Int64Array, data_type: &DataType) -> Result<ArrayRef> {
    let data = steps.into_data().into_builder().data_type(data_type.clone()).build();
    Ok(make_array(data.map_err(refused)?))
}

/// Texts; `None` for null.
fn texts_of<T: AsRef<str>>(texts: impl Iterator<Item = Option<T>>) -> Result<ArrayRef> {
    let (bytes, ends, nulls) = joined(texts.map(|text| text.map(Text)))?;
    Ok(Arc::new(StringArray::try_new(ends, bytes, nulls).map_err(refused)?))
}

fn bytes_of<'b>(values: impl Iterator<Item = Option<&'b [u8]>>) -> Result<ArrayRef> {
    let (bytes, ends, nulls) = joined(values)?;
    Ok(Arc::new(BinaryArray::try_new(ends, bytes, nulls).map_err(refused)?))
}

/// A text as its bytes.
struct Text<T>(T);

impl<T: AsRef<str>> AsRef<[u8]> for Text<T> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref().as_bytes()
    }
}

/// The bytes of values one after the other, where each ends, and which are null.
fn joined<T: AsRef<[u8]>>(
    values: impl Iterator<Item = Option<T>>,
) -> Result<(Buffer, OffsetBuffer<i32>, Option<NullBuffer>)> {
    let (mut bytes, mut ends, mut valid) = (Vec::new(), Vec::from([0]), Vec::new());
    for value in values {
        bytes.extend_from_slice(value.as_ref().map_or(&[], T::as_ref));
        valid.push(value.is_some());
        ends.push(end(bytes.len())?);
    }
    Ok((bytes.into(), OffsetBuffer::new(ends.into()), nulls_of(valid)))
}

/// The end of a value in the bytes of all, which Arrow's usual types have 31 bits for.
fn end(len: usize) -> Result<i32> {
    let (wanted, allowed) = (len as u64, i32::MAX as u64);
    i32::try_from(len).map_err(|_| LimitError { limit: Limit::Memory, wanted, allowed }.into())
}

fn nulls_of(valid: Vec<bool>) -> Option<NullBuffer> {
    valid.contains(&false).then(|| valid.into())
}

/// The array of objects, which must be of the type.
fn of_objects(objects: &[&Value], data_type: &DataType) -> Result<ArrayRef> {
    let valid = || objects.iter().map(|object| **object != Value::Nil).collect::<Vec<_>>();
    Ok(match data_type {
        DataType::Utf8 => texts_of(each(objects, Value::as_str)?.into_iter())?,
        DataType::Binary => {
            let packed = each(objects, |object| match object {
                Value::Bin(bytes) => Some(bytes.clone()),
                object => Some(object.emit()),
            })?;
            bytes_of(packed.iter().map(Option::as_deref))?
        }
        DataType::Boolean => {
            let bools = each(objects, |object| match object {
                Value::Bool(bool) => Some(*bool),
                _ => None,
            })?;
            Arc::new(BooleanArray::from(bools))
        }
        DataType::Timestamp(..) => times(Int64Array::from(each(objects, integer::<i64>)?), data_type)?,
        DataType::List(field) => {
            let (mut ends, mut items) = (Vec::from([0]), Vec::new());
            for list in each(objects, Value::as_array)? {
                items.extend(list.unwrap_or_default());
                ends.push(end(items.len())?);
            }
            let values = of_objects(&items, field.data_type())?;
            let lists =
                ListArray::try_new(field.clone(), OffsetBuffer::new(ends.into()), values, nulls_of(valid()));
            Arc::new(lists.map_err(refused)?)
        }
        DataType::Struct(fields) => {
            each(objects, |object| matches!(object, Value::Map(_)).then_some(()))?;
            let member = |name: &str| {
                objects.iter().map(|object| object.get(name).unwrap_or(&Value::Nil)).collect::<Vec<_>>()
            };
            let members = fields.iter().map(|field| of_objects(&member(field.name()), field.data_type()));
            let members = members.collect::<Result<_>>()?;
            let nulls = nulls_of(valid());
            Arc::new(
                StructArray::try_new_with_length(fields.clone(), members, nulls, objects.len())
                    .map_err(refused)?,
            )
        }
        DataType::Float32 => Arc::new(PrimitiveArray::<Float32Type>::from(each(objects, |object| {
            real(object).map(|value| value as f32)
        })?)),
        DataType::Float64 => Arc::new(PrimitiveArray::<Float64Type>::from(each(objects, real)?)),
        _ => {
            macro_rules! integers {
                ($type:ty) => {
                    Arc::new(PrimitiveArray::<$type>::from(each(objects, integer)?))
                };
            }
            by_integer!(data_type, integers, return Err(Unsupported::ColumnKind.into()))
        }
    })
}

/// Converts each object; nil is null.
fn each<'o, T>(objects: &[&'o Value], make: impl Fn(&'o Value) -> Option<T>) -> Result<Vec<Option<T>>> {
    let one = |object: &&'o Value| match **object {
        Value::Nil => Ok(None),
        _ => make(object)
            .map(Some)
            .ok_or_else(|| Error::format(Malformed::Field { name: "objects of a column", value: 0 })),
    };
    objects.iter().map(one).collect()
}

fn integer<T: TryFrom<i128>>(object: &Value) -> Option<T> {
    match object {
        Value::Int(value) => T::try_from(*value).ok(),
        _ => None,
    }
}

fn real(object: &Value) -> Option<f64> {
    match object {
        Value::Float(value) => Some(*value),
        Value::Int(value) => Some(*value as f64),
        _ => None,
    }
}

/// Arrow refuses what does not fit together, which this module makes none of.
fn refused(_: ArrowError) -> Error {
    Unsupported::ColumnKind.into()
}

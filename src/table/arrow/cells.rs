//! Cells for the values of arrays.

use super::FieldError;
use super::fields::dtype;
use super::objects::fitted;
use super::units::Units;
use crate::array::{Dtype, Kind};
use crate::base::{Error, Limits, Unsupported};
use crate::msgpack::Value;
use crate::objects::values_of;
use crate::table::null::{float, integer};
use crate::table::{Cells, ColumnSpec, Data};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float64Array, make_array};
use arrow_schema::DataType;

type Found<T> = Result<T, FieldError>;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The cells of a column that the values of an array are.
pub(super) fn cells(array: &dyn Array, spec: &ColumnSpec) -> Found<Cells> {
    let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    let valid = nulls.map(|nulls| nulls.iter().collect::<Vec<_>>());
    if let Some(at) = valid.as_ref().and_then(|valid| valid.iter().position(|valid| !valid))
        && !spec.is_nullable()
    {
        return Err(FieldError::Null { column: spec.name.clone(), at });
    }
    let data = match &*spec.kind {
        "dictionary" if spec.is_ordered() && matches!(array.data_type(), DataType::Dictionary(..)) => {
            words(array)
        }
        "string" | "utf8" | "dictionary" | "vlstring" => texts(array).map(Data::Texts),
        "vlbytes" | "bytes" | "object" => {
            objects(array).filter(|objects| are_of_kind(objects, spec)).map(Data::Objects)
        }
        "list" | "struct" => {
            let objects = objects(array).filter(|objects| are_of_kind(objects, spec));
            objects.map(|objects| nested(objects, array, spec)).transpose()?
        }
        "timestamp" => times(array, spec)?,
        "ndarray" | "complex64" | "complex128" => arrays(array, spec)?,
        _ => numbers(array, spec)?,
    };
    let data = data.ok_or_else(|| kind(array, spec))?;
    Ok(Cells { data, valid })
}

fn kind(array: &dyn Array, spec: &ColumnSpec) -> FieldError {
    let data_type = array.data_type().clone();
    FieldError::Kind { column: spec.name.clone(), kind: spec.kind.clone(), data_type }
}

fn refused(spec: &ColumnSpec, error: Error) -> FieldError {
    FieldError::Column { column: spec.name.clone(), error }
}

fn value(spec: &ColumnSpec, at: usize) -> FieldError {
    FieldError::Value { column: spec.name.clone(), kind: spec.kind.clone(), at }
}

/// The texts of an array of texts; empty where they are null.
fn texts(array: &dyn Array) -> Option<Vec<String>> {
    fn own<'t>(texts: impl Iterator<Item = Option<&'t str>>) -> Vec<String> {
        texts.map(|text| text.unwrap_or_default().into()).collect()
    }
    Some(match array.data_type() {
        DataType::Utf8 => own(array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => own(array.as_string::<i64>().iter()),
        DataType::Utf8View => own(array.as_string_view().iter()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let words = texts(dictionary.values())?;
            let word = |(at, key): (usize, usize)| match array.is_null(at) {
                true => String::new(),
                false => words.get(key).cloned().unwrap_or_default(),
            };
            // Without words all cells are null, and there are no keys to make of them.
            if words.is_empty() {
                return Some(alloc::vec![String::new(); array.len()]);
            }
            dictionary.normalized_keys().into_iter().enumerate().map(word).collect()
        }
        _ => return None,
    })
}

/// The texts of a dictionary in their order, and the numbers of those of the cells.
fn words(array: &dyn Array) -> Option<Data> {
    let dictionary = array.as_any_dictionary();
    let (words, is_word) = (texts(dictionary.values())?, |at: &usize| dictionary.values().is_valid(*at));
    // Those that are null have no numbers.
    let kept: Vec<usize> = (0..words.len()).filter(is_word).collect();
    let code = |key: usize| kept.binary_search(&key).unwrap_or(0);
    let codes = match words.is_empty() {
        true => alloc::vec![0; array.len()],
        false => dictionary.normalized_keys().into_iter().map(code).collect(),
    };
    Some(Data::Words { words: kept.iter().map(|at| words[*at].clone()).collect(), codes })
}

/// The objects of an array, if there are such.
fn objects(array: &dyn Array) -> Option<Vec<Value>> {
    // They take no more than the array that is in memory already allows.
    values_of(array, &Limits { memory: u64::MAX, ..Limits::default() }).ok()
}

fn are_of_kind(objects: &[Value], spec: &ColumnSpec) -> bool {
    let fits = |object: &Value| match (&*spec.kind, object) {
        (_, Value::Nil) | ("object", _) => true,
        ("vlbytes" | "bytes", object) => matches!(object, Value::Bin(_)),
        ("list", object) => matches!(object, Value::Array(_)),
        (_, object) => matches!(object, Value::Map(_)),
    };
    objects.iter().all(fits)
}

/// Lists and structures with what the schema describes.
fn nested(objects: Vec<Value>, array: &dyn Array, spec: &ColumnSpec) -> Found<Data> {
    let fitted = |(at, object)| fitted(object, array.data_type(), &spec.entry).ok_or_else(|| value(spec, at));
    Ok(Data::Objects(objects.into_iter().enumerate().map(fitted).collect::<Found<_>>()?))
}

/// Times in the unit of the column.
fn times(array: &dyn Array, spec: &ColumnSpec) -> Found<Option<Data>> {
    let Some(units) = Units::new(array.data_type(), &spec.entry) else { return Ok(None) };
    let steps: Vec<i64> = match array.data_type() {
        DataType::Date32 => {
            array.as_primitive::<Date32Type>().values().iter().map(|day| i64::from(*day) * DAY).collect()
        }
        _ => match retyped(array, DataType::Int64) {
            Some(steps) => steps.as_primitive::<Int64Type>().values().to_vec(),
            None => return Ok(None),
        },
    };
    let convert = |(at, step): (usize, i64)| {
        let exact = units.convert(step).or_else(|| array.is_null(at).then_some(0));
        exact.ok_or_else(|| value(spec, at))
    };
    let steps = match units.are_equal() {
        true => steps,
        false => steps.into_iter().enumerate().map(convert).collect::<Found<_>>()?,
    };
    let unit = spec.entry.get("unit").and_then(Value::as_str).unwrap_or_default();
    let step = Dtype::parse(&["<M8[", unit, "]"].concat(), &Limits::default());
    let dtype = step.map_err(|error| refused(spec, error))?;
    let items = Dtype::of::<i64>().encode(&steps).map_err(|error| refused(spec, error))?;
    Ok(Some(Data::Items { dtype, items }))
}

/// The numbers of an array as those of another type of the same size.
fn retyped(array: &dyn Array, data_type: DataType) -> Option<ArrayRef> {
    Some(make_array(array.to_data().into_builder().data_type(data_type).build().ok()?))
}

/// The items of lists of fixed size, of a column of arrays or of complex numbers.
fn arrays(array: &dyn Array, spec: &ColumnSpec) -> Found<Option<Data>> {
    let stored = stored(spec)?;
    let DataType::FixedSizeList(_, list_len) = array.data_type() else { return Ok(None) };
    let (item, len) = match stored.kind() {
        Kind::Subarray { item, shape } => ((**item).clone(), shape.iter().product()),
        _ => (Dtype::scalar(Kind::Float, stored.itemsize() / 2).map_err(|error| refused(spec, error))?, 2),
    };
    let lists = array.as_fixed_size_list();
    let Some((dtype, mut items)) = plain(lists.values()).filter(|(dtype, _)| *dtype == item) else {
        return Ok(None);
    };
    if *list_len as usize != len {
        return Ok(None);
    }
    // Arrays have no nulls in them. Floats are not numbers instead, as by the reference.
    let is_lost = |at: &usize| lists.values().is_null(*at) && lists.is_valid(at / len.max(1));
    for at in (0..lists.values().len()).filter(is_lost) {
        let nan = item_of(&Value::Float(f64::NAN), &dtype).ok_or_else(|| value(spec, at / len.max(1)))?;
        items[at * nan.len()..][..nan.len()].copy_from_slice(&nan);
    }
    Ok(Some(Data::Items { dtype: stored, items }))
}

/// Numbers and booleans, as they are if the column has their dtype, and otherwise one by one.
fn numbers(array: &dyn Array, spec: &ColumnSpec) -> Found<Option<Data>> {
    let stored = stored(spec)?;
    let counted =
        counted(array).or_else(|| (*stored.kind() == Kind::Float).then(|| decimals(array)).flatten());
    let array = counted.as_deref().unwrap_or(array);
    match plain(array) {
        Some((dtype, items)) if dtype == stored || spec.kind == "bool" && *dtype.kind() == Kind::Bool => {
            return Ok(Some(Data::Items { dtype, items }));
        }
        None if *array.data_type() != DataType::Float16 => return Ok(None),
        _ => {}
    }
    let (mut items, null) = (Vec::new(), alloc::vec![0; stored.itemsize()]);
    for (at, number) in objects(array).unwrap_or_default().into_iter().enumerate() {
        match number {
            Value::Nil => items.extend_from_slice(&null),
            Value::Int(_) | Value::Float(_) => {
                items.extend(item_of(&number, &stored).ok_or_else(|| value(spec, at))?);
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(Data::Items { dtype: stored, items }))
}

/// Durations and times of day as the numbers of their units.
fn counted(array: &dyn Array) -> Option<ArrayRef> {
    let data_type = match array.data_type() {
        DataType::Duration(_) | DataType::Time64(_) => DataType::Int64,
        DataType::Time32(_) => DataType::Int32,
        _ => return None,
    };
    retyped(array, data_type)
}

/// Decimals as the nearest doubles.
fn decimals(array: &dyn Array) -> Option<ArrayRef> {
    fn doubles<T: DecimalType>(array: &dyn Array) -> ArrayRef {
        let decimals = array.as_primitive::<T>();
        let double =
            |at| decimals.is_valid(at).then(|| decimals.value_as_string(at).parse::<f64>().ok()).flatten();
        Arc::new((0..decimals.len()).map(double).collect::<Float64Array>())
    }
    Some(match array.data_type() {
        DataType::Decimal32(..) => doubles::<Decimal32Type>(array),
        DataType::Decimal64(..) => doubles::<Decimal64Type>(array),
        DataType::Decimal128(..) => doubles::<Decimal128Type>(array),
        DataType::Decimal256(..) => doubles::<Decimal256Type>(array),
        _ => return None,
    })
}

fn stored(spec: &ColumnSpec) -> Found<Dtype> {
    let dtype =
        spec.stored_dtype(&Limits::default()).and_then(|dtype| Ok(dtype.ok_or(Unsupported::ColumnKind)?));
    dtype.map_err(|error| refused(spec, error))
}

/// The item of a dtype that is exactly a number, in little-endian bytes.
fn item_of(number: &Value, dtype: &Dtype) -> Option<Vec<u8>> {
    let size = dtype.itemsize();
    match (dtype.kind(), number) {
        (Kind::Int | Kind::Uint, Value::Int(int)) => integer(*int, size, *dtype.kind() == Kind::Int),
        (Kind::Float, Value::Int(int)) => {
            let (double, single) = (*int as f64, *int as f32);
            let is_exact = if size == 4 { single as i128 == *int } else { double as i128 == *int };
            if is_exact { float(double, size) } else { None }
        }
        (Kind::Float, Value::Float(real)) => {
            let is_exact = size == 8 || real.is_nan() || f64::from(*real as f32) == *real;
            if is_exact { float(*real, size) } else { None }
        }
        _ => None,
    }
}

/// The dtype of an array of numbers or booleans, and its items.
fn plain(array: &dyn Array) -> Option<(Dtype, Vec<u8>)> {
    macro_rules! numbers {
        ($type:ty) => {
            dtype(array.data_type()).and_then(|dtype| {
                let items = dtype.encode(array.as_primitive::<$type>().values()).ok()?;
                Some((dtype, items))
            })
        };
    }
    match array.data_type() {
        DataType::Boolean => {
            Some((Dtype::of::<bool>(), array.as_boolean().values().iter().map(u8::from).collect()))
        }
        DataType::Int8 => numbers!(Int8Type),
        DataType::Int16 => numbers!(Int16Type),
        DataType::Int32 => numbers!(Int32Type),
        DataType::Int64 => numbers!(Int64Type),
        DataType::UInt8 => numbers!(UInt8Type),
        DataType::UInt16 => numbers!(UInt16Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::Float32 => numbers!(Float32Type),
        DataType::Float64 => numbers!(Float64Type),
        _ => None,
    }
}

//! The types of columns: those of Arrow, and those of tables.

use super::FieldError;
use crate::array::{Dtype, Kind, TimeUnit};
use crate::base::{Error, Result, Unsupported};
use crate::msgpack::Value;
use crate::table::{ColumnKind, ColumnSpec, Nulls};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use arrow_schema::{DataType, Field, Fields, TimeUnit as ArrowUnit};

/// The metadata of a list of fixed size that is an array, as python-blosc2 has it: its shape as JSON.
const SHAPE: &str = "blosc2:ndarray_shape";

/// The field for a column; its dtype is that of the cells, if they have one size.
pub(super) fn field(spec: &ColumnSpec, dtype: Option<&Dtype>, masked: bool) -> Result<Field> {
    let data_type = match dtype {
        Some(dtype) => of_dtype(dtype, spec.entry.get("timezone").and_then(Value::as_str))?,
        None => of_entry(&spec.entry, true),
    };
    let has_null = spec.entry.get("null_value").is_some_and(|value| *value != Value::Nil);
    // Times may be none, and objects nil, whatever the schema says.
    let has_own = spec.kind == "timestamp" || dtype.is_none() && spec.kind != "utf8";
    let nullable = masked || has_null || has_own || spec.is_nullable();
    let field = Field::new(&spec.name, data_type, nullable).with_dict_is_ordered(spec.is_ordered());
    Ok(match dtype.map(Dtype::kind) {
        Some(Kind::Subarray { shape, .. }) => {
            field.with_metadata([(SHAPE.to_string(), format!("{shape:?}"))])
        }
        _ => field,
    })
}

pub(super) fn of_dtype(dtype: &Dtype, timezone: Option<&str>) -> Result<DataType> {
    let size = dtype.itemsize();
    let list = |item: &Dtype, len: usize| -> Result<DataType> {
        let len = i32::try_from(len).map_err(|_| Unsupported::Dtype)?;
        Ok(DataType::FixedSizeList(item_field(of_dtype(item, None)?), len))
    };
    Ok(match (dtype.kind(), size) {
        (Kind::Bool, _) => DataType::Boolean,
        (Kind::Int, 1) => DataType::Int8,
        (Kind::Int, 2) => DataType::Int16,
        (Kind::Int, 4) => DataType::Int32,
        (Kind::Int, 8) => DataType::Int64,
        (Kind::Uint, 1) => DataType::UInt8,
        (Kind::Uint, 2) => DataType::UInt16,
        (Kind::Uint, 4) => DataType::UInt32,
        (Kind::Uint, 8) => DataType::UInt64,
        (Kind::Float, 2) => DataType::Float16,
        (Kind::Float, 4) => DataType::Float32,
        (Kind::Float, 8) => DataType::Float64,
        (Kind::Datetime(step), _) => match unit(step.unit) {
            Some(unit) if step.count == 1 => DataType::Timestamp(unit, timezone.map(Into::into)),
            _ => DataType::Int64,
        },
        (Kind::Timedelta(step), _) => match unit(step.unit) {
            Some(unit) if step.count == 1 => DataType::Duration(unit),
            _ => DataType::Int64,
        },
        (Kind::Bytes, _) => DataType::Binary,
        (Kind::Str, _) => DataType::Utf8,
        (Kind::Complex, 8 | 16) => list(&Dtype::scalar(Kind::Float, size / 2)?, 2)?,
        (Kind::Subarray { item, .. }, _) => list(item, size / item.itemsize().max(1))?,
        (Kind::Void, 1..) => DataType::FixedSizeBinary(i32::try_from(size).map_err(|_| Unsupported::Dtype)?),
        _ => return Err(Unsupported::Dtype.into()),
    })
}

/// The type of objects, by the entry of the schema for a column or for what is in one.
fn of_entry(entry: &Value, is_column: bool) -> DataType {
    let word = |name| entry.get(name).and_then(Value::as_str);
    match word("kind").unwrap_or_default() {
        "dictionary" if is_column => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        "utf8" | "vlstring" | "string" | "dictionary" => DataType::Utf8,
        "vlbytes" | "bytes" => DataType::Binary,
        "bool" => DataType::Boolean,
        "int8" => DataType::Int8,
        "int16" => DataType::Int16,
        "int32" => DataType::Int32,
        "int64" => DataType::Int64,
        "uint8" => DataType::UInt8,
        "uint16" => DataType::UInt16,
        "uint32" => DataType::UInt32,
        "uint64" => DataType::UInt64,
        "float32" => DataType::Float32,
        "float64" => DataType::Float64,
        "timestamp" => match word("unit").and_then(|unit| UNITS.iter().find(|(name, ..)| *name == unit)) {
            Some((_, unit, _)) => DataType::Timestamp(*unit, word("timezone").map(Into::into)),
            None => DataType::Int64,
        },
        "list" => DataType::List(item_field(
            entry.get("item").map_or(DataType::Binary, |item| of_entry(item, false)),
        )),
        "struct" => {
            let members = entry.get("fields").and_then(Value::as_array).unwrap_or_default().iter();
            let field = |member: &Value| {
                let name = member.get("name").and_then(Value::as_str).unwrap_or_default();
                Field::new(name, of_entry(member, false), true)
            };
            DataType::Struct(members.map(field).collect::<Fields>())
        }
        _ => DataType::Binary,
    }
}

/// The field of what is in a list.
pub(super) fn item_field(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("item", data_type, true))
}

/// The names of units, in Arrow and in dtypes.
const UNITS: [(&str, ArrowUnit, TimeUnit); 4] = [
    ("s", ArrowUnit::Second, TimeUnit::Second),
    ("ms", ArrowUnit::Millisecond, TimeUnit::Millisecond),
    ("us", ArrowUnit::Microsecond, TimeUnit::Microsecond),
    ("ns", ArrowUnit::Nanosecond, TimeUnit::Nanosecond),
];

fn unit(unit: TimeUnit) -> Option<ArrowUnit> {
    UNITS.iter().find(|(.., known)| *known == unit).map(|(_, unit, _)| *unit)
}

/// The column for a field.
pub(super) fn spec(field: &Field) -> Result<ColumnSpec, FieldError> {
    let column = || field.name().clone();
    let refused = |error: Error| FieldError::Column { column: column(), error };
    let kind = kind_of(field)
        .ok_or_else(|| FieldError::Type { column: column(), data_type: field.data_type().clone() })?;
    let nulls = if field.is_nullable() { Nulls::Mask } else { Nulls::None };
    ColumnSpec::new(field.name(), &kind, &nulls).map_err(refused)
}

/// The kind of a column for a field; `None` if there is none.
fn kind_of(field: &Field) -> Option<ColumnKind> {
    Some(match field.data_type() {
        DataType::Dictionary(_, values) if is_text(values) => {
            ColumnKind::Dictionary { ordered: field.dict_is_ordered() == Some(true) }
        }
        DataType::Dictionary(_, values) => kind_of(&Field::new("", (**values).clone(), true))?,
        DataType::FixedSizeList(item, len) => match dtype(item.data_type()) {
            Some(dtype) if *len > 0 => ColumnKind::Array { dtype, shape: shape(field, *len as usize) },
            _ => ColumnKind::List(Box::new(inner(item)?)),
        },
        data_type => scalar(data_type)?,
    })
}

/// The kind of what is in lists and structures.
fn inner(field: &Field) -> Option<ColumnKind> {
    Some(match field.data_type() {
        DataType::FixedSizeList(item, _) => ColumnKind::List(Box::new(inner(item)?)),
        DataType::Dictionary(_, values) => inner(&Field::new("", (**values).clone(), true))?,
        // The reference has no columns of places and bytes in lists.
        data_type if is_text(data_type) => ColumnKind::TextObjects,
        data_type => scalar(data_type)?,
    })
}

fn scalar(data_type: &DataType) -> Option<ColumnKind> {
    let time = |unit: ArrowUnit, timezone| {
        let (.., unit) = UNITS.iter().find(|(_, known, _)| *known == unit)?;
        Some(ColumnKind::Timestamp { unit: *unit, timezone })
    };
    Some(match data_type {
        DataType::Float16 => ColumnKind::Number(Dtype::of::<f32>()),
        DataType::Timestamp(unit, zone) => time(*unit, zone.as_deref().map(String::from))?,
        DataType::Date32 => time(ArrowUnit::Second, None)?,
        DataType::Date64 => time(ArrowUnit::Millisecond, None)?,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            ColumnKind::Bytes
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item) => ColumnKind::List(Box::new(inner(item)?)),
        DataType::Struct(members) => {
            let member = |field: &Arc<Field>| Some((field.name().clone(), inner(field)?));
            ColumnKind::Struct(members.iter().map(member).collect::<Option<_>>()?)
        }
        data_type if is_text(data_type) => ColumnKind::Text,
        data_type => ColumnKind::Number(dtype(data_type)?),
    })
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The dtype of numbers and booleans.
pub(super) fn dtype(data_type: &DataType) -> Option<Dtype> {
    Some(match data_type {
        DataType::Boolean => Dtype::of::<bool>(),
        DataType::Int8 => Dtype::of::<i8>(),
        DataType::Int16 => Dtype::of::<i16>(),
        DataType::Int32 => Dtype::of::<i32>(),
        DataType::Int64 => Dtype::of::<i64>(),
        DataType::UInt8 => Dtype::of::<u8>(),
        DataType::UInt16 => Dtype::of::<u16>(),
        DataType::UInt32 => Dtype::of::<u32>(),
        DataType::UInt64 => Dtype::of::<u64>(),
        DataType::Float32 => Dtype::of::<f32>(),
        DataType::Float64 => Dtype::of::<f64>(),
        _ => return None,
    })
}

/// The shape of arrays of so many items: what the metadata tell, if it fits.
fn shape(field: &Field, len: usize) -> Vec<usize> {
    let told = field.metadata().get(SHAPE).and_then(|text| text.trim().strip_prefix('[')?.strip_suffix(']'));
    let lens = told
        .and_then(|told| told.split(',').map(|len| len.trim().parse().ok()).collect::<Option<Vec<usize>>>());
    let product = |lens: &Vec<usize>| lens.iter().try_fold(1_usize, |product, len| product.checked_mul(*len));
    lens.filter(|lens| product(lens) == Some(len)).unwrap_or_else(|| Vec::from([len]))
}

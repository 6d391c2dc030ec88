//! Objects of lists and structures, as the schema describes them.

use super::units::Units;
use crate::msgpack::Value;
use alloc::vec::Vec;
use arrow_schema::DataType;

/// An object of a type as the entry of the schema has it: times in its units. `None` if it is of another kind.
pub(super) fn fitted(object: Value, data_type: &DataType, entry: &Value) -> Option<Value> {
    let kind = entry.get("kind").and_then(Value::as_str).unwrap_or_default();
    Some(match (object, data_type) {
        (Value::Nil, _) => Value::Nil,
        (object, DataType::Dictionary(_, values)) => return fitted(object, values, entry),
        (
            Value::Array(items),
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _),
        ) if kind == "list" => {
            let of = entry.get("item")?;
            let items = items.into_iter().map(|object| fitted(object, item.data_type(), of));
            Value::Array(items.collect::<Option<_>>()?)
        }
        (Value::Map(pairs), DataType::Struct(fields)) if kind == "struct" => {
            let entries = entry.get("fields").and_then(Value::as_array)?;
            let named = |name: &Value| entries.iter().find(|entry| entry.get("name") == Some(name));
            let pair = |((name, object), field): ((Value, Value), &alloc::sync::Arc<arrow_schema::Field>)| {
                let object = fitted(object, field.data_type(), named(&name)?)?;
                Some((name, object))
            };
            Value::Map(pairs.into_iter().zip(fields).map(pair).collect::<Option<Vec<_>>>()?)
        }
        (Value::Int(step), DataType::Timestamp(..) | DataType::Date32 | DataType::Date64)
            if kind == "timestamp" =>
        {
            Value::Int(Units::new(data_type, entry)?.convert(i64::try_from(step).ok()?)?.into())
        }
        (object, _) => {
            let fits = match (kind, &object) {
                ("utf8" | "string" | "vlstring" | "dictionary", object) => matches!(object, Value::Str(_)),
                ("bytes" | "vlbytes", object) => matches!(object, Value::Bin(_)),
                ("bool", object) => matches!(object, Value::Bool(_)),
                ("int8", Value::Int(int)) => i8::try_from(*int).is_ok(),
                ("int16", Value::Int(int)) => i16::try_from(*int).is_ok(),
                ("int32", Value::Int(int)) => i32::try_from(*int).is_ok(),
                ("int64", Value::Int(int)) => i64::try_from(*int).is_ok(),
                ("uint8", Value::Int(int)) => u8::try_from(*int).is_ok(),
                ("uint16", Value::Int(int)) => u16::try_from(*int).is_ok(),
                ("uint32", Value::Int(int)) => u32::try_from(*int).is_ok(),
                ("uint64", Value::Int(int)) => u64::try_from(*int).is_ok(),
                ("float32" | "float64", object) => matches!(object, Value::Int(_) | Value::Float(_)),
                ("object", _) => true,
                _ => false,
            };
            fits.then_some(object)?
        }
    })
}

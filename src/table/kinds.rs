//! New columns: their kinds, and the entries of the schema for them.

use super::known::NUMBERS;
use super::null::{Null, base64_of};
use super::schema::{ColumnSpec, ColumnStorage};
use crate::array::{Dtype, Kind, TimeUnit};
use crate::base::{ArgumentError, Limits, Result, Unsupported};
use crate::msgpack::Value;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Objects in a batch of a column of objects, as the reference has it.
pub(crate) const BATCH_ROWS: usize = 2048;

/// The kind of a new column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Booleans, integers of 8 to 64 bits, floats of 32 or 64 bits, or complex numbers of two of these.
    Number(Dtype),
    /// Times in steps of a unit since 1970: seconds, milliseconds, microseconds or nanoseconds.
    Timestamp {
        /// The unit.
        unit: TimeUnit,
        /// The time zone in which the times are shown, such as `Europe/Berlin` or `+02:00`.
        timezone: Option<String>,
    },
    /// Texts of at most so many characters, which take four bytes each.
    FixedText(usize),
    /// Bytes, at most so many; zeros at the end are lost.
    FixedBytes(usize),
    /// Texts of any length: their places, and their bytes one after the other.
    Text,
    /// Texts of which many are equal: each is stored once, and a row has its number.
    Dictionary {
        /// Whether the order of the stored texts means something, as that of small, medium and large. Comparisons do not heed it.
        ordered: bool,
    },
    /// Texts as objects.
    TextObjects,
    /// Bytes of any length, as objects.
    Bytes,
    /// Objects of any type.
    Object,
    /// Lists of values of a kind, which tells readers what to expect, and is not checked.
    List(Box<Self>),
    /// Maps with these names, whose values have these kinds, which are not checked.
    Struct(Vec<(String, Self)>),
    /// Arrays of one dtype and shape.
    Array {
        /// The dtype of the items.
        dtype: Dtype,
        /// The shape of each array.
        shape: Vec<usize>,
    },
}

/// How a new column stores nulls.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Nulls {
    /// There are none.
    #[default]
    None,
    /// Beside the values: as an array of booleans, as a code of a dictionary, or as an object.
    Mask,
    /// As this value, which then cannot be another one's: a number, a text or bytes.
    Value(Value),
}

impl ColumnSpec {
    /// A new column. Dots in its name separate the names of nested columns.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// let spec = ColumnSpec::new("mass", &ColumnKind::Number(Dtype::of::<f32>()), &Nulls::Mask)?;
    /// assert_eq!(spec.kind, "float32");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the reference has no columns of this name, dtype, unit or shape, or the value for null is none of the column's.
    pub fn new(name: &str, kind: &ColumnKind, nulls: &Nulls) -> Result<Self> {
        let mut fields = Vec::from([(text("name"), text(name))]);
        fields.extend(kind.fields(nulls != &Nulls::None)?);
        fields.extend(kind.null_fields(nulls));
        let spec = Self::of(&Value::Map(fields))?;
        spec.must_have_valid_name()?;
        if let Nulls::Value(value) = nulls {
            let stored = spec.stored_dtype(&Limits::default())?;
            let known = match (kind, &stored) {
                (ColumnKind::Text, _) => matches!(value, Value::Str(_)),
                (_, Some(dtype)) => Null::of(spec.entry.get("null_value").unwrap_or(value), dtype).is_some(),
                _ => false,
            };
            if !known {
                return Err(ArgumentError::NullValue.into());
            }
        }
        Ok(spec)
    }

    /// The dtype of a row as it is stored, if the column is an array: times as integers, and booleans beside a value that stands for
    /// null as bytes.
    ///
    /// # Errors
    /// `Unsupported` for an unknown kind, `Argument` or `Format` for an impossible dtype.
    pub fn stored_dtype(&self, limits: &Limits) -> Result<Option<Dtype>> {
        let len = || self.entry.get("max_length").and_then(Value::as_u64).unwrap_or(DEFAULT_LENGTH);
        let name = match &*self.kind {
            "timestamp" => "<i8".to_string(),
            "string" => ["<U", &len().to_string()].concat(),
            "bytes" => ["|S", &len().to_string()].concat(),
            "bool" if self.entry.get("null_value").is_some_and(|value| *value != Value::Nil) => "|u1".into(),
            "ndarray" => return self.array_dtype(limits).map(Some),
            "utf8" | "dictionary" | "vlstring" | "vlbytes" | "object" | "list" | "struct" => return Ok(None),
            kind => match NUMBERS.iter().find(|(_, name)| *name == kind) {
                Some((code, _)) => (*code).into(),
                None => return Err(Unsupported::ColumnKind.into()),
            },
        };
        Dtype::parse(&name, limits).map(Some)
    }

    fn array_dtype(&self, limits: &Limits) -> Result<Dtype> {
        let wrong = || ArgumentError::Parameter { name: "shape of a column", value: 0 };
        let dtype = self.entry.get("dtype_str").and_then(Value::as_str).ok_or_else(wrong)?;
        let shape = self.entry.get("item_shape").and_then(Value::as_array).ok_or_else(wrong)?;
        let len = |len: &Value| len.as_u64().and_then(|len| usize::try_from(len).ok()).ok_or_else(wrong);
        let shape = shape.iter().map(len).collect::<core::result::Result<Vec<_>, _>>()?;
        Dtype::parse(dtype, limits)?.subarray(&shape)
    }

    /// Fails if the reference has no columns of this name.
    pub(crate) fn must_have_valid_name(&self) -> Result<()> {
        match self.name.starts_with('_') || self.name.split('.').any(str::is_empty) {
            true => Err(ArgumentError::ColumnName.into()),
            false => Ok(()),
        }
    }

    /// The keys that its frames may have, below that of the table.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys = Vec::from([self.key()]);
        keys.extend(match self.storage() {
            ColumnStorage::Items => None,
            ColumnStorage::Texts(key) | ColumnStorage::Codes(key) => Some(key),
        });
        keys.extend(self.is_masked().then(|| self.mask_key()));
        keys
    }

    /// Whether the order of the texts of a dictionary column means something.
    ///
    /// ```
    /// use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
    /// let sizes = ColumnSpec::new("size", &ColumnKind::Dictionary { ordered: true }, &Nulls::None)?;
    /// assert!(sizes.is_ordered());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn is_ordered(&self) -> bool {
        self.kind == "dictionary" && self.entry.get("ordered") == Some(&Value::Bool(true))
    }

    /// Whether nulls may be in the column.
    pub fn is_nullable(&self) -> bool {
        self.entry.get("nullable") == Some(&Value::Bool(true))
    }

    /// Whether an array of booleans tells which cells are null.
    pub fn is_masked(&self) -> bool {
        self.entry.get("null_storage").and_then(Value::as_str) == Some("mask")
    }
}

/// Characters or bytes of texts whose schema does not tell.
const DEFAULT_LENGTH: u64 = 32;

impl ColumnKind {
    /// The fields of the kind in the schema.
    fn fields(&self, nullable: bool) -> Result<Vec<(Value, Value)>> {
        let named = |kind: &str| Vec::from([(text("kind"), text(kind))]);
        let with = |kind: &str, name: &str, value: Value| {
            let mut fields = named(kind);
            fields.push((text(name), value));
            fields
        };
        Ok(match self {
            Self::Number(dtype) => named(number(dtype)?),
            Self::Timestamp { unit, timezone } => {
                let known = matches!(
                    unit,
                    TimeUnit::Second | TimeUnit::Millisecond | TimeUnit::Microsecond | TimeUnit::Nanosecond
                );
                if !known {
                    return Err(ArgumentError::Parameter { name: "unit of time", value: *unit as i64 }.into());
                }
                let mut fields = with("timestamp", "unit", text(unit.symbol()));
                fields.extend(timezone.as_ref().map(|zone| (text("timezone"), text(zone))));
                fields
            }
            Self::FixedText(len) => with("string", "max_length", Value::Int(positive(*len)?)),
            Self::FixedBytes(len) => with("bytes", "max_length", Value::Int(positive(*len)?)),
            Self::Text => named("utf8"),
            Self::Dictionary { ordered } => dictionary(*ordered, nullable),
            Self::TextObjects => objects("vlstring", nullable),
            Self::Bytes => objects("vlbytes", nullable),
            Self::Object => objects("object", nullable),
            Self::List(item) => {
                let mut fields = with("list", "item", Value::Map(item.fields(false)?));
                fields.push((text("nullable"), Value::Bool(nullable)));
                fields.push((text("storage"), text("batch")));
                fields.extend(batches());
                fields
            }
            Self::Struct(members) => {
                let member = |(name, kind): &(String, Self)| -> Result<Value> {
                    let mut fields = Vec::from([(text("name"), text(name))]);
                    fields.extend(kind.fields(false)?);
                    Ok(Value::Map(fields))
                };
                let members = members.iter().map(member).collect::<Result<_>>()?;
                let mut fields = with("struct", "fields", Value::Array(members));
                fields.push((text("nullable"), Value::Bool(nullable)));
                fields
            }
            Self::Array { dtype, shape } => {
                if matches!(dtype.kind(), Kind::Subarray { .. } | Kind::Struct { .. } | Kind::Object) {
                    return Err(ArgumentError::Parameter { name: "dtype of a column", value: 0 }.into());
                }
                let lens = shape.iter().map(|len| positive(*len).map(Value::Int)).collect::<Result<_>>()?;
                let mut fields = with("ndarray", "item_shape", Value::Array(lens));
                fields.push((text("dtype_str"), Value::Str(dtype.to_string())));
                fields
            }
        })
    }

    /// The fields of nulls in the schema, unless they are part of the kind there.
    fn null_fields(&self, nulls: &Nulls) -> Vec<(Value, Value)> {
        let tells_by_itself = !matches!(
            self,
            Self::Number(_)
                | Self::Timestamp { .. }
                | Self::FixedText(_)
                | Self::FixedBytes(_)
                | Self::Text
                | Self::Array { .. }
        );
        let nullable = (text("nullable"), Value::Bool(true));
        match nulls {
            Nulls::Value(value) => Vec::from([nullable, (text("null_value"), json(value))]),
            Nulls::Mask if !tells_by_itself => Vec::from([nullable, (text("null_storage"), text("mask"))]),
            _ => Vec::new(),
        }
    }
}

/// The reference's name of a dtype.
pub(super) fn number(dtype: &Dtype) -> Result<&'static str> {
    let found = dtype.to_string();
    let name = NUMBERS.iter().find(|(code, _)| *code == found);
    let wrong = ArgumentError::Parameter { name: "bytes of a number", value: dtype.itemsize() as i64 };
    Ok(name.ok_or(wrong)?.1)
}

fn dictionary(ordered: bool, nullable: bool) -> Vec<(Value, Value)> {
    Vec::from([
        (text("kind"), text("dictionary")),
        (text("index_type"), Value::Map(Vec::from([(text("kind"), text("int32"))]))),
        (text("value_type"), Value::Map(objects("vlstring", false))),
        (text("ordered"), Value::Bool(ordered)),
        (text("nullable"), Value::Bool(nullable)),
        (text("null_code"), Value::Int(-1)),
    ])
}

fn objects(kind: &str, nullable: bool) -> Vec<(Value, Value)> {
    let mut fields = Vec::from([(text("kind"), text(kind)), (text("nullable"), Value::Bool(nullable))]);
    fields.extend(batches());
    fields
}

fn batches() -> [(Value, Value); 2] {
    [(text("serializer"), text("msgpack")), (text("batch_rows"), Value::Int(BATCH_ROWS as i128))]
}

fn positive(len: usize) -> Result<i128> {
    match len {
        0 => Err(ArgumentError::Parameter { name: "length", value: 0 }.into()),
        len => Ok(len as i128),
    }
}

/// A value as JSON has it: bytes as a map with base64.
fn json(value: &Value) -> Value {
    match value {
        Value::Bin(bytes) => Value::Map(Vec::from([
            (text("__bytes__"), Value::Bool(true)),
            (text("base64"), Value::Str(base64_of(bytes))),
        ])),
        value => value.clone(),
    }
}

fn text(text: &str) -> Value {
    Value::Str(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &ColumnKind, nulls: &Nulls) -> String {
        let spec = ColumnSpec::new("a", kind, nulls).unwrap();
        crate::table::json_text(&spec.entry)
    }

    #[test]
    fn entries_are_those_of_the_reference() {
        let number = ColumnKind::Number(Dtype::of::<i32>());
        assert_eq!(
            entry(&number, &Nulls::Value(Value::Int(-5))),
            r#"{"name": "a", "kind": "int32", "nullable": true, "null_value": -5}"#
        );
        let zone = ColumnKind::Timestamp { unit: TimeUnit::Millisecond, timezone: Some("+02:00".into()) };
        assert_eq!(
            entry(&zone, &Nulls::Mask),
            r#"{"name": "a", "kind": "timestamp", "unit": "ms", "timezone": "+02:00", "nullable": true, "null_storage": "mask"}"#
        );
        assert_eq!(
            entry(&ColumnKind::FixedBytes(5), &Nulls::Value(Value::Bin(alloc::vec![255, 1]))),
            r#"{"name": "a", "kind": "bytes", "max_length": 5, "nullable": true, "null_value": {"__bytes__": true, "base64": "/wE="}}"#
        );
        let list = ColumnKind::List(Box::new(ColumnKind::Number(Dtype::of::<i64>())));
        assert_eq!(
            entry(&list, &Nulls::Mask),
            r#"{"name": "a", "kind": "list", "item": {"kind": "int64"}, "nullable": true, "storage": "batch", "serializer": "msgpack", "batch_rows": 2048}"#
        );
        let array = ColumnKind::Array { dtype: Dtype::of::<f32>(), shape: alloc::vec![2, 3] };
        assert_eq!(
            entry(&array, &Nulls::None),
            r#"{"name": "a", "kind": "ndarray", "item_shape": [2, 3], "dtype_str": "<f4"}"#
        );
    }

    #[test]
    fn what_the_reference_lacks_is_refused() {
        let number = ColumnKind::Number(Dtype::of::<u8>());
        for name in ["", "_a", "a..b", "."] {
            assert!(ColumnSpec::new(name, &number, &Nulls::None).is_err(), "{name}");
        }
        for null in [Value::Int(256), Value::Str("x".into()), Value::Float(0.5)] {
            assert!(ColumnSpec::new("a", &number, &Nulls::Value(null)).is_err());
        }
        let hours = ColumnKind::Timestamp { unit: TimeUnit::Hour, timezone: None };
        assert!(ColumnSpec::new("a", &hours, &Nulls::None).is_err());
        assert!(ColumnSpec::new("a", &ColumnKind::FixedText(0), &Nulls::None).is_err());
        let half = Dtype::parse("<f2", &Limits::default()).unwrap();
        assert!(ColumnSpec::new("a", &ColumnKind::Number(half), &Nulls::None).is_err());
        let dictionary = ColumnKind::Dictionary { ordered: false };
        assert!(ColumnSpec::new("a", &dictionary, &Nulls::Value(Value::Str("x".into()))).is_err());
    }
}

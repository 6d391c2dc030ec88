//! MessagePack values as JSON, and those of metalayers.

use crate::failure::limit;
use crate::values::{Format, writer};
use b2nd::frame::Metalayer;
use b2nd::msgpack::Value;
use b2nd::objects::{Extension, Tensor};
use b2nd::{Blame, Limits};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The values of metalayers, within the limits of metadata together. One that exceeds them has its error in its place.
pub(crate) fn metalayers(metalayers: &[Metalayer], limits: &Limits) -> Map<String, Json> {
    let mut used = metalayers.iter().map(|metalayer| metalayer.content.len() as u64).sum::<u64>();
    let mut decoded = |metalayer: &Metalayer| {
        let mut with_value = used;
        let value = Value::parse_counted(&metalayer.content, limits, &mut with_value).and_then(|value| {
            let cost = cost(&value);
            limits.allow_metadata(with_value.saturating_add(cost))?;
            used += cost;
            Ok(json(&value, limits))
        });
        match value {
            Ok(value) => value,
            Err(error) if matches!(error.blame(), Blame::Limit(_)) => json!({ "error": limit(&error) }),
            Err(_) => Json::Null,
        }
    };
    metalayers.iter().map(|metalayer| (metalayer.name().into_owned(), decoded(metalayer))).collect()
}

/// Writes [`json`] without holding it: as such it may take many times the memory of the value.
pub(crate) fn write_json(value: &Value, limits: &Limits, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Array(items) => {
            out.write_all(b"[")?;
            for (at, item) in value.as_tuple().unwrap_or(items).iter().enumerate() {
                out.write_all(if at > 0 { b"," } else { b"" })?;
                write_json(item, limits, out)?;
            }
            out.write_all(b"]")
        }
        Value::Map(pairs) if has_distinct_keys(pairs) => {
            out.write_all(b"{")?;
            for (at, (key, value)) in pairs.iter().enumerate() {
                out.write_all(if at > 0 { b"," } else { b"" })?;
                write!(out, "{}:", Json::from(self::key(key, limits)))?;
                write_json(value, limits, out)?;
            }
            out.write_all(b"}")
        }
        Value::Bin(bytes) => {
            out.write_all(b"{\"bin\":\"")?;
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            out.write_all(b"\"}")
        }
        _ => write!(out, "{}", json(value, limits)),
    }
}

/// Whether no key repeats. Of those that do, JSON has the last value.
fn has_distinct_keys(pairs: &[(Value, Value)]) -> bool {
    let mut names: Vec<_> = pairs.iter().filter_map(|(key, _)| key.as_str()).collect();
    names.sort_unstable();
    names.len() == pairs.len() && names.is_sorted_by(|one, next| one != next) || pairs.len() < 2
}

/// About how many bytes a value takes as JSON and its text.
fn cost(value: &Value) -> u64 {
    /// Of each, of an entry of a map, and of a map.
    const EACH: u64 = 128;
    const ENTRY: u64 = 64;
    const MAP: u64 = 192;
    EACH + match value {
        Value::Str(text) => 8 * text.len() as u64,
        Value::Bin(bytes) => 6 * bytes.len() as u64,
        Value::Ext(_, bytes) => EACH * bytes.len() as u64,
        Value::Array(items) => items.iter().map(cost).sum(),
        Value::Map(pairs) => {
            MAP + pairs.iter().map(|(key, value)| ENTRY + cost(key) + cost(value)).sum::<u64>()
        }
        _ => 0,
    }
}

/// MessagePack as JSON, with what python-blosc2 stores as extensions. Tuples and sets become lists, bytes `{"bin": hex}`, frames
/// `{"frame": length}`.
pub(crate) fn json(value: &Value, limits: &Limits) -> Json {
    let list = |items: &[Value]| items.iter().map(|item| json(item, limits)).collect();
    match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => i64::try_from(*value).map_or_else(|_| Json::from(*value as u64), Json::from),
        Value::Float(value) => float(*value),
        Value::Str(text) => text.as_str().into(),
        Value::Bin(bytes) => json!({ "bin": hex(bytes) }),
        Value::Array(items) => list(value.as_tuple().unwrap_or(items)),
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| (self::key(key, limits), json(value, limits));
            pairs.iter().map(pair).collect::<Map<_, _>>().into()
        }
        Value::Ext(code, bytes) => extension(*code, bytes, limits),
        _ => Json::Null,
    }
}

fn extension(code: i8, bytes: &[u8], limits: &Limits) -> Json {
    let inner = Limits { depth: limits.depth.saturating_sub(1), ..*limits };
    let list = |items: &[Value]| Json::from_iter(items.iter().map(|item| json(item, &inner)));
    match Extension::parse(code, bytes, limits) {
        Ok(Some(Extension::Complex(re, im))) => Json::from_iter([float(re), float(im)]),
        Ok(Some(Extension::Set(items))) => list(&items),
        Ok(Some(Extension::Tensor(array))) => tensor(&array).unwrap_or(Json::Null),
        Ok(Some(Extension::Objects { shape, items })) => json!({ "shape": shape, "items": list(&items) }),
        Ok(Some(Extension::Frame(bytes))) => json!({ "frame": bytes.len() }),
        Ok(Some(Extension::Reference(value))) => json(&value, &inner),
        _ => json!({ "ext": code, "bin": hex(bytes) }),
    }
}

/// Nested lists, as for arrays.
fn tensor(array: &Tensor) -> Option<Json> {
    let mut text = Vec::new();
    let mut out = writer(Format::Json, &array.dtype, &array.shape, &mut text).ok()?;
    out.write(&array.data).and_then(|()| out.finish()).ok()?;
    drop(out);
    serde_json::from_slice(&text).ok()
}

fn float(value: f64) -> Json {
    match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value if value.is_nan() => "NaN".into(),
        value => value.into(),
    }
}

/// Keys that are not text are written as JSON.
fn key(key: &Value, limits: &Limits) -> String {
    match key {
        Value::Str(text) => text.clone(),
        other => json(other, limits).to_string(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! MessagePack values as JSON, and those of metalayers.

use crate::error::limit;
use b2nd::export::{Style, json_object};
use b2nd::frame::Metalayer;
use b2nd::msgpack::Value;
use b2nd::{ErrorKind, Limits};
use serde_json::{Map, Value as Json, json};

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
            Err(error) if matches!(error.kind(), ErrorKind::Limit(_)) => json!({ "error": limit(&error) }),
            Err(_) => Json::Null,
        }
    };
    metalayers.iter().map(|metalayer| (metalayer.name().into_owned(), decoded(metalayer))).collect()
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

/// MessagePack as JSON, with what python-blosc2 stores as extensions.
pub(crate) fn json(value: &Value, limits: &Limits) -> Json {
    let mut text = Vec::new();
    json_object(value, &Style::default(), limits, &mut text);
    serde_json::from_slice(&text).unwrap_or_default()
}

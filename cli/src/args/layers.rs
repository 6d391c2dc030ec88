//! Metalayers, written as JSON.

use b2nd::msgpack::Value;
use serde_json::Value as Json;

/// A metalayer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

/// Parses a name and JSON.
pub(super) fn named(text: &str) -> Result<Named, String> {
    let (name, json) =
        text.split_once('=').ok_or("a name, an equals sign and JSON, such as units=\\\"K\\\"")?;
    Ok(Named { name: name.into(), content: content(json)? })
}

/// JSON as MessagePack.
pub(crate) fn content(json: &str) -> Result<Vec<u8>, String> {
    let json: Json = serde_json::from_str(json).map_err(|error| format!("{json} is not JSON: {error}"))?;
    Ok(value(&json).emit())
}

/// A JSON value as one of MessagePack.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(int), _) => Value::Int(int.into()),
            (_, Some(int)) => Value::Int(int.into()),
            _ => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value).collect()),
        Json::Object(pairs) => {
            Value::Map(pairs.iter().map(|(key, entry)| (Value::Str(key.clone()), value(entry))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_becomes_message_pack() {
        assert_eq!(content("[1, -2.5, \"x\", null, true]").unwrap()[..2], [0x95, 1]);
        assert_eq!(
            content("{\"a\": 18446744073709551615}").unwrap(),
            b"\x81\xa1a\xcf\xff\xff\xff\xff\xff\xff\xff\xff"
        );
        assert_eq!(content("31.245270191439438").unwrap(), Value::Float(31.245270191439438).emit());
        assert!(content("K").is_err());
        assert_eq!(
            named("units=\"K=\"").unwrap(),
            Named { name: "units".into(), content: b"\xa2K=".to_vec() }
        );
    }
}

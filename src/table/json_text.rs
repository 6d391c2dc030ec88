//! Values as JSON text, as Python writes it: NaN and infinities are numbers.

use crate::msgpack::Value;
use alloc::format;
use alloc::string::{String, ToString};

/// The text of a value. What JSON does not have is null, and keys are texts.
pub(crate) fn emit(value: &Value) -> String {
    let mut text = String::new();
    put(value, &mut text);
    text
}

fn put(value: &Value, text: &mut String) {
    match value {
        Value::Nil | Value::Bin(_) | Value::Ext(..) => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => text.push_str(&value.to_string()),
        Value::Float(value) => text.push_str(&number(*value)),
        Value::Str(value) => string(value, text),
        Value::Array(items) => {
            text.push('[');
            for (n, item) in items.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { ", " });
                put(item, text);
            }
            text.push(']');
        }
        Value::Map(entries) => {
            text.push('{');
            for (n, (key, item)) in entries.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { ", " });
                string(key.as_str().unwrap_or_default(), text);
                text.push_str(": ");
                put(item, text);
            }
            text.push('}');
        }
    }
}

fn number(value: f64) -> String {
    match value {
        _ if value.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value => format!("{value:?}"),
    }
}

fn string(value: &str, text: &mut String) {
    text.push('"');
    for char in value.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            '\0'..=' ' if char != ' ' => text.push_str(&format!("\\u{:04x}", u32::from(char))),
            char => text.push(char),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Limits;
    use crate::table::json;

    #[test]
    fn is_read_again() {
        for text in [
            r#"{"a": [1, -2, 18446744073709551615, 0.5, 1e300, -0.0], "b\"\\\u000a é": null}"#,
            r#"[Infinity, -Infinity, true, false, {}, []]"#,
        ] {
            let value = json(text, &Limits::default()).unwrap();
            assert_eq!(emit(&value), text);
        }
        assert_eq!(emit(&Value::Float(f64::NAN)), "NaN");
    }
}

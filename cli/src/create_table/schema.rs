//! Columns that the call describes.

use crate::args::layers;
use b2nd::Limits;
use b2nd::array::{Dtype, TimeUnit};
use b2nd::msgpack::Value;
use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
use serde_json::Value as Json;

/// Parses `id=int32,name=text?,t=timestamp[ms]`, or the JSON list of the schema's columns.
pub(crate) fn parse(text: &str) -> Result<Vec<ColumnSpec>, String> {
    if text.trim_start().starts_with('[') {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let entries = json.as_array().map(Vec::as_slice).unwrap_or_default();
        let entry = |entry| ColumnSpec::of(&layers::value(entry)).map_err(|error| error.to_string());
        return entries.iter().map(entry).collect();
    }
    split(text).into_iter().map(column).collect()
}

/// Parses the kind of the items of lists, as `int64` or `text?`, where `?` allows null lists.
pub(crate) fn lists(text: &str) -> Result<ColumnSpec, String> {
    let (name, nulls) = text.strip_suffix('?').map_or((text, Nulls::None), |name| (name, Nulls::Mask));
    let kind = match kind_of(name).ok_or_else(|| format!("{name:?} is no kind of a column, such as int64"))? {
        // Items have no columns of their own.
        ColumnKind::Text | ColumnKind::Dictionary { .. } => ColumnKind::TextObjects,
        kind => kind,
    };
    ColumnSpec::new("lists", &ColumnKind::List(Box::new(kind)), &nulls).map_err(|error| error.to_string())
}

/// The parts between commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, char) in text.char_indices() {
        match char {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn column(part: &str) -> Result<ColumnSpec, String> {
    let wrong = || format!("{part:?} is no column: write NAME=KIND, such as mass=float64?");
    let (name, rest) = part.split_once('=').ok_or_else(wrong)?;
    let (kind, null) = match rest.split_once('?') {
        None => (rest, None),
        Some((kind, null)) => (kind, Some(null)),
    };
    let kind = kind_of(kind.trim()).ok_or_else(wrong)?;
    let nulls = match null.map(|null| null.strip_prefix('=').unwrap_or(null)) {
        None => Nulls::None,
        Some("") => Nulls::Mask,
        Some(value) => Nulls::Value(null_value(value)),
    };
    ColumnSpec::new(name.trim(), &kind, &nulls).map_err(|error| format!("{part:?}: {error}"))
}

fn null_value(text: &str) -> Value {
    match (text.parse(), text.parse()) {
        (Ok(int), _) => Value::Int(int),
        (_, Ok(float)) => Value::Float(float),
        _ => Value::Str(text.into()),
    }
}

fn kind_of(text: &str) -> Option<ColumnKind> {
    let (name, inner) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, inner)) => (name, Some(inner)),
        None => (text, None),
    };
    let len = || inner.and_then(|inner| inner.parse().ok());
    Some(match name {
        "text" | "utf8" if inner.is_none() => ColumnKind::Text,
        "dictionary" if matches!(inner, None | Some("ordered")) => {
            ColumnKind::Dictionary { ordered: inner.is_some() }
        }
        "vlstring" if inner.is_none() => ColumnKind::TextObjects,
        "vlbytes" if inner.is_none() => ColumnKind::Bytes,
        "object" if inner.is_none() => ColumnKind::Object,
        "string" => ColumnKind::FixedText(len()?),
        "bytes" => ColumnKind::FixedBytes(len()?),
        "timestamp" => {
            let (unit, zone) = match inner?.split_once(',') {
                Some((unit, zone)) => (unit, Some(zone.trim().to_owned())),
                None => (inner?, None),
            };
            let units =
                [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
            let unit = units.into_iter().find(|known| known.symbol() == unit)?;
            ColumnKind::Timestamp { unit, timezone: zone }
        }
        name => {
            let dtype = Dtype::parse(name, &Limits::default()).ok()?;
            match inner {
                None => ColumnKind::Number(dtype),
                Some(inner) => {
                    let shape = inner.split(',').map(|len| len.trim().parse().ok()).collect::<Option<_>>()?;
                    ColumnKind::Array { dtype, shape }
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_columns() {
        let columns =
            parse("id=int32,t=timestamp[ms,Europe/Berlin]?,m=float32[2,3],x=int16?=-1,n=string[7]?").unwrap();
        let kinds: Vec<_> = columns.iter().map(|spec| (&spec.name[..], &spec.kind[..])).collect();
        let expected =
            [("id", "int32"), ("t", "timestamp"), ("m", "ndarray"), ("x", "int16"), ("n", "string")];
        assert_eq!(kinds, expected);
        assert_eq!(columns[3].entry.get("null_value"), Some(&Value::Int(-1)));
        assert_eq!(columns[1].entry.get("timezone").and_then(Value::as_str), Some("Europe/Berlin"));
        assert_eq!(parse(r#"[{"name": "a,b", "kind": "utf8"}]"#).unwrap()[0].name, "a,b");
        for wrong in
            ["", "a", "a=foo", "a=timestamp", "a=timestamp[h]", "a=string[x]", "_a=int8", "[{}]", "[1"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

//! The columns of a table, as its schema tells.

use super::json;
use crate::base::{Error, Limits, Malformed, Result};
use crate::msgpack::Value;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What the schema says of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSpec {
    /// The name; dots separate the names of nested columns.
    pub name: String,
    /// python-blosc2's name for the kind of values: `int64`, `utf8`, `list` and so on.
    pub kind: String,
    /// The whole entry of the schema: a map.
    pub entry: Value,
}

impl ColumnSpec {
    fn of(entry: &Value) -> Result<Self> {
        let text = |name| entry.get(name).and_then(Value::as_str).map(String::from).ok_or_else(wrong);
        Ok(Self { name: text("name")?, kind: text("kind")?, entry: entry.clone() })
    }

    /// The key of its values, below that of the table.
    pub(super) fn key(&self) -> String {
        let mut key = String::from("/_cols/");
        let mut chars = self.name.chars();
        while let Some(mut char) = chars.next() {
            if char == '.' {
                key.push('/');
                continue;
            }
            if char == '\\' {
                char = chars.next().unwrap_or('\\');
            }
            match char {
                '%' | '/' | '.' | '\\' => key += &format!("%{:02X}", char as u32),
                char => key.push(char),
            }
        }
        key
    }
}

/// Parses the JSON text of a schema.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<(Value, Vec<ColumnSpec>)> {
    let schema = json::parse(text, limits)?;
    let columns = schema.get("columns").and_then(Value::as_array).ok_or_else(wrong)?;
    let columns = columns.iter().map(ColumnSpec::of).collect::<Result<_>>()?;
    Ok((schema, columns))
}

pub(super) fn wrong() -> Error {
    Error::format(Malformed::Field { name: "schema of a table", value: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn names_become_keys() {
        for (name, key) in
            [("a", "a"), ("a.b", "a/b"), (r"a\.b", "a%2Eb"), (r"50%\/\\", "50%25%2F%5C"), ("a b", "a b")]
        {
            let spec = ColumnSpec { name: name.into(), kind: "int8".into(), entry: Value::Nil };
            assert_eq!(spec.key(), format!("/_cols/{key}"));
        }
    }

    #[test]
    fn columns_have_names_and_kinds() {
        let text = r#"{"version": 1, "columns": [{"name": "a", "kind": "int32"}]}"#;
        let (schema, columns) = parse(text, &Limits::default()).unwrap();
        assert_eq!((schema.get("version"), &*columns[0].kind), (Some(&Value::Int(1)), "int32"));
        for wrong in ["{}", r#"{"columns": [{"name": "a"}]}"#, r#"{"columns": 1}"#, "x"] {
            assert!(parse(wrong, &Limits::default()).is_err(), "{wrong}");
        }
        assert_eq!(parse(r#"{"columns": []}"#, &Limits::default()).unwrap().1, vec![]);
    }
}

//! The columns of a table, as its schema tells.

use super::computed::{self, ComputedColumn, wrong};
use super::{COLUMNS, json};
use crate::base::{Limits, Result};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

/// A column by the schema.
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
    /// An entry of the schema.
    ///
    /// ```
    /// use b2nd::{msgpack::Value, table::ColumnSpec};
    /// let entry = Value::Map(vec![("name".into(), "a.b".into()), ("kind".into(), "utf8".into())]);
    /// let spec = ColumnSpec::of(&entry)?;
    /// assert_eq!((&*spec.name, &*spec.kind), ("a.b", "utf8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if it has no name or no kind.
    pub fn of(entry: &Value) -> Result<Self> {
        let text = |name| entry.get(name).and_then(Value::as_str).map(String::from).ok_or_else(wrong);
        Ok(Self { name: text("name")?, kind: text("kind")?, entry: entry.clone() })
    }

    /// A computed column as if it were stored: kinds have the names of dtypes.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/members.b2e")?;
    /// # let member = store.get("/group/table")?;
    /// # let len = member.frame().header.frame_len;
    /// # let store = b2nd::store::Store::open(member.into_source(), len, b2nd::DParams::default())?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// let spec = b2nd::table::ColumnSpec::of_computed(&table.computed()[0]);
    /// assert_eq!((&*spec.name, &*spec.kind), ("sum", "float64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_computed(column: &ComputedColumn) -> Self {
        let entry = [("name", &column.name), ("kind", &column.dtype)];
        let entry = entry.map(|(key, text)| (key.into(), Value::Str(text.clone())));
        Self { name: column.name.clone(), kind: column.dtype.clone(), entry: Value::Map(entry.into()) }
    }

    /// How the column is stored, unless its frame is a sequence of objects.
    ///
    /// ```
    /// use b2nd::{msgpack::Value, table::ColumnSpec};
    /// let entry = Value::Map(vec![("name".into(), "a.b".into()), ("kind".into(), "utf8".into())]);
    /// let spec = ColumnSpec::of(&entry)?;
    /// use b2nd::table::ColumnStorage;
    /// assert_eq!(spec.storage(), ColumnStorage::Texts("/_cols/a/b.utf8".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn storage(&self) -> ColumnStorage {
        match &*self.kind {
            "utf8" => ColumnStorage::Texts(self.key() + ".utf8"),
            "dictionary" => ColumnStorage::Codes(self.key() + "_dict"),
            _ => ColumnStorage::Items,
        }
    }

    /// The key of the array that tells which cells are not null, below that of the table. It need not be there.
    ///
    /// ```
    /// use b2nd::{msgpack::Value, table::ColumnSpec};
    /// let entry = Value::Map(vec![("name".into(), "a.b".into()), ("kind".into(), "utf8".into())]);
    /// let spec = ColumnSpec::of(&entry)?;
    /// assert_eq!(spec.mask_key(), "/_cols/a/b.notnull");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mask_key(&self) -> String {
        self.key() + ".notnull"
    }

    /// The key of its values, below that of the table.
    ///
    /// ```
    /// use b2nd::{msgpack::Value, table::ColumnSpec};
    /// let entry = Value::Map(vec![("name".into(), "a.b".into()), ("kind".into(), "utf8".into())]);
    /// let spec = ColumnSpec::of(&entry)?;
    /// assert_eq!(spec.key(), "/_cols/a/b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key(&self) -> String {
        let mut key = String::from(COLUMNS);
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
                '%' => key += "%25",
                '/' => key += "%2F",
                '.' => key += "%2E",
                '\\' => key += "%5C",
                char => key.push(char),
            }
        }
        key
    }
}

/// How the values of a column are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnStorage {
    /// An array with a row for each row.
    Items,
    /// An array with the places of texts in the bytes of another one, which has this key below that of the table.
    Texts(String),
    /// An array with the numbers of texts, which are the objects under this key.
    Codes(String),
}

/// The schema of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// All of it: a map.
    pub value: Value,
    /// The columns that are stored.
    pub columns: Vec<ColumnSpec>,
    /// The columns that are computed from others.
    pub computed: Vec<ComputedColumn>,
    /// The names of generated columns whose inputs have changed since then.
    pub stale: Vec<String>,
}

impl Schema {
    /// Reads the schema from the attributes of the frame that describes a table; `None` if it describes none.
    ///
    /// ```
    /// use b2nd::{Limits, table::Schema};
    /// // Attributes that describe no table.
    /// assert!(Schema::read(&[], &Limits::default())?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the schema is damaged, `Limit` if it takes more memory than the limits allow.
    pub fn read(attributes: &[Metalayer], limits: &Limits) -> Result<Option<Self>> {
        let layer = |name: &str| {
            let layer = attributes.iter().find(|layer| layer.name == name.as_bytes());
            layer.map(|layer| layer.value(limits)).transpose()
        };
        if layer("kind")?.as_ref().and_then(Value::as_str) != Some("ctable") {
            return Ok(None);
        }
        let text = layer("schema")?;
        let Some(text) = text.as_ref().and_then(Value::as_str) else { return Ok(None) };
        let (value, columns) = parse(text, limits)?;
        let (computed, stale) = (ComputedColumn::all(&value, limits)?, computed::stale(&value)?);
        Ok(Some(Self { value, columns, computed, stale }))
    }
}

/// Parses the JSON text of a schema.
fn parse(text: &str, limits: &Limits) -> Result<(Value, Vec<ColumnSpec>)> {
    let schema = json::parse(text, limits)?;
    let columns = schema.get("columns").and_then(Value::as_array).ok_or_else(wrong)?;
    let columns = columns.iter().map(ColumnSpec::of).collect::<Result<_>>()?;
    Ok((schema, columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
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

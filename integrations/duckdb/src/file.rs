//! The store that a path names, and the table in it.

use arrow::datatypes::{DataType, Field, FieldRef};
use b2nd::source::File;
use b2nd::store::{self, Store};
use b2nd::table::Table;
use b2nd::{ErrorKind, ReadError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table that is opened again by each thread.
pub(crate) struct Location {
    path: PathBuf,
    /// The key of the table in the store; empty if the store is the table.
    key: String,
}

/// An error that names the file.
pub(crate) type Failure = Box<dyn std::error::Error>;

impl Location {
    /// The table of `run.b2z`, or `people` of `run.b2z/people`.
    pub(crate) fn new(text: &str) -> Self {
        let whole = Path::new(text);
        let is_store = |path: &&Path| {
            path.extension().is_some_and(|ending| ["b2z", "b2d", "b2e"].iter().any(|known| ending == *known))
        };
        let path = whole.ancestors().find(is_store).unwrap_or(whole);
        let members = whole.strip_prefix(path).unwrap_or(Path::new("")).components();
        let key = members.map(|name| format!("/{}", name.as_os_str().display())).collect();
        Self { path: path.into(), key }
    }

    pub(crate) fn open(&self) -> Result<Store<File>, Failure> {
        self.named(store::open(&self.path))
    }

    pub(crate) fn table<'s>(&self, store: &'s Store<File>) -> Result<Table<'s, File>, Failure> {
        self.named(Table::open(store, &self.key))
    }

    /// The result, with the path in front of its error.
    pub(crate) fn named<T>(&self, result: Result<T, ReadError<io::Error>>) -> Result<T, Failure> {
        result.map_err(|error| format!("{}{}: {error}", self.path.display(), self.key).into())
    }

    /// The fields of the columns that can be read, with types that DuckDB has.
    pub(crate) fn fields(&self, table: &Table<'_, File>) -> Result<Vec<Field>, Failure> {
        let mut fields = Vec::new();
        for spec in table.columns() {
            match table.column(&spec.name).and_then(|column| Ok(column.field()?)) {
                Ok(field) => {
                    let data_type = plain(field.data_type());
                    fields.push(field.with_data_type(data_type));
                }
                Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Unsupported(_)) => {}
                Err(error) => self.named(Err(error))?,
            }
        }
        Ok(fields)
    }
}

/// The type that stands for one that DuckDB has not, or has in it.
fn plain(data_type: &DataType) -> DataType {
    let within = |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(plain(field.data_type())));
    match data_type {
        DataType::Dictionary(_, word) => plain(word),
        DataType::Float16 => DataType::Float32,
        DataType::List(item) => DataType::List(within(item)),
        DataType::FixedSizeList(item, len) => DataType::FixedSizeList(within(item), *len),
        DataType::Struct(members) => DataType::Struct(members.iter().map(within).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_begins_behind_the_store() {
        let found = |text| {
            let Location { path, key } = Location::new(text);
            (path.to_string_lossy().into_owned(), key)
        };
        assert_eq!(found("a/run.b2z"), ("a/run.b2z".into(), String::new()));
        assert_eq!(found("a/run.b2z/people"), ("a/run.b2z".into(), "/people".into()));
        assert_eq!(found("run.b2d/b/c"), ("run.b2d".into(), "/b/c".into()));
        assert_eq!(found("no/store"), ("no/store".into(), String::new()));
    }
}

//! `b2nd ls`: the members of a store.

use crate::args::Args;
use crate::facts::tuple;
use crate::failure::{Failure, failure};
use crate::opened::Opened;
use crate::store;
use crate::words::count;
use b2nd::source::File;
use b2nd::store::{Storage, Store};
use b2nd::table::Table;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A member or a table, with the fields as keys in JSON. One that cannot be opened has its error here.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Row {
    Frame {
        key: String,
        stored: &'static str,
        #[serde(flatten)]
        frame: FrameRow,
    },
    Table {
        key: String,
        kind: &'static str,
        rows: u64,
        columns: usize,
    },
    BadFrame {
        key: String,
        stored: &'static str,
        error: String,
    },
    BadTable {
        key: String,
        kind: &'static str,
        error: String,
    },
}

/// What a member is.
#[derive(Debug, Serialize)]
struct FrameRow {
    kind: &'static str,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    nbytes: u64,
    cbytes: u64,
}

/// Lists the members.
pub(crate) fn run(args: &Args, path: &Path, as_json: bool) -> Result<(), Failure> {
    let store = store::open(path, args)?;
    let tables: Vec<&str> = Table::groups(&store).collect();
    let is_listed = |key: &&str| !tables.iter().any(|table| is_within(key, table));
    let mut rows: Vec<Row> =
        store.keys().filter(is_listed).map(|key| frame(&store, path, args, key)).collect();
    rows.extend(tables.iter().map(|group| table(&store, path, group)));
    rows.sort_by(|one, other| one.key().cmp(other.key()));
    let text = if as_json {
        serde_json::to_string_pretty(&rows).map_err(|error| Failure::Output(error.into()))? + "\n"
    } else {
        rows.iter().map(Row::text).collect()
    };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)
}

/// Whether a member belongs to a table.
fn is_within(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.starts_with("/_"))
}

fn table(store: &Store<File>, path: &Path, group: &str) -> Row {
    let (key, kind) = (if group.is_empty() { "/" } else { group }.to_owned(), "table");
    match Table::open(store, group).map_err(|error| failure(path, error)) {
        Ok(table) => Row::Table { key, kind, rows: table.len(), columns: table.columns().len() },
        Err(error) => Row::BadTable { key, kind, error: error.to_string() },
    }
}

fn frame(store: &Store<File>, path: &Path, args: &Args, key: &str) -> Row {
    let stored = match store.storage(key) {
        Some(Storage::File) => "file",
        Some(Storage::Archive) => "archive",
        Some(Storage::Compressed) => "compressed",
        Some(Storage::Embedded) => "embedded",
        _ => "remote",
    };
    let key = key.to_owned();
    let opened = Opened::member(path, store, &key, args);
    match opened.and_then(|opened| FrameRow::of(&opened)) {
        Ok(frame) => Row::Frame { key, stored, frame },
        Err(error) => Row::BadFrame { key, stored, error: error.to_string() },
    }
}

impl FrameRow {
    fn of(opened: &Opened<'_>) -> Result<Self, Failure> {
        let array = opened.array()?;
        let header = &opened.reader.frame().header;
        Ok(Self {
            kind: header.reference().map_or_else(|| opened.kind(), |reference| reference.name()),
            shape: array.map(|array| array.shape().to_vec()),
            dtype: array.and_then(|array| array.dtype()).map(str::to_owned),
            nbytes: array.map_or(header.nbytes, |array| opened.nbytes(array)),
            cbytes: header.cbytes,
        })
    }
}

impl Row {
    fn key(&self) -> &str {
        let (Self::Frame { key, .. }
        | Self::Table { key, .. }
        | Self::BadFrame { key, .. }
        | Self::BadTable { key, .. }) = self;
        key
    }

    fn text(&self) -> String {
        match self {
            Self::Frame { key, stored, frame } => {
                let FrameRow { kind, shape, dtype, nbytes, .. } = frame;
                let shape = shape.as_deref().map(tuple).unwrap_or_default();
                let (dtype, nbytes) = (dtype.as_deref().unwrap_or_default(), count(*nbytes, "byte"));
                let words = [key.as_str(), kind, &shape, dtype, &nbytes, stored];
                words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("  ") + "\n"
            }
            Self::Table { key, kind, rows, columns } => {
                format!("{key}  {kind}  {}  {}\n", count(*rows, "row"), count(*columns as u64, "column"))
            }
            Self::BadFrame { key, error, .. } | Self::BadTable { key, error, .. } => {
                format!("{key}  {error}\n")
            }
        }
    }
}

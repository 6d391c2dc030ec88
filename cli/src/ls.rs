//! `b2nd ls`: the members of a store.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::facts::tuple;
use crate::opened::Opened;
use crate::origin::Origin;
use crate::store;
use crate::words::count;
use b2nd::store::{Storage, Store};
use b2nd::table::Table;
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};
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
    Remote {
        key: String,
        stored: &'static str,
        url: String,
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

/// A member that is a frame.
#[derive(Debug, Serialize)]
struct FrameRow {
    kind: &'static str,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    nbytes: u64,
    cbytes: u64,
}

/// Lists the members, one after the other: there may be a million.
pub(crate) fn run(args: &Args, path: &Path, as_json: bool) -> Result<(), CommandError> {
    let store = store::open(path, args)?;
    let mut tables: Vec<&str> = Table::groups(&store).collect();
    tables.sort_unstable();
    let mut rest = tables.iter().peekable();
    let mut list = List { out: BufWriter::new(io::stdout().lock()), as_json, is_empty: true };
    for key in store.keys().filter(|key| !is_part(key, &tables)) {
        while let Some(group) = rest.next_if(|group| shown(group) < key) {
            list.add(&table(&store, path, group)).map_err(CommandError::Output)?;
        }
        list.add(&frame(&store, path, args, key)).map_err(CommandError::Output)?;
    }
    rest.try_for_each(|group| list.add(&table(&store, path, group))).map_err(CommandError::Output)?;
    list.finish().map_err(CommandError::Output)
}

/// Prints rows, as lines or as an array of JSON.
struct List {
    out: BufWriter<StdoutLock<'static>>,
    as_json: bool,
    is_empty: bool,
}

impl List {
    fn add(&mut self, row: &Row) -> io::Result<()> {
        if !self.as_json {
            return self.out.write_all(row.text().as_bytes());
        }
        let text = serde_json::to_string_pretty(row)?.replace('\n', "\n  ");
        let before = if self.is_empty { "[" } else { "," };
        self.is_empty = false;
        write!(self.out, "{before}\n  {text}")
    }

    fn finish(mut self) -> io::Result<()> {
        match (self.as_json, self.is_empty) {
            (true, true) => self.out.write_all(b"[]\n")?,
            (true, false) => self.out.write_all(b"\n]\n")?,
            _ => {}
        }
        self.out.flush()
    }
}

/// Whether a member is a part of one of the tables, which are sorted.
pub(crate) fn is_part(key: &str, tables: &[&str]) -> bool {
    key.match_indices("/_").any(|(at, _)| tables.binary_search(&&key[..at]).is_ok())
}

/// The key of a table in a list.
const fn shown(group: &str) -> &str {
    if group.is_empty() { "/" } else { group }
}

fn table(store: &Store<Origin>, path: &Path, group: &str) -> Row {
    let (key, kind) = (shown(group).to_owned(), "table");
    match Table::open(store, group).map_err(|error| read_error(path, error)) {
        Ok(table) => Row::Table { key, kind, rows: table.len(), columns: table.columns().len() },
        Err(error) => Row::BadTable { key, kind, error: error.to_string() },
    }
}

fn frame(store: &Store<Origin>, path: &Path, args: &Args, key: &str) -> Row {
    let stored = match store.storage(key) {
        Some(Storage::File) => "file",
        Some(Storage::Archive) => "archive",
        Some(Storage::Compressed) => "compressed",
        Some(Storage::Embedded) => "embedded",
        _ => "remote",
    };
    let key = key.to_owned();
    if let Some(url) = store.url(&key).map(str::to_owned) {
        return Row::Remote { key, stored, url };
    }
    let opened = Opened::member(path, store, &key, args);
    match opened.and_then(|opened| FrameRow::of(&opened)) {
        Ok(frame) => Row::Frame { key, stored, frame },
        Err(error) => Row::BadFrame { key, stored, error: error.to_string() },
    }
}

impl FrameRow {
    fn of(opened: &Opened<'_>) -> Result<Self, CommandError> {
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
    fn text(&self) -> String {
        match self {
            Self::Frame { key, stored, frame } => {
                let FrameRow { kind, shape, dtype, nbytes, .. } = frame;
                let shape = shape.as_deref().map(tuple).unwrap_or_default();
                let (dtype, nbytes) = (dtype.as_deref().unwrap_or_default(), count(*nbytes, "byte"));
                let words = [key.as_str(), kind, &shape, dtype, &nbytes, stored];
                words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("  ") + "\n"
            }
            Self::Remote { key, stored, url } => format!("{key}  {url}  {stored}\n"),
            Self::Table { key, kind, rows, columns } => {
                format!("{key}  {kind}  {}  {}\n", count(*rows, "row"), count(*columns as u64, "column"))
            }
            Self::BadFrame { key, error, .. } | Self::BadTable { key, error, .. } => {
                format!("{key}  {error}\n")
            }
        }
    }
}

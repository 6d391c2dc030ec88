//! Stores, and the paths of their members: the path of a store, followed by a key.

use crate::args::Args;
use crate::failure::Failure;
use crate::info::metalayers;
use crate::opened::{Opened, dparams, failure};
use crate::source::Source;
use crate::words::count;
use b2nd::DParams;
use b2nd::objects::Objects;
use b2nd::source::{File, Reader, is_sparse_frame};
use b2nd::store::{self, Storage, Store};
use b2nd::table::Table;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Whether the path stands for a store. With an offset it stands for a frame in the file.
pub(crate) fn is_store(path: &Path, args: &Args) -> bool {
    args.offset == 0 && holds_store(path)
}

/// Whether the path is that of an archive or a directory that is a store. The single frame of a store is a frame like others.
fn holds_store(path: &Path) -> bool {
    if path.is_dir() {
        return has_embed(path) || path.extension().is_some_and(|name| name == "b2d");
    }
    let mut start = Vec::new();
    if !path.is_file() {
        return false;
    }
    let opened = fs::File::open(path).and_then(|file| file.take(2).read_to_end(&mut start));
    opened.is_ok() && start == b"PK"
}

/// Whether a directory is a store, whatever its name.
fn has_embed(path: &Path) -> bool {
    path.join("embed.b2e").exists()
}

/// The path of a store and the key of a member, if the path consists of them. Groups of a store may be directories.
pub(crate) fn split(path: &Path) -> Option<(&Path, String)> {
    let is_group = || path.is_dir() && !is_sparse_frame(path) && !has_embed(path);
    if path.exists() && !is_group() {
        return None;
    }
    let store = path.ancestors().skip(1).find(|path| path.is_file() || has_embed(path))?;
    let key = path.strip_prefix(store).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    Some((store, format!("/{key}")))
}

pub(crate) fn open(path: &Path, args: &Args) -> Result<Store<File>, Failure> {
    open_with(path, dparams(args))
}

pub(crate) fn open_with(path: &Path, dparams: DParams) -> Result<Store<File>, Failure> {
    store::open_with(path, dparams).map_err(|error| failure(path, error))
}

/// The paths of all members and tables.
pub(crate) fn members(path: &Path, args: &Args) -> Result<Vec<PathBuf>, Failure> {
    let store = open(path, args)?;
    let tables = Table::groups(&store).filter(|group| !group.is_empty()).chain(store.keys());
    let is_table = store.storage("/_meta").is_some();
    let whole = is_table.then(|| path.to_owned());
    Ok(whole.into_iter().chain(tables.map(|key| path.join(key.trim_start_matches('/')))).collect())
}

/// `b2nd info` of a store.
pub(crate) fn info(path: &Path, args: &Args) -> Result<Json, Failure> {
    let store = open(path, args)?;
    let attributes = store.attributes("").map_err(|error| failure(path, error))?;
    Ok(json!({
        "kind": "store",
        "store": store.kind().name(),
        "members": store.keys().count(),
        "attributes": metalayers(&attributes, &dparams(args).limits),
    }))
}

/// `b2nd ls`: lists the members.
pub(crate) fn ls(args: &Args, path: &Path, as_json: bool) -> Result<(), Failure> {
    let store = open(path, args)?;
    let tables: Vec<&str> = Table::groups(&store).collect();
    let is_listed = |key: &&str| !tables.iter().any(|table| is_within(key, table));
    let mut rows: Vec<Json> =
        store.keys().filter(is_listed).map(|key| row(&store, path, args, key)).collect();
    rows.extend(tables.iter().map(|group| table_row(&store, path, group)));
    rows.sort_by_key(|row| row["key"].as_str().map(str::to_owned));
    let text = if as_json { format!("{:#}\n", Json::from(rows)) } else { rows.iter().map(line).collect() };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)
}

/// Whether a member belongs to a table.
fn is_within(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.starts_with("/_"))
}

/// What `ls` says of a table.
fn table_row(store: &Store<File>, path: &Path, group: &str) -> Json {
    let key = if group.is_empty() { "/" } else { group };
    match Table::open(store, group).map_err(|error| failure(path, error)) {
        Ok(table) => {
            json!({ "key": key, "kind": "table", "rows": table.len(), "columns": table.columns().len() })
        }
        Err(error) => json!({ "key": key, "kind": "table", "error": error.to_string() }),
    }
}

/// What a member is. One that cannot be opened has its error here.
fn row(store: &Store<File>, path: &Path, args: &Args, key: &str) -> Json {
    let stored = match store.storage(key) {
        Some(Storage::File) => "file",
        Some(Storage::Archive) => "archive",
        Some(Storage::Compressed) => "compressed",
        Some(Storage::Embedded) => "embedded",
        _ => "remote",
    };
    let facts = Opened::member(path, store, key, args).and_then(|opened| {
        let array = opened.array()?;
        let frame = opened.reader.frame();
        Ok(json!({
            "kind": frame.header.reference().map_or_else(|| kind(&opened.reader), |reference| reference.name()),
            "shape": array.map(|array| array.shape().as_slice()),
            "dtype": array.and_then(|array| array.dtype()),
            "nbytes": array.map_or(frame.header.nbytes, |array| opened.nbytes(array)),
            "cbytes": frame.header.cbytes,
        }))
    });
    let mut row = json!({ "key": key, "stored": stored });
    match (facts, &mut row) {
        (Ok(Json::Object(facts)), Json::Object(row)) => row.extend(facts),
        (Err(error), row) => row["error"] = error.to_string().into(),
        _ => {}
    }
    row
}

/// What a frame holds.
pub(crate) fn kind(reader: &Reader<Source>) -> &'static str {
    let frame = reader.frame();
    if frame.is_chunk() {
        return "chunk";
    }
    if matches!(reader.layout(), Ok(Some(_))) {
        return "array";
    }
    match Objects::kind_of(reader) {
        Ok(Some(kind)) => kind.name(),
        _ if frame.header.metalayer("b2embed").is_some() => "store",
        _ => "schunk",
    }
}

fn line(row: &Json) -> String {
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    if let Some(error) = row["error"].as_str() {
        return format!("{}  {error}\n", text("key"));
    }
    if let (Some(rows), Some(columns)) = (row["rows"].as_u64(), row["columns"].as_u64()) {
        return format!("{}  table  {}  {}\n", text("key"), count(rows, "row"), count(columns, "column"));
    }
    let lens = row["shape"].as_array().map(|lens| lens.iter().map(Json::to_string).collect::<Vec<_>>());
    let shape = lens.map(|lens| format!("({})", lens.join(", "))).unwrap_or_default();
    let nbytes = count(row["nbytes"].as_u64().unwrap_or(0), "byte");
    let words = [text("key"), text("kind"), shape, text("dtype"), nbytes, text("stored")];
    words.iter().filter(|word| !word.is_empty()).cloned().collect::<Vec<_>>().join("  ") + "\n"
}

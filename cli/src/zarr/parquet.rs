//! References in kerchunk's Parquet: a directory with the metadata, and for each ten thousand chunks of an array a table.
//!
//! Its readers take the shapes that give a chunk its row from `.zarray`, as in Zarr 2. Everything else is in `zarr.json`, in which chunks have the
//! keys of Zarr 2, since that is how these readers take a key apart.

use super::new_folder::NewFolder;
use crate::batches::BatchWriter;
use crate::error::CommandError;
use crate::output::Output;
use crate::values::BatchFormat;
use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use core::mem;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows of a table.
const ROWS: usize = 10_000;

/// Writes the references of a group of arrays, in a directory that must not exist.
pub(super) fn write(references: &Json, output: &Path) -> Result<(), CommandError> {
    let target = NewFolder::create(output).map_err(CommandError::Output)?;
    let empty = Map::new();
    let refs = references["refs"].as_object().unwrap_or(&empty);
    let mut metadata = Map::new();
    for (key, text) in refs.iter().filter(|(key, _)| key.ends_with("zarr.json")) {
        let mut json: Json = serde_json::from_str(text.as_str().unwrap_or_default())
            .map_err(io::Error::from)
            .map_err(CommandError::Output)?;
        if let Some(name) = key.strip_suffix("/zarr.json") {
            json["chunk_key_encoding"] = json!({ "name": "v2", "configuration": { "separator": "." } });
            let (shape, chunks) = (&json["shape"], &json["chunk_grid"]["configuration"]["chunk_shape"]);
            metadata.insert(format!("{name}/.zarray"), json!({ "shape": shape, "chunks": chunks }));
            tables(&target, refs, name, &grid(shape, chunks))?;
        }
        metadata.insert(key.clone(), json);
    }
    let all = json!({ "metadata": metadata, "record_size": ROWS });
    target
        .write(".zmetadata", all.to_string().as_bytes())
        .and_then(|()| target.publish())
        .map_err(CommandError::Output)
}

/// Chunks along each axis.
fn grid(shape: &Json, chunks: &Json) -> Vec<usize> {
    let lens =
        |json: &Json| json.as_array().into_iter().flatten().filter_map(Json::as_u64).collect::<Vec<_>>();
    lens(shape).iter().zip(lens(chunks)).map(|(&len, chunk)| len.div_ceil(chunk.max(1)) as usize).collect()
}

/// Writes the tables of an array, in which a chunk has the row of its number.
fn tables(
    target: &NewFolder,
    refs: &Map<String, Json>,
    name: &str,
    grid: &[usize],
) -> Result<(), CommandError> {
    let mut entries = BTreeMap::new();
    let prefix = format!("{name}/c");
    for (key, entry) in refs {
        let Some(position) = key.strip_prefix(&prefix) else { continue };
        let position = position.split('/').filter_map(|at| at.parse::<usize>().ok());
        let number = position.zip(grid).fold(0_usize, |number, (at, len)| number * len + at);
        entries.insert(number, entry);
    }
    // Chunks without a table are zeros, as those without an entry.
    let chunks: usize = grid.iter().product();
    while let Some((number, _)) = entries.first_key_value() {
        let record = number / ROWS;
        let later = entries.split_off(&((record + 1) * ROWS));
        let mut rows = vec![None; ROWS.min(chunks - record * ROWS)];
        for (number, entry) in mem::replace(&mut entries, later) {
            rows[number % ROWS] = Some(entry);
        }
        let batch = table(&rows).map_err(CommandError::Output)?;
        let file = target.file(&format!("{name}/refs.{record}.parq")).map_err(CommandError::Output)?;
        let output = Output::create(Some(&file)).map_err(CommandError::Output)?;
        let mut writer = BatchWriter::create(output, BatchFormat::Parquet, &batch.schema())?;
        writer.write(&batch)?;
        writer.finish()?;
    }
    Ok(())
}

/// The rows of some chunks: the place, or the content.
fn table(entries: &[Option<&Json>]) -> io::Result<RecordBatch> {
    let part =
        |entry: &Option<&Json>, at: usize| entry.and_then(|entry| entry[at].as_u64()).unwrap_or(0) as i64;
    let paths: StringArray = entries.iter().map(|entry| entry.and_then(|entry| entry[0].as_str())).collect();
    let offsets: Int64Array = entries.iter().map(|entry| Some(part(entry, 1))).collect();
    let sizes: Int64Array = entries.iter().map(|entry| Some(part(entry, 2))).collect();
    let content = |entry: &Option<&Json>| {
        let encoded = entry.and_then(Json::as_str).and_then(|text| text.strip_prefix("base64:"));
        encoded.map(|text| STANDARD.decode(text)).transpose().map_err(io::Error::other)
    };
    let raw: BinaryArray = entries.iter().map(content).collect::<io::Result<Vec<_>>>()?.into_iter().collect();
    let columns: [(&str, ArrayRef); 4] = [
        ("path", Arc::new(paths)),
        ("offset", Arc::new(offsets)),
        ("size", Arc::new(sizes)),
        ("raw", Arc::new(raw)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .map_err(io::Error::other)
}

//! `b2nd create-table`: a table from CSV, JSON lines, Parquet or Arrow.

mod cells;
mod infer;
mod lines;
mod rows;
mod schema;
mod watched;

use crate::args::table::TableOptions;
use crate::args::{Args, Storage};
use crate::error::CommandError;
use crate::files::folder;
use crate::ls::is_part;
use crate::store::{self, destination, has_name};
use crate::target::{edit_store, made, written};
use crate::values::ValueError;
use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::store::StoreKind;
use b2nd::table::Table;
pub(crate) use rows::Rows;
pub(crate) use schema::lists;
use std::path::{Path, PathBuf};

/// Creates the table.
pub(crate) fn run(
    args: &Args,
    from: &Path,
    output: &Path,
    options: &TableOptions,
    storage: &Storage,
) -> Result<(), CommandError> {
    if storage.sparse || storage.chunks.is_some() || storage.blocks.is_some() {
        return Err(ValueError::TableParameters.into());
    }
    let (path, key) = place(output)?;
    let rows = Rows::open(args, from, options.from, folder(&path))?;
    let mut params = TableParams::default();
    storage.apply_to(&mut params.cparams);
    params.auto = storage.auto(false);
    let columns = options.compressed(rows.columns(options.schema.as_deref())?, &params.cparams)?;
    let mut store = open_store(args, &path, &key)?;
    params.rows = rows.count();
    let mut writer =
        TableWriter::create(&mut store, &key, &columns, &params).map_err(|error| made(output, error))?;
    for layer in &storage.attr {
        writer.set_attr_bytes(&layer.name, &layer.content);
    }
    rows.copy(&columns, args, &mut |cells| writer.append(cells).map_err(|error| written(output, error)))?;
    writer.finish().map_err(|error| written(output, error))?;
    store.commit().map_err(|error| written(output, error))
}

/// The store and the key of the table; an empty key is the whole store.
fn place(output: &Path) -> Result<(PathBuf, String), ValueError> {
    let whole = || has_name(output).then(|| (output.to_path_buf(), String::new()));
    destination(output).or_else(whole).ok_or(ValueError::TableOutput)
}

/// Opens the store, without the table that the new one replaces.
fn open_store(args: &Args, path: &Path, key: &str) -> Result<StoreEditor, CommandError> {
    if key.is_empty() {
        if path.exists() {
            let old = store::open(path, args)?;
            // A store with other members stays.
            if !Table::groups(&old).any(str::is_empty) || !old.keys().all(|key| is_part(key, &[""])) {
                return Err(ValueError::Store.into());
            }
        }
        return StoreEditor::create(path, StoreKind::Tree).map_err(|error| written(path, error));
    }
    let is_replaced = path.exists() && {
        let old = store::open(path, args)?;
        Table::groups(&old).any(|group| group == key)
    };
    let mut store = edit_store(args, path)?;
    if is_replaced {
        store.remove(key).map_err(|error| written(path, error))?;
    }
    Ok(store)
}

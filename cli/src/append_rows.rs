//! `b2nd append-rows`: rows of CSV, JSON lines, Parquet or Arrow, appended to a table.

use crate::args::Args;
use crate::args::table::RowFormat;
use crate::create_table::Rows;
use crate::error::CommandError;
use crate::files::folder;
use crate::store;
use crate::target::{edit_store, written};
use b2nd::sink::TableEditor;
use std::path::Path;

/// Appends the rows.
pub(crate) fn run(
    args: &Args,
    path: &Path,
    from: &Path,
    format: Option<RowFormat>,
) -> Result<(), CommandError> {
    let (root, key) = store::table_at(path)?;
    let rows = Rows::open(args, from, format, folder(root))?;
    let mut store = edit_store(args, root)?;
    let mut table = TableEditor::open(&mut store, &key).map_err(|error| written(path, error))?;
    let columns = table.columns().to_vec();
    rows.must_have_only(&columns)?;
    rows.copy(&columns, args, &mut |cells| table.append(cells).map_err(|error| written(path, error)))?;
    table.finish().map_err(|error| written(path, error))?;
    store.commit().map_err(|error| written(path, error))
}

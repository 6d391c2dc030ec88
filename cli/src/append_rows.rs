//! `b2nd append-rows`: rows of CSV, JSON lines, Parquet or Arrow, appended to a table.

use crate::args::Args;
use crate::args::table::RowFormat;
use crate::create_table::Rows;
use crate::error::CommandError;
use crate::files::folder;
use crate::store;
use crate::target::{edit_store, written};
use b2nd::sink::TableEditor;
use b2nd::table::ColumnSpec;
use std::path::Path;

/// Appends the rows. Cells of generated columns are computed if there are none.
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
    let is_given =
        |spec: &&ColumnSpec| table.generated().all(|name| name != spec.name) || rows.has(&spec.name);
    let columns: Vec<ColumnSpec> = table.columns().iter().filter(is_given).cloned().collect();
    rows.must_have_only(&columns)?;
    rows.copy(&columns, args, &mut |cells| table.append(cells).map_err(|error| written(path, error)))?;
    table.finish().map_err(|error| written(path, error))?;
    store.commit().map_err(|error| written(path, error))
}

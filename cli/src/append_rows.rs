//! `b2nd append-rows`: rows of CSV or JSON lines, appended to a table.

use crate::args::Args;
use crate::args::table::LineFormat;
use crate::create_table::cells::Batch;
use crate::create_table::{copy, open};
use crate::failure::Failure;
use crate::store;
use crate::target::{edit_store, written};
use crate::values::ValueError;
use b2nd::sink::TableEditor;
use std::path::Path;

/// Appends the rows.
pub(crate) fn run(args: &Args, path: &Path, from: &Path, format: Option<LineFormat>) -> Result<(), Failure> {
    let (root, key) = match store::split(path) {
        Some((root, key)) => (root, key),
        None if path.exists() => (path, String::new()),
        None => return Err(ValueError::TableOutput.into()),
    };
    let mut lines = open(from, format)?;
    let mut store = edit_store(args, root)?;
    let mut table = TableEditor::open(&mut store, &key).map_err(|error| written(path, error))?;
    let columns = table.columns().to_vec();
    let batch = Batch::new(&columns, &args.limits()).map_err(|error| Failure::Blosc(path.into(), error))?;
    copy(batch, (&mut lines, from), Vec::new(), &mut |cells| {
        table.append(cells).map_err(|error| written(path, error))
    })?;
    table.finish().map_err(|error| written(path, error))?;
    store.commit().map_err(|error| written(path, error))
}

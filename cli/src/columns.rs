//! `b2nd add-columns`, `b2nd drop-columns`, `b2nd rename-column` and `b2nd refresh-columns`.

use crate::args::Args;
use crate::args::table::TableOptions;
use crate::create_table::Rows;
use crate::error::CommandError;
use crate::files::folder;
use crate::store;
use crate::target::{edit_store, written};
use crate::values::ValueError;
use b2nd::ReadError;
use b2nd::expression::Expression;
use b2nd::sink::{TableEditor, TableParams};
use b2nd::table::{ColumnSpec, ComputedColumn};
use std::io;
use std::path::Path;

/// Adds the columns of a file, which has a row for each of the table, and those that are computed from others.
pub(crate) fn add(
    args: &Args,
    path: &Path,
    (from, computed, generated): (Option<&Path>, &[String], &[String]),
    options: &TableOptions,
) -> Result<(), CommandError> {
    let (root, key) = store::table_at(path)?;
    let failed = |error| written(path, error);
    let rows = from.map(|from| Rows::open(args, from, options.from, folder(root))).transpose()?;
    let mut store = edit_store(args, root)?;
    let mut table = TableEditor::open(&mut store, &key).map_err(failed)?;
    if let Some(rows) = rows {
        let columns = rows.columns(options.schema.as_deref())?;
        let columns = options.compressed(columns, &TableParams::default().cparams)?;
        let mut new = table.add_columns(&columns).map_err(failed)?;
        rows.copy(&columns, args, &mut |cells| new.append(cells).map_err(failed))?;
        new.finish().map_err(failed)?;
    }
    for text in computed {
        let column = column(text, table.columns())?;
        table.add_computed(&column).map_err(failed)?;
    }
    for text in generated {
        let column = column(text, table.columns())?;
        table.add_generated(&column).map_err(failed)?;
    }
    table.finish().map_err(failed)?;
    store.commit().map_err(failed)
}

/// The column of an equation of columns, such as `sum = x + 2*y`.
fn column(text: &str, columns: &[ColumnSpec]) -> Result<ComputedColumn, ValueError> {
    let (name, expression) = text.split_once('=').ok_or(ValueError::NoEquation)?;
    let expression = Expression::parse(expression).map_err(ValueError::Expression)?;
    ComputedColumn::new(name.trim(), &expression, columns).map_err(ValueError::Expression)
}

/// Computes generated columns of the table at the path again: those of these names, or all. Each is committed, since others may be computed
/// from it.
pub(crate) fn refresh(args: &Args, path: &Path, names: &[String]) -> Result<(), CommandError> {
    let (root, key) = store::table_at(path)?;
    let failed = |error| written(path, error);
    let mut store = edit_store(args, root)?;
    let generated: Vec<String> = {
        let table = TableEditor::open(&mut store, &key).map_err(failed)?;
        table.generated().map(String::from).collect()
    };
    if let Some(name) = names.iter().find(|name| !generated.contains(name)) {
        return Err(ValueError::NoGenerated(name.clone()).into());
    }
    for name in generated.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let mut table = TableEditor::open(&mut store, &key).map_err(failed)?;
        table.refresh_generated(name).map_err(failed)?;
        table.finish().map_err(failed)?;
        store.commit().map_err(failed)?;
    }
    Ok(())
}

/// Drops columns of the table at the path.
pub(crate) fn drop(args: &Args, path: &Path, names: &[String]) -> Result<(), CommandError> {
    change(args, path, names, |table| names.iter().try_for_each(|name| table.drop_column(name)))
}

/// Gives a column another name.
pub(crate) fn rename(args: &Args, path: &Path, from: &String, to: &str) -> Result<(), CommandError> {
    change(args, path, core::slice::from_ref(from), |table| table.rename_column(from, to))
}

/// Changes a table that has columns of these names.
fn change(
    args: &Args,
    path: &Path,
    names: &[String],
    change: impl FnOnce(&mut TableEditor<'_>) -> Result<(), ReadError<io::Error>>,
) -> Result<(), CommandError> {
    let (root, key) = store::table_at(path)?;
    let failed = |error| written(path, error);
    let mut store = edit_store(args, root)?;
    let mut table = TableEditor::open(&mut store, &key).map_err(failed)?;
    let is_missing = |name: &&String| {
        table.columns().iter().all(|spec| spec.name != **name)
            && table.computed().all(|other| other != **name)
    };
    if let Some(name) = names.iter().find(is_missing) {
        return Err(ValueError::NoColumn(name.clone()).into());
    }
    change(&mut table).map_err(failed)?;
    table.finish().map_err(failed)?;
    store.commit().map_err(failed)
}

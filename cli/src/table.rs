//! Tables: rows as text, CSV, JSON, Parquet and Arrow, and single columns as items.

#[cfg(feature = "arrow")]
mod batches;
#[cfg(not(feature = "arrow"))]
#[path = "table/none.rs"]
mod batches;
mod chosen;
mod sorted;

use crate::args::Args;
use crate::args::table::RowChoice;
use crate::error::{CommandError, read_error};
use crate::facts::{ColumnFacts, ColumnValues, IndexFacts, TableFacts};
use crate::get::Options;
use crate::json::{self, metalayers};
use crate::origin::Origin;
use crate::output::Output;
use crate::rows::{AT_ONCE, CONDITION_AT_ONCE, Rows};
use crate::store;
use crate::values::{Format, ValueError, writer};
use crate::words::count;
use b2nd::export::{ExportError, RowExporter};
use b2nd::objects::{Serializer, unpack_frames};
use b2nd::store::{Member, Store};
use b2nd::table::{Cells, Column, Data, Table};
use b2nd::{DParams, ErrorKind, Limits, ReadAt, Unsupported};
use chosen::Chosen;
use core::ops::Range;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::path::Path;

/// A table of a store.
pub(crate) enum Found {
    /// A group of a store.
    Group(Store<Origin>, String),
    /// A frame of a store that is a store itself.
    Embedded(Store<Member<Origin>>),
}

/// The table that the path stands for, if it is one: a store, one of its groups, or a frame in it.
pub(crate) fn find(path: &Path, args: &Args) -> Result<Option<Found>, CommandError> {
    if let Some((store, key)) = store::split(path) {
        let store = store::open(store, args)?;
        let key = key.trim_end_matches('/');
        if is_table(&store, key) {
            return Ok(Some(Found::Group(store, key.to_owned())));
        }
        return Ok(within(path, &store, key, args.dparams())?.map(Found::Embedded));
    }
    Ok(whole(path, args, args.dparams())?.and_then(|store| of(store).ok()))
}

/// The table that a whole store is, or else the store.
pub(crate) fn of(store: Store<Origin>) -> Result<Found, Store<Origin>> {
    if is_table(&store, "") { Ok(Found::Group(store, String::new())) } else { Err(store) }
}

/// The store at the path, which may be a frame of frames.
fn whole(path: &Path, args: &Args, dparams: DParams) -> Result<Option<Store<Origin>>, CommandError> {
    let may_be_one = store::is_store(path, args) || store::may_be_frame(path, args);
    may_be_one.then(|| store::open_with(path, dparams)).transpose()
}

/// Whether a group of a store is a table.
pub(crate) fn is_table<S: ReadAt>(store: &Store<S>, group: &str) -> bool {
    store.storage(&format!("{group}/_meta")).is_some()
}

/// The store that a member is, if it is a table.
fn within(
    path: &Path,
    store: &Store<Origin>,
    key: &str,
    dparams: DParams,
) -> Result<Option<Store<Member<Origin>>>, CommandError> {
    let Some(member) = store.storage(key).and_then(|_| store.get(key).ok()) else { return Ok(None) };
    let header = &member.frame().header;
    if header.metalayer("b2embed").is_none() {
        return Ok(None);
    }
    let len = header.frame_len;
    let store = Store::open(member.into_source(), len, dparams).map_err(|error| read_error(path, error))?;
    Ok(is_table(&store, "").then_some(store))
}

/// `b2nd get` of a table.
pub(crate) fn get(
    path: &Path,
    found: &Found,
    options: &Options<'_>,
    limits: &Limits,
) -> Result<(), CommandError> {
    match found {
        Found::Group(store, group) => get_from(path, store, group, options, limits),
        Found::Embedded(store) => get_from(path, store, "", options, limits),
    }
}

/// `b2nd info` of a table.
pub(crate) fn facts(path: &Path, found: &Found, limits: &Limits) -> Result<TableFacts, CommandError> {
    match found {
        Found::Group(store, group) => facts_of(path, store, group, limits),
        Found::Embedded(store) => facts_of(path, store, "", limits),
    }
}

/// How tables are verified: values of stale columns are old, but not wrong.
pub(crate) fn verifying(args: &Args) -> DParams {
    DParams { as_stored: true, ..args.dparams() }
}

/// Decodes all cells of the table that the whole store at the path is, if it is one.
pub(crate) fn verify(path: &Path, args: &Args) -> Result<Option<String>, CommandError> {
    let store = whole(path, args, verifying(args))?.filter(|store| is_table(store, ""));
    store.map(|store| verify_in(path, &store, "")).transpose()
}

/// Decodes all cells of the table in the store that a member is.
pub(crate) fn verify_within(
    path: &Path,
    store: &Store<Origin>,
    key: &str,
    args: &Args,
) -> Result<Option<String>, CommandError> {
    within(path, store, key, verifying(args))?.map(|store| verify_in(path, &store, "")).transpose()
}

fn get_from<S: ReadAt<Error = io::Error>>(
    path: &Path,
    store: &Store<S>,
    group: &str,
    options: &Options<'_>,
    limits: &Limits,
) -> Result<(), CommandError> {
    let table = Table::open(store, group).map_err(|error| read_error(path, error))?;
    let rows = Rows::of(options.selection.unwrap_or(""), table.len());
    let rows = rows.map_err(|error| CommandError::Blosc(path.into(), error))?;
    let mut chosen = Chosen::new(path, &table, options.choice)?;
    if options.choice.count {
        let mut out = Output::create(options.output).map_err(CommandError::Output)?;
        writeln!(out, "{}", chosen.count(rows)?).map_err(CommandError::Output)?;
        return out.commit().map_err(CommandError::Output);
    }
    let sorted = sorted::rows(path, &table, &rows, options.choice, limits)?;
    let is_shown = options.choice.is_plain() || sorted.is_some();
    let rows = match sorted {
        Some(sorted) => {
            chosen = Chosen::new(path, &table, &RowChoice::default())?;
            sorted
        }
        None => rows,
    };
    let (columns, left_out) = match options.columns {
        [] => readable(path, &table)?,
        names => (columns(path, &table, names)?, Vec::new()),
    };
    if matches!(options.format, Format::Npy | Format::Raw) {
        let choice = if is_shown { &RowChoice::default() } else { options.choice };
        let count = Chosen::new(path, &table, choice)?.count(rows.clone())?;
        return items(path, &columns, (rows, chosen, count), options);
    }
    if options.dtype.is_some() {
        return Err(ValueError::Export(ExportError::Rows).into());
    }
    if let Some(format) = options.format.batches() {
        return batches::get(path, &columns, (rows, chosen), (format, options.output));
    }
    let specs = columns.iter().map(Column::spec);
    let mut lines = RowExporter::new(options.format.try_into()?, options.style.clone(), specs, rows.single)
        .map_err(ValueError::Export)?;
    let mut left = limits.expansion;
    let (mut out, mut text) = (Output::create(options.output).map_err(CommandError::Output)?, Vec::new());
    let parts = if is_shown { rows.shown(options.format) } else { vec![rows] };
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            lines.gap();
        }
        for (window, picked) in chosen.windows(part, AT_ONCE) {
            let picked = chosen.pick(&window, picked)?;
            if picked.is_empty() && chosen.is_done() {
                break;
            }
            let Some((mut cells, picked)) = picked_cells(path, &columns, &window, &picked)? else { continue };
            for cells in &mut cells {
                let Data::Objects(objects) = &mut cells.data else { continue };
                objects.iter_mut().for_each(|object| unpack_frames(object, &mut left, limits));
            }
            for at in picked {
                lines.write(&cells, at, &mut text);
                out.write_all(&text).map_err(CommandError::Output)?;
                text.clear();
            }
        }
    }
    lines.finish(&mut text);
    out.write_all(&text).map_err(CommandError::Output)?;
    out.commit().map_err(CommandError::Output)?;
    if left_out.is_empty() { Ok(()) } else { Err(CommandError::LeftOut(path.into(), left_out)) }
}

/// All columns that this build can read, and the names of the others.
fn readable<'t, S: ReadAt<Error = io::Error>>(
    path: &Path,
    table: &'t Table<'_, S>,
) -> Result<(Vec<Column<'t, S>>, Vec<String>), CommandError> {
    let (mut readable, mut left_out) = (Vec::new(), Vec::new());
    let is_unknown =
        |column: &Column<'_, S>| column.serializer() == Some(Serializer::Arrow) && !cfg!(feature = "arrow");
    for spec in table.all_columns() {
        match column(path, table, &spec.name) {
            Err(CommandError::ValueError(ValueError::Computed(name, _))) => left_out.push(name),
            Ok(column) if is_unknown(&column) => left_out.push(spec.name.clone()),
            column => readable.push(column?),
        }
    }
    Ok((readable, left_out))
}

/// The items of a single column, as they are stored: also those that stand for null.
fn items<S: ReadAt<Error = io::Error>>(
    path: &Path,
    columns: &[Column<'_, S>],
    (rows, mut chosen, count): (Rows, Chosen<'_, S>, u64),
    options: &Options<'_>,
) -> Result<(), CommandError> {
    let dtype = match columns {
        [column] => column.dtype().filter(|_| options.dtype.is_none()),
        _ => None,
    };
    let dtype = dtype.ok_or(ValueError::Export(ExportError::Rows))?;
    let shape = (!rows.single || count == 0).then_some(count);
    let mut out = Output::create(options.output).map_err(CommandError::Output)?;
    let mut items = writer((options.format, &options.style), &dtype, shape.as_slice(), &mut out)?;
    for (window, picked) in chosen.windows(rows, AT_ONCE) {
        let picked = chosen.pick(&window, picked)?;
        let Some((cells, picked)) = picked_cells(path, columns, &window, &picked)? else { continue };
        for cells in cells {
            let Data::Items { dtype, items: bytes } = cells.data else { continue };
            let size = dtype.itemsize();
            for at in &picked {
                items.write(&bytes[at * size..][..size]).map_err(CommandError::Output)?;
            }
        }
    }
    items.finish().map_err(CommandError::Output)?;
    drop(items);
    out.commit().map_err(CommandError::Output)
}

/// Cells of columns, and the places of the picked rows among them.
type PickedCells = (Vec<Cells>, Vec<usize>);

/// The picked rows of columns; `None` if there are none. Rows that lie far apart are read alone.
fn picked_cells<S: ReadAt<Error = io::Error>>(
    path: &Path,
    columns: &[Column<'_, S>],
    window: &Range<u64>,
    picked: &[usize],
) -> Result<Option<PickedCells>, CommandError> {
    let Some((rows, places)) = narrowed(window, picked) else { return Ok(None) };
    if rows.end - rows.start <= CONDITION_AT_ONCE {
        return Ok(Some((cells(path, columns, &rows)?, places)));
    }
    let rows: Vec<u64> = picked.iter().map(|at| window.start + *at as u64).collect();
    let taken = columns.iter().map(|column| column.take(&rows)).collect::<Result<Vec<_>, _>>();
    Ok(Some((taken.map_err(|error| read_error(path, error))?, (0..rows.len()).collect())))
}

/// The rows of a window from the first to the last that is picked, and those that are, counted from the first.
fn narrowed(window: &Range<u64>, picked: &[usize]) -> Option<(Range<u64>, Vec<usize>)> {
    let (first, last) = (*picked.iter().min()?, *picked.iter().max()?);
    let rows = window.start + first as u64..window.start + last as u64 + 1;
    Some((rows, picked.iter().map(|at| at - first).collect()))
}

fn columns<'t, S: ReadAt<Error = io::Error>>(
    path: &Path,
    table: &'t Table<'_, S>,
    names: &[String],
) -> Result<Vec<Column<'t, S>>, CommandError> {
    names.iter().map(|name| column(path, table, name)).collect()
}

fn column<'t, S: ReadAt<Error = io::Error>>(
    path: &Path,
    table: &'t Table<'_, S>,
    name: &str,
) -> Result<Column<'t, S>, CommandError> {
    if table.all_columns().iter().all(|spec| spec.name != name) {
        return Err(ValueError::NoColumn(name.into()).into());
    }
    table.column(name).map_err(|error| {
        let error = read_error(path, error);
        let CommandError::Blosc(_, cause) = &error else { return error };
        match cause.kind() {
            ErrorKind::Unsupported(Unsupported::StaleColumn) => CommandError::Stale(path.into(), name.into()),
            ErrorKind::Unsupported(Unsupported::ComputedColumn) => {
                let column = table.computed().iter().find(|column| column.name == name);
                let expression = column.map_or("", |column| &column.expression);
                ValueError::Computed(name.into(), expression.into()).into()
            }
            _ => error,
        }
    })
}

fn cells<S: ReadAt<Error = io::Error>>(
    path: &Path,
    columns: &[Column<'_, S>],
    rows: &Range<u64>,
) -> Result<Vec<Cells>, CommandError> {
    let of = |error| read_error(path, error);
    columns.iter().map(|column| column.cells(rows.clone()).map_err(of)).collect()
}

fn facts_of<S: ReadAt<Error = io::Error>>(
    path: &Path,
    store: &Store<S>,
    group: &str,
    limits: &Limits,
) -> Result<TableFacts, CommandError> {
    let of = |error| read_error(path, error);
    let table = Table::open(store, group).map_err(of)?;
    let indexes = table.indexes().map_err(of)?;
    let index_of = |name: &str| {
        let (_, kind, stale) = indexes.iter().find(|(column, ..)| column == name)?;
        Some(IndexFacts { kind: kind.clone(), stale: *stale })
    };
    let stored = table.columns().iter().map(|spec| {
        let mut details = match json::json(&spec.entry, limits) {
            Json::Object(entry) => entry,
            _ => Map::new(),
        };
        let nullable = details.remove("nullable") == Some(Json::Bool(true));
        details.retain(|key, _| key != "name" && key != "kind");
        let values = ColumnValues::Stored { nullable, stale: table.is_stale(&spec.name) };
        let (name, kind, index) = (spec.name.clone(), spec.kind.clone(), index_of(&spec.name));
        ColumnFacts { name, kind, values, details, index }
    });
    let computed = table.computed().iter().map(|column| {
        let (computed, inputs) = (column.expression.clone(), column.inputs.clone());
        let values = ColumnValues::Computed { computed, inputs };
        let (name, kind) = (column.name.clone(), column.dtype.clone());
        ColumnFacts { name, kind, values, details: Map::new(), index: None }
    });
    let columns = stored.chain(computed).collect();
    let attributes = metalayers(&table.attributes().map_err(of)?, limits);
    Ok(TableFacts { kind: "table", rows: table.len(), columns, attributes })
}

/// Decodes all cells of the table in a group.
pub(crate) fn verify_in<S: ReadAt<Error = io::Error>>(
    path: &Path,
    store: &Store<S>,
    group: &str,
) -> Result<String, CommandError> {
    let table = Table::open(store, group).map_err(|error| read_error(path, error))?;
    let stored: Vec<String> = table.columns().iter().map(|spec| spec.name.clone()).collect();
    let columns = columns(path, &table, &stored)?;
    for column in &columns {
        column.verify().map_err(|error| read_error(path, error))?;
    }
    Ok(format!("good, {}, {}", count(table.len(), "row"), count(columns.len() as u64, "column")))
}

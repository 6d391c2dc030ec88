//! `b2nd create-table`: a table from CSV or JSON lines.

pub(crate) mod cells;
mod infer;
pub(crate) mod lines;
mod schema;
mod watched;

use crate::args::table::{LineFormat, TableOptions};
use crate::args::{Args, Storage};
use crate::failure::Failure;
use crate::input::{InputError, InvalidInput, stream};
use crate::ls::is_part;
use crate::progress::Progress;
use crate::store::{self, destination, has_name};
use crate::target::{edit_store, made, written};
use crate::values::ValueError;
use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::store::StoreKind;
use b2nd::table::{Cells, Table};
use cells::Batch;
use lines::Lines;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Creates the table.
pub(crate) fn run(
    args: &Args,
    from: &Path,
    output: &Path,
    options: &TableOptions,
    storage: &Storage,
) -> Result<(), Failure> {
    if storage.sparse || storage.chunks.is_some() || storage.blocks.is_some() || storage.auto(false).is_some()
    {
        return Err(ValueError::TableParameters.into());
    }
    let at_input = |error: InputError| error.at(from);
    let mut lines = open(from, options.from)?;
    let sample = lines.sample().map_err(at_input)?;
    let columns = match &options.schema {
        Some(text) => schema::parse(text).map_err(|what| Failure::from(ValueError::Schema(what)))?,
        None => {
            let names = lines.names(&sample);
            check(&names).map_err(|wrong| at_input(wrong.into()))?;
            infer::columns(&names, &sample).map_err(Failure::Parameters)?
        }
    };
    let (path, key) = place(output)?;
    let mut store = open_store(args, &path, &key)?;
    let mut params = TableParams::default();
    storage.apply_to(&mut params.cparams);
    params.rows = lines.has_ended().then_some(sample.len() as u64);
    let mut writer =
        TableWriter::create(&mut store, &key, &columns, &params).map_err(|error| made(output, error))?;
    for layer in &storage.attr {
        writer.set_attr_bytes(&layer.name, &layer.content);
    }
    let batch = Batch::new(&columns, &args.limits()).map_err(Failure::Parameters)?;
    copy(batch, (&mut lines, from), sample, &mut |cells| {
        writer.append(cells).map_err(|error| written(output, error))
    })?;
    writer.finish().map_err(|error| written(output, error))?;
    store.commit().map_err(|error| written(output, error))
}

/// Fails unless there are names, and each once.
fn check(names: &[String]) -> Result<(), InvalidInput> {
    let mut known = BTreeSet::new();
    match names.iter().all(|name| known.insert(name)) {
        _ if names.is_empty() => Err(InvalidInput::Line { line: 1, what: "no columns" }),
        false => Err(InvalidInput::Line { line: 1, what: "several columns with the same name" }),
        true => Ok(()),
    }
}

/// Opens lines of values.
pub(crate) fn open(from: &Path, format: Option<LineFormat>) -> Result<Lines, Failure> {
    let format = format.or_else(|| LineFormat::of(from)).ok_or(ValueError::LineFormat)?;
    let input = stream(from).map_err(|error| Failure::Input(from.into(), error))?;
    Lines::open(input, format).map_err(|error| error.at(from))
}

/// Passes on all lines in batches, those of the sample first.
pub(crate) fn copy(
    mut batch: Batch<'_>,
    (lines, from): (&mut Lines, &Path),
    sample: Vec<lines::Line>,
    append: &mut dyn FnMut(&[Cells]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let at_input = |error: InputError| error.at(from);
    let total = fs::metadata(from).map_or(0, |metadata| metadata.len());
    let (mut progress, mut done) = (Progress::new("reading", total), 0);
    let names = batch.names(lines).map_err(at_input)?;
    let mut sample = sample.into_iter();
    while let Some(line) =
        sample.next().map_or_else(|| lines.next(), |line| Ok(Some(line))).map_err(at_input)?
    {
        batch.push(&line, &names).map_err(at_input)?;
        if batch.is_full() {
            append(&batch.take())?;
            progress.advance(lines.bytes() - done);
            done = lines.bytes();
        }
    }
    append(&batch.take())
}

/// The store and the key of the table; an empty key is the whole store.
fn place(output: &Path) -> Result<(PathBuf, String), ValueError> {
    let whole = || has_name(output).then(|| (output.to_path_buf(), String::new()));
    destination(output).or_else(whole).ok_or(ValueError::TableOutput)
}

/// Opens the store, without the table that the new one replaces.
fn open_store(args: &Args, path: &Path, key: &str) -> Result<StoreEditor, Failure> {
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

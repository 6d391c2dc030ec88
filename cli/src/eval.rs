//! `b2nd eval`: the values of an expression, in bounded memory.

use crate::args::{Args, Operands, Storage};
use crate::create::usual_params;
use crate::error::{CommandError, read_error};
use crate::opened::Opened;
use crate::output::Output;
use crate::progress::Progress;
use crate::source::Source;
use crate::target::{self, made, written};
use crate::values::{Format, ValueError, writer};
use b2nd::array::ArrayParams;
use b2nd::export::Style;
use b2nd::expression::Expression;
use b2nd::sink::Editor;
use b2nd::{Array, LazyArray, Selection};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Bytes of values that are written at once: allocators keep so much memory for the next ones, and hand larger pieces back to the system.
const AT_ONCE: u64 = 8 << 20;
const AT_ONCE_TEXT: u64 = 64 << 10;
/// The largest row of blocks that is written at once.
const MAX_ROW_BYTES: u64 = 256 << 20;

/// The part of the result to write, and its destination.
pub(crate) struct Target<'a> {
    pub(crate) selection: Option<&'a str>,
    pub(crate) output: Option<&'a Path>,
    pub(crate) format: Option<Format>,
}

impl Target<'_> {
    /// The file of a new array, if values are not written in another format.
    fn array(&self) -> Option<&Path> {
        let has_format = |path: &&Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            Format::from_str(extension.unwrap_or_default(), true).is_ok()
        };
        self.output.filter(|path| self.format.is_none() && !has_format(path))
    }
}

/// Evaluates the expression.
pub(crate) fn run(
    args: &Args,
    (text, operands): (&str, &Operands),
    target: &Target<'_>,
    style: &Style,
    storage: &Storage,
) -> Result<(), CommandError> {
    target::set_threads(storage.threads);
    let (text, operands) = match operands.0.is_empty() && Path::new(text).exists() {
        true => stored(args, Path::new(text))?,
        false => (text.to_owned(), operands.0.clone()),
    };
    let expression = Expression::parse(&text).map_err(ValueError::Expression)?;
    let array = |name: &String| {
        let path = operands.iter().find(|(known, _)| known == name).map(|(_, path)| path);
        let path = path.ok_or_else(|| ValueError::NoOperand(name.clone()))?;
        Opened::new(path, args)?.reader.into_array().map_err(|error| read_error(path, error))
    };
    let arrays = expression.names().iter().map(array).collect::<Result<Vec<_>, CommandError>>()?;
    let lazy = LazyArray::new(&expression, arrays).map_err(ValueError::Expression)?;
    // Errors do not tell which of several operands they are of.
    let path = if let [(_, path)] = &operands[..] { path } else { Path::new("the operands") };
    let selection: Selection = target.selection.unwrap_or("").parse().map_err(CommandError::Parameters)?;
    match target.array() {
        Some(output) => array_of(args, (&lazy, path), &selection, output, storage),
        None => values_of((&lazy, path), &selection, target, style),
    }
}

/// The text and the operands of the lazy array in a file. Relative paths begin at its folder.
fn stored(args: &Args, path: &Path) -> Result<(String, Vec<(String, PathBuf)>), CommandError> {
    let opened = Opened::new(path, args)?;
    let stored = opened.of(opened.reader.stored_expression())?.ok_or(ValueError::NoExpression)?;
    // With a dot in front, no path is a URL that the file could name.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let operands = stored.operands.into_iter().map(|(name, operand)| {
        let path = folder.join(operand.path);
        // A pipe that the file names would be waited for, and a device read without end.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "neither a file nor a directory");
            return Err(CommandError::Input(path, error));
        }
        let key = operand.key.unwrap_or_default();
        Ok((name, if key.is_empty() { path } else { path.join(key.trim_start_matches('/')) }))
    });
    Ok((stored.text, operands.collect::<Result<_, _>>()?))
}

/// Writes an array of the values, chunk by chunk.
fn array_of(
    args: &Args,
    (lazy, path): (&LazyArray<Source>, &Path),
    selection: &Selection,
    output: &Path,
    storage: &Storage,
) -> Result<(), CommandError> {
    let shape = selection.shape(lazy.shape()).map_err(CommandError::Parameters)?;
    let target = target::Target::new(args, output, storage)?;
    let mut params = usual_params(&shape, lazy.dtype());
    if let Some(model) = lazy.model().filter(|_| shape == lazy.shape()) {
        params = like(params, model);
    }
    storage.apply(&mut params);
    params.auto = storage.auto(false);
    let mut editor =
        Editor::create_array(target.create(params.sparse)?, &params).map_err(|error| made(output, error))?;
    let nbytes = shape.iter().fold(lazy.dtype().itemsize() as u64, |nbytes, len| nbytes.saturating_mul(*len));
    let mut progress = Progress::new("computing", nbytes);
    let chunks = editor.layout().map(|layout| layout.chunks()).into_iter().flatten();
    for chunk in chunks {
        let within = selection.part(lazy.shape(), &chunk.items).map_err(CommandError::Parameters)?;
        let items = lazy.get(&within).map_err(|error| read_error(path, error))?;
        editor.set(chunk.selection(), &items).map_err(|error| written(output, error))?;
        progress.advance(items.len() as u64);
    }
    target.complete(args, storage, editor, params.auto)
}

/// Parameters with the chunks and blocks of an array of the same shape.
fn like(params: ArrayParams, model: &Array<Source>) -> ArrayParams {
    let layout = model.layout();
    match layout.blockshape() {
        Some(blocks) => params.with_chunks(layout.chunkshape()).with_blocks(blocks),
        None => params,
    }
}

/// Writes the values in another format.
fn values_of(
    (lazy, path): (&LazyArray<Source>, &Path),
    selection: &Selection,
    target: &Target<'_>,
    style: &Style,
) -> Result<(), CommandError> {
    let shape = selection.shape(lazy.shape()).map_err(CommandError::Parameters)?;
    let format = target.format.unwrap_or_else(|| Format::of(target.output));
    let mut out = Output::create(target.output).map_err(CommandError::Output)?;
    let mut values = writer((format, style), lazy.dtype(), &shape, &mut out)?;
    let whole: Vec<_> = shape.iter().map(|len| 0..*len).collect();
    let row = shape.iter().skip(1).product::<u64>();
    let row_bytes = row.saturating_mul(lazy.dtype().itemsize() as u64).max(1);
    let at_once = if format == Format::Text { AT_ONCE_TEXT } else { AT_ONCE };
    let block = lazy.model().and_then(|array| array.layout().blockshape()?.first().copied());
    let rows = match (at_once / row_bytes, block.map_or(1, u64::from).max(1)) {
        // Blocks are decoded once.
        (rows, block) if rows < block && format != Format::Text && block <= MAX_ROW_BYTES / row_bytes => {
            block
        }
        (rows, block) if rows > block => rows - rows % block,
        (rows, _) => rows.max(1),
    };
    let len = shape.first().copied().unwrap_or(1);
    let mut progress = Progress::new("computing", len.saturating_mul(row_bytes));
    let mut start = 0;
    while start < len {
        // Only the edges of large arrays are shown as text.
        let hidden = values.skippable() / row.max(1);
        if hidden > 0 {
            values.skip(hidden * row);
            progress.advance(hidden * row_bytes);
            start += hidden;
            continue;
        }
        let end = len.min(start + rows);
        let mut part = whole.clone();
        part.first_mut().into_iter().for_each(|range| *range = start..end);
        let within = selection.part(lazy.shape(), &part).map_err(CommandError::Parameters)?;
        let items = lazy.get(&within).map_err(|error| read_error(path, error))?;
        values.write(&items).map_err(CommandError::Output)?;
        progress.advance(items.len() as u64);
        start = end;
    }
    values.finish().map_err(CommandError::Output)?;
    drop(values);
    out.commit().map_err(CommandError::Output)
}

//! `b2nd get`: values, in bounded memory.

use crate::args::Args;
use crate::failure::Failure;
use crate::objects;
use crate::opened::Opened;
use crate::output::Output;
use crate::progress::Progress;
use crate::table;
use crate::values::{Format, Refused, writer};
use b2nd::array::Dtype;
use b2nd::objects::Objects;
use std::path::Path;

/// The maximum number of bytes to read at a time; fewer if most items are skipped.
const AT_ONCE: usize = 64 << 20;
/// Below this, starting threads takes longer than reading.
const WORTH_THREADS: usize = 1 << 20;
const AT_ONCE_TEXT: usize = 1 << 20;

/// What to read, and how to write it.
pub(crate) struct Wish<'a> {
    pub(crate) selection: Option<&'a str>,
    /// Columns of a table; all of them if there is none.
    pub(crate) columns: &'a [String],
    /// Overrides the stored dtype.
    pub(crate) dtype: Option<&'a Dtype>,
    pub(crate) format: Format,
    /// A path; `None` for standard output.
    pub(crate) output: Option<&'a Path>,
}

/// Writes the selected values.
pub(crate) fn run(args: &Args, path: &Path, wish: &Wish<'_>) -> Result<(), Failure> {
    if let Some(found) = table::find(path, args)? {
        return table::get(path, &found, wish);
    }
    if !wish.columns.is_empty() {
        return Err(Refused::NotATable.into());
    }
    let opened = Opened::new(path, args)?;
    if opened.of(Objects::kind_of(&opened.reader))?.is_some() {
        return objects::get(opened, wish);
    }
    let Wish { selection, dtype, format, output, .. } = *wish;
    let wrong = |error| Failure::Blosc(path.into(), error);
    let plan = opened.of(opened.reader.plan(&selection.unwrap_or("").parse().map_err(wrong)?))?;
    // A selection of a packed tensor is one of its items, which are stored in one dimension.
    let tensor = if selection.is_none() { opened.tensor()? } else { None };
    let (dtype, shape) = match (tensor, dtype) {
        (Some(tensor), None) => (tensor.dtype, tensor.shape),
        _ => (opened.dtype(dtype)?, plan.shape().to_vec()),
    };
    let mut out = Output::create(output).map_err(Failure::Output)?;
    let mut values = writer(format, &dtype, &shape, &mut out)?;
    let mut progress = Progress::new("reading", plan.nbytes() as u64);
    let at_once = if format == Format::Text { AT_ONCE_TEXT } else { AT_ONCE };
    let mut buffer = Vec::new();
    let itemsize = dtype.itemsize().max(1);
    // Chunks of a packed tensor may end within items.
    let is_aligned = opened.of(opened.reader.contents())?.itemsize() as usize % itemsize == 0;
    let mut parts = plan.parts(if is_aligned { at_once } else { usize::MAX });
    loop {
        let hidden = values.skippable();
        if hidden > 0 {
            values.skip(hidden);
            // At most the size of the result, which fits in a `usize`.
            parts.pass(hidden as usize * itemsize);
            progress.advance(hidden * itemsize as u64);
        }
        let Some(part) = parts.next() else { break };
        // Parts are small, unless a single item is large.
        let len = opened.limits.allow_memory(part.nbytes() as u64);
        buffer.resize(len.map_err(|error| Failure::Blosc(path.into(), error))?, 0);
        let read = if buffer.len() < WORTH_THREADS {
            opened.reader.get_into(&part, &mut buffer)
        } else {
            opened.reader.get_parallel_into(&part, &mut buffer)
        };
        opened.of(read)?;
        values.write(&buffer).map_err(Failure::Output)?;
        progress.advance(part.nbytes() as u64);
    }
    values.finish().map_err(Failure::Output)?;
    drop(values);
    out.commit().map_err(Failure::Output)
}

//! `b2nd get`: values, in bounded memory.

mod options;

use crate::args::{Args, View};
use crate::error::CommandError;
use crate::objects;
use crate::opened::Opened;
use crate::output::Output;
use crate::points;
use crate::progress::Progress;
use crate::store;
use crate::table;
use crate::values::{Format, ValueError, writer};
use b2nd::objects::Objects;
use b2nd::plan::Plan;
use b2nd::{ArgumentError, Index, Selection};
pub(crate) use options::Options;
use std::path::Path;

/// The maximum number of bytes to read at a time; fewer if most items are skipped.
const AT_ONCE: usize = 32 << 20;
/// Below this, starting threads takes longer than reading.
const WORTH_THREADS: usize = 1 << 20;
const AT_ONCE_TEXT: usize = 1 << 20;

/// Writes the selected values.
pub(crate) fn run(args: &Args, path: &Path, options: &Options<'_>) -> Result<(), CommandError> {
    let Options { selection, view, dtype, format, output, .. } = *options;
    output.map_or(Ok(()), store::refuse_member)?;
    let is_array = || {
        if view.is_plain() { Ok(()) } else { Err(CommandError::Parameters(ArgumentError::NotAnArray.into())) }
    };
    if let Some(found) = table::find(path, args)? {
        return is_array().and_then(|()| table::get(path, &found, options, &args.limits()));
    }
    if !options.columns.is_empty() || !options.choice.is_plain() {
        return Err(ValueError::NotATable.into());
    }
    let opened = Opened::new(path, args)?;
    // Raw are the bytes that are stored, of objects as of items.
    if format != Format::Raw && opened.of(Objects::kind_of(&opened.reader))?.is_some() {
        return is_array().and_then(|()| objects::get(opened, options));
    }
    let plan = plan(&opened, selection, view)?;
    // A selection of a packed tensor is one of its items, which are stored in one dimension.
    let tensor = if selection.is_none() && view.is_plain() { opened.tensor()? } else { None };
    let (dtype, shape) = match (tensor, dtype) {
        (Some(tensor), None) => (tensor.dtype, tensor.shape),
        _ => (opened.dtype(dtype)?, plan.shape().to_vec()),
    };
    let mut out = Output::create(output).map_err(CommandError::Output)?;
    let mut values = writer((format, &options.style), &dtype, &shape, &mut out)?;
    let mut progress = Progress::new("reading", plan.nbytes() as u64);
    let at_once = match format {
        // Each part of a transposed array takes items of many blocks, which are decoded again for the next.
        _ if view.transpose.is_some() => opened.limits.memory as usize / 2,
        Format::Text => AT_ONCE_TEXT,
        _ => AT_ONCE,
    };
    let mut buffer = Vec::new();
    let itemsize = dtype.itemsize().max(1);
    // Chunks of a packed tensor may end within items.
    let stored = opened.of(opened.reader.contents())?.itemsize() as usize;
    let is_aligned = stored.is_multiple_of(itemsize);
    let mut parts = plan.parts(if is_aligned { at_once } else { usize::MAX });
    loop {
        let hidden = values.skippable();
        if hidden > 0 {
            values.skip(hidden);
            parts.pass(hidden * itemsize as u64);
            progress.advance(hidden * itemsize as u64);
        }
        let Some(part) = parts.next() else { break };
        // Parts are small, unless a single item is large.
        let len = opened.limits.allow_memory(part.nbytes() as u64);
        buffer.resize(len.map_err(|error| CommandError::Blosc(path.into(), error))?, 0);
        let read = if buffer.len() < WORTH_THREADS {
            opened.reader.get_into(&part, &mut buffer)
        } else {
            opened.reader.get_parallel_into(&part, &mut buffer)
        };
        opened.of(read)?;
        values.write(&buffer).map_err(CommandError::Output)?;
        progress.advance(part.nbytes() as u64);
    }
    values.finish().map_err(CommandError::Output)?;
    drop(values);
    out.commit().map_err(CommandError::Output)
}

/// Plans how to read what is selected, with the axes of the result in their order.
fn plan(opened: &Opened<'_>, selection: Option<&str>, view: &View) -> Result<Plan, CommandError> {
    let wrong = |error| CommandError::Blosc(opened.path.into(), error);
    let mut selection: Selection = selection.unwrap_or("").parse().map_err(wrong)?;
    let taken = match (&view.mask, &view.points) {
        (Some(mask), _) => Some(points::of_mask(mask, &opened.limits)?),
        (None, Some(table)) => Some(points::of_table(table, &opened.limits)?),
        (None, None) => None,
    };
    selection.0.splice(0..0, taken.map(Index::Points));
    let mut plan = opened.of(opened.reader.plan(&selection))?;
    if let Some(order) = &view.transpose {
        let reverse: Vec<usize> = (0..plan.shape().len()).rev().collect();
        let order = if order.0.is_empty() { &reverse } else { &order.0 };
        plan = plan.permute(order).map_err(CommandError::Parameters)?;
    }
    Ok(if view.squeeze { plan.squeeze() } else { plan })
}

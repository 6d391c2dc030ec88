//! Sequences of objects.

use crate::error::{CommandError, read_error};
use crate::facts::SequenceFacts;
use crate::get::Options;
use crate::opened::Opened;
use crate::output::Output;
use crate::rows::Rows;
use crate::values::ValueError;
use b2nd::export::{ExportError, ObjectExporter};
use b2nd::objects::{Objects, Serializer, unpack_frames};
use std::io::Write;

/// `b2nd get` of a sequence: as text and NDJSON an object a line, as JSON a list of them.
pub(crate) fn get(opened: Opened<'_>, options: &Options<'_>) -> Result<(), CommandError> {
    let (path, limits) = (opened.path, opened.limits);
    let objects = Objects::open(opened.reader).map_err(|error| read_error(path, error))?;
    let rows = Rows::of(options.selection.unwrap_or(""), objects.len());
    let rows = rows.map_err(|error| CommandError::Blosc(path.into(), error))?;
    if options.dtype.is_some() {
        return Err(ValueError::Export(ExportError::Rows).into());
    }
    let mut left = limits.most_of(objects.reader().frame().header.cbytes);
    let mut list = ObjectExporter::new(options.format.try_into()?, options.style.clone(), rows.single)
        .map_err(ValueError::Export)?;
    let (mut out, mut text) = (Output::create(options.output).map_err(CommandError::Output)?, Vec::new());
    for (at, part) in rows.shown(options.format).into_iter().enumerate() {
        if at > 0 {
            list.gap(&mut text);
        }
        for (window, picked) in part.windows() {
            // A batch at a time: each may take much memory.
            let (mut range, mut values) = (0..0, Vec::new());
            for at in picked {
                let at = window.start + at as u64;
                if !range.contains(&at) {
                    let nbatch = objects.batch_of(at).map_err(|error| read_error(path, error.into()))?;
                    let batch = objects.batch(nbatch).map_err(|error| read_error(path, error.into()))?;
                    range = batch.start.max(window.start)..batch.end.min(window.end);
                    values = objects.range(range.clone()).map_err(|error| read_error(path, error))?;
                }
                let object = &mut values[(at - range.start) as usize];
                unpack_frames(object, &mut left, &limits);
                list.write(object, &limits, &mut text);
                out.write_all(&text).map_err(CommandError::Output)?;
                text.clear();
            }
        }
    }
    list.finish(&mut text);
    out.write_all(&text).map_err(CommandError::Output)?;
    out.commit().map_err(CommandError::Output)
}

/// The description of a sequence for `info`.
pub(crate) fn facts(opened: Opened<'_>) -> Result<SequenceFacts, CommandError> {
    let path = opened.path;
    let objects = Objects::open(opened.reader).map_err(|error| read_error(path, error))?;
    let serializer = if objects.serializer() == Serializer::Arrow { "arrow" } else { "msgpack" };
    Ok(SequenceFacts { length: objects.len(), serializer })
}

/// Decodes all objects of a sequence, and counts them. What is stored as Arrow is decoded with the feature `arrow`.
pub(crate) fn verify(opened: Opened<'_>) -> Result<u64, CommandError> {
    let path = opened.path;
    let of = |error| read_error(path, error);
    let objects = Objects::open(opened.reader).map_err(of)?;
    if objects.serializer() == Serializer::MessagePack || cfg!(feature = "arrow") {
        objects.verify().map_err(of)?;
    }
    Ok(objects.len())
}

//! Sequences of objects.

use crate::facts::SequenceFacts;
use crate::failure::{Failure, failure};
use crate::get::Options;
use crate::json::write_json;
use crate::opened::Opened;
use crate::output::Output;
use crate::rows::Rows;
use crate::values::{Format, Refused};
use b2nd::Limits;
use b2nd::msgpack::Value;
use b2nd::objects::{Objects, Serializer};
use std::io::{self, Write};

/// `b2nd get` of a sequence: as text an object a line, as JSON a list of them.
pub(crate) fn get(opened: Opened<'_>, options: &Options<'_>) -> Result<(), Failure> {
    let (path, limits) = (opened.path, opened.limits);
    let objects = Objects::open(opened.reader).map_err(|error| failure(path, error))?;
    let rows = Rows::of(options.selection.unwrap_or(""), objects.len());
    let rows = rows.map_err(|error| Failure::Blosc(path.into(), error))?;
    if options.dtype.is_some() || matches!(options.format, Format::Npy | Format::Csv) {
        return Err(Refused::NoDtype.into());
    }
    let mut out = Output::create(options.output).map_err(Failure::Output)?;
    let mut list = Lines::new(options.format, &rows);
    for part in list.shown(&rows) {
        for (window, picked) in part.windows() {
            // A batch at a time: each may take much memory.
            let (mut range, mut values) = (0..0, Vec::new());
            for at in picked {
                let at = window.start + at as u64;
                if !range.contains(&at) {
                    let nbatch = objects.batch_of(at).map_err(|error| failure(path, error.into()))?;
                    let batch = objects.batch(nbatch).map_err(|error| failure(path, error.into()))?;
                    range = batch.start.max(window.start)..batch.end.min(window.end);
                    values = objects.range(range.clone()).map_err(|error| failure(path, error))?;
                }
                list.write(&values[(at - range.start) as usize], &limits, &mut out)
                    .map_err(Failure::Output)?;
            }
        }
        list.end_part(&mut out).map_err(Failure::Output)?;
    }
    list.finish(&mut out).map_err(Failure::Output)?;
    out.commit().map_err(Failure::Output)
}

/// Writes objects.
struct Lines {
    /// Whether a list is written.
    is_list: bool,
    is_first: bool,
    hides: bool,
}

impl Lines {
    fn new(format: Format, rows: &Rows) -> Self {
        let hides = format == Format::Text && rows.hidden().is_some();
        Self { is_list: format == Format::Json && !rows.single, is_first: true, hides }
    }

    /// The parts that are written.
    fn shown(&self, rows: &Rows) -> Vec<Rows> {
        match rows.hidden().filter(|_| self.hides) {
            Some(hidden) => vec![rows.part(0..hidden.start), rows.part(hidden.end..rows.count)],
            None => vec![rows.clone()],
        }
    }

    fn write(&mut self, value: &Value, limits: &Limits, out: &mut Output) -> io::Result<()> {
        let opening = if self.is_first { "[" } else { ",\n" };
        let (before, after) = if self.is_list { (opening, "") } else { ("", "\n") };
        self.is_first = false;
        out.write_all(before.as_bytes())?;
        write_json(value, limits, out)?;
        out.write_all(after.as_bytes())
    }

    /// Shows once that objects are left out.
    fn end_part(&mut self, out: &mut Output) -> io::Result<()> {
        if core::mem::take(&mut self.hides) { out.write_all(b"...\n") } else { Ok(()) }
    }

    fn finish(&self, out: &mut Output) -> io::Result<()> {
        match (self.is_list, self.is_first) {
            (true, true) => out.write_all(b"[]\n"),
            (true, false) => out.write_all(b"]\n"),
            _ => Ok(()),
        }
    }
}

/// What `info` says of a sequence.
pub(crate) fn facts(opened: Opened<'_>) -> Result<SequenceFacts, Failure> {
    let path = opened.path;
    let objects = Objects::open(opened.reader).map_err(|error| failure(path, error))?;
    let serializer = if objects.serializer() == Serializer::Arrow { "arrow" } else { "msgpack" };
    Ok(SequenceFacts { length: objects.len(), serializer })
}

/// Decodes all objects of a sequence, and counts them. What is stored as Arrow is decoded with the feature `arrow`.
pub(crate) fn verify(opened: Opened<'_>) -> Result<u64, Failure> {
    let path = opened.path;
    let of = |error| failure(path, error);
    let objects = Objects::open(opened.reader).map_err(of)?;
    if objects.serializer() == Serializer::MessagePack || cfg!(feature = "arrow") {
        objects.verify().map_err(of)?;
    }
    Ok(objects.len())
}

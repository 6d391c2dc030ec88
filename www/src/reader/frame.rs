//! Frames: opening, their metalayers, and the index of their chunks.

use super::facts;
use super::opened::{Opened, opened};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::repeat;
use crate::output::Output;
use crate::value::Writer;
use b2nd::chunk::SpecialValue;
use b2nd::frame::{Location, Metalayer};
use b2nd::wire::{IndexReading, Opening, Part, TrailerReading};
use b2nd::{DParams, Error, ErrorKind, FormatError, Malformed, Result, Unsupported};

pub(crate) fn open(engine: &mut Engine) -> Result<(), CallError> {
    load(engine)?;
    if let Some(opened) = &engine.reader.opened {
        // In beta releases the trailer says how chunks are read.
        let recipe = if opened.frame.header.is_beta() {
            0
        } else {
            // Of a chunk outside of a frame only the header is needed.
            u64::from(opened.frame.header.header_len).max(b2nd::chunk::EXTENDED_HEADER as u64)
        };
        facts::write(opened, recipe, &engine.dparams.limits, &mut engine.output);
    }
    Ok(())
}

pub(crate) fn load(engine: &mut Engine) -> Result<(), CallError> {
    engine.reader.opened = None;
    engine.output.clear();
    let Engine { input, output, dparams, reader, .. } = engine;
    let frame = repeat(Opening::new(dparams), &mut input.sections(), output)?;
    reader.opened = Some(Opened::new(frame, &dparams.limits));
    Ok(())
}

pub(crate) fn metalayers(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    write(&opened(&engine.reader.opened)?.frame.header.metalayers, &mut engine.output);
    Ok(())
}

pub(crate) fn trailer(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let frame = &opened(&engine.reader.opened)?.frame;
    if let Some(trailer) = &frame.trailer {
        write(&trailer.attributes, &mut engine.output);
        return Ok(());
    }
    let reading = TrailerReading::new(&frame.header, &engine.dparams);
    let trailer = repeat(reading, &mut engine.input.sections(), &mut engine.output)?;
    write(&trailer.attributes, &mut engine.output);
    Ok(())
}

fn write(metalayers: &[Metalayer], output: &mut Output) {
    let mut out = Writer(output);
    out.map();
    for metalayer in metalayers {
        out.utf8(&metalayer.name);
        out.bytes(&metalayer.content);
    }
    out.end();
}

/// The entries of the index in one answer.
const ENTRIES: u64 = 1 << 17;

pub(crate) fn index(engine: &mut Engine, from: u64, as_stored: bool) -> Result<(), CallError> {
    engine.output.clear();
    let dparams = DParams { as_stored, ..engine.dparams.clone() };
    let header = &opened(&engine.reader.opened)?.frame.header;
    let reading = IndexReading::part(header, from..from.saturating_add(ENTRIES), &dparams);
    let index = repeat(reading, &mut engine.input.sections(), &mut engine.output)?;
    engine.output.numbers(&[index.nchunks() as f64, index.chunks().end as f64]);
    for run in index.runs() {
        engine.output.numbers(&[run.chunks.start as f64, number(run.location)]);
    }
    Ok(())
}

const ZEROS: f64 = -1.0;
const UNINIT: f64 = -2.0;
const NAN: f64 = -3.0;
const DAMAGED: f64 = -4.0;
const NOT_FETCHED: f64 = -5.0;

fn number(location: Result<Location>) -> f64 {
    match location {
        Ok(Location::Stored { part: Part::Frame, offset }) => offset as f64,
        Ok(Location::Stored { part: Part::Chunk(file), .. }) => f64::from(file),
        Ok(Location::Special(SpecialValue::Zeros)) => ZEROS,
        Ok(Location::Special(SpecialValue::Uninit)) => UNINIT,
        Ok(Location::Special(SpecialValue::Nan)) => NAN,
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported(_)) => NOT_FETCHED,
        _ => DAMAGED,
    }
}

/// The value of all items of a chunk, by the code of its location; `None` if it is stored.
///
/// # Errors
/// For a chunk that was not fetched, or whose entry in the index is damaged.
pub(crate) fn special(nchunk: u64, location: f64) -> Result<Option<SpecialValue>> {
    let error = match location {
        ZEROS => return Ok(Some(SpecialValue::Zeros)),
        UNINIT => return Ok(Some(SpecialValue::Uninit)),
        NAN => return Ok(Some(SpecialValue::Nan)),
        stored if stored >= 0.0 => return Ok(None),
        NOT_FETCHED => Error::from(Unsupported::NotFetched { chunk: nchunk }),
        _ => {
            let what = Malformed::Field { name: "chunk offset", value: -1 };
            FormatError { what, offset: None, chunk: None, block: None }.into()
        }
    };
    Err(error.in_chunk(nchunk))
}

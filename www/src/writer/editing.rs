//! An array that is created or changed. Calls return the steps that JavaScript carries out.

use super::journal::Journal;
use super::params;
use super::state::Writer;
use crate::array;
use crate::engine::Engine;
use crate::exchange::repeat;
use crate::output::Output;
use crate::sections::Sections;
use crate::stop::Stop;
use crate::value;
use b2nd::frame::{Location, Metalayer};
use b2nd::sink::{Change, Editor};
use b2nd::source::ReadError;
use b2nd::wire::{EditOpening, Revision, Step};
use b2nd::{ArgumentError, Error, Result};

fn error(error: ReadError<Error>) -> Error {
    match error {
        ReadError::Source(error) | ReadError::Blosc(error) => error,
    }
}

/// Kinds of steps.
mod kind {
    pub(super) const WRITE: u8 = 0;
    pub(super) const SYNC: u8 = 1;
    pub(super) const TRUNCATE: u8 = 2;
    /// The following steps apply to a new file.
    pub(super) const SUCCESSOR: u8 = 3;
    /// Copies bytes of the old file.
    pub(super) const COPY: u8 = 4;
    /// The new file replaces the old one.
    pub(super) const PUBLISH: u8 = 5;
    /// The file must still have these bytes.
    pub(super) const COMPARE: u8 = 6;
}

/// Creates an array of zeros.
pub(crate) fn create(engine: &mut Engine) -> Result<(), Stop> {
    engine.writer.opened = None;
    let mut sections = engine.input.sections();
    let mut params = params::array(params::ARRAY.map(|_| sections.section()));
    while let Some(name) = sections.next() {
        let content = value::packed(sections.section());
        params.metalayers.push(Metalayer { name: name.to_vec(), content });
    }
    let journal = Journal::default();
    let editor = Editor::create_array(journal.clone(), &params).map_err(error)?;
    open(engine, Writer { editor, journal }, Some(&params.dtype))
}

/// Opens an array to change it.
pub(crate) fn edit(engine: &mut Engine) -> Result<(), Stop> {
    engine.writer.opened = None;
    let ends = repeat(EditOpening::new(&engine.dparams), engine.input.sections(), &mut engine.output)?;
    let journal = Journal::default();
    let editor = Editor::of_array(journal.clone(), ends, engine.dparams.clone()).map_err(error)?;
    open(engine, Writer { editor, journal }, None)
}

/// Keeps the writer and writes the facts of its array, with `dtype` if the array has none.
fn open(engine: &mut Engine, writer: Writer, dtype: Option<&str>) -> Result<(), Stop> {
    let Engine { output, dparams, .. } = engine;
    output.clear();
    let array = writer.editor.layout().ok_or(Error::from(ArgumentError::NotAnArray))?;
    array::write(&mut value::Writer(output), array, array.dtype().or(dtype), &dparams.limits);
    engine.writer.opened = Some(writer);
    Ok(())
}

/// Makes a change, which is in the first sections of the input, and writes its steps. Nothing has changed as long as bytes are
/// missing.
pub(crate) fn change(
    engine: &mut Engine,
    parse: &dyn for<'a> Fn(&mut Sections<'a>) -> Change<'a>,
) -> Result<(), Stop> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let Writer { editor, journal } = opened(&mut writer.opened)?;
    let mut sections = input.sections();
    let change = parse(&mut sections);
    journal.begin(repeat(editor.preparing(&change)?, sections, output)?);
    editor.make(&change).map_err(error)?;
    journal.finish().iter().for_each(|step| put_step(output, step));
    Ok(())
}

fn opened(writer: &mut Option<Writer>) -> Result<&mut Writer> {
    writer.as_mut().ok_or(ArgumentError::NotOpened.into())
}

/// Writes a step: `kind, offset, length, start of the bytes in the old file`. The bytes of a write or a comparison follow, padded to a
/// multiple of 8.
fn put_step(output: &mut Output, step: &Step) {
    match step {
        Step::Write { offset, bytes, .. } => put_bytes(output, kind::WRITE, *offset, bytes),
        Step::Compare(revision) => put_revision(output, revision),
        Step::Truncate(len) => put(output, kind::TRUNCATE, [*len, 0, 0]),
        // The others are those of sparse frames, which the journal refuses.
        _ => put(output, kind::SYNC, [0; 3]),
    }
}

fn put_revision(output: &mut Output, revision: &Revision) {
    for (place, bytes) in revision.requests().iter().zip([&revision.header, &revision.end]) {
        put_bytes(output, kind::COMPARE, place.range.start, bytes);
    }
}

fn put_bytes(output: &mut Output, kind: u8, offset: u64, bytes: &[u8]) {
    put(output, kind, [offset, bytes.len() as u64, 0]);
    output.push(bytes);
    output.extend(bytes.len().next_multiple_of(8) - bytes.len()).fill(0);
}

fn put(output: &mut Output, kind: u8, numbers: [u64; 3]) {
    output.numbers(&[kind.into()]);
    output.numbers(&numbers.map(|number| number as f64));
}

/// The steps of a commit. If the frame must be moved, they copy it to a new file, which is to be opened again.
pub(crate) fn commit(engine: &mut Engine) -> Result<(), Stop> {
    let moves = opened(&mut engine.writer.opened)?.editor.frame().needs_move();
    change(engine, &|_| Change::Commit)?;
    if !moves {
        return Ok(());
    }
    let Engine { output, writer, .. } = engine;
    let frame = opened(&mut writer.opened)?.editor.frame();
    let cbytes = |nchunk| frame.chunk_cbytes(nchunk).map(Option::unwrap_or_default);
    let mut moved = frame.moved(cbytes)?;
    let revision = frame.revision().cloned();
    put(output, kind::SUCCESSOR, [0; 3]);
    for nchunk in 0..frame.nchunks() {
        if let (Location::Stored { offset: from, .. }, Location::Stored { offset: to, .. }) =
            (frame.locate(nchunk)?, moved.locate(nchunk)?)
        {
            put(output, kind::COPY, [to, cbytes(nchunk)?.into(), from]);
        }
    }
    moved.commit()?.iter().for_each(|step| put_step(output, step));
    revision.iter().for_each(|revision| put_revision(output, revision));
    put(output, kind::PUBLISH, [0; 3]);
    engine.writer.opened = None;
    Ok(())
}

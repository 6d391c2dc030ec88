//! An array that is created or changed. Calls return the steps that JavaScript carries out.

use super::journal::Journal;
use super::params;
use super::state::Writer;
use crate::array;
use crate::engine::Engine;
use crate::output::Output;
use crate::sections::{Sections, f64s};
use crate::stop::Stop;
use crate::value;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::frame::{Location, Metalayer};
use b2nd::sink::Editor;
use b2nd::source::ReadError;
use b2nd::wire::{Revision, Step};
use b2nd::{ArgumentError, Error, Result};
use core::ops::Range;

type Edited<T> = core::result::Result<T, ReadError<Stop>>;

fn stopped(error: ReadError<Stop>) -> Stop {
    match error {
        ReadError::Source(stop) => stop,
        ReadError::Blosc(error) => Stop::Failed(error),
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
    let editor = Editor::create_array(journal.clone(), &params).map_err(stopped)?;
    open(engine, Writer { editor, journal }, Some(&params.dtype))
}

/// Opens an array to change it. Repeated until no bytes are missing.
pub(crate) fn edit(engine: &mut Engine) -> Result<(), Stop> {
    engine.writer.opened = None;
    let journal = core::mem::take(&mut engine.writer.journal);
    let opened = Editor::open_array(journal.clone(), engine.dparams.clone());
    match opened.map_err(stopped) {
        Ok(editor) => {
            journal.finish();
            open(engine, Writer { editor, journal }, None)
        }
        Err(stop) => {
            engine.writer.journal = journal;
            Err(stop)
        }
    }
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

/// Gives bytes that a call needed.
pub(crate) fn answer(engine: &mut Engine, range: Range<u64>) -> Result<(), Stop> {
    let journal = engine.writer.opened.as_ref().map_or(&engine.writer.journal, |writer| &writer.journal);
    journal.know(range, engine.input.bytes());
    Ok(())
}

/// Runs a change and writes its steps. If bytes are missing, nothing has changed, and the change is repeated when they are there.
fn change(
    engine: &mut Engine,
    run: &mut dyn FnMut(&mut Editor<Journal>, Sections<'_>) -> Edited<()>,
) -> Result<(), Stop> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let Writer { editor, journal } = opened(&mut writer.opened)?;
    journal.rewind();
    run(editor, input.sections()).map_err(stopped)?;
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

/// Replaces a chunk.
pub(crate) fn replace(engine: &mut Engine, nchunk: u64) -> Result<(), Stop> {
    change(engine, &mut |editor, mut sections| editor.put_chunk(nchunk, sections.section()))
}

/// Writes items within one chunk.
pub(crate) fn set(engine: &mut Engine) -> Result<(), Stop> {
    change(engine, &mut |editor, mut sections| {
        let selection = sections.selection();
        editor.set(&selection, sections.section())
    })
}

pub(crate) fn resize(engine: &mut Engine) -> Result<(), Stop> {
    change(engine, &mut |editor, mut sections| {
        let shape: Vec<u64> = f64s(sections.section()).map(|len| len as u64).collect();
        editor.resize(&shape)
    })
}

pub(crate) fn append(engine: &mut Engine, axis: usize) -> Result<(), Stop> {
    change(engine, &mut |editor, mut sections| editor.append(axis, sections.section()))
}

/// Sets or removes a metalayer of the header or, if `variable`, of the trailer. Removing one that does not exist does nothing.
pub(crate) fn metalayer(engine: &mut Engine, variable: bool, remove: bool) -> Result<(), Stop> {
    change(engine, &mut |editor, mut sections| {
        let name = String::from_utf8_lossy(sections.section());
        let content = value::packed(sections.section());
        match (variable, remove) {
            (false, false) => editor.set_metalayer(&name, &content),
            (false, true) => editor.remove_metalayer(&name).map(drop),
            (true, false) => editor.set_vlmetalayer(&name, &content),
            (true, true) => {
                editor.remove_vlmetalayer(&name);
                Ok(())
            }
        }
    })
}

/// The steps of a commit. If the frame must be moved, they copy it to a new file, which is to be opened again.
pub(crate) fn commit(engine: &mut Engine) -> Result<(), Stop> {
    if !opened(&mut engine.writer.opened)?.editor.frame().needs_move() {
        return change(engine, &mut |editor, _| editor.commit_in_place());
    }
    let Engine { output, writer, .. } = engine;
    output.clear();
    let Writer { editor, journal } = opened(&mut writer.opened)?;
    journal.rewind();
    editor.learn_all().map_err(stopped)?;
    editor.flush().map_err(stopped)?;
    journal.finish().iter().for_each(|step| put_step(output, step));
    let frame = editor.frame();
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

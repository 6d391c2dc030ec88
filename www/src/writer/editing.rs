//! An array that is created or changed. Calls return the steps that JavaScript carries out.

use super::params;
use super::state::Writer;
use crate::array;
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::repeat;
use crate::journal::{Journal, error};
use crate::sections::Sections;
use crate::steps::{put, put_revision, put_step};
use crate::value;
use b2nd::frame::{FrameEditor, Location, Metalayer};
use b2nd::sink::{Change, Editor};
use b2nd::wire::EditOpening;
use b2nd::{ArgumentError, Error, Result};

/// Creates an array of zeros.
pub(crate) fn create(engine: &mut Engine) -> Result<(), CallError> {
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
pub(crate) fn edit(engine: &mut Engine) -> Result<(), CallError> {
    engine.writer.opened = None;
    let mut sections = engine.input.sections();
    let ends = repeat(EditOpening::new(&engine.dparams), &mut sections, &mut engine.output)?;
    let journal = Journal::default();
    let mut editor = Editor::of_array(journal.clone(), ends, engine.dparams.clone()).map_err(error)?;
    editor.reuse(repeat(editor.space_search(), &mut sections, &mut engine.output)?);
    open(engine, Writer { editor, journal }, None)
}

/// Keeps the writer and writes the facts of its array, with `dtype` if the array has none.
fn open(engine: &mut Engine, writer: Writer, dtype: Option<&str>) -> Result<(), CallError> {
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
) -> Result<(), CallError> {
    make(engine, parse)?;
    value::Writer(&mut engine.output).end();
    Ok(())
}

/// Makes a change, and begins the list of its steps.
fn make(
    engine: &mut Engine,
    parse: &dyn for<'a> Fn(&mut Sections<'a>) -> Change<'a>,
) -> Result<(), CallError> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let Writer { editor, journal } = opened(&mut writer.opened)?;
    let mut sections = input.sections();
    let change = parse(&mut sections);
    journal.begin(repeat(editor.preparing(&change)?, &mut sections, output)?);
    editor.make(&change).map_err(error)?;
    let mut out = value::Writer(output);
    out.list();
    journal.finish().iter().for_each(|step| put_step(&mut out, step));
    Ok(())
}

fn opened(writer: &mut Option<Writer>) -> Result<&mut Writer> {
    writer.as_mut().ok_or(ArgumentError::NotOpened.into())
}

/// The steps of a commit. If the frame must be moved or `compact` is set, they copy it to a new file, which is to be opened again.
pub(crate) fn commit(engine: &mut Engine, compact: bool) -> Result<(), CallError> {
    let moves = compact || opened(&mut engine.writer.opened)?.editor.frame().needs_move();
    make(engine, &|_| if compact { Change::Compact } else { Change::Commit })?;
    let mut out = value::Writer(&mut engine.output);
    if moves {
        put_moved(&mut out, opened(&mut engine.writer.opened)?.editor.frame())?;
        engine.writer.opened = None;
    }
    out.end();
    Ok(())
}

fn put_moved(out: &mut value::Writer<'_>, frame: &FrameEditor) -> Result<()> {
    let cbytes = |nchunk| frame.chunk_cbytes(nchunk).map(Option::unwrap_or_default);
    let mut moved = frame.moved(cbytes)?;
    put(out, "successor", [0; 3], &[]);
    for nchunk in 0..frame.nchunks() {
        if let (Location::Stored { offset: from, .. }, Location::Stored { offset: to, .. }) =
            (frame.locate(nchunk)?, moved.locate(nchunk)?)
        {
            put(out, "copy", [to, cbytes(nchunk)?.into(), from], &[]);
        }
    }
    moved.commit()?.iter().for_each(|step| put_step(out, step));
    frame.revision().iter().for_each(|revision| put_revision(out, revision));
    put(out, "publish", [0; 3], &[]);
    Ok(())
}

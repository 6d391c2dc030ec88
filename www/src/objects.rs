//! A sequence of objects that is created. Calls return the steps that JavaScript carries out.

use crate::call_error::CallError;
use crate::cparams::cparams;
use crate::engine::Engine;
use crate::journal::{Journal, error};
use crate::output::Output;
use crate::sections::Sections;
use crate::status;
use crate::steps::put_step;
use crate::value;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::msgpack::{Token, Tokens, Value};
use b2nd::objects::Kind;
use b2nd::sink::{ObjectEditor, ObjectParams, Prepared};
use b2nd::table::ColumnSpec;
use b2nd::{ArgumentError, Limits, Result, Unsupported};
use wasm_bindgen::prelude::wasm_bindgen;

/// The sequence, and the journal that is its sink.
pub(crate) struct Sequence {
    editor: ObjectEditor<Journal>,
    journal: Journal,
    /// Whether null can be an object.
    takes_null: bool,
    /// The bytes of the objects in the batch that is not complete.
    pending: usize,
}

/// A batch of so many bytes ends early: readers refuse larger ones that compress well, unless their limits are raised.
const BATCH: usize = 8 << 20;

/// Creates a sequence: objects by themselves (0), batches (1) or lists (2), with null among them if `nullable`. A batch has `batch`
/// objects, and a block `block`; 0 is the default.
#[wasm_bindgen]
pub fn objects_create(kind: f64, batch: f64, block: f64, nullable: f64) -> u32 {
    let lens = [batch, block].map(|len| len as usize);
    status(|engine| create(engine, kind as u32, lens, nullable != 0.0))
}

/// Appends an object.
#[wasm_bindgen]
pub fn objects_push() -> u32 {
    status(push)
}

/// Completes the frame.
#[wasm_bindgen]
pub fn objects_end() -> u32 {
    status(end)
}

fn create(
    engine: &mut Engine,
    kind: u32,
    [batch, block]: [usize; 2],
    nullable: bool,
) -> Result<(), CallError> {
    engine.objects = None;
    let mut sections = engine.input.sections();
    let mut params = ObjectParams { cparams: cparams(sections.section()), ..ObjectParams::default() };
    if kind == 0 {
        params.kind = Kind::Objects;
    }
    for (given, len) in [(batch, &mut params.batch_len), (block, &mut params.block_len)] {
        *len = if given > 0 { given } else { *len };
    }
    let journal = Journal::default();
    let item = value::packed(sections.section());
    let editor = match kind {
        2 => {
            let spec = lists(&item, nullable, &engine.dparams.limits)?;
            ObjectEditor::create_lists(journal.clone(), &spec, &params)
        }
        _ => ObjectEditor::create(journal.clone(), &params),
    };
    let mut editor = editor.map_err(error)?;
    set_attrs(&mut editor, &mut sections)?;
    engine.output.clear();
    engine.objects = Some(Sequence { editor, journal, takes_null: kind != 2 || nullable, pending: 0 });
    Ok(())
}

/// The reference's kinds of columns, which items of lists have.
const KINDS: &str = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128 string bytes vlstring vlbytes \
    utf8 object timestamp dictionary ndarray list struct";

/// The column that lists would be in, by the entry of their items in a schema.
fn lists(item: &[u8], nullable: bool, limits: &Limits) -> Result<ColumnSpec> {
    let item = Value::parse(item, limits)?;
    let kind = item.get("kind").and_then(Value::as_str).unwrap_or_default();
    if !KINDS.split(' ').any(|known| known == kind) {
        return Err(Unsupported::ColumnKind.into());
    }
    ColumnSpec::of(&Value::Map(Vec::from([
        ("name".into(), "lists".into()),
        ("kind".into(), "list".into()),
        ("item".into(), item),
        ("nullable".into(), nullable.into()),
        ("serializer".into(), "msgpack".into()),
    ])))
}

/// Sets attributes: their names and values in turns.
fn set_attrs(editor: &mut ObjectEditor<Journal>, sections: &mut Sections<'_>) -> Result<()> {
    while let Some(name) = sections.next() {
        let content = value::packed(sections.section());
        editor.set_attr_bytes(&String::from_utf8_lossy(name), &content).map_err(error)?;
    }
    Ok(())
}

/// Appends an object.
fn push(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, dparams, objects, .. } = engine;
    let Sequence { editor, journal, takes_null, pending } = objects.as_mut().ok_or_else(not_opened)?;
    let object = value::packed(input.bytes());
    if !*takes_null && Tokens::new(&object, &dparams.limits).next() == Some(Ok(Token::Nil)) {
        return Err(CallError::Failed(ArgumentError::CellType.into()));
    }
    journal.begin(Prepared::default());
    if *pending > 0 && *pending + object.len() > BATCH {
        editor.end_batch().map_err(error)?;
        *pending = 0;
    }
    let nchunks = editor.frame().nchunks();
    editor.push_bytes(&object, &dparams.limits).map_err(error)?;
    let is_complete = editor.frame().nchunks() > nchunks;
    *pending = if is_complete { 0 } else { *pending + object.len() };
    put_steps(journal, output);
    Ok(())
}

/// Completes the frame, which is new, so that nothing has to be moved.
fn end(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { output, objects, .. } = engine;
    let Sequence { editor, journal, .. } = objects.take().ok_or_else(not_opened)?;
    journal.begin(Prepared::default());
    editor.into_editor().and_then(|mut editor| editor.commit_in_place()).map_err(error)?;
    put_steps(&journal, output);
    Ok(())
}

fn not_opened() -> CallError {
    CallError::Failed(ArgumentError::NotOpened.into())
}

fn put_steps(journal: &Journal, output: &mut Output) {
    output.clear();
    let mut out = value::Writer(output);
    out.list();
    journal.finish().iter().for_each(|step| put_step(&mut out, step));
    out.end();
}

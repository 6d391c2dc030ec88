//! A sequence of objects that is created. Calls return the steps that JavaScript carries out.

use crate::call_error::CallError;
use crate::cparams::cparams;
use crate::engine::Engine;
use crate::journal::{Journal, error};
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
use b2nd::{ArgumentError, Error, Limits, Result, Unsupported};
use wasm_bindgen::prelude::wasm_bindgen;

/// The sequence, and the journal that is its sink.
pub(crate) struct Sequence {
    editor: ObjectEditor<Journal>,
    journal: Journal,
    /// Whether null can be an object.
    takes_null: bool,
}

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
    status(|engine| {
        let object = value::packed(engine.input.bytes());
        let limits = engine.dparams.limits;
        change(engine, |Sequence { editor, takes_null, .. }| {
            if !*takes_null && Tokens::new(&object, &limits).next() == Some(Ok(Token::Nil)) {
                return Err(ArgumentError::CellType.into());
            }
            editor.push_bytes(&object, &limits).map_err(error)
        })
    })
}

/// Completes the frame.
#[wasm_bindgen]
pub fn objects_end() -> u32 {
    status(|engine| change(engine, |sequence| sequence.editor.commit().map_err(error)))
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
    engine.objects = Some(Sequence { editor, journal, takes_null: kind != 2 || nullable });
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

/// Makes a change, and writes its steps.
fn change(engine: &mut Engine, make: impl FnOnce(&mut Sequence) -> Result<()>) -> Result<(), CallError> {
    let Engine { output, objects, .. } = engine;
    output.clear();
    let sequence = objects.as_mut().ok_or(Error::from(ArgumentError::NotOpened))?;
    sequence.journal.begin(Prepared::default());
    make(sequence)?;
    let mut out = value::Writer(output);
    out.list();
    sequence.journal.finish().iter().for_each(|step| put_step(&mut out, step));
    out.end();
    Ok(())
}

//! `b2nd create-objects`: a sequence of objects from JSON lines.

use crate::args::{Args, Storage, layers};
use crate::error::CommandError;
use crate::input::{InvalidInput, stream};
use crate::target::{Target, made, written};
use crate::values::ValueError;
use b2nd::objects::Kind;
use b2nd::sink::{ObjectEditor, ObjectParams};
use b2nd::table::ColumnSpec;
use serde_json::{Deserializer, Value as Json};
use std::io::BufReader;
use std::path::Path;

/// Creates the sequence, of lists if they are described. The lengths are the objects of a batch and of a block.
pub(crate) fn run(
    args: &Args,
    from: &Path,
    output: &Path,
    (kind, lists, (batch_len, block_len)): (Kind, Option<&ColumnSpec>, (usize, usize)),
    storage: &Storage,
) -> Result<(), CommandError> {
    if storage.sparse || storage.chunks.is_some() || storage.blocks.is_some() || storage.auto(false).is_some()
    {
        return Err(ValueError::ObjectParameters.into());
    }
    let target = Target::new(args, output, storage)?;
    let input = stream(from).map_err(|error| CommandError::Input(from.into(), error))?;
    let mut params = ObjectParams { kind, batch_len, block_len, ..ObjectParams::default() };
    storage.apply_to(&mut params.cparams);
    let failed = |error| written(output, error);
    let file = target.create(false)?;
    let editor = match lists {
        Some(spec) => ObjectEditor::create_lists(file, spec, &params),
        None => ObjectEditor::create(file, &params),
    };
    let mut editor = editor.map_err(|error| made(output, error))?;
    for (row, object) in Deserializer::from_reader(BufReader::new(input)).into_iter::<Json>().enumerate() {
        let object = object.map_err(|error| unusable(from, &error))?;
        if let Some(spec) = lists {
            must_be_list(&object, spec, row).map_err(|what| CommandError::InvalidInput(from.into(), what))?;
        }
        editor.push(&layers::value(&object)).map_err(failed)?;
    }
    for layer in &storage.attr {
        editor.set_attr_bytes(&layer.name, &layer.content).map_err(failed)?;
    }
    target.complete(args, storage, editor.into_editor().map_err(failed)?, None)
}

/// Fails unless a value is a list, or null where that is possible.
fn must_be_list(object: &Json, spec: &ColumnSpec, row: usize) -> Result<(), InvalidInput> {
    if object.is_array() || object.is_null() && spec.is_nullable() {
        return Ok(());
    }
    Err(InvalidInput::Data(format!("value {} is no list", row + 1)))
}

fn unusable(from: &Path, error: &serde_json::Error) -> CommandError {
    match error.io_error_kind() {
        Some(kind) => CommandError::Input(from.into(), kind.into()),
        None => CommandError::InvalidInput(from.into(), InvalidInput::Json(error.to_string())),
    }
}

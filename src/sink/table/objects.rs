//! The frames of columns of objects, and of the texts of dictionaries.

use super::Written;
use crate::base::Unsupported;
use crate::chunk::{CParams, DParams};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use crate::objects::{Kind, Objects};
use crate::sink::{File, ObjectEditor, ObjectParams};
use crate::source::Reader;
use crate::table::{BATCH_ROWS, ColumnSpec};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Objects in a block: to read one, a block is decoded.
const BLOCK_ROWS: usize = 256;

/// Creates the objects of a column.
pub(super) fn create(file: File, spec: &ColumnSpec, cparams: &CParams) -> Written<ObjectEditor<File>> {
    let word = |name: &str| spec.entry.get(name).and_then(Value::as_str);
    if word("serializer") == Some("arrow") {
        return Err(Unsupported::ArrowObjects.into());
    }
    match &*spec.kind {
        "list" => {
            let kind = if word("storage") == Some("vl") { Kind::Objects } else { Kind::Batches };
            ObjectEditor::create_lists(file, spec, &params(kind, cparams))
        }
        kind => create_as(file, scalar_role(kind, spec.is_nullable()), Kind::Batches, cparams),
    }
}

/// Creates the texts of a dictionary.
pub(super) fn create_words(file: File, cparams: &CParams) -> Written<ObjectEditor<File>> {
    create_as(file, scalar_role("vlstring", false), Kind::Batches, cparams)
}

/// Opens the texts of a dictionary, and tells the number of each.
pub(super) fn open_words(
    file: File,
    dparams: DParams,
) -> Written<(ObjectEditor<File>, BTreeMap<String, i32>)> {
    let objects = Objects::open(Reader::open(&file, dparams.clone())?)?;
    let (mut numbers, mut used) = (BTreeMap::new(), 0);
    for start in (0..objects.len()).step_by(BATCH_ROWS) {
        let end = objects.len().min(start + BATCH_ROWS as u64);
        for (number, word) in (start..end).zip(objects.range_counted(start..end, &mut used)?) {
            if let Value::Str(word) = word {
                numbers.insert(word, i32::try_from(number).unwrap_or(i32::MAX));
            }
        }
    }
    drop(objects);
    Ok((ObjectEditor::open(file, dparams, BATCH_ROWS)?, numbers))
}

fn create_as(file: File, role: Metalayer, kind: Kind, cparams: &CParams) -> Written<ObjectEditor<File>> {
    ObjectEditor::create_as(file, &params(kind, cparams), Some(role))
}

fn params(kind: Kind, cparams: &CParams) -> ObjectParams {
    ObjectParams { kind, cparams: cparams.clone(), batch_len: BATCH_ROWS, block_len: BLOCK_ROWS }
}

/// The metalayer of a frame of texts, bytes, structures or objects, which the reference checks.
fn scalar_role(kind: &str, nullable: bool) -> Metalayer {
    let python = match kind {
        "vlstring" => "str",
        "vlbytes" => "bytes",
        "struct" => "struct",
        _ => "object",
    };
    let fields = [
        (text("version"), Value::Int(1)),
        (text("py_type"), text(python)),
        (text("nullable"), Value::Bool(nullable)),
        (text("batch_rows"), Value::Int(BATCH_ROWS as i128)),
    ];
    layer("ctable_varlen_scalar", fields.into())
}

fn layer(name: &str, fields: Vec<(Value, Value)>) -> Metalayer {
    Metalayer { name: name.into(), content: Value::Map(fields).emit() }
}

fn text(text: &str) -> Value {
    Value::Str(String::from(text))
}

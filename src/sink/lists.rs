//! Sequences of lists: ListArrays of python-blosc2 (FORMAT §10.1).

use super::{ObjectEditor, ObjectParams, WriteAt};
use crate::base::{ArgumentError, Unsupported};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use crate::objects::Kind;
use crate::source::{ReadAt, ReadError};
use crate::table::{ColumnSpec, is_known};
use alloc::vec::Vec;

impl<S: WriteAt> ObjectEditor<S> {
    /// Creates an empty ListArray: a sequence of lists with the items of a column of lists. Nil stands for a list that is missing.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, msgpack::Value, table::{ColumnKind, ColumnSpec, Nulls}};
    /// # use b2nd::sink::{Memory, ObjectEditor, ObjectParams};
    /// let numbers = ColumnKind::List(Box::new(ColumnKind::Number(Dtype::of::<i64>())));
    /// let spec = ColumnSpec::new("tags", &numbers, &Nulls::Mask)?;
    /// let mut editor = ObjectEditor::create_lists(Memory::default(), &spec, &ObjectParams::default())?;
    /// editor.push(&Value::Array(vec![1.into(), 2.into()]))?;
    /// assert!(editor.push(&Value::Int(1)).is_err());
    /// editor.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` for a column of another kind, `Unsupported` for items of an unknown kind, and errors of
    /// [`create`](Self::create).
    pub fn create_lists(
        sink: S,
        spec: &ColumnSpec,
        params: &ObjectParams,
    ) -> Result<Self, ReadError<<S as ReadAt>::Error>> {
        if spec.kind != "list" {
            return Err(ArgumentError::CellType.into());
        }
        let item = spec.entry.get("item").and_then(|item| item.get("kind")).and_then(Value::as_str);
        if !item.is_some_and(is_known) {
            return Err(Unsupported::ColumnKind.into());
        }
        Self::create_as(sink, params, Some(role(spec, params)))
    }
}

/// The metalayer of a frame of lists: the schema's entry, with another word for its storage.
fn role(spec: &ColumnSpec, params: &ObjectParams) -> Metalayer {
    let entries = match &spec.entry {
        Value::Map(entries) => &entries[..],
        _ => &[],
    };
    let is_kept = |name: &str| !matches!(name, "name" | "storage" | "batch_rows" | "cparams");
    let kept = entries.iter().filter(|(name, _)| name.as_str().is_some_and(is_kept));
    let backend = if params.kind == Kind::Objects { "vl" } else { "batch" };
    let mut fields = Vec::from([("version".into(), Value::Int(1))]);
    fields.extend(kept.cloned());
    fields.push(("batch_rows".into(), Value::Int(params.batch_len as i128)));
    fields.push(("backend".into(), backend.into()));
    Metalayer { name: "listarray".into(), content: Value::Map(fields).emit() }
}

//! The schema of a table.

use super::layers;
use super::value::Writer;
use crate::engine::Engine;
use crate::stop::Stop;
use alloc::string::String;
use b2nd::msgpack::Value;
use b2nd::table::{ColumnSpec, ColumnStorage, ComputedColumn, Schema};

/// What the frame with these variable-length metalayers says of a table: its columns, those that are computed, and the names of
/// stale ones.
pub(crate) fn table(engine: &mut Engine) -> Result<(), Stop> {
    engine.output.clear();
    let variable = layers::read(engine.input.sections().section());
    let schema = Schema::read(&variable, &engine.dparams.limits)?;
    let mut out = Writer(&mut engine.output);
    let Some(schema) = schema else {
        out.nil();
        return Ok(());
    };
    out.list(4);
    out.value(&schema.value)?;
    out.list(schema.columns.len());
    schema.columns.iter().try_for_each(|spec| column(&mut out, spec))?;
    out.list(schema.computed.len());
    schema.computed.iter().for_each(|column| computed(&mut out, column));
    texts(&mut out, &schema.stale);
    Ok(())
}

/// The entry of the schema, as a value and as its recipe, and the keys of the column's frames.
fn column(out: &mut Writer<'_>, spec: &ColumnSpec) -> b2nd::Result<()> {
    out.list(6);
    out.value(&spec.entry)?;
    out.bytes(&spec.entry.emit());
    out.text(&spec.key());
    out.text(&spec.mask_key());
    let (storage, key) = match spec.storage() {
        ColumnStorage::Texts(key) => ("texts", Some(key)),
        ColumnStorage::Codes(key) => ("codes", Some(key)),
        _ => ("items", None),
    };
    out.text(storage);
    out.value(&key.map_or(Value::Nil, Value::Str))
}

fn computed(out: &mut Writer<'_>, column: &ComputedColumn) {
    let ComputedColumn { name, dtype, expression, inputs, .. } = column;
    out.map(4);
    for (key, text) in [("name", name), ("dtype", dtype), ("expression", expression)] {
        out.text(key);
        out.text(text);
    }
    out.text("inputs");
    texts(out, inputs);
}

fn texts(out: &mut Writer<'_>, texts: &[String]) {
    out.list(texts.len());
    texts.iter().for_each(|text| out.text(text));
}

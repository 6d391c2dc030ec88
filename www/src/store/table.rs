//! The schema of a table.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::layers;
use crate::value::Writer;
use alloc::string::String;
use b2nd::table::{ColumnSpec, ColumnStorage, ComputedColumn, Schema};

/// The table that the frame with these attributes describes: its columns, those that are computed, and the names of
/// stale ones.
pub(crate) fn table(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let variable = layers::read(engine.input.sections().section());
    let schema = Schema::read(&variable, &engine.dparams.limits)?;
    let mut out = Writer(&mut engine.output);
    let Some(schema) = schema else {
        out.nil();
        return Ok(());
    };
    out.list();
    out.value(&schema.value)?;
    out.list();
    schema.columns.iter().try_for_each(|spec| column(&mut out, spec))?;
    out.end();
    out.list();
    schema.computed.iter().try_for_each(|column| computed(&mut out, column))?;
    out.end();
    texts(&mut out, &schema.stale);
    out.end();
    Ok(())
}

/// The entry of the schema, as a value and as its recipe, and the keys of the column's frames.
fn column(out: &mut Writer<'_>, spec: &ColumnSpec) -> b2nd::Result<()> {
    out.record();
    out.name("spec").value(&spec.entry)?;
    out.name("entry").bytes(&spec.entry.emit());
    out.name("key").text(&spec.key());
    out.name("mask").text(&spec.mask_key());
    let (storage, key) = match spec.storage() {
        ColumnStorage::Texts(key) => ("texts", Some(key)),
        ColumnStorage::Codes(key) => ("codes", Some(key)),
        _ => ("items", None),
    };
    out.name("storage").text(storage);
    out.name("texts").optional(key.as_deref());
    out.end();
    Ok(())
}

/// A computed column as the API tells of it, its entry as if it were stored, and its expression with numbers for the inputs.
fn computed(out: &mut Writer<'_>, column: &ComputedColumn) -> b2nd::Result<()> {
    let ComputedColumn { name, dtype, expression, inputs, formula, .. } = column;
    let entry = ColumnSpec::of_computed(column).entry;
    out.record();
    out.name("column").record();
    for (key, text) in [("name", name), ("dtype", dtype), ("expression", expression)] {
        out.name(key).text(text);
    }
    texts(out.name("inputs"), inputs);
    out.end();
    out.name("spec").value(&entry)?;
    out.name("entry").bytes(&entry.emit());
    out.name("formula").optional(formula.as_deref());
    out.end();
    Ok(())
}

fn texts(out: &mut Writer<'_>, texts: &[String]) {
    out.each(texts, |out, text| out.text(text));
}

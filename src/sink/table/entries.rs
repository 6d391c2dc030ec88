//! Entries of the schema for computed and generated columns.

use super::Written;
use super::catalogue::text;
use crate::base::ArgumentError;
use crate::msgpack::Value;
use crate::sink::indexes::put;
use crate::table::{ColumnSpec, ComputedColumn};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The entry for a column that is computed from some of these.
pub(super) fn computed(column: &ComputedColumn, specs: &[ColumnSpec]) -> Written<Value> {
    let is_stored = |name: &String| specs.iter().any(|spec| spec.name == *name);
    let formula = column.formula.as_ref().filter(|_| column.inputs.iter().all(is_stored));
    let formula = formula.ok_or(ArgumentError::NoColumn)?;
    let entry = Value::Map(Vec::from([
        (text("name"), text(&column.name)),
        (text("kind"), text("expression")),
        (text("expression"), text(formula)),
        (text("col_deps"), inputs(column)),
        (text("dtype"), text(&column.dtype)),
    ]));
    ColumnSpec::of(&entry)?.must_have_valid_name()?;
    Ok(entry)
}

/// The entry for a stored column that was computed.
pub(super) fn generated(column: &ComputedColumn) -> Value {
    Value::Map(Vec::from([
        (text("name"), text(&column.name)),
        (text("computed_column"), Value::Nil),
        (text("expression"), text(column.formula.as_deref().unwrap_or_default())),
        (text("col_deps"), inputs(column)),
        (text("dtype"), text(&column.dtype)),
        (text("transformer_kind"), text("expression")),
        (text("stale"), Value::Bool(false)),
    ]))
}

/// The names of the columns that it needs.
fn inputs(column: &ComputedColumn) -> Value {
    Value::Array(column.inputs.iter().map(|name| text(name)).collect())
}

/// Whether this is the entry of the column of this name.
pub(super) fn is_named(entry: &Value, name: &str) -> bool {
    name_of(entry) == Some(name)
}

/// Whether the column of this entry is computed from one of this name.
pub(super) fn needs(entry: &Value, input: &str) -> bool {
    inputs_of(entry).any(|name| name == input)
}

/// The names of the columns that the column of this entry is computed from.
pub(super) fn inputs_of(entry: &Value) -> impl Iterator<Item = &str> {
    let inputs = entry.get("col_deps").and_then(Value::as_array).unwrap_or_default();
    inputs.iter().filter_map(Value::as_str)
}

pub(super) fn name_of(entry: &Value) -> Option<&str> {
    entry.get("name")?.as_str()
}

/// Marks the columns as stale that were generated from this one, or from one of them. A damaged schema may have many, in any order.
pub(super) fn mark_stale(generated: &mut [Value], column: &str) {
    let mut dependents: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, entry) in generated.iter().enumerate() {
        inputs_of(entry).for_each(|input| dependents.entry(input.to_string()).or_default().push(number));
    }
    let mut changed = Vec::from([column.to_string()]);
    while let Some(name) = changed.pop() {
        for number in dependents.remove(&name).unwrap_or_default() {
            let entry = &mut generated[number];
            changed.extend(name_of(entry).map(ToString::to_string));
            put(entry, "stale", Value::Bool(true));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each column is generated from the next one, and the last one from itself.
    #[test]
    fn long_chains_become_stale() {
        let entry = |name: usize, input: usize| {
            let inputs = Value::Array([text(&input.to_string())].into());
            Value::Map([(text("name"), text(&name.to_string())), (text("col_deps"), inputs)].into())
        };
        let count = 200_000;
        let mut generated: Vec<_> =
            (0..count).map(|number| entry(number, (number + 1).min(count - 1))).collect();
        let is_stale = |entry: &Value| entry.get("stale") == Some(&Value::Bool(true));
        mark_stale(&mut generated, "100000");
        assert!(generated[..100_000].iter().all(is_stale));
        assert!(!generated[100_000..].iter().any(is_stale));
        mark_stale(&mut generated, &(count - 1).to_string());
        assert!(generated.iter().all(is_stale));
    }
}

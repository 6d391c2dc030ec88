//! Columns that are not stored, but computed from others.

#[cfg(all(feature = "expression", feature = "std", feature = "write"))]
mod new;

use crate::base::{Error, Limits, Malformed, Result};
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

/// A computed column by the schema. [`Table::column`](super::Table::column) computes its values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComputedColumn {
    /// The name.
    pub name: String,
    /// NumPy's name for the dtype of the values: `float64`, `bool` and so on.
    pub dtype: String,
    /// The expression, with the names of columns; for a kernel in python-blosc2's language its source.
    pub expression: String,
    /// The names of the columns that it needs, in the order of a kernel's arguments.
    pub inputs: Vec<String>,
    /// The expression as it is stored, with `o0`, `o1`, … for the inputs; `None` for a kernel.
    pub formula: Option<String>,
}

impl ComputedColumn {
    /// The computed columns of a schema. A long name may be in each expression many times: they are metadata together.
    pub(super) fn all(schema: &Value, limits: &Limits) -> Result<Vec<Self>> {
        let mut used = 0;
        match schema.get("computed_columns") {
            Some(columns) => {
                let of = |entry| Self::of(entry, limits, &mut used);
                columns.as_array().ok_or_else(wrong)?.iter().map(of).collect()
            }
            None => Ok(Vec::new()),
        }
    }

    /// The column of an entry, whose expression is added to the bytes of metadata that are used.
    pub(crate) fn of(entry: &Value, limits: &Limits, used: &mut u64) -> Result<Self> {
        let text = |name| entry.get(name).and_then(Value::as_str);
        let inputs = entry.get("col_deps").and_then(Value::as_array).unwrap_or_default();
        let inputs: Vec<String> = inputs.iter().filter_map(Value::as_str).map(String::from).collect();
        let formula = text("expression").map(String::from);
        let expression = match &formula {
            Some(formula) => named(formula, &inputs, limits, used)?,
            None => text("dsl_source").unwrap_or_default().into(),
        };
        Ok(Self {
            name: text("name").ok_or_else(wrong)?.into(),
            dtype: dtype_of(text("dtype").unwrap_or_default()).into(),
            expression,
            inputs,
            formula,
        })
    }
}

/// The name of a dtype. The reference writes its class of quotients of integers and numbers (FORMAT §11 B21).
fn dtype_of(text: &str) -> &str {
    let class = text.strip_prefix("<class 'blosc2.schema.").and_then(|text| text.strip_suffix("'>"));
    class.unwrap_or(text)
}

/// The names of generated columns whose inputs have changed since their values were computed.
pub(super) fn stale(schema: &Value) -> Result<Vec<String>> {
    let Some(generated) = schema.get("materialized_columns") else { return Ok(Vec::new()) };
    let is_stale = |entry: &&Value| entry.get("stale") == Some(&Value::Bool(true));
    let name = |entry: &Value| entry.get("name").and_then(Value::as_str).map(String::from).ok_or_else(wrong);
    generated.as_array().ok_or_else(wrong)?.iter().filter(is_stale).map(name).collect()
}

/// Replaces the operands `o0`, `o1`, … of an expression by the names of columns. So many bytes of metadata are used.
fn named(expression: &str, inputs: &[String], limits: &Limits, used: &mut u64) -> Result<String> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let input_of = |word: &str| inputs.get(word.strip_prefix('o')?.parse::<usize>().ok()?);
    let mut text = String::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let same = |char| is_word(char) != is_word(first);
        let (word, after) = rest.split_at(rest.find(same).unwrap_or(rest.len()));
        let word = input_of(word).map_or(word, |name| name);
        *used += word.len() as u64;
        limits.allow_metadata(*used)?;
        text += word;
        rest = after;
    }
    Ok(text)
}

/// An entry of the schema that is not as it has to be.
pub(super) fn wrong() -> Error {
    Error::format(Malformed::Field { name: "schema of a table", value: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use alloc::string::ToString;

    #[test]
    fn operands_have_the_names_of_columns() {
        let inputs = ["price".to_string(), "é".to_string()];
        for (expression, text) in [
            ("(o0 * o1)", "(price * é)"),
            ("sin(o1)+foo0-o2", "sin(é)+foo0-o2"),
            ("o0o1 + o01", "o0o1 + é"),
            ("", ""),
        ] {
            assert_eq!(named(expression, &inputs, &Limits::default(), &mut 0).unwrap(), text);
        }
    }

    #[test]
    fn long_names_are_not_repeated_without_end() {
        let column = || {
            let entries = [
                ("name", "n".into()),
                ("expression", "o0 + ".repeat(1 << 12).into()),
                ("col_deps", Value::Array([Value::from("x".repeat(1 << 10))].into())),
            ];
            Value::Map(entries.map(|(key, value)| (key.into(), value)).into())
        };
        let schema = |count| {
            let columns = Value::Array((0..count).map(|_| column()).collect());
            Value::Map([("computed_columns".into(), columns)].into())
        };
        let limits = Limits { metadata: 16 << 20, ..Limits::default() };
        assert!(ComputedColumn::all(&schema(1), &limits).is_ok());
        let error = ComputedColumn::all(&schema(8), &limits).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit(_)));
    }
}

//! A condition on the rows of a table.

use crate::sections::Sections;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use b2nd::frame::Metalayer;
use b2nd::table::{self, Filter, Operand, Schema, col};
use b2nd::{ArgumentError, Result};

/// A condition, and the table that it is about.
pub(crate) struct Condition {
    pub(super) filter: Filter,
    pub(super) schema: Schema,
    pub(super) attributes: Vec<Metalayer>,
}

/// The text of a condition, which is the only section. If there are more, it is made of comparisons that must all hold: the column, the
/// operator, the value, and a byte if the value is a text, of each.
pub(super) fn text(sections: Sections<'_>) -> Result<String> {
    let sections: Vec<_> = sections.map(String::from_utf8_lossy).collect();
    if let [text] = &sections[..] {
        return Ok(text.to_string());
    }
    let comparisons = sections.as_chunks().0.iter();
    let conditions = comparisons.map(|[column, operator, value, flag]| {
        comparison(&col(column), operator, || {
            if flag.is_empty() { literal(value) } else { Ok((&**value).into()) }
        })
    });
    let all = conditions.reduce(|all, one| Ok(all?.and(one?)));
    Ok(all.unwrap_or_else(|| Err(ArgumentError::Unspecified.into()))?.to_string())
}

fn comparison(
    column: &Operand,
    operator: &str,
    value: impl FnOnce() -> Result<Operand>,
) -> Result<table::Condition> {
    Ok(match operator {
        "==" => column.eq(value()?),
        "!=" => column.ne(value()?),
        "<" => column.lt(value()?),
        "<=" => column.le(value()?),
        ">" => column.gt(value()?),
        ">=" => column.ge(value()?),
        "is null" => column.is_null(),
        "is not null" => column.is_not_null(),
        _ => return Err(ArgumentError::Unspecified.into()),
    })
}

/// A boolean or a number, as JavaScript prints it.
fn literal(text: &str) -> Result<Operand> {
    let number = match text {
        "true" | "false" => return Ok((text == "true").into()),
        // More than any type has.
        "Infinity" => "1e999",
        "-Infinity" => "-1e999",
        number => number,
    };
    Operand::number(number).ok_or_else(|| ArgumentError::Unspecified.into())
}

//! The columns that values show: the narrowest of booleans, integers, floats, times and texts that all of a sample are.

use super::lines::{Cell, Line};
use crate::input::parse_item;
use crate::words::count;
use b2nd::array::{Dtype, Kind, TimeUnit};
use b2nd::table::{ColumnKind, ColumnSpec, Nulls};
use b2nd::{Error, Limits};
use serde_json::Value as Json;

/// Columns that are named in a warning.
const MAX_NAMED: usize = 8;

/// The columns with these names.
pub(crate) fn columns(names: &[String], sample: &[Line]) -> Result<Vec<ColumnSpec>, Error> {
    let is_empty = |(place, name): &(usize, &String)| {
        cells(sample, *place, name).all(|cell| matches!(cell, Cell::Null | Cell::Empty))
    };
    let empty: Vec<&String> = names.iter().enumerate().filter(is_empty).map(|(_, name)| name).collect();
    if !empty.is_empty() {
        warn(&empty, sample.len());
    }
    let column = |(place, name): (usize, &String)| {
        let kind = kind_of(&|| cells(sample, place, name))?;
        ColumnSpec::new(name, &kind, &Nulls::Mask)
    };
    names.iter().enumerate().map(column).collect()
}

/// The cells of a column.
fn cells<'l>(sample: &'l [Line], place: usize, name: &str) -> impl Iterator<Item = Cell<'l>> {
    sample.iter().map(move |line| line.cell(place, name))
}

/// Says which columns have no values to infer a kind from.
fn warn(empty: &[&String], lines: usize) {
    let shown = empty.iter().take(MAX_NAMED).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let more = empty.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let lines = count(lines as u64, "line");
    eprintln!("b2nd: without values in the first {lines}, and so taken for text: {shown}{more}");
}

fn kind_of<'l, I: Iterator<Item = Cell<'l>>>(cells: &impl Fn() -> I) -> Result<ColumnKind, Error> {
    let is_any = |fits: &dyn Fn(&Cell<'_>) -> bool| {
        let mut some = cells().filter(|cell| !matches!(cell, Cell::Null | Cell::Empty)).peekable();
        some.peek().is_some() && some.all(|cell| fits(&cell))
    };
    let is_nested = |cell: &Cell<'_>| matches!(cell, Cell::Json(Json::Array(_) | Json::Object(_)));
    if cells().any(|cell| is_nested(&cell)) {
        return Ok(ColumnKind::Object);
    }
    if is_any(&is_bool) {
        return Ok(ColumnKind::Number(Dtype::of::<bool>()));
    }
    if is_any(&|cell| is_plain(cell) && parses(cell, &Dtype::of::<i64>())) {
        return Ok(ColumnKind::Number(Dtype::of::<i64>()));
    }
    if is_any(&|cell| is_plain(cell) && parses(cell, &Dtype::of::<f64>())) {
        return Ok(ColumnKind::Number(Dtype::of::<f64>()));
    }
    for unit in [TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        let dtype = Dtype::parse(&["<M8[", unit.symbol(), "]"].concat(), &Limits::default())?;
        if is_any(&|cell| is_date(cell) && parses(cell, &dtype)) {
            let is_moment = |cell: &Cell<'_>| has_offset(cell, &dtype);
            // Times with offsets are stored in UTC. The column then says that they are moments.
            return Ok(match (is_any(&is_moment), is_any(&|cell| !is_moment(cell))) {
                (true, _) => ColumnKind::Timestamp { unit, timezone: Some("UTC".into()) },
                (_, true) => ColumnKind::Timestamp { unit, timezone: None },
                // The zone of some is known, that of others is not.
                _ => ColumnKind::Text,
            });
        }
    }
    Ok(ColumnKind::Text)
}

fn is_bool(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Text(text) => matches!(*text, "true" | "false" | "True" | "False"),
        cell => matches!(cell, Cell::Json(Json::Bool(_))),
    }
}

/// Whether no digit is lost in a number: zeros in front, as of postal codes, make a text, and so do more digits than an integer has.
/// The texts of JSON are no numbers, unless they are none of its own.
fn is_plain(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Text(text) => {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
            let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
            !is_padded && (!is_integer || text.parse::<i64>().is_ok())
        }
        Cell::Json(value) => value.is_number(),
        Cell::Null | Cell::Empty => false,
    }
}

/// Whether a text begins with a year, a month and a day.
fn is_date(cell: &Cell<'_>) -> bool {
    let Cell::Text(text) = cell else { return false };
    let bytes = text.as_bytes();
    bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-' && bytes[..4].iter().all(u8::is_ascii_digit)
}

/// Whether the time of a date has an offset from UTC: a second one is refused.
fn has_offset(cell: &Cell<'_>, dtype: &Dtype) -> bool {
    let Cell::Text(text) = cell else { return false };
    text.len() > "2026-01-01".len() && !parses(&Cell::Text(&[text, "Z"].concat()), dtype)
}

fn parses(cell: &Cell<'_>, dtype: &Dtype) -> bool {
    let mut place = [0; 8];
    let place = &mut place[..dtype.itemsize()];
    match cell {
        Cell::Text(text) => parse(text, dtype, place),
        Cell::Json(value) => parse(&value.to_string(), dtype, place),
        Cell::Null | Cell::Empty => true,
    }
}

/// Parses a cell of a table. Digits are refused that make no finite number, such as `1e400`: the value would be lost.
pub(super) fn parse(text: &str, dtype: &Dtype, place: &mut [u8]) -> bool {
    let is_number = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let is_finite = |place: &[u8]| match *place {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).is_finite(),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]).is_finite(),
        _ => true,
    };
    parse_item(text, dtype, place) && (*dtype.kind() != Kind::Float || !is_number(text) || is_finite(place))
}

//! `b2nd stats`: statistics of an array.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::opened::Opened;
use crate::output::Output;
use crate::values::{Format, ValueError, writer};
use b2nd::Selection;
use b2nd::export::{NanAs, Style};
use b2nd::source::{Statistics, StatisticsError};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// Prints the statistics of all items, or a line of them for each position of the axes that are left.
pub(crate) fn run(
    args: &Args,
    path: &Path,
    selection: Option<&str>,
    axes: Option<&[i64]>,
    as_json: bool,
) -> Result<(), CommandError> {
    let selection: Selection = selection.unwrap_or("").parse().map_err(CommandError::Parameters)?;
    let array = Opened::new(path, args)?.reader.into_array().map_err(|error| read_error(path, error))?;
    let statistics = Statistics::of(array, &selection, axes).map_err(|error| match error {
        StatisticsError::Read(error) => read_error(path, error),
        StatisticsError::Expression(error) => ValueError::Expression(error).into(),
        error => CommandError::Output(io::Error::other(error)),
    })?;
    let [min, max] = [&statistics.min, &statistics.max].map(|items| values(&statistics, items));
    let (min, max) = (min?, max?);
    let mut out = Output::create(None).map_err(CommandError::Output)?;
    let written = match (as_json, statistics.shape.is_empty()) {
        (true, _) => writeln!(out, "{}", object(&statistics, &min, &max)),
        (false, true) => column(&mut out, &statistics, &min, &max),
        (false, false) => lines(&mut out, &statistics, &min, &max),
    };
    written.and_then(|()| out.commit()).map_err(CommandError::Output)
}

/// Items as JSON.
fn values(statistics: &Statistics, items: &[u8]) -> Result<Vec<Value>, CommandError> {
    let count = (items.len() / statistics.dtype.itemsize().max(1)) as u64;
    let (style, mut text) = (Style { nan: NanAs::Null, ..Style::default() }, Vec::new());
    let mut writer = writer((Format::Json, &style), &statistics.dtype, &[count], &mut text)?;
    writer.write(items).and_then(|()| writer.finish()).map_err(CommandError::Output)?;
    serde_json::from_slice(&text).map_err(|error| ValueError::Json(error.to_string()).into())
}

/// A single value where all axes are taken away, otherwise a list in C order.
fn object(statistics: &Statistics, min: &[Value], max: &[Value]) -> Value {
    let Statistics { shape, count, nan, infinite, mean, std, .. } = statistics;
    let of = |values: Vec<Value>| match &values[..] {
        [value] if shape.is_empty() => value.clone(),
        _ => Value::Array(values),
    };
    let numbers = |values: &[f64]| of(values.iter().map(|value| json!(value)).collect());
    let counts = |values: &[u64]| of(values.iter().map(|value| json!(value)).collect());
    json!({
        "shape": shape, "count": count, "nan": counts(nan), "infinite": counts(infinite), "min": of(min.to_vec()),
        "max": of(max.to_vec()), "mean": numbers(mean), "std": numbers(std),
    })
}

/// A value as text: JSON has no NaN.
fn text(value: &Value) -> String {
    if value.is_null() { "NaN".into() } else { value.to_string() }
}

fn column(out: &mut Output, statistics: &Statistics, min: &[Value], max: &[Value]) -> io::Result<()> {
    let Statistics { count, nan, infinite, mean, std, .. } = statistics;
    writeln!(out, "count     {count}\nnan       {}\ninfinite  {}", nan[0], infinite[0])?;
    writeln!(out, "min       {}\nmax       {}", text(&min[0]), text(&max[0]))?;
    writeln!(out, "mean      {}\nstd       {}", mean[0], std[0])
}

/// A table, as CSV, with the position along each axis that is left.
fn lines(out: &mut Output, statistics: &Statistics, min: &[Value], max: &[Value]) -> io::Result<()> {
    let Statistics { shape, count, nan, infinite, mean, std, .. } = statistics;
    let axes: String = (0..shape.len()).map(|axis| format!("i{axis},")).collect();
    writeln!(out, "{axes}count,nan,infinite,min,max,mean,std")?;
    for place in 0..min.len() {
        let mut rest = place as u64;
        let mut position = shape.iter().rev().map(|len| {
            let at = rest % len;
            rest /= len;
            format!("{at},")
        });
        let position: Vec<String> = position.by_ref().collect();
        let position: String = position.into_iter().rev().collect();
        let (nan, infinite, mean, std) = (nan[place], infinite[place], mean[place], std[place]);
        let (min, max) = (text(&min[place]), text(&max[place]));
        writeln!(out, "{position}{count},{nan},{infinite},{min},{max},{mean},{std}")?;
    }
    Ok(())
}

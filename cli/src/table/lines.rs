//! Rows as lines.

use crate::get::Options;
use crate::json as value;
use crate::output::Output;
use crate::rows::Rows;
use crate::values::Format;
use b2nd::array::{Dtype, Kind};
use b2nd::export;
use b2nd::msgpack::Value;
use b2nd::table::{Cells, Column, Data};
use b2nd::{Limits, ReadAt};
use serde_json::Value as Json;
use std::io::{self, Write};

/// Longer texts are cut in tables for people.
const WIDEST: usize = 40;

/// Writes rows: as a table for people, as CSV with the names of the columns first, or as a JSON list of objects.
pub(super) struct Lines {
    format: Format,
    names: Vec<String>,
    /// Whether one row was indexed.
    single: bool,
    hides: bool,
    written: u64,
    /// The lines of a table for people, since their widths depend on each other.
    table: Vec<Vec<String>>,
}

impl Lines {
    /// `None` if the format cannot hold rows.
    pub(super) fn new<S: ReadAt>(
        options: &Options<'_>,
        rows: &Rows,
        columns: &[Column<'_, S>],
    ) -> Option<Self> {
        let format = options.format;
        if options.dtype.is_some() || matches!(format, Format::Npy | Format::Raw) {
            return None;
        }
        let names: Vec<String> = columns.iter().map(|column| column.spec().name.clone()).collect();
        let hides = format == Format::Text && rows.hidden().is_some();
        let table = vec![names.clone()];
        Some(Self { format, names, single: rows.single, hides, written: 0, table })
    }

    /// The parts that are written.
    pub(super) fn shown(&self, rows: &Rows) -> Vec<Rows> {
        match rows.hidden().filter(|_| self.hides) {
            Some(hidden) => vec![rows.part(0..hidden.start), rows.part(hidden.end..rows.count)],
            None => vec![rows.clone()],
        }
    }

    /// Writes a row.
    pub(super) fn row(&mut self, cells: &[Cells], at: usize, out: &mut Output) -> io::Result<()> {
        match self.format {
            Format::Json => self.json(cells, at, out)?,
            Format::Csv => {
                self.csv_header(out)?;
                csv_line(cells.iter().map(|cells| plain(cells, at, "")), out)?;
            }
            _ => self.table.push(cells.iter().map(|cells| cut(plain(cells, at, "null"))).collect()),
        }
        self.written += 1;
        Ok(())
    }

    fn json(&self, cells: &[Cells], at: usize, out: &mut Output) -> io::Result<()> {
        let opening = if self.written == 0 { "[" } else { ",\n" };
        out.write_all(if self.single { b"" } else { opening.as_bytes() })?;
        let mut separator = "{";
        for (name, cells) in self.names.iter().zip(cells) {
            write!(out, "{separator}{}: ", Json::from(name.as_str()))?;
            json(cells, at, out)?;
            separator = ", ";
        }
        out.write_all(if separator == "{" { b"{}" } else { b"}" })
    }

    fn csv_header(&self, out: &mut Output) -> io::Result<()> {
        if self.written == 0 { csv_line(self.names.iter().cloned(), out) } else { Ok(()) }
    }

    /// Shows once that rows are left out.
    pub(super) fn end_part(&mut self) {
        if core::mem::take(&mut self.hides) {
            self.table.push(vec!["...".into(); self.names.len()]);
        }
    }

    /// Writes the end.
    pub(super) fn finish(&self, out: &mut Output) -> io::Result<()> {
        match self.format {
            Format::Json if self.single => out.write_all(b"\n"),
            Format::Json => out.write_all(if self.written == 0 { b"[]\n" } else { b"]\n" }),
            Format::Csv => self.csv_header(out),
            _ => {
                let width = |column: usize| {
                    self.table.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
                };
                let widths: Vec<usize> = (0..self.names.len()).map(width).collect();
                self.table.iter().try_for_each(|line| {
                    let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
                    writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())
                })
            }
        }
    }
}

fn csv_line(cells: impl Iterator<Item = String>, out: &mut Output) -> io::Result<()> {
    let mut line = Vec::new();
    export::csv_line(cells, &mut line);
    out.write_all(&line)
}

/// A cell as text; `null` if it is null.
fn plain(cells: &Cells, at: usize, null: &str) -> String {
    match (&cells.data, item(cells, at)) {
        _ if cells.is_null(at) => null.into(),
        (Data::Texts(texts), _) => texts[at].clone(),
        (Data::Objects(objects), _) => match &objects[at] {
            Value::Str(text) => text.clone(),
            object => value::json(object, &Limits::default()).to_string(),
        },
        (Data::Items { dtype, .. }, Some(_)) if matches!(dtype.kind(), Kind::Subarray { .. }) => {
            let mut text = Vec::new();
            json(cells, at, &mut text)
                .map(|()| String::from_utf8_lossy(&text).into_owned())
                .unwrap_or_default()
        }
        (_, Some((dtype, item))) => export::csv_cell(dtype, item),
        _ => String::new(),
    }
}

fn json(cells: &Cells, at: usize, out: &mut impl Write) -> io::Result<()> {
    match (&cells.data, item(cells, at)) {
        _ if cells.is_null(at) => out.write_all(b"null"),
        (Data::Texts(texts), _) => write!(out, "{}", Json::from(texts[at].as_str())),
        (Data::Objects(objects), _) => value::write_json(&objects[at], &Limits::default(), out),
        (_, Some((dtype, item))) => {
            let mut text = Vec::new();
            export::json_item(dtype, item, &mut text);
            out.write_all(&text)
        }
        _ => out.write_all(b"null"),
    }
}

fn item(cells: &Cells, at: usize) -> Option<(&Dtype, &[u8])> {
    let Data::Items { dtype, items } = &cells.data else { return None };
    let size = dtype.itemsize();
    Some((dtype, items.get(at * size..)?.get(..size)?))
}

/// The text on one line, and not too wide.
fn cut(text: String) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    match text.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

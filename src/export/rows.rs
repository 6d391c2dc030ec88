//! The rows of tables.

use super::csv::{csv_cell, csv_line};
use super::item::int;
use super::json::{json_item, json_text};
use super::list::List;
use super::object::json_object;
use super::time::Zone;
use super::{ExportError, Format, Style};
use crate::array::{Dtype, Kind};
use crate::base::Limits;
use crate::msgpack::Value;
use crate::table::{Cells, ColumnSpec, Data};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Longer texts are cut in tables for people.
const WIDEST: usize = 40;

/// Writes rows: as a table for people, as CSV with the names of the columns first, in JSON as a list of objects, in NDJSON as an object a
/// line. Timestamps of columns with a zone have its offset, or `Z` if the zone has a name: they are UTC then.
///
/// ```
/// use b2nd::export::{Format, RowExporter, Style};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
/// let table = b2nd::table::Table::open(&store, "")?;
/// let columns = table.columns();
/// let mut exporter = RowExporter::new(Format::Csv, Style::default(), columns, false)?;
/// let open = |spec: &b2nd::table::ColumnSpec| table.column(&spec.name)?.cells(0..table.len().min(10));
/// let cells = columns.iter().map(open).collect::<Result<Vec<_>, _>>()?;
/// let mut csv = Vec::new();
/// (0..table.len().min(10) as usize).for_each(|row| exporter.write(&cells, row, &mut csv));
/// exporter.finish(&mut csv);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct RowExporter {
    format: Format,
    style: Style,
    names: Vec<String>,
    forms: Vec<Form>,
    list: List,
    is_first: bool,
    /// The lines of a table for people, since their widths depend on each other.
    table: Vec<Vec<String>>,
}

impl RowExporter {
    /// For rows of these columns, of which a `single` one was indexed or any number.
    ///
    /// ```
    /// use b2nd::export::{Format, RowExporter, Style};
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// # let columns = &table.columns()[..1];
    /// # let cells = [table.column(&columns[0].name)?.cells(0..3)?];
    /// let mut exporter = RowExporter::new(Format::Ndjson, Style::default(), columns, false)?;
    /// assert!(RowExporter::new(Format::Npy, Style::default(), columns, false).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ExportError::Rows`] for formats of items, which rows are not.
    pub fn new<'s>(
        format: Format,
        style: Style,
        columns: impl IntoIterator<Item = &'s ColumnSpec>,
        single: bool,
    ) -> Result<Self, ExportError> {
        let (names, forms): (Vec<_>, _) =
            columns.into_iter().map(|spec| (spec.name.clone(), Form::of(spec))).unzip();
        let (list, table) = (List::new(format, single)?, vec![names.clone()]);
        Ok(Self { format, style, names, forms, list, is_first: true, table })
    }

    /// Appends a row: the cell at this place of each column.
    ///
    /// ```
    /// use b2nd::export::{Format, RowExporter, Style};
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// # let columns = &table.columns()[..1];
    /// # let cells = [table.column(&columns[0].name)?.cells(0..3)?];
    /// let mut exporter = RowExporter::new(Format::Ndjson, Style::default(), columns, false)?;
    /// let mut out = Vec::new();
    /// (0..3).for_each(|row| exporter.write(&cells, row, &mut out));
    /// assert_eq!(out.split(|byte| *byte == b'\n').count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&mut self, cells: &[Cells], at: usize, out: &mut Vec<u8>) {
        match self.format {
            Format::Csv => {
                self.header(out);
                csv_line(self.each(cells, at, cell), &self.style.null, out);
            }
            Format::Text => {
                let line = self.each(cells, at, cell).map(|text| cut(text.unwrap_or_else(|| "null".into())));
                let line = line.collect();
                self.table.push(line);
            }
            _ => {
                self.list.begin(out);
                self.object(cells, at, out);
                self.list.end(out);
            }
        }
    }

    /// Tells of rows that are left out, in a table for people.
    ///
    /// ```
    /// use b2nd::export::{Format, RowExporter, Style};
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// # let columns = &table.columns()[..1];
    /// # let cells = [table.column(&columns[0].name)?.cells(0..3)?];
    /// let mut exporter = RowExporter::new(Format::Ndjson, Style::default(), columns, false)?;
    /// let mut exporter = RowExporter::new(Format::Text, Style::default(), columns, false)?;
    /// let mut out = Vec::new();
    /// exporter.write(&cells, 0, &mut out);
    /// exporter.gap();
    /// exporter.write(&cells, 2, &mut out);
    /// exporter.finish(&mut out);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gap(&mut self) {
        self.table.push(vec!["...".into(); self.names.len()]);
    }

    /// Appends the end, after all rows.
    ///
    /// ```
    /// use b2nd::export::{Format, RowExporter, Style};
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// # let columns = &table.columns()[..1];
    /// # let cells = [table.column(&columns[0].name)?.cells(0..3)?];
    /// let mut exporter = RowExporter::new(Format::Ndjson, Style::default(), columns, false)?;
    /// let mut out = Vec::new();
    /// exporter.write(&cells, 0, &mut out);
    /// exporter.finish(&mut out);
    /// assert_eq!(out.last(), Some(&b'\n'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        match self.format {
            Format::Csv => self.header(out),
            Format::Text => self.aligned(out),
            _ => self.list.finish(out),
        }
    }

    /// Applies a function to the cells of a row.
    fn each<'c, T: 'c>(
        &'c self,
        cells: &'c [Cells],
        at: usize,
        make: impl Fn(&Cell<'_>, &Style) -> T + 'c,
    ) -> impl Iterator<Item = T> + 'c {
        let cells = cells.iter().zip(&self.forms);
        cells.map(move |(cells, form)| make(&Cell::of(cells, at, form), &self.style))
    }

    fn header(&mut self, out: &mut Vec<u8>) {
        if core::mem::take(&mut self.is_first) {
            csv_line(self.names.iter().map(Some), "", out);
        }
    }

    fn object(&self, cells: &[Cells], at: usize, out: &mut Vec<u8>) {
        out.push(b'{');
        for (column, text) in self.each(cells, at, json).enumerate() {
            out.extend(if column > 0 { &b", "[..] } else { b"" });
            json_text(&self.names[column], out);
            out.extend(b": ");
            out.extend(text);
        }
        out.push(b'}');
    }

    fn aligned(&self, out: &mut Vec<u8>) {
        let width =
            |column: usize| self.table.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.names.len()).map(width).collect();
        for line in &self.table {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            out.extend(cells.collect::<Vec<_>>().join("  ").trim_end().as_bytes());
            out.push(b'\n');
        }
    }
}

/// How the schema describes the cells of a column.
#[derive(Debug)]
struct Form {
    zone: Option<Zone>,
    /// Whether they are bytes, which among objects of any type would be taken for texts.
    is_bytes: bool,
}

impl Form {
    fn of(spec: &ColumnSpec) -> Self {
        let zone = spec.entry.get("timezone").and_then(Value::as_str).map(Zone::of);
        Self { zone, is_bytes: spec.kind == "vlbytes" }
    }
}

/// The value of a cell.
enum Cell<'a> {
    Null,
    Text(&'a str),
    Bytes(&'a [u8]),
    Time(String),
    Object(&'a Value),
    Item(&'a Dtype, &'a [u8]),
}

impl<'a> Cell<'a> {
    fn of(cells: &'a Cells, at: usize, form: &Form) -> Self {
        match &cells.data {
            _ if cells.is_null(at) => Self::Null,
            Data::Texts(_) | Data::Words { .. } => cells.data.text(at).map_or(Self::Null, Self::Text),
            Data::Objects(objects) => match &objects[at] {
                Value::Nil => Self::Null,
                Value::Str(text) => Self::Text(text),
                Value::Bin(bytes) if form.is_bytes => Self::Bytes(bytes),
                object => Self::Object(object),
            },
            Data::Items { dtype, items } => {
                let size = dtype.itemsize();
                let item = &items[at * size..][..size];
                match (dtype.kind(), form.zone) {
                    (Kind::Datetime(step), Some(zone)) => {
                        zone.date(int(item, dtype.byte_order()), *step).map_or(Self::Null, Self::Time)
                    }
                    // What is not a time is no value in what reads tables.
                    (Kind::Datetime(_), None) if int(item, dtype.byte_order()) == i64::MIN => Self::Null,
                    _ => Self::Item(dtype, item),
                }
            }
        }
    }
}

fn json(cell: &Cell<'_>, style: &Style) -> Vec<u8> {
    let mut text = Vec::new();
    match cell {
        Cell::Null => text.extend(b"null"),
        Cell::Text(value) => json_text(value, &mut text),
        Cell::Time(value) => json_text(value, &mut text),
        Cell::Bytes(bytes) => json_text(&style.bytes.text(bytes), &mut text),
        Cell::Object(value) => json_object(value, style, &Limits::default(), &mut text),
        Cell::Item(dtype, item) => json_item(dtype, item, style, &mut text),
    }
    text
}

/// The text of a cell; `None` for null.
fn cell(cell: &Cell<'_>, style: &Style) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Text(text) => Some((*text).to_owned()),
        Cell::Time(text) => Some(text.clone()),
        Cell::Bytes(bytes) => Some(style.bytes.text(bytes)),
        Cell::Item(dtype, item) if !matches!(dtype.kind(), Kind::Subarray { .. } | Kind::Struct { .. }) => {
            csv_cell(dtype, item, style)
        }
        _ => Some(String::from_utf8_lossy(&json(cell, style)).into_owned()),
    }
}

/// The text on one line, and not too wide.
fn cut(text: String) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    match text.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

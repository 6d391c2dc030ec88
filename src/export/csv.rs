//! Comma-separated values with line feeds, quoted as RFC 4180 requires.
//!
//! One dimension has a value per line, two are a table, more have a line per value, preceded by its indices.
//! Structures always have one line each and a column per field: `a`, `a.b` for nested fields, `a[0][1]` for
//! sub-arrays. If columns have names, they are the first line. Numbers are as in JSON except `nan`, `inf`, `1.0+2.0j`;
//! missing times are `NaT`. An empty text has quotes, null is an empty field: PostgreSQL, DuckDB and Arrow tell them apart so.

use super::columns::{Column, columns};
use super::item::Item;
use super::{ExportError, NanAs, Style, Values, nest::Nest};
use crate::array::{Dtype, Kind};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

#[derive(Debug)]
pub(super) struct Csv<'a> {
    nest: Nest,
    itemsize: usize,
    columns: Vec<Column<'a>>,
    has_indices: bool,
    /// The number of axes within a line: one in a table.
    axes_per_line: usize,
    /// The header line; empty after it was written.
    header: Vec<String>,
    at: u64,
    /// The cells of the line so far.
    line: Vec<Option<String>>,
    style: &'a Style,
}

impl<'a> Csv<'a> {
    pub(super) fn new(dtype: &'a Dtype, nest: Nest, style: &'a Style) -> Result<Self, ExportError> {
        let columns = columns(dtype)?;
        let is_struct = matches!(dtype.kind(), Kind::Struct { .. });
        let has_indices = nest.ndim() > if is_struct { 1 } else { 2 };
        let axes_per_line = usize::from(nest.ndim() == 2 && !is_struct);
        let itemsize = dtype.itemsize();
        let (header, line) = (Vec::new(), Vec::new());
        let mut csv =
            Self { nest, itemsize, columns, has_indices, axes_per_line, header, at: 0, line, style };
        if is_struct || has_indices {
            csv.header = csv.names();
        }
        Ok(csv)
    }

    fn names(&self) -> Vec<String> {
        let indices = (0..self.nest.ndim()).filter(|_| self.has_indices).map(|axis| format!("i{axis}"));
        let name = |column: &Column<'_>| match column.name.as_str() {
            "" => "value".to_owned(),
            name => name.to_owned(),
        };
        indices.chain(self.columns.iter().map(name)).collect()
    }

    fn write_header(&mut self, out: &mut Vec<u8>) {
        let header = core::mem::take(&mut self.header);
        if !header.is_empty() {
            csv_line(header.iter().map(Some), "", out);
        }
    }

    fn write_item(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.has_indices {
            for axis in 0..self.nest.ndim() {
                self.line.push(Some(self.nest.index(self.at, axis).to_string()));
            }
        }
        for column in &self.columns {
            self.line.push(csv_cell(column.dtype, &bytes[column.offset..], self.style));
        }
        if self.nest.ends(self.at) >= self.axes_per_line {
            csv_line(self.line.iter().map(Option::as_ref), &self.style.null, out);
            self.line.clear();
        }
        self.at += 1;
    }
}

impl Values for Csv<'_> {
    fn write(&mut self, items: &[u8], out: &mut Vec<u8>) {
        self.write_header(out);
        items.chunks_exact(self.itemsize).for_each(|bytes| self.write_item(bytes, out));
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        debug_assert_eq!(self.at, self.nest.len(), "all items must be written");
        self.write_header(out);
    }
}

/// Appends a line of a table: null for cells that are none, others with quotes where RFC 4180 requires them, or where they would be null.
///
/// ```
/// let mut text = Vec::new();
/// b2nd::export::csv_line([Some("a"), Some("b,c"), Some("\"d\""), None, Some("")], "", &mut text);
/// assert_eq!(text, b"a,\"b,c\",\"\"\"d\"\"\",,\"\"\n");
/// ```
pub fn csv_line(cells: impl IntoIterator<Item = Option<impl AsRef<str>>>, null: &str, out: &mut Vec<u8>) {
    for (at, cell) in cells.into_iter().enumerate() {
        out.extend(if at > 0 { &b","[..] } else { b"" });
        let Some(cell) = cell.as_ref().map(AsRef::as_ref) else {
            out.extend(null.as_bytes());
            continue;
        };
        if cell.is_empty() || cell == null || cell.contains(['"', ',', '\r', '\n']) {
            out.push(b'"');
            out.extend(cell.replace('"', "\"\"").into_bytes());
            out.push(b'"');
        } else {
            out.extend(cell.as_bytes());
        }
    }
    out.push(b'\n');
}

/// An item as the text of a cell, without quotes. Of several values in one there is no text: [`columns`] has a cell for each.
///
/// ```
/// let dtype = b2nd::array::Dtype::parse("<M8[D]", &Default::default())?;
/// let cell = b2nd::export::csv_cell(&dtype, &365_i64.to_le_bytes(), &Default::default());
/// assert_eq!(cell.as_deref(), Some("1971-01-01"));
/// # Ok::<(), b2nd::Error>(())
/// ```
///
/// # Panics
/// If the bytes are fewer than those of an item.
pub fn csv_cell(dtype: &Dtype, bytes: &[u8], style: &Style) -> Option<String> {
    Some(match Item::read(dtype, &bytes[..dtype.itemsize()]) {
        Item::Bool(value) => (if value { "True" } else { "False" }).into(),
        Item::Int(value) => value.to_string(),
        Item::Uint(value) => value.to_string(),
        Item::Real(value) if style.nan == NanAs::Null && !value.value().is_finite() => return None,
        Item::Real(value) => value.to_string(),
        Item::Complex(re, im) => super::text::complex(re, im),
        Item::Time(value) => value.unwrap_or_else(|| "NaT".into()),
        Item::Bytes(bytes) => style.bytes.text(bytes),
        Item::Str(text) => text,
        Item::Void(bytes) => style.bytes.raw(bytes),
        Item::Object | Item::List(_) | Item::Record(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ExportError, Exporter, Format, testing, testing::written};
    use alloc::string::String;

    fn csv(text: &str, shape: &[u64], items: &[u8]) -> String {
        written(Format::Csv, text, shape, items)
    }

    #[test]
    fn lines_follow_dimensions() {
        assert_eq!(csv("u1", &[], &[7]), "7\n");
        assert_eq!(csv("u1", &[3], &[1, 2, 3]), "1\n2\n3\n");
        assert_eq!(csv("u1", &[2, 2], &[1, 2, 3, 4]), "1,2\n3,4\n");
        assert_eq!(csv("('u1', (2,))", &[2], &[1, 2, 3, 4]), "1,2\n3,4\n");
        let indexed = "i0,i1,i2,value\n0,0,0,1\n0,0,1,2\n1,0,0,3\n1,0,1,4\n";
        assert_eq!(csv("u1", &[2, 1, 2], &[1, 2, 3, 4]), indexed);
        assert_eq!(csv("u1", &[0], &[]), "");
    }

    #[test]
    fn structures_have_columns() {
        let dtype = "[('a', 'u1'), ('b', [('c', 'u1', (1, 2)), ('x,y', 'S1')])]";
        let table = "a,b.c[0][0],b.c[0][1],\"b.x,y\"\n1,2,3,\"\"\"\"\n4,5,6,\\xE9\n";
        assert_eq!(csv(dtype, &[2], b"\x01\x02\x03\"\x04\x05\x06\xe9"), table);
        assert_eq!(csv("[('a', 'u1')]", &[1, 2], &[5, 6]), "i0,i1,a\n0,0,5\n0,1,6\n");
        assert_eq!(csv("[('a', 'u1')]", &[0], &[]), "a\n");
    }

    #[test]
    fn values_of_each_kind() {
        assert_eq!(csv("?", &[2], &[1, 0]), "True\nFalse\n");
        assert_eq!(csv("<f4", &[2], &testing::bytes(&[0.1, f32::NAN], f32::to_le_bytes)), "0.1\nnan\n");
        assert_eq!(csv("<c8", &[1], &testing::bytes(&[1.0, -2.5], f32::to_le_bytes)), "1.0-2.5j\n");
        assert_eq!(csv("<M8[s]", &[1], &i64::MIN.to_le_bytes()), "NaT\n");
        assert_eq!(csv("V2", &[1], &[1, 0xab]), "01ab\n");
        assert_eq!(csv("S3", &[1], b"a,b"), "\"a,b\"\n");
        assert_eq!(csv("S1", &[3], b"a\0b"), "a\n\"\"\nb\n");
        assert_eq!(csv("S1", &[2, 2], b"a\0\0\0"), "a,\"\"\n\"\",\"\"\n");
    }

    #[test]
    fn columns_are_limited() {
        for text in ["[('a', 'u1', (16385,))]", "[('a', 'V0', (2000000000, 2)), ('b', 'u1')]"] {
            let dtype = testing::dtype(text);
            assert_eq!(Exporter::new(Format::Csv, &dtype, &[1]).err(), Some(ExportError::Columns));
        }
    }
}

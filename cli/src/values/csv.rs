//! Comma-separated values with line feeds, quoted as RFC 4180 requires.
//!
//! One dimension has a value per line, two are a table, more have a line per value, preceded by its indices.
//! Structures always have one line each and a column per field: `a`, `a.b` for nested fields, `a[0][1]` for
//! sub-arrays. If columns have names, they are the first line. Numbers are as in JSON except `nan`, `inf`, `1.0+2.0j`;
//! missing times are `NaT`, raw bytes hexadecimal, Python objects empty.

use super::columns::{Column, columns};
use super::item::{Item, bytes_as_text, hex};
use super::{Refused, ValueWriter, nest::Nest};
use b2nd::array::{Dtype, Kind};
use csv::WriterBuilder;
use std::io::{self, Write};

#[derive(Debug)]
pub(crate) struct Csv<'a, W: Write> {
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
    line: Vec<String>,
    out: csv::Writer<W>,
}

impl<'a, W: Write> Csv<'a, W> {
    pub(crate) fn new(dtype: &'a Dtype, nest: Nest, out: W) -> Result<Self, Refused> {
        let columns = columns(dtype)?;
        let is_struct = matches!(dtype.kind(), Kind::Struct { .. });
        let has_indices = nest.ndim() > if is_struct { 1 } else { 2 };
        let axes_per_line = usize::from(nest.ndim() == 2 && !is_struct);
        let itemsize = dtype.itemsize();
        // Rows of an empty array have no values.
        let out = WriterBuilder::new().flexible(true).from_writer(out);
        let (header, line) = (Vec::new(), Vec::new());
        let mut csv = Self { nest, itemsize, columns, has_indices, axes_per_line, header, at: 0, line, out };
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

    fn write_header(&mut self) -> io::Result<()> {
        let header = core::mem::take(&mut self.header);
        if header.is_empty() { Ok(()) } else { Ok(self.out.write_record(header)?) }
    }

    fn write_item(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_indices {
            for axis in 0..self.nest.ndim() {
                self.line.push(self.nest.index(self.at, axis).to_string());
            }
        }
        for column in &self.columns {
            let value = Item::read(column.dtype, &bytes[column.offset..][..column.dtype.itemsize()]);
            self.line.push(cell(value));
        }
        let is_last = self.nest.ends(self.at) >= self.axes_per_line;
        self.at += 1;
        // A line of one empty cell gets quotes: readers skip empty lines.
        if is_last { Ok(self.out.write_record(self.line.drain(..))?) } else { Ok(()) }
    }
}

impl<W: Write> ValueWriter for Csv<'_, W> {
    fn write(&mut self, items: &[u8]) -> io::Result<()> {
        self.write_header()?;
        items.chunks_exact(self.itemsize).try_for_each(|bytes| self.write_item(bytes))
    }

    fn finish(&mut self) -> io::Result<()> {
        debug_assert_eq!(self.at, self.nest.len(), "all items must be written");
        self.write_header()?;
        self.out.flush()
    }
}

pub(crate) fn cell(value: Item<'_>) -> String {
    match value {
        Item::Bool(value) => (if value { "True" } else { "False" }).into(),
        Item::Int(value) => value.to_string(),
        Item::Uint(value) => value.to_string(),
        Item::Real(value) => value.to_string(),
        Item::Complex(re, im) => super::text::complex(re, im),
        Item::Time(value) => value.unwrap_or_else(|| "NaT".into()),
        Item::Bytes(bytes) => bytes_as_text(bytes),
        Item::Str(text) => text,
        Item::Void(bytes) => hex(bytes),
        // Columns hold scalars only.
        Item::Object | Item::List(_) | Item::Record(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Refused, testing, testing::written, writer};
    use std::io;

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
        let table = "a,b.c[0][0],b.c[0][1],\"b.x,y\"\n1,2,3,\"\"\"\"\n4,5,6,é\n";
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
        assert_eq!(csv("S1", &[2, 2], b"a\0\0\0"), "a,\n,\n");
    }

    #[test]
    fn columns_are_limited() {
        for text in ["[('a', 'u1', (16385,))]", "[('a', 'V0', (2000000000, 2)), ('b', 'u1')]"] {
            let dtype = testing::dtype(text);
            assert_eq!(writer(Format::Csv, &dtype, &[1], io::sink()).err(), Some(Refused::Columns));
        }
    }
}

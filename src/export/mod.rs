//! Values as text, CSV, JSON and `.npy`: the same for all that write them.
//!
//! An [`Exporter`] is given the items of an array in pieces, and appends to a buffer what it makes of them. It neither reads nor
//! writes, so that files, pipes and downloads are alike to it. Of single items [`csv_cell`] and [`json_item`] make the same text, of
//! the rows of tables `RowExporter`, of objects `ObjectExporter`.

mod columns;
mod csv;
mod float;
mod item;
mod json;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
mod list;
mod nest;
mod npy;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
mod object;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
mod rows;
mod style;
mod text;
mod time;

pub use columns::{Column, columns};
pub use csv::{csv_cell, csv_line};
pub use json::{json_item, json_text};
pub use npy::holds_objects;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
pub use object::{ObjectExporter, json_object};
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
pub use rows::RowExporter;
pub use style::{BytesAs, NanAs, Style};

use crate::array::{Dtype, Kind};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use nest::Nest;

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people, as NumPy prints: nested brackets, aligned, and only the edges of arrays of more than 1000 items.
    Text,
    /// NumPy's file format.
    Npy,
    /// The items in C order, in the byte order of the dtype.
    Raw,
    /// Comma-separated values. One dimension has a value per line, two are a table, more have a line per value, preceded by its
    /// indices. Structures have a line each, and a column per field.
    Csv,
    /// Nested lists; complex numbers as `[re, im]`, structures as objects.
    Json,
    /// JSON values, a line for each entry of the first axis, row or object.
    Ndjson,
}

/// Why a format cannot hold values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// Python objects, of which only their addresses are stored.
    Objects,
    /// Rows of a table, of columns that differ in dtype, or objects, which have none.
    Rows,
    /// Overlapping or unordered fields in `.npy`.
    FieldOrder,
    /// More columns than a spreadsheet has.
    Columns,
    /// Items of zero bytes.
    NoBytes,
    /// The number of items overflows.
    Size,
    /// An empty array with too many entries for JSON, which has brackets for each.
    Brackets,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Objects => "the items are addresses of Python objects, which mean nothing in a file",
            Self::Rows => {
                "rows and objects have no dtype: only the formats text, csv, json and ndjson can hold them"
            }
            Self::FieldOrder => "a .npy file cannot represent fields that overlap or are out of order",
            Self::Columns => "the items have too many components for the columns of a table",
            Self::NoBytes => "the items have no bytes, so there is nothing to write",
            Self::Size => "the number of items overflows",
            Self::Brackets => "the array is empty, but its shape takes too many brackets in JSON",
        })
    }
}

impl core::error::Error for ExportError {}

/// Makes a format of items.
trait Values: fmt::Debug + Send {
    fn write(&mut self, items: &[u8], out: &mut Vec<u8>);

    fn skippable(&self) -> u64 {
        0
    }

    fn skip(&mut self, _count: u64) {}

    fn finish(&mut self, out: &mut Vec<u8>);
}

/// Makes text, or the bytes of another format, of the items of an array.
///
/// ```
/// use b2nd::export::{Exporter, Format};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dtype = b2nd::array::Dtype::parse("<i2", &Default::default())?;
/// let mut exporter = Exporter::new(Format::Json, &dtype, &[2, 2])?;
/// let mut json = Vec::new();
/// for row in [[1_i16, 2], [3, -4]] {
///     exporter.write(&row.map(i16::to_le_bytes).concat(), &mut json);
/// }
/// exporter.finish(&mut json);
/// assert_eq!(json, b"[[1, 2],\n[3, -4]]\n");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Exporter<'a> {
    values: Box<dyn Values + 'a>,
}

impl<'a> Exporter<'a> {
    /// For an array of this shape and dtype. Sub-array dtypes become further dimensions, as in NumPy.
    ///
    /// ```
    /// use b2nd::export::{Exporter, Format};
    /// let dtype = b2nd::array::Dtype::of::<u8>();
    /// assert!(Exporter::new(Format::Csv, &dtype, &[2, 3]).is_ok());
    /// ```
    ///
    /// # Errors
    /// [`ExportError`] if the format cannot hold the values.
    pub fn new(format: Format, dtype: &'a Dtype, shape: &[u64]) -> Result<Self, ExportError> {
        static PLAIN: Style = Style { bytes: BytesAs::Escapes, nan: NanAs::String, null: String::new() };
        Self::with_style(format, &PLAIN, dtype, shape)
    }

    /// An exporter with a style.
    ///
    /// ```
    /// use b2nd::export::{Exporter, Format, NanAs, Style};
    /// let dtype = b2nd::array::Dtype::of::<f32>();
    /// let style = Style { nan: NanAs::Null, ..Style::default() };
    /// let mut exporter = Exporter::with_style(Format::Json, &style, &dtype, &[1])?;
    /// let mut json = Vec::new();
    /// exporter.write(&f32::NAN.to_le_bytes(), &mut json);
    /// exporter.finish(&mut json);
    /// assert_eq!(json, b"[null]\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`new`](Self::new).
    pub fn with_style(
        format: Format,
        style: &'a Style,
        dtype: &'a Dtype,
        shape: &[u64],
    ) -> Result<Self, ExportError> {
        Ok(Self { values: values(format, style, dtype, shape)? })
    }

    /// Appends what is known of the next items, in C order: whole ones, at most as many as the shape has.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, export::{Exporter, Format}};
    /// # let dtype = Dtype::of::<u8>();
    /// # let (mut exporter, mut out) = (Exporter::new(Format::Csv, &dtype, &[2])?, Vec::new());
    /// exporter.write(&[7, 8], &mut out);
    /// assert_eq!(out, b"7\n8\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&mut self, items: &[u8], out: &mut Vec<u8>) {
        self.values.write(items, out);
    }

    /// The number of following items that do not matter: [`Format::Text`] shows only the edges of large arrays.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, export::{Exporter, Format}};
    /// # let dtype = Dtype::of::<u8>();
    /// assert_eq!(Exporter::new(Format::Csv, &dtype, &[2])?.skippable(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skippable(&self) -> u64 {
        self.values.skippable()
    }

    /// Leaves items out, at most [`skippable`](Self::skippable) ones.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, export::{Exporter, Format}};
    /// # let (dtype, mut out) = (Dtype::of::<u8>(), Vec::new());
    /// let mut exporter = Exporter::new(Format::Text, &dtype, &[10_000])?;
    /// exporter.write(&[7; 3], &mut out);
    /// exporter.skip(exporter.skippable());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skip(&mut self, count: u64) {
        self.values.skip(count);
    }

    /// Appends the end, after all items.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, export::{Exporter, Format}};
    /// # let (dtype, mut out) = (Dtype::of::<u8>(), Vec::new());
    /// let mut exporter = Exporter::new(Format::Json, &dtype, &[2])?;
    /// exporter.write(&[7, 8], &mut out);
    /// exporter.finish(&mut out);
    /// assert_eq!(out, b"[7, 8]\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.values.finish(out);
    }
}

fn values<'a>(
    format: Format,
    style: &'a Style,
    dtype: &'a Dtype,
    shape: &[u64],
) -> Result<Box<dyn Values + 'a>, ExportError> {
    if format == Format::Raw {
        return Ok(Box::new(Raw));
    }
    let mut shape = shape.to_vec();
    let dtype = match dtype.kind() {
        Kind::Subarray { item, shape: inner } => {
            shape.extend(inner.iter().map(|&dim| dim as u64));
            item
        }
        _ => dtype,
    };
    if dtype.itemsize() == 0 {
        return Err(ExportError::NoBytes);
    }
    if holds_objects(dtype) {
        return Err(ExportError::Objects);
    }
    let nest = Nest::new(&shape).ok_or(ExportError::Size)?;
    Ok(match format {
        Format::Text => Box::new(text::Text::new(dtype, nest)),
        Format::Json | Format::Ndjson => {
            Box::new(json::Json::new(dtype, nest, style, format == Format::Ndjson)?)
        }
        Format::Csv => Box::new(csv::Csv::new(dtype, nest, style)?),
        Format::Npy => Box::new(npy::Npy::new(dtype, nest.shape())?),
        Format::Raw => Box::new(Raw),
    })
}

/// The items as they are.
#[derive(Debug)]
struct Raw;

impl Values for Raw {
    fn write(&mut self, items: &[u8], out: &mut Vec<u8>) {
        out.extend(items);
    }

    fn finish(&mut self, _: &mut Vec<u8>) {}
}

/// Formats into bytes.
struct Bytes<'o>(&'o mut Vec<u8>);

impl fmt::Write for Bytes<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend(text.as_bytes());
        Ok(())
    }
}

/// Appends formatted text to bytes, which cannot fail.
fn put(out: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    let _ = fmt::Write::write_fmt(&mut Bytes(out), text);
}

#[cfg(test)]
mod testing {
    use super::*;
    use crate::base::Limits;

    pub(super) fn dtype(text: &str) -> Dtype {
        Dtype::parse(text, &Limits::default()).unwrap()
    }

    /// The output for `items`. Checks that writing them at once and in pieces of three agrees.
    pub(super) fn written(format: Format, text: &str, shape: &[u64], items: &[u8]) -> String {
        let dtype = dtype(text);
        let outputs = [3 * dtype.itemsize(), items.len().max(1)].map(|step| {
            let mut out = Vec::new();
            let mut exporter = Exporter::new(format, &dtype, shape).unwrap();
            items.chunks(step).for_each(|piece| exporter.write(piece, &mut out));
            exporter.finish(&mut out);
            String::from_utf8(out).unwrap()
        });
        assert_eq!(outputs[0], outputs[1]);
        let [output, _] = outputs;
        output
    }

    pub(super) fn bytes<const N: usize, T>(values: &[T], to_bytes: fn(T) -> [u8; N]) -> Vec<u8>
    where
        T: Copy,
    {
        values.iter().flat_map(|&value| to_bytes(value)).collect()
    }
}

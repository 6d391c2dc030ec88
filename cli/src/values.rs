//! Output formats for values.

mod columns;
mod csv;
mod float;
mod item;
mod json;
mod nest;
pub(crate) mod npy;
mod raw;
mod text;
pub(crate) mod time;

pub(crate) use columns::{Column, columns};
pub(crate) use csv::cell as csv_cell;
pub(crate) use item::Item;
pub(crate) use json::item as write_json;

use crate::words::count;
use b2nd::array::{Dtype, Kind};
use clap::ValueEnum;
use core::fmt;
use std::io::{self, Write};

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable: nested brackets; only the edges of large arrays
    #[default]
    Text,
    /// NumPy's file format
    Npy,
    /// The items in C order, in the byte order of the file
    Raw,
    /// A table; beyond two dimensions one line per value, preceded by its indices
    Csv,
    /// Nested arrays; NaN and infinities as strings, complex numbers as [re, im], structures as objects
    Json,
}

/// Writes values, given in pieces in C order.
pub(crate) trait ValueWriter {
    /// Writes whole items, at most as many as the shape has.
    fn write(&mut self, items: &[u8]) -> io::Result<()>;

    /// The number of following items that do not affect the output. The caller may [`skip`](Self::skip) them.
    fn skippable(&self) -> u64 {
        0
    }

    /// Skips items, at most [`skippable`](Self::skippable) ones.
    fn skip(&mut self, _count: u64) {}

    /// Writes the end of the output.
    fn finish(&mut self) -> io::Result<()>;
}

/// The reason why values cannot be written or read as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Python objects in `.npy`.
    Objects,
    /// Overlapping or unordered fields in `.npy`.
    FieldOrder,
    /// More columns than a spreadsheet has.
    Columns,
    /// Items of zero bytes.
    NoBytes,
    /// The number of items overflows.
    Size,
    /// A text that is not a value of the dtype.
    Value {
        /// The text.
        text: String,
        /// The dtype.
        dtype: String,
    },
    /// A directory cannot be written to standard output.
    SparseStream,
    /// Frames at an offset of a file cannot be changed.
    Offset,
    /// The frame has no array.
    NotAnArray,
    /// Objects have no dtype.
    NoDtype,
    /// A table in a format for items of one dtype.
    Table,
    /// Columns of what is no table.
    NotATable,
    /// There is no column of this name.
    NoColumn(String),
    /// A column that is computed, and its expression.
    Computed(String, String),
    /// Invalid arguments of `meta`.
    Meta,
    /// There is no metalayer of this name.
    NoMetalayer(String),
    /// Invalid JSON.
    Json(String),
    /// A dtype of the wrong item size.
    ItemSize {
        /// Item size of the dtype.
        given: usize,
        /// Item size of the array.
        stored: usize,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ItemSize { given, stored } => {
                return write!(f, "the dtype has items of {}, the array has items of {}", bytes(*given), bytes(*stored));
            }
            Self::Value { text, dtype } => return write!(f, "{text:?} is no value of dtype {dtype}"),
            Self::NoMetalayer(name) => return write!(f, "there is no metalayer {name:?}"),
            Self::Json(wrong) => wrong,
            Self::SparseStream => "a sparse frame is a directory and cannot be written to standard output, a pipe or a device",
            Self::Offset => "a frame that begins within a file (--offset) can be read, but not changed",
            Self::NotAnArray => "this is a super-chunk, not an array: b2nd changes only its metalayers",
            Self::NoColumn(name) => return write!(f, "there is no column {name:?}"),
            Self::Computed(name, expression) => {
                return write!(f, "column {name:?} is computed, not stored: {expression}");
            }
            Self::NotATable => "only tables have columns",
            Self::Table => "the columns of a table differ in dtype: only the formats text, csv and json can hold them",
            Self::NoDtype => "objects have no dtype: only the formats text, json and raw (MessagePack) can hold them",
            Self::Meta => "expected NAME, set NAME JSON or rm NAME after the file",
            Self::Objects => {
                "the items are addresses of Python objects, which no .npy file can hold (use --format raw for the bytes)"
            }
            Self::FieldOrder => "a .npy file cannot represent fields that overlap or are out of order",
            Self::Columns => "the items have too many components for the columns of a table",
            Self::NoBytes => "the items have no bytes, so there is nothing to write",
            Self::Size => "the number of items overflows",
        })
    }
}

impl core::error::Error for Refused {}

fn bytes(number: usize) -> String {
    count(number as u64, "byte")
}

/// A writer for an array of this shape and dtype. Sub-array dtypes become further dimensions, as in NumPy.
///
/// # Errors
///
/// [`Refused`] if the format cannot hold the values.
pub(crate) fn writer<'a, W: Write + 'a>(
    format: Format,
    dtype: &'a Dtype,
    shape: &[u64],
    out: W,
) -> Result<Box<dyn ValueWriter + 'a>, Refused> {
    if format == Format::Raw {
        return Ok(Box::new(raw::Raw::new(out)));
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
        return Err(Refused::NoBytes);
    }
    let nest = nest::Nest::new(&shape).ok_or(Refused::Size)?;
    Ok(match format {
        Format::Text => Box::new(text::Text::new(dtype, nest, out)),
        Format::Json => Box::new(json::Json::new(dtype, nest, out)),
        Format::Csv => Box::new(csv::Csv::new(dtype, nest, out)?),
        Format::Npy => Box::new(npy::Npy::new(dtype, nest.shape(), out)?),
        Format::Raw => Box::new(raw::Raw::new(out)),
    })
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use b2nd::Limits;

    pub(crate) fn dtype(text: &str) -> Dtype {
        Dtype::parse(text, &Limits::default()).unwrap()
    }

    /// The output for `items`. Checks that writing them at once and in pieces of three agrees.
    pub(crate) fn written(format: Format, text: &str, shape: &[u64], items: &[u8]) -> String {
        let dtype = dtype(text);
        let outputs = [3 * dtype.itemsize(), items.len().max(1)].map(|step| {
            let mut out = Vec::new();
            let mut writer = writer(format, &dtype, shape, &mut out).unwrap();
            items.chunks(step).for_each(|piece| writer.write(piece).unwrap());
            writer.finish().unwrap();
            drop(writer);
            String::from_utf8(out).unwrap()
        });
        assert_eq!(outputs[0], outputs[1]);
        let [output, _] = outputs;
        output
    }

    pub(crate) fn bytes<const N: usize, T>(values: &[T], to_bytes: fn(T) -> [u8; N]) -> Vec<u8>
    where
        T: Copy,
    {
        values.iter().flat_map(|&value| to_bytes(value)).collect()
    }
}

//! Output formats for values.

mod columns;
mod csv;
mod float;
mod item;
mod json;
mod nest;
mod npy;
mod raw;
mod text;
pub(crate) mod time;

pub(crate) use columns::{Column, columns};

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
    /// Writes whole items, not more than the shape has.
    fn write(&mut self, items: &[u8]) -> io::Result<()>;

    /// How many of the next items have no influence on the output. The caller may [`skip`](Self::skip) them.
    fn skippable(&self) -> u64 {
        0
    }

    /// Skips items, at most [`skippable`](Self::skippable) ones.
    fn skip(&mut self, _count: u64) {}

    /// Writes what follows the last item.
    fn finish(&mut self) -> io::Result<()>;
}

/// Why a format cannot hold the values.
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
    /// More items than can be counted.
    Size,
    /// A text that is no value of the dtype.
    Value {
        /// The text.
        text: String,
        /// The dtype.
        dtype: String,
    },
    /// A directory cannot be written to standard output.
    SparseStream,
    /// Frames that begin within a file are read only.
    Offset,
    /// A frame that is no array.
    NotAnArray,
    /// A command that is none.
    Meta,
    /// A metalayer that is not there.
    NoMetalayer(String),
    /// A text that is no JSON.
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
                return write!(f, "the dtype is one of items of {}, those stored have {}", bytes(*given), bytes(*stored));
            }
            Self::Value { text, dtype } => return write!(f, "{text:?} is no value of dtype {dtype}"),
            Self::NoMetalayer(name) => return write!(f, "there is no metalayer {name:?}"),
            Self::Json(wrong) => wrong,
            Self::SparseStream => "a sparse frame is a directory and cannot be written to standard output",
            Self::Offset => "a frame that begins within a file (--offset) can be read, but not changed",
            Self::NotAnArray => "a super-chunk and no array: only its metalayers can be changed here",
            Self::Meta => "after the file come NAME, or set NAME JSON, or rm NAME",
            Self::Objects => {
                "the items are addresses of Python objects, which mean nothing in another process: no .npy file of them (use --format raw for the bytes)"
            }
            Self::FieldOrder => "fields that overlap or are out of order cannot be said in a .npy file",
            Self::Columns => "the items have too many parts for columns of a table",
            Self::NoBytes => "the items have no bytes, so there is nothing to write",
            Self::Size => "more items than can be counted",
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

    /// The output for `items`, written both at once and in pieces of three, which must agree.
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

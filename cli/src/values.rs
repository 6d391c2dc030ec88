//! Values in the formats of the library, written to files and pipes; and what is refused.

use crate::words::count;
use b2nd::array::Dtype;
use b2nd::export::{self, ExportError, Exporter, Style};
use b2nd::expression::ExpressionError;
use b2nd::table::FilterError;
use clap::ValueEnum;
use core::fmt;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

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
    /// Nested arrays; complex numbers as [re, im], structures as objects
    Json,
    /// A line of JSON for each entry of the first axis, row of a table or object
    Ndjson,
    /// A table in columns, compressed with zstd
    #[value(alias = "pq")]
    Parquet,
    /// A table as record batches: a file of Arrow, also called Feather
    #[value(aliases = ["feather", "ipc"])]
    Arrow,
}

impl Format {
    /// The format that the name of an output stands for.
    pub(crate) fn of(output: Option<&Path>) -> Self {
        let extension = output.and_then(Path::extension).and_then(OsStr::to_str);
        Self::from_str(extension.unwrap_or_default(), true).unwrap_or_default()
    }
}

/// A format of record batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BatchFormat {
    /// Parquet.
    Parquet,
    /// A file of Arrow, which is also called Feather; when it is read, also a stream.
    Arrow,
}

impl fmt::Display for BatchFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        })
    }
}

impl Format {
    /// The format of record batches that this is, if it is one.
    pub(crate) const fn batches(self) -> Option<BatchFormat> {
        match self {
            Self::Parquet => Some(BatchFormat::Parquet),
            Self::Arrow => Some(BatchFormat::Arrow),
            _ => None,
        }
    }
}

impl TryFrom<Format> for export::Format {
    type Error = ValueError;

    fn try_from(format: Format) -> Result<Self, ValueError> {
        Ok(match format {
            Format::Text => Self::Text,
            Format::Npy => Self::Npy,
            Format::Raw => Self::Raw,
            Format::Csv => Self::Csv,
            Format::Json => Self::Json,
            Format::Ndjson => Self::Ndjson,
            Format::Parquet | Format::Arrow => return Err(ValueError::NotATable),
        })
    }
}

/// The reason why values cannot be written or read as requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueError {
    /// The format cannot hold the values.
    Export(ExportError),
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
    /// Objects behind URLs cannot be changed.
    RemoteChange,
    /// An output that is a store, or has the name of one.
    Store,
    /// An output in a store that this command does not write to.
    Member,
    /// A sparse frame is no file, which a member of a store is.
    SparseMember,
    /// Parameters that objects do not have.
    ObjectParameters,
    /// Parameters that tables do not have.
    TableParameters,
    /// A path at which no table can be.
    TableOutput,
    /// Lines in an unknown format.
    LineFormat,
    /// Invalid columns of a table.
    Schema(String),
    /// Parameters for all members of a store.
    StoreParameters,
    /// Parameters for an array that is there.
    ArrayParameters,
    /// A new array whose rows are not described.
    NoRows,
    /// The frame has no array.
    NotAnArray,
    /// Columns of what is no table.
    NotATable,
    /// A format that this build lacks.
    NotBuilt(BatchFormat),
    /// There is no column of this name.
    NoColumn(String),
    /// Likewise for a generated column.
    NoGenerated(String),
    /// A condition that is none.
    Filter(FilterError),
    /// An expression that has no values.
    Expression(ExpressionError),
    /// A name of an expression without an array.
    NoOperand(String),
    /// A file without an expression.
    NoExpression,
    /// A column that is computed, and its expression.
    Computed(String, String),
    /// There is no equals sign behind the name of a column that is computed.
    NoEquation,
    /// Arrays that cannot be joined, or not under this name.
    Refs(String),
    /// Invalid arguments of `attrs`.
    Attrs,
    /// There is no attribute or metalayer of this name.
    NoAttribute(String),
    /// Invalid JSON.
    Json(String),
    /// Items without a picture.
    NoPicture(String),
    /// A dtype of the wrong item size.
    ItemSize {
        /// Item size of the dtype.
        given: usize,
        /// Item size of the array.
        stored: usize,
    },
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ItemSize { given, stored } => {
                return write!(
                    f,
                    "the dtype has items of {}, the array has items of {}",
                    bytes(*given),
                    bytes(*stored)
                );
            }
            Self::Value { text, dtype } => return write!(f, "{text:?} is no value of dtype {dtype}"),
            Self::NoAttribute(name) => return write!(f, "there is no attribute {name:?}"),
            Self::NoPicture(what) => return write!(f, "no picture: {what}"),
            Self::Json(wrong) | Self::Refs(wrong) | Self::Schema(wrong) => wrong,
            Self::SparseStream => {
                "a sparse frame is a directory and cannot be written to standard output, a pipe or a device"
            }
            Self::Offset => "a frame that begins within a file (--offset) can be read, but not changed",
            Self::RemoteChange => {
                "objects are written as a whole: change a file, and upload it by b2nd repack FILE URL"
            }
            Self::Store => {
                "the output is a store, which this would replace: name a member, such as run.b2z/group/array"
            }
            Self::Member => "this command writes files: b2nd add puts a frame into a store",
            Self::SparseMember => "a sparse frame is a directory and cannot be a member of a store",
            Self::ObjectParameters => {
                "objects have no chunk and block shapes, no sparse frame, and no codec or filters by the data"
            }
            Self::TableParameters => "the columns of a table determine chunks, blocks and the kind of frame",
            Self::TableOutput => {
                "a table is in a store: name one (people.b2z), and perhaps a key in it (run.b2z/people)"
            }
            Self::LineFormat => "the format cannot be detected: use --from csv, ndjson, parquet or arrow",
            Self::StoreParameters => {
                "members of stores are copied as they are: repack them one by one with other parameters"
            }
            Self::ArrayParameters => "the array is there already, and keeps its parameters",
            Self::NoRows => {
                "there is no array yet: describe its rows with --template FILE, or --dtype and --row"
            }
            Self::NotAnArray => "this is a super-chunk, not an array: b2nd changes only its attributes",
            Self::Filter(error) => return error.fmt(f),
            Self::Expression(error) => return error.fmt(f),
            Self::NoOperand(name) => {
                return write!(f, "the expression names {name:?}: give its file, as in {name}=FILE");
            }
            Self::NoExpression => "the file has no expression: it is no lazy array, or one of a function",
            Self::NoEquation => "a computed column needs a name and an expression, as in 'sum = x + 2*y'",
            Self::NoColumn(name) => return write!(f, "there is no column {name:?}"),
            Self::NoGenerated(name) => return write!(f, "there is no generated column {name:?}"),
            Self::Computed(name, expression) => {
                return write!(f, "column {name:?} is computed by what b2nd does not evaluate: {expression}");
            }
            Self::NotATable => "only tables have columns and rows",
            Self::NotBuilt(format) if cfg!(target_family = "wasm") => {
                return write!(
                    f,
                    "the tool of the npm package has no {format}: use the native one, cargo install b2nd-cli"
                );
            }
            Self::NotBuilt(format) => {
                return write!(
                    f,
                    "built without {format}: the features arrow and parquet of b2nd-cli have it"
                );
            }
            Self::Attrs => "expected NAME, set NAME JSON or rm NAME after the file",
            Self::Export(wrong @ ExportError::Objects) => {
                return write!(f, "{wrong} (use --format raw for the bytes)");
            }
            Self::Export(wrong) => return wrong.fmt(f),
        })
    }
}

impl core::error::Error for ValueError {}

fn bytes(number: usize) -> String {
    count(number as u64, "byte")
}

impl From<ExportError> for ValueError {
    fn from(wrong: ExportError) -> Self {
        Self::Export(wrong)
    }
}

/// So many bytes of items are turned into text at a time.
const PIECE: usize = 64 << 10;

/// Writes values, given in pieces in C order.
pub(crate) struct Writer<'a, W> {
    exporter: Exporter<'a>,
    /// The bytes of the items of a piece.
    step: usize,
    text: Vec<u8>,
    out: W,
}

/// A writer for an array of this shape and dtype. Sub-array dtypes become further dimensions, as in NumPy.
///
/// # Errors
///
/// [`ValueError`] if the format cannot hold the values.
pub(crate) fn writer<'a, W: Write>(
    (format, style): (Format, &'a Style),
    dtype: &'a Dtype,
    shape: &[u64],
    out: W,
) -> Result<Writer<'a, W>, ValueError> {
    let exporter = Exporter::with_style(format.try_into()?, style, dtype, shape)?;
    let itemsize = dtype.itemsize().max(1);
    Ok(Writer { exporter, step: (PIECE / itemsize).max(1) * itemsize, text: Vec::new(), out })
}

impl<W: Write> Writer<'_, W> {
    /// Writes whole items, at most as many as the shape has.
    pub(crate) fn write(&mut self, items: &[u8]) -> io::Result<()> {
        for piece in items.chunks(self.step) {
            self.exporter.write(piece, &mut self.text);
            self.empty()?;
        }
        Ok(())
    }

    /// The number of following items that do not affect the output. The caller may [`skip`](Self::skip) them.
    pub(crate) fn skippable(&self) -> u64 {
        self.exporter.skippable()
    }

    /// Skips items, at most [`skippable`](Self::skippable) ones.
    pub(crate) fn skip(&mut self, count: u64) {
        self.exporter.skip(count);
    }

    /// Writes the end of the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.exporter.finish(&mut self.text);
        self.empty()?;
        self.out.flush()
    }

    fn empty(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use b2nd::export::csv_line;

    /// The lines of the library are read by the crate as what they were made of.
    #[test]
    fn lines_are_read_by_the_crate() {
        const PARTS: [&str; 8] = ["", "a", ",", "\"", "\n", "\r", " é", "'"];
        for number in 0..PARTS.len().pow(4) {
            let part = |place: u32| PARTS[number / PARTS.len().pow(place) % PARTS.len()];
            let cells = [part(0).to_owned() + part(1), part(2).to_owned() + part(3)];
            for cells in [&cells[..], &cells[..1]] {
                let mut line = Vec::new();
                csv_line(cells.iter().map(Some), "", &mut line);
                let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&line[..]);
                let read: Vec<_> = reader.records().map(Result::unwrap).collect();
                assert_eq!(read, [cells.to_vec()], "{line:?}");
            }
        }
    }
}

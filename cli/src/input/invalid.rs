//! Errors of inputs.

use core::fmt;

/// An error of an input, or of the arguments that describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InvalidInput {
    /// Not a `.npy` file, or one of an unknown version.
    Npy,
    /// A `.npy` header without this key, or with an unsupported value.
    NpyHeader(&'static str),
    /// Pickled Python objects.
    Objects,
    /// Not JSON, with the line and the column.
    Json(String),
    /// A fault in data of another format, or values of another kind than asked for.
    Data(String),
    /// Fewer bytes than the shape needs.
    Truncated { needed: u64, found: u64 },
    /// More bytes than the shape needs.
    TooLong { needed: u64 },
    /// A cell of a table is not a value of the dtype.
    Cell { line: u64, column: usize, text: String, dtype: String },
    /// A line of a table has another number of cells than the first.
    Cells { line: u64, expected: usize, found: usize },
    /// Another error in a line of a table.
    Line { line: u64, what: &'static str },
    /// Another number of values than the shape has.
    Count { expected: u64, found: u64 },
    /// The format cannot be detected.
    Format,
    /// Raw items without a dtype.
    NoDtype,
    /// Tables do not support items of this dtype.
    NoCells(String),
    /// The file has another dtype or shape than requested.
    Differs { what: &'static str, found: String, wanted: String },
}

impl InvalidInput {
    /// Whether the call is at fault, and not the input.
    pub(crate) const fn is_argument(&self) -> bool {
        matches!(
            self,
            Self::Format | Self::NoDtype | Self::NoCells(_) | Self::Differs { .. } | Self::Count { .. }
        )
    }
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Npy => write!(f, "not a .npy file of version 1, 2 or 3"),
            Self::NpyHeader(key) => write!(f, "the header of the .npy file has no valid {key}"),
            Self::Objects => write!(f, "the items are pickled Python objects, which only Python can read"),
            Self::Json(what) | Self::Data(what) => f.write_str(what),
            Self::Truncated { needed, found } => {
                write!(f, "{found} bytes of items, the shape needs {needed}")
            }
            Self::TooLong { needed } => {
                write!(f, "more than the {needed} bytes of items that the shape needs")
            }
            Self::Cell { line, column, text, dtype } => {
                write!(f, "line {line}, column {column}: {text:?} is no value of dtype {dtype}")
            }
            Self::Cells { line, expected, found } => {
                write!(f, "line {line} has {found} cells, the first one has {expected}")
            }
            Self::Line { line, what } => write!(f, "line {line}: {what}"),
            Self::Count { expected, found } => write!(f, "{found} values, the shape has {expected}"),
            Self::Format => f.write_str("the format cannot be detected: use --from npy, csv or raw"),
            Self::NoDtype => f.write_str("raw items need --dtype, such as --dtype '<f4'"),
            Self::NoCells(dtype) => write!(f, "items of dtype {dtype} cannot be read from a table"),
            Self::Differs { what, found, wanted } => write!(f, "the {what} is {found}, not {wanted}"),
        }
    }
}

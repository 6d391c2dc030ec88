//! Why data of Arrow are no columns.

use crate::base::Error;
use alloc::string::String;
use arrow_schema::DataType;
use core::fmt;

/// Why a field or an array of Arrow is no column of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldError {
    /// Tables have no columns of this type.
    Type {
        /// The name of the field.
        column: String,
        /// Its type.
        data_type: DataType,
    },
    /// The column is of another kind.
    Kind {
        /// The name of the column.
        column: String,
        /// python-blosc2's name for its kind.
        kind: String,
        /// The type of the array.
        data_type: DataType,
    },
    /// The column cannot have one of the values.
    Value {
        /// The name of the column.
        column: String,
        /// python-blosc2's name for its kind.
        kind: String,
        /// The place of the value in the array.
        at: usize,
    },
    /// There is a null, and the column has none.
    Null {
        /// The name of the column.
        column: String,
        /// The place of the null in the array.
        at: usize,
    },
    /// There is no array for the column.
    NoColumn {
        /// The name of the column.
        column: String,
    },
    /// Tables have no such column, for example of this name.
    Column {
        /// The name of the field.
        column: String,
        /// The fault.
        error: Error,
    },
}

impl core::error::Error for FieldError {}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { column, data_type } => {
                write!(f, "column {column:?} has the type {data_type}, which tables have no columns of")
            }
            Self::Kind { column, kind, data_type } => {
                write!(f, "column {column:?} is of kind {kind}, not of type {data_type}")
            }
            Self::Value { column, kind, at } => {
                write!(f, "column {column:?}: value {at} is none of kind {kind}")
            }
            Self::Null { column, at } => {
                write!(f, "column {column:?}: value {at} is null, and the column has no nulls")
            }
            Self::NoColumn { column } => write!(f, "there is no column {column:?}"),
            Self::Column { column, error } => write!(f, "column {column:?}: {error}"),
        }
    }
}

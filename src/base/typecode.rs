//! Dtypes in short.

use core::fmt;

/// A dtype in short, as NumPy's `dtype.str` has it: `<f4`, `|S300`, `|V12` for a structure of 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeCode {
    /// `<` little-endian, `>` big-endian, `|` not applicable.
    pub order: char,
    /// NumPy's letter for the kind of values.
    pub kind: char,
    /// Bytes per item.
    pub itemsize: usize,
}

impl fmt::Display for TypeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { order, kind, itemsize } = *self;
        match (kind, itemsize) {
            ('O', 8) => write!(f, "{order}O"),
            ('U', _) => write!(f, "{order}U{}", itemsize / 4),
            _ => write!(f, "{order}{kind}{itemsize}"),
        }
    }
}

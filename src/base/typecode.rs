//! Dtypes in short.

use core::fmt;

/// A dtype in short, as NumPy's `dtype.str` has it: `<f4`, `|S300`, `|V12` for a structure of 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TypeCode {
    /// `<` little-endian, `>` big-endian, `|` not applicable.
    pub order: char,
    /// NumPy's letter for the kind of values.
    pub kind: char,
    /// Bytes per item.
    pub itemsize: usize,
}

impl TypeCode {
    /// The number after the letter: bytes or, of strings, code points.
    pub(crate) const fn number(&self) -> Option<usize> {
        match (self.kind, self.itemsize) {
            ('O', 8) => None,
            ('U', itemsize) => Some(itemsize / 4),
            (_, itemsize) => Some(itemsize),
        }
    }
}

impl fmt::Display for TypeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { order, kind, .. } = *self;
        match self.number() {
            Some(number) => write!(f, "{order}{kind}{number}"),
            None => write!(f, "{order}{kind}"),
        }
    }
}

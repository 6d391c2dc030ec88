//! Columns of tables, and their rows as they are stored.

use crate::sections::{Sections, f64s};
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::array::Dtype;
use b2nd::msgpack::Value;
use b2nd::table::{Cells, ColumnSpec};
use b2nd::{Error, FormatError, Limits, Malformed, Result, Unsupported};

/// A column, and the dtype of its rows if they are items.
pub(crate) struct Column {
    pub(crate) spec: ColumnSpec,
    pub(crate) dtype: Option<Dtype>,
}

impl Column {
    /// The entry of the schema; the dtype of the array, empty if it has none; its shape.
    pub(crate) fn read([entry, dtype, shape]: [&[u8]; 3], limits: &Limits) -> Result<Self> {
        let spec = ColumnSpec::of(&Value::parse(entry, limits)?)?;
        let shape: Vec<u64> = f64s(shape).map(|len| len as u64).collect();
        let dtype = match String::from_utf8_lossy(dtype) {
            dtype if dtype.is_empty() => None,
            dtype => Some(spec.row_dtype(Dtype::parse(&dtype, limits)?, &shape, limits)?),
        };
        Ok(Self { spec, dtype })
    }

    /// The cells of `len` stored rows of items.
    pub(crate) fn cells_of_items(&self, window: &Window<'_>, items: &[u8], len: usize) -> Result<Cells> {
        let dtype = self.dtype.as_ref().ok_or_else(|| Error::from(Unsupported::ColumnKind))?;
        let rows = window.rows(sized(items, len, dtype.itemsize())?, dtype.itemsize());
        Ok(window.masked(self.spec.cells_of_items(dtype, rows)))
    }
}

/// Rows as they are stored: which of them are picked, all if none is, and the bits of the mask of the column, if it has one.
pub(crate) struct Window<'a> {
    pub(crate) picked: Vec<usize>,
    pub(crate) mask: &'a [u8],
}

impl<'a> Window<'a> {
    /// Of `len` rows.
    pub(crate) fn of(sections: &mut Sections<'a>, len: usize) -> Result<Self> {
        let picked = f64s(sections.section()).map(|row| row as usize).collect();
        let mask = sections.section();
        Ok(Self { picked, mask: if mask.is_empty() { mask } else { sized(mask, len, 1)? } })
    }

    /// The picked rows of `size` bytes.
    pub(crate) fn rows(&self, bytes: &[u8], size: usize) -> Vec<u8> {
        if self.picked.is_empty() {
            return bytes.to_vec();
        }
        self.picked
            .iter()
            .filter_map(|row| bytes.get(row * size..(row + 1) * size))
            .flatten()
            .copied()
            .collect()
    }

    /// The cells, of which the mask may make some null.
    pub(crate) fn masked(&self, mut cells: Cells) -> Cells {
        if !self.mask.is_empty() {
            cells.mask(&self.rows(self.mask, 1));
        }
        cells
    }
}

/// The bytes of rows, if they have this size.
pub(crate) fn sized(bytes: &[u8], rows: usize, size: usize) -> Result<&[u8]> {
    match rows.checked_mul(size) {
        Some(nbytes) if nbytes == bytes.len() => Ok(bytes),
        _ => Err(wrong("item size of a column")),
    }
}

pub(crate) fn wrong(name: &'static str) -> Error {
    FormatError { what: Malformed::Field { name, value: 0 }, offset: None, chunk: None, block: None }.into()
}

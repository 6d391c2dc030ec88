//! The rows that are stored for cells: the inverse of `values`.

use super::cells::{Cells, Data};
use super::null::Null;
use super::schema::ColumnSpec;
use crate::array::{ByteOrder, Dtype, Kind};
use crate::base::{ArgumentError, Limits, Result};
use crate::msgpack::Value;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

impl ColumnSpec {
    /// The rows of an array column for cells, whose stored dtype is given. Nulls are the value that stands for null, or else what the
    /// reference writes beside a mask: not a number, no time, or zeros.
    ///
    /// # Errors
    /// `Argument` for cells of another type, nulls in a column without, and texts that are too long.
    pub fn rows_of<'c>(&self, cells: &'c Cells, stored: &Dtype, limits: &Limits) -> Result<Cow<'c, [u8]>> {
        self.must_take_nulls(cells)?;
        let mut rows = match &cells.data {
            Data::Items { dtype, items } if self.takes(dtype, stored, limits)? => Cow::Borrowed(&items[..]),
            Data::Texts(texts) if *stored.kind() == Kind::Str => {
                Cow::Owned(padded(texts, cells, stored.itemsize(), |text| units(text))?)
            }
            Data::Objects(values) if *stored.kind() == Kind::Bytes => {
                Cow::Owned(padded(values, cells, stored.itemsize(), bytes)?)
            }
            _ => return Err(other(stored)),
        };
        if let Some(valid) = &cells.valid
            && valid.contains(&false)
        {
            let (null, rows) = (self.null_row(stored), rows.to_mut());
            let rows = rows.chunks_exact_mut(stored.itemsize().max(1));
            rows.zip(valid).filter(|(_, valid)| !**valid).for_each(|(row, _)| row.copy_from_slice(&null));
        }
        Ok(rows)
    }

    /// Whether items of a dtype are stored as they are.
    fn takes(&self, dtype: &Dtype, stored: &Dtype, limits: &Limits) -> Result<bool> {
        let is_bool = self.kind == "bool" && *dtype.kind() == Kind::Bool;
        if dtype == stored || is_bool {
            return Ok(true);
        }
        Ok(self.kind == "timestamp" && *dtype == self.row_dtype(stored.clone(), &[], limits)?)
    }

    /// A null row of an array column.
    fn null_row(&self, stored: &Dtype) -> Vec<u8> {
        let item = match stored.kind() {
            Kind::Subarray { item, .. } => item,
            _ => stored,
        };
        let value = self.entry.get("null_value").filter(|value| **value != Value::Nil);
        let one = match value.and_then(|value| Null::of(value, item)) {
            Some(Null::OneOf(values)) => values.into_iter().next().unwrap_or_default(),
            Some(Null::Nan) => nan(item),
            None if self.kind == "timestamp" => i64::MIN.to_le_bytes().into(),
            None if *item.kind() == Kind::Float => nan(item),
            None => alloc::vec![0; item.itemsize()],
        };
        one.repeat(stored.itemsize().checked_div(one.len()).unwrap_or(0))
    }

    /// The texts of cells of a column of texts: those of null cells are the value that stands for null, or else empty.
    ///
    /// # Errors
    /// `Argument` for cells that are no texts, and for nulls in a column without.
    pub fn texts_of<'c>(&'c self, cells: &'c Cells) -> Result<impl Iterator<Item = &'c str>> {
        self.must_take_nulls(cells)?;
        let null = self.entry.get("null_value").and_then(Value::as_str).unwrap_or_default();
        let texts = texts(cells)?;
        Ok(texts.iter().enumerate().map(move |(n, text)| if cells.is_null(n) { null } else { text }))
    }

    /// The texts of cells of a dictionary column; `None` for null.
    ///
    /// # Errors
    /// Errors of [`texts_of`](Self::texts_of).
    pub fn words_of<'c>(&self, cells: &'c Cells) -> Result<impl Iterator<Item = Option<&'c str>>> {
        self.must_take_nulls(cells)?;
        let is_text = |at: usize| cells.is_null(at) || cells.data.text(at).is_some();
        match &cells.data {
            Data::Texts(_) | Data::Words { .. } if (0..cells.len()).all(is_text) => {}
            _ => return Err(ArgumentError::CellType.into()),
        }
        Ok((0..cells.len()).map(|at| cells.data.text(at).filter(|_| !cells.is_null(at))))
    }

    /// The objects of cells of a column of objects.
    ///
    /// # Errors
    /// `Argument` for cells of another type than the column's, and for nulls in a column without.
    pub fn objects_of(&self, cells: &Cells) -> Result<Vec<Value>> {
        self.must_take_nulls(cells)?;
        let given = match &cells.data {
            Data::Objects(values) => Cow::Borrowed(&values[..]),
            Data::Texts(texts) => texts.iter().map(|text| Value::Str(text.clone())).collect(),
            Data::Items { dtype, .. } => return Err(other(dtype)),
            Data::Words { .. } => return Err(ArgumentError::CellType.into()),
        };
        let object = |(n, value): (usize, &Value)| {
            let fits = match (&*self.kind, value) {
                _ if cells.is_null(n) => return Ok(Value::Nil),
                (_, Value::Nil) => self.is_nullable(),
                ("vlstring", value) => matches!(value, Value::Str(_)),
                ("vlbytes", value) => matches!(value, Value::Bin(_)),
                ("list", value) => matches!(value, Value::Array(_)),
                ("struct", value) => matches!(value, Value::Map(_)),
                _ => true,
            };
            if fits { Ok(value.clone()) } else { Err(ArgumentError::CellType.into()) }
        };
        given.iter().enumerate().map(object).collect()
    }

    /// Which cells are not null, as the reference stores it, if any is null.
    pub fn mask_of(cells: &Cells) -> Option<Vec<u8>> {
        let valid = cells.valid.as_ref().filter(|valid| valid.contains(&false))?;
        Some(valid.iter().map(|valid| u8::from(*valid)).collect())
    }

    /// Which stored rows of an array column are not null, `None` if all are: also those whose value is the one that stands for null.
    pub(crate) fn valid_rows(&self, cells: &Cells, stored: &Dtype, rows: &[u8]) -> Option<Vec<bool>> {
        match self.entry.get("null_value").and_then(|value| Null::of(value, stored)) {
            Some(null) => {
                Some(rows.chunks_exact(stored.itemsize().max(1)).map(|row| !null.is(stored, row)).collect())
            }
            None => cells.valid.clone().filter(|valid| valid.contains(&false)),
        }
    }

    fn must_take_nulls(&self, cells: &Cells) -> Result<()> {
        if cells.valid.as_ref().is_some_and(|valid| valid.len() != cells.len()) {
            let (expected, actual) = (cells.len() as u64, cells.valid.as_ref().map_or(0, Vec::len) as u64);
            return Err(ArgumentError::ValueCount { expected, actual }.into());
        }
        let has_nulls = cells.valid.as_ref().is_some_and(|valid| valid.contains(&false));
        if has_nulls && !self.is_nullable() { Err(ArgumentError::Null.into()) } else { Ok(()) }
    }
}

fn texts(cells: &Cells) -> Result<&[String]> {
    match &cells.data {
        Data::Texts(texts) => Ok(texts),
        _ => Err(ArgumentError::CellType.into()),
    }
}

fn other(dtype: &Dtype) -> crate::base::Error {
    ArgumentError::ValueType { dtype: dtype.code(), values: "that of the column" }.into()
}

fn nan(dtype: &Dtype) -> Vec<u8> {
    let little: Vec<u8> = match dtype.itemsize() {
        2 => 0x7e00_u16.to_le_bytes().into(),
        4 => f32::NAN.to_le_bytes().into(),
        8 => f64::NAN.to_le_bytes().into(),
        size => alloc::vec![0; size],
    };
    match dtype.byte_order() {
        ByteOrder::Big => little.into_iter().rev().collect(),
        _ => little,
    }
}

/// Values with zeros behind them.
fn padded<T>(
    values: &[T],
    cells: &Cells,
    size: usize,
    bytes: impl Fn(&T) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    let mut rows = Vec::with_capacity(values.len() * size);
    for (n, value) in values.iter().enumerate() {
        let row = if cells.is_null(n) { Vec::new() } else { bytes(value)? };
        if row.len() > size {
            return Err(ArgumentError::TextLen.into());
        }
        rows.extend_from_slice(&row);
        rows.resize((n + 1) * size, 0);
    }
    Ok(rows)
}

fn units(text: &str) -> Result<Vec<u8>> {
    Ok(text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect())
}

fn bytes(value: &Value) -> Result<Vec<u8>> {
    match value {
        Value::Bin(bytes) => Ok(bytes.clone()),
        _ => Err(ArgumentError::CellType.into()),
    }
}

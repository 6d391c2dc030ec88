//! Values that are compared, in columns or one for all rows.

use super::Truth;
use crate::array::{ByteOrder, Dtype, Kind};
use crate::msgpack::Value;
use crate::table::cells::{Cells, Data};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Values of all rows.
#[derive(Debug, Clone)]
pub(super) enum Values<'v> {
    Bool(Option<bool>),
    Int(i128),
    Float(f64),
    Text(&'v str),
    Column(Column<'v>),
}

/// The cells of a column: null where they are none.
#[derive(Debug, Clone)]
pub(super) enum Column<'v> {
    Bools(Vec<Option<bool>>),
    Ints(Vec<Option<i128>>),
    /// Whether they have 32 bits, and so do the numbers that they are compared with.
    Floats(Vec<Option<f64>>, bool),
    Texts(Vec<Option<Cow<'v, str>>>),
}

/// A value of a row.
enum One<'v> {
    Bool(bool),
    Int(i128),
    Float(f64, bool),
    Text(&'v str),
}

impl<'v> Values<'v> {
    /// Those of cells; `None` if they cannot be compared.
    pub(super) fn of(cells: &'v Cells) -> Option<Self> {
        let text = |text: &'v String| Some(Cow::Borrowed(&text[..]));
        let column = match &cells.data {
            Data::Items { dtype, items } => items_of(cells, dtype, items)?,
            Data::Texts(texts) => Column::Texts(nullable(cells, texts.iter().map(text))),
            Data::Objects(objects) => Column::Texts(nullable(
                cells,
                objects.iter().map(|object| object.as_str().map(Cow::Borrowed)),
            )),
        };
        let all_texts = |object: &Value| matches!(object, Value::Str(_) | Value::Nil);
        match &cells.data {
            Data::Objects(objects) if !objects.iter().all(all_texts) => None,
            _ => Some(Self::Column(column)),
        }
    }

    /// Booleans.
    pub(super) fn truth(&self) -> Option<Truth> {
        match self {
            Self::Column(Column::Bools(bools)) => Some(bools.clone()),
            _ => None,
        }
    }

    fn one(&self, row: usize) -> Option<One<'_>> {
        Some(match self {
            Self::Bool(value) => One::Bool((*value)?),
            Self::Int(value) => One::Int(*value),
            Self::Float(value) => One::Float(*value, false),
            Self::Text(text) => One::Text(text),
            Self::Column(Column::Bools(bools)) => One::Bool((*bools.get(row)?)?),
            Self::Column(Column::Ints(ints)) => One::Int((*ints.get(row)?)?),
            Self::Column(Column::Floats(floats, narrow)) => One::Float((*floats.get(row)?)?, *narrow),
            Self::Column(Column::Texts(texts)) => One::Text(texts.get(row)?.as_deref()?),
        })
    }

    const fn is_column(&self) -> bool {
        matches!(self, Self::Column(_))
    }
}

/// The order of the values of each row: unknown beside null, none beside what is no number.
pub(super) fn compare(
    left: &Values<'_>,
    right: &Values<'_>,
    rows: usize,
) -> Option<Vec<Option<Option<Ordering>>>> {
    let both = left.is_column() && right.is_column();
    let order = |row: usize| {
        let (Some(left), Some(right)) = (left.one(row), right.one(row)) else { return Some(None) };
        Some(Some(match (left, right) {
            (One::Bool(left), One::Bool(right)) => left.partial_cmp(&right),
            (One::Int(left), One::Int(right)) => left.partial_cmp(&right),
            (One::Text(left), One::Text(right)) => left.partial_cmp(right),
            (left, right) => {
                let is_narrow = |one: &One<'_>| matches!(one, One::Float(_, true));
                // A number in the text gets the type of the column, as by NumPy.
                let narrow = !both && (is_narrow(&left) || is_narrow(&right));
                let (left, right) = (real(&left)?, real(&right)?);
                if narrow { (left as f32).partial_cmp(&(right as f32)) } else { left.partial_cmp(&right) }
            }
        }))
    };
    (0..rows).map(order).collect()
}

fn real(one: &One<'_>) -> Option<f64> {
    match one {
        One::Int(value) => Some(*value as f64),
        One::Float(value, _) => Some(*value),
        _ => None,
    }
}

fn nullable<T>(cells: &Cells, values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    values.enumerate().map(|(row, value)| value.filter(|_| !cells.is_null(row))).collect()
}

/// Items of one size.
fn items_of<'v>(cells: &Cells, dtype: &Dtype, items: &[u8]) -> Option<Column<'v>> {
    let size = dtype.itemsize();
    let is_big = dtype.byte_order() == ByteOrder::Big;
    let rows = || items.chunks_exact(size.max(1));
    // The bits of an item of up to 8 bytes.
    let bits = |item: &[u8]| {
        let byte = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        if is_big { item.iter().fold(0, byte) } else { item.iter().rev().fold(0, byte) }
    };
    let unused = 64_usize.saturating_sub(8 * size) as u32;
    Some(match (dtype.kind(), size) {
        (Kind::Bool, 1) => Column::Bools(nullable(cells, rows().map(|item| Some(item[0] != 0)))),
        (Kind::Uint, 1..=8) => Column::Ints(nullable(cells, rows().map(|item| Some(bits(item).into())))),
        (Kind::Int, 1..=8) => {
            let int = |item: &[u8]| Some(i128::from((bits(item) << unused) as i64 >> unused));
            Column::Ints(nullable(cells, rows().map(int)))
        }
        (Kind::Float, 4) => {
            let float = |item: &[u8]| Some(f32::from_bits(bits(item) as u32).into());
            Column::Floats(nullable(cells, rows().map(float)), true)
        }
        (Kind::Float, 8) => {
            Column::Floats(nullable(cells, rows().map(|item| Some(f64::from_bits(bits(item))))), false)
        }
        (Kind::Str, _) => {
            let text = |item: &[u8]| {
                let chars =
                    item.chunks_exact(4).map(|char| char::from_u32(bits(char) as u32).unwrap_or('\u{fffd}'));
                let text: String = chars.collect();
                Some(Cow::Owned(text.trim_end_matches('\0').into()))
            };
            Column::Texts(nullable(cells, rows().map(text)))
        }
        _ => return None,
    })
}

//! Values that are compared, in columns or one for all rows.

use super::Truth;
use crate::array::{Dtype, Element, Kind, TimeStep, append_characters};
use crate::msgpack::Value;
use crate::table::cells::{Cells, Data};
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
    /// In attoseconds since 1970.
    Time(i128),
    Column(Column<'v>),
}

/// The cells of a column: null where they are none.
#[derive(Debug, Clone)]
pub(super) enum Column<'v> {
    Bools(Vec<Option<bool>>),
    Ints(Vec<Option<i128>>),
    /// Whether they have 32 bits, and so do the numbers that they are compared with.
    Floats(Vec<Option<f64>>, bool),
    /// Cells that are no texts are null.
    Texts(&'v Cells),
    FixedTexts(FixedTexts<'v>),
    /// In attoseconds since 1970; those inside are no times.
    Times(Vec<Option<Option<i128>>>),
}

/// Texts of a fixed length, decoded one behind the other.
#[derive(Debug, Clone)]
pub(super) struct FixedTexts<'v> {
    cells: &'v Cells,
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
}

/// A value of a row.
enum One<'v> {
    Bool(bool),
    Int(i128),
    Float(f64, bool),
    Text(&'v str),
    Time(Option<i128>),
}

impl<'v> Values<'v> {
    /// The values of cells; `None` if they cannot be compared.
    pub(super) fn of(cells: &'v Cells) -> Option<Self> {
        let column = match &cells.data {
            Data::Items { dtype, items } => items_of(cells, dtype, items)?,
            _ => Column::Texts(cells),
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
            Self::Time(moment) => One::Time(Some(*moment)),
            Self::Column(Column::Bools(bools)) => One::Bool((*bools.get(row)?)?),
            Self::Column(Column::Ints(ints)) => One::Int((*ints.get(row)?)?),
            Self::Column(Column::Floats(floats, narrow)) => One::Float((*floats.get(row)?)?, *narrow),
            Self::Column(Column::Texts(cells)) if cells.is_null(row) => return None,
            Self::Column(Column::Texts(cells)) => One::Text(cells.data.text(row)?),
            Self::Column(Column::FixedTexts(texts)) => One::Text(texts.get(row)?),
            Self::Column(Column::Times(times)) => One::Time((*times.get(row)?)?),
        })
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        self.one(row).is_none()
    }

    const fn is_column(&self) -> bool {
        matches!(self, Self::Column(_))
    }
}

/// The order of two values in each row: unknown beside null, none beside what is no number.
type Orders = Vec<Option<Option<Ordering>>>;

/// The order of the values of each row; `None` if they have none.
pub(super) fn compare(left: &Values<'_>, right: &Values<'_>, rows: usize) -> Option<Orders> {
    if let Values::Column(column) = left
        && let Some(orders) = column.beside(right)
    {
        return Some(orders);
    }
    if let Values::Column(column) = right
        && let Some(orders) = column.beside(left)
    {
        let reversed = |order: Option<Ordering>| order.map(Ordering::reverse);
        return Some(orders.into_iter().map(|order| order.map(reversed)).collect());
    }
    let both = left.is_column() && right.is_column();
    let order = |row: usize| {
        let (Some(left), Some(right)) = (left.one(row), right.one(row)) else { return Some(None) };
        Some(Some(match (left, right) {
            (One::Bool(left), One::Bool(right)) => left.partial_cmp(&right),
            (One::Int(left), One::Int(right)) => left.partial_cmp(&right),
            (One::Text(left), One::Text(right)) => left.partial_cmp(right),
            (One::Time(left), One::Time(right)) => left.zip(right).map(|(left, right)| left.cmp(&right)),
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

impl Column<'_> {
    /// The order of numbers and times beside a single one, which most comparisons have; `None` for other values.
    fn beside(&self, value: &Values<'_>) -> Option<Orders> {
        fn each<T: Copy>(values: &[Option<T>], order: impl Fn(T) -> Option<Ordering>) -> Orders {
            values.iter().map(|value| value.map(&order)).collect()
        }
        Some(match (self, value) {
            (Column::Ints(ints), Values::Int(value)) => each(ints, |int| Some(int.cmp(value))),
            (Column::Floats(floats, narrow), Values::Float(_) | Values::Int(_)) => {
                let value = real(&value.one(0)?)?;
                if *narrow {
                    each(floats, |float| (float as f32).partial_cmp(&(value as f32)))
                } else {
                    each(floats, |float| float.partial_cmp(&value))
                }
            }
            (Column::Times(times), Values::Time(value)) => {
                each(times, |time| time.map(|time| time.cmp(value)))
            }
            _ => return None,
        })
    }
}

impl FixedTexts<'_> {
    fn get(&self, row: usize) -> Option<&str> {
        let start = row.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(start..*self.ends.get(row)?).filter(|_| !self.cells.is_null(row))
    }
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
fn items_of<'v>(cells: &'v Cells, dtype: &'v Dtype, items: &'v [u8]) -> Option<Column<'v>> {
    let items = Items { cells, dtype, items };
    match (dtype.kind(), dtype.itemsize()) {
        (Kind::Bool, _) => items.decoded::<bool, _>().map(Column::Bools),
        (Kind::Uint, 1) => items.decoded::<u8, _>().map(Column::Ints),
        (Kind::Uint, 2) => items.decoded::<u16, _>().map(Column::Ints),
        (Kind::Uint, 4) => items.decoded::<u32, _>().map(Column::Ints),
        (Kind::Uint, _) => items.decoded::<u64, _>().map(Column::Ints),
        (Kind::Int, 1) => items.decoded::<i8, _>().map(Column::Ints),
        (Kind::Int, 2) => items.decoded::<i16, _>().map(Column::Ints),
        (Kind::Int, 4) => items.decoded::<i32, _>().map(Column::Ints),
        (Kind::Int, _) => items.decoded::<i64, _>().map(Column::Ints),
        (Kind::Float, 4) => items.decoded::<f32, _>().map(|floats| Column::Floats(floats, true)),
        (Kind::Float, _) => items.decoded::<f64, _>().map(|floats| Column::Floats(floats, false)),
        (Kind::Datetime(step), _) => items.times(*step).map(Column::Times),
        (Kind::Str, 1..) => Some(Column::FixedTexts(items.texts())),
        _ => None,
    }
}

struct Items<'i> {
    cells: &'i Cells,
    dtype: &'i Dtype,
    items: &'i [u8],
}

impl<'i> Items<'i> {
    fn decoded<T: Element, V: From<T>>(&self) -> Option<Vec<Option<V>>> {
        let values = self.dtype.decode::<T>(self.items).ok()?;
        Some(nullable(self.cells, values.into_iter().map(|value| Some(value.into()))))
    }

    fn times(&self, step: TimeStep) -> Option<Vec<Option<Option<i128>>>> {
        let steps = self.decoded::<i64, i64>()?;
        Some(steps.into_iter().map(|steps| steps.map(|steps| step.attoseconds(steps))).collect())
    }

    fn texts(&self) -> FixedTexts<'i> {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(self.cells.len()));
        for item in self.items.chunks_exact(self.dtype.itemsize()) {
            append_characters(&mut text, item, self.dtype.byte_order());
            ends.push(text.len());
        }
        FixedTexts { cells: self.cells, text, ends }
    }
}

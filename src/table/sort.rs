//! The order of rows by the values of columns.

use super::Read;
use super::Table;
use super::cells::{Cells, Data};
use super::column::Column;
use super::filter::Filter;
use crate::array::{ByteOrder, Dtype, Kind};
use crate::base::{ArgumentError, Limits, Result};
use crate::msgpack::Value;
use crate::source::ReadAt;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Rows that are read at once: about a block of a column.
const AT_ONCE: u64 = 1 << 14;

/// The first byte of the key of a value: values come first, then what has no order, then nulls, in either direction.
const ORDERED: u8 = 0;
const UNORDERED: u8 = 1;
const NULL: u8 = 2;

/// A column that rows are ordered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The name of the column.
    pub column: String,
    /// Whether the largest value comes first.
    pub descending: bool,
}

/// Sorts rows by the cells of columns, which it gets in parts: numbers, booleans and times by value, texts by code points, bytes by
/// their values.
///
/// The first column decides, then the next ones; rows that are equal keep their order. Numbers and times that are none come after all
/// others, and nulls last, in either direction, as by python-blosc2. Of the cells only keys stay in memory.
///
/// ```
/// use b2nd::table::{Cells, Data, Sorter};
/// let cells = |texts: [&str; 3]| Cells { data: Data::Texts(texts.map(String::from).into()), valid: None };
/// let mut sorter = Sorter::new(&[true], Some(4), &b2nd::Limits::default());
/// sorter.push(0..3, &[cells(["b", "c", "a"])])?;
/// sorter.push(3..6, &[cells(["a", "d", "c"])])?;
/// assert_eq!(sorter.finish(), [4, 1, 5, 0]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
pub struct Sorter {
    descending: Vec<bool>,
    most: u64,
    limits: Limits,
    /// The keys of all rows, one after the other.
    keys: Vec<u8>,
    rows: Vec<Row>,
    /// Rows that do not precede this key are not wanted.
    bound: Option<Vec<u8>>,
}

/// A row, and the place of its key. Of rows with equal keys, the first has the first place.
#[derive(Debug, Clone)]
struct Row {
    row: u64,
    key: Range<usize>,
}

impl Sorter {
    /// Sorts by so many columns, each descending or not, and keeps the first `most` rows.
    ///
    /// ```
    /// use b2nd::table::Sorter;
    /// assert!(Sorter::new(&[false, true], None, &b2nd::Limits::default()).finish().is_empty());
    /// ```
    pub fn new(descending: &[bool], most: Option<u64>, limits: &Limits) -> Self {
        Self {
            descending: descending.into(),
            most: most.unwrap_or(u64::MAX),
            limits: *limits,
            keys: Vec::new(),
            rows: Vec::new(),
            bound: None,
        }
    }

    /// Adds rows, whose numbers are given, with their cells of each column.
    ///
    /// ```
    /// use b2nd::table::{Cells, Data, Sorter};
    /// let mut sorter = Sorter::new(&[false], None, &b2nd::Limits::default());
    /// sorter.push([7, 5], &[Cells { data: Data::Texts(vec!["b".into(), "a".into()]), valid: None }])?;
    /// assert_eq!(sorter.finish(), [5, 7]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for cells that have no order, such as complex numbers and lists, for another number of columns, and for columns of
    /// different lengths; `Limit` if the keys take more memory than the limits allow.
    pub fn push(&mut self, rows: impl IntoIterator<Item = u64>, cells: &[Cells]) -> Result<()> {
        let len = cells.first().map_or(0, Cells::len);
        let other = cells.iter().map(Cells::len).find(|other| *other != len);
        let (expected, actual) = other.map_or((self.descending.len(), cells.len()), |other| (len, other));
        if expected != actual {
            return Err(ArgumentError::ValueCount { expected: expected as u64, actual: actual as u64 }.into());
        }
        for (at, row) in rows.into_iter().take(len).enumerate() {
            let start = self.keys.len();
            for (cells, descending) in cells.iter().zip(&self.descending) {
                push_key(&mut self.keys, cells, at, *descending)?;
            }
            if self.bound.as_ref().is_some_and(|bound| self.keys[start..] >= bound[..]) {
                self.keys.truncate(start);
                continue;
            }
            self.rows.push(Row { row, key: start..self.keys.len() });
            if self.rows.len() as u64 >= self.most.saturating_mul(2) {
                self.prune();
            }
            self.limits.allow_memory((self.keys.len() + self.rows.len() * size_of::<Row>()) as u64)?;
        }
        Ok(())
    }

    /// The rows in order.
    ///
    /// ```
    /// use b2nd::table::{Cells, Data, Sorter};
    /// let mut sorter = Sorter::new(&[true], Some(1), &b2nd::Limits::default());
    /// sorter.push(0..2, &[Cells { data: Data::Texts(vec!["a".into(), "b".into()]), valid: None }])?;
    /// assert_eq!(sorter.finish(), [1]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn finish(mut self) -> Vec<u64> {
        self.sort();
        self.rows.iter().map(|row| row.row).collect()
    }

    /// Orders the rows so far, and keeps as many as are wanted.
    fn sort(&mut self) {
        let Self { keys, rows, most, .. } = self;
        let key = |row: &Row| (&keys[row.key.clone()], row.key.start);
        rows.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        rows.truncate(usize::try_from(*most).unwrap_or(usize::MAX));
    }

    /// Forgets rows that are not wanted. The keys of the others move together in the order of their places, of which no two are equal.
    fn prune(&mut self) {
        self.sort();
        self.bound = Some(self.rows.last().map_or(Vec::new(), |last| self.keys[last.key.clone()].into()));
        self.rows.sort_unstable_by_key(|row| row.key.start);
        let mut end = 0;
        for row in &mut self.rows {
            let len = row.key.len();
            self.keys.copy_within(row.key.clone(), end);
            row.key = end..end + len;
            end += len;
        }
        self.keys.truncate(end);
    }
}

impl<S: ReadAt> Table<'_, S> {
    /// The rows in the order of columns: all of them, or those that match a condition, and `most` of them at most. See [`Sorter`] for
    /// the order. Only the columns of the keys and of the condition are read. [`Column::take`] then reads other columns in this order.
    ///
    /// ```
    /// use b2nd::table::{SortKey, Table};
    /// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// let table = Table::open(&store, "")?;
    /// let newest = table.sorted(&[SortKey { column: "f0".into(), descending: true }], None, Some(3))?;
    /// println!("{:?}", table.column("f0")?.take(&newest)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`column`](Self::column) and [`Column::cells`]. `Argument` without keys, for a column whose cells have no order, and for a
    /// condition on other columns than those of the table; `Limit` if the keys take more memory than the limits allow.
    pub fn sorted(&self, keys: &[SortKey], filter: Option<&Filter>, most: Option<u64>) -> Read<Vec<u64>, S> {
        if keys.is_empty() {
            return Err(ArgumentError::NoSortKey.into());
        }
        let columns = keys.iter().map(|key| self.column(&key.column)).collect::<Read<Vec<_>, S>>()?;
        let descending: Vec<bool> = keys.iter().map(|key| key.descending).collect();
        let mut sorter = Sorter::new(&descending, most, &self.store.dparams().limits);
        let candidates = filter.map(|filter| self.candidates(filter)).transpose()?;
        let tested = filter.map_or(&[][..], Filter::columns).iter();
        let tested = tested.map(|name| self.column(name)).collect::<Read<Vec<_>, S>>()?;
        for start in (0..self.len()).step_by(AT_ONCE as usize) {
            let rows = start..(start + AT_ONCE).min(self.len());
            if let Some(candidates) = &candidates
                && !candidates.may_be_in(rows.clone())?
            {
                continue;
            }
            let Some(filter) = filter else {
                sorter.push(rows.clone(), &cells(&columns, &rows)?)?;
                continue;
            };
            let matches = filter.matches(&cells(&tested, &rows)?).map_err(|_| ArgumentError::Condition)?;
            let picked = matches.iter().enumerate().filter(|(_, matches)| **matches).map(|(at, _)| at);
            let picked: Vec<usize> = picked.collect();
            if !picked.is_empty() {
                let cells: Vec<Cells> =
                    cells(&columns, &rows)?.iter().map(|cells| cells.at(&picked)).collect();
                sorter.push(picked.iter().map(|at| start + *at as u64), &cells)?;
            }
        }
        Ok(sorter.finish())
    }
}

fn cells<S: ReadAt>(columns: &[Column<'_, S>], rows: &Range<u64>) -> Read<Vec<Cells>, S> {
    columns.iter().map(|column| column.cells(rows.clone())).collect()
}

/// Appends a key: bytes that compare as the values do, of which none begins with another one's.
fn push_key(keys: &mut Vec<u8>, cells: &Cells, at: usize, descending: bool) -> Result<()> {
    let kind = keys.len();
    keys.push(ORDERED);
    if cells.is_null(at) {
        keys[kind] = NULL;
        return Ok(());
    }
    match &cells.data {
        Data::Items { dtype, items } => {
            let item = &items[at * dtype.itemsize()..][..dtype.itemsize()];
            if !push_item(keys, dtype, item)? {
                keys.truncate(kind);
                keys.push(UNORDERED);
            }
        }
        Data::Texts(_) | Data::Words { .. } => {
            push_bytes(keys, cells.data.text(at).unwrap_or_default().as_bytes());
        }
        Data::Objects(objects) => match &objects[at] {
            Value::Str(text) => push_bytes(keys, text.as_bytes()),
            Value::Bin(bytes) => push_bytes(keys, bytes),
            Value::Nil => keys[kind] = NULL,
            _ => return Err(ArgumentError::NoOrder.into()),
        },
    }
    if descending {
        keys[kind + 1..].iter_mut().for_each(|byte| *byte = !*byte);
    }
    Ok(())
}

/// Appends the key of an item; `false` if it is a number or a time that is none.
fn push_item(keys: &mut Vec<u8>, dtype: &Dtype, item: &[u8]) -> Result<bool> {
    let start = keys.len();
    let part = if *dtype.kind() == Kind::Str { size_of::<u32>() } else { item.len().max(1) };
    match dtype.byte_order() {
        ByteOrder::Little => item.chunks(part).for_each(|part| keys.extend(part.iter().rev())),
        _ => keys.extend_from_slice(item),
    }
    let key = &mut keys[start..];
    let sign = key.first().is_some_and(|byte| byte & 0x80 != 0);
    let is_zero_but_sign = |key: &[u8]| key.iter().skip(1).all(|byte| *byte == 0) && key[0] & 0x7f == 0;
    match dtype.kind() {
        Kind::Bool | Kind::Uint | Kind::Str | Kind::Bytes => {}
        Kind::Datetime(_) | Kind::Timedelta(_) if sign && is_zero_but_sign(key) => return Ok(false),
        Kind::Int | Kind::Datetime(_) | Kind::Timedelta(_) => key[0] ^= 0x80,
        Kind::Float if is_nan(key) => return Ok(false),
        // The zeros are equal.
        Kind::Float if !sign || is_zero_but_sign(key) => key[0] |= 0x80,
        Kind::Float => key.iter_mut().for_each(|byte| *byte = !*byte),
        _ => return Err(ArgumentError::NoOrder.into()),
    }
    Ok(true)
}

/// Whether a float, its most significant byte first, is no number.
fn is_nan(key: &[u8]) -> bool {
    match *key {
        [a, b] => u16::from_be_bytes([a, b]) & 0x7fff > 0x7c00,
        [a, b, c, d] => f32::from_be_bytes([a, b, c, d]).is_nan(),
        [a, b, c, d, e, f, g, h] => f64::from_be_bytes([a, b, c, d, e, f, g, h]).is_nan(),
        _ => false,
    }
}

/// Appends bytes of any number. Zeros are followed by a mark, so that the end precedes them.
fn push_bytes(keys: &mut Vec<u8>, bytes: &[u8]) {
    for part in bytes.split_inclusive(|byte| *byte == 0) {
        keys.extend_from_slice(part);
        if part.ends_with(&[0]) {
            keys.push(1);
        }
    }
    keys.extend([0, 0]);
}

#[cfg(test)]
mod tests;

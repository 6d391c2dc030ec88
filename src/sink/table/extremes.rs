//! The smallest and the largest value of each block of a column, as the reference has them in its summaries.

use crate::array::{ByteOrder, Dtype, Kind};
use alloc::vec::Vec;

/// Flags of a block: the extremes mean nothing; some value is not a number; all are null.
const ALL_NAN: u8 = 1;
const HAS_NAN: u8 = 2;
const ALL_NULL: u8 = 4;

/// Collects the extremes of blocks of rows.
#[derive(Debug)]
pub(super) struct Extremes {
    fold: Fold,
    size: usize,
    block: u64,
    /// The block that is not full: its rows, its smallest and largest value, and whether there are values that are
    /// not null, and such that are not a number.
    rows: u64,
    range: Option<[Vec<u8>; 2]>,
    has_value: bool,
    has_nan: bool,
    /// A record for each block: the smallest value, the largest, and the flags.
    records: Vec<u8>,
}

/// Takes in rows of a block: which of them are not null, `None` for all.
type Fold = fn(&[u8], Option<&[bool]>, &mut Option<[Vec<u8>; 2]>) -> (bool, bool);

impl Extremes {
    /// For items of a dtype, if they are real numbers, times or booleans.
    pub(super) fn new(dtype: &Dtype, block: u64) -> Option<Self> {
        if dtype.byte_order() == ByteOrder::Big {
            return None;
        }
        let size = dtype.itemsize();
        let fold: Fold = match (dtype.kind(), size) {
            (Kind::Bool | Kind::Uint, 1) => |rows, valid, range| fold(rows, valid, range, u8::from_le_bytes),
            (Kind::Uint, 2) => |rows, valid, range| fold(rows, valid, range, u16::from_le_bytes),
            (Kind::Uint, 4) => |rows, valid, range| fold(rows, valid, range, u32::from_le_bytes),
            (Kind::Uint, 8) => |rows, valid, range| fold(rows, valid, range, u64::from_le_bytes),
            (Kind::Int, 1) => |rows, valid, range| fold(rows, valid, range, i8::from_le_bytes),
            (Kind::Int, 2) => |rows, valid, range| fold(rows, valid, range, i16::from_le_bytes),
            (Kind::Int, 4) => |rows, valid, range| fold(rows, valid, range, i32::from_le_bytes),
            (Kind::Int, 8) => |rows, valid, range| fold(rows, valid, range, i64::from_le_bytes),
            (Kind::Float, 4) => |rows, valid, range| fold(rows, valid, range, f32::from_le_bytes),
            (Kind::Float, 8) => |rows, valid, range| fold(rows, valid, range, f64::from_le_bytes),
            _ => return None,
        };
        let (range, records) = (None, Vec::new());
        Some(Self { fold, size, block, rows: 0, range, has_value: false, has_nan: false, records })
    }

    /// Goes on after the blocks that these records are of.
    pub(super) fn after(self, records: Vec<u8>) -> Self {
        Self { records, ..self }
    }

    /// The bytes of a record.
    pub(super) const fn record_len(&self) -> usize {
        2 * self.size + 1
    }

    /// Takes in rows, and which of them are not null.
    pub(super) fn add(&mut self, mut rows: &[u8], mut valid: Option<&[bool]>) {
        while !rows.is_empty() {
            let room = (self.block - self.rows).min((rows.len() / self.size) as u64);
            let (now, later) = rows.split_at(room as usize * self.size);
            let split = valid.map(|valid| valid.split_at(room as usize));
            let (has_value, has_nan) = (self.fold)(now, split.map(|(now, _)| now), &mut self.range);
            self.has_value |= has_value;
            self.has_nan |= has_nan;
            self.rows += room;
            (rows, valid) = (later, split.map(|(_, later)| later));
            if self.rows == self.block {
                self.end_block();
            }
        }
    }

    fn end_block(&mut self) {
        let flags = match (&self.range, self.has_value) {
            (_, false) => ALL_NULL | ALL_NAN,
            (None, true) => ALL_NAN | HAS_NAN,
            (Some(_), true) if self.has_nan => HAS_NAN,
            _ => 0,
        };
        match self.range.take() {
            Some(range) => range.iter().for_each(|value| self.records.extend_from_slice(value)),
            None => self.records.resize(self.records.len() + 2 * self.size, 0),
        }
        self.records.push(flags);
        (self.rows, self.has_value, self.has_nan) = (0, false, false);
    }

    /// The records of all blocks.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.rows > 0 {
            self.end_block();
        }
        self.records
    }
}

/// Whether there are values that are not null, and such that are not a number.
fn fold<T: PartialOrd + Copy, const N: usize>(
    rows: &[u8],
    valid: Option<&[bool]>,
    range: &mut Option<[Vec<u8>; 2]>,
    value_of: fn([u8; N]) -> T,
) -> (bool, bool) {
    let (mut has_value, mut has_nan) = (false, false);
    let whole = |bytes: &Vec<u8>| bytes[..].try_into().ok().map(|bytes: [u8; N]| (value_of(bytes), bytes));
    let mut found = range.as_ref().and_then(|[least, most]| Some((whole(least)?, whole(most)?)));
    for (n, bytes) in rows.as_chunks::<N>().0.iter().enumerate() {
        if valid.is_some_and(|valid| !valid[n]) {
            continue;
        }
        let value = value_of(*bytes);
        has_value = true;
        if value.partial_cmp(&value).is_none() {
            has_nan = true;
            continue;
        }
        let new = (value, *bytes);
        let (least, most) = found.get_or_insert((new, new));
        if value < least.0 {
            *least = new;
        }
        if value > most.0 {
            *most = new;
        }
    }
    *range = found.map(|((_, least), (_, most))| [least.to_vec(), most.to_vec()]);
    (has_value, has_nan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(values: &[f32], valid: Option<&[bool]>, parts: usize) -> Vec<(f32, f32, u8)> {
        let mut extremes = Extremes::new(&Dtype::of::<f32>(), 3).unwrap();
        for start in (0..values.len()).step_by(parts) {
            let range = start..values.len().min(start + parts);
            let bytes: Vec<u8> = values[range.clone()].iter().flat_map(|value| value.to_le_bytes()).collect();
            extremes.add(&bytes, valid.map(|valid| &valid[range]));
        }
        let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
        let records = extremes.finish();
        records.chunks(9).map(|record| (number(&record[..4]), number(&record[4..8]), record[8])).collect()
    }

    #[test]
    fn are_those_of_blocks() {
        let nan = f32::NAN;
        let values = [2.0, -1.0, 5.0, nan, 3.0, 4.0, nan, nan, nan, 7.0];
        for parts in [1, 2, 4, 10] {
            let expected =
                [(-1.0, 5.0, 0), (3.0, 4.0, HAS_NAN), (0.0, 0.0, ALL_NAN | HAS_NAN), (7.0, 7.0, 0)];
            assert_eq!(records(&values, None, parts), expected, "{parts}");
            let valid = [false, true, true, false, true, true, false, false, false, true];
            let expected = [(-1.0, 5.0, 0), (3.0, 4.0, 0), (0.0, 0.0, ALL_NULL | ALL_NAN), (7.0, 7.0, 0)];
            assert_eq!(records(&values, Some(&valid), parts), expected, "{parts}");
        }
    }
}

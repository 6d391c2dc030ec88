//! Values that stand for null.

use crate::array::{ByteOrder, Dtype, Kind};
use crate::msgpack::Value;
use alloc::vec::Vec;

/// How a value of a column is null.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Null {
    /// It is not a number.
    Nan,
    /// It consists of these bytes.
    Bytes(Vec<u8>),
}

impl Null {
    /// The null of a column whose items have this dtype, by its entry in the schema. `None` if no item can be that value.
    pub(super) fn of(value: &Value, dtype: &Dtype) -> Option<Self> {
        let size = dtype.itemsize();
        let order = dtype.byte_order();
        let number = |little: &[u8]| {
            let mut bytes = little.get(..size)?.to_vec();
            if order == ByteOrder::Big {
                bytes.reverse();
            }
            Some(Self::Bytes(bytes))
        };
        let mut bytes = match (dtype.kind(), value) {
            (Kind::Subarray { item, .. }, value) => {
                return match Self::of(value, item)? {
                    Self::Bytes(bytes) => Some(Self::Bytes(bytes.repeat(size.checked_div(item.itemsize())?))),
                    Self::Nan => Some(Self::Nan),
                };
            }
            (Kind::Float, Value::Float(value)) if value.is_nan() => return Some(Self::Nan),
            (Kind::Float, Value::Float(value)) => {
                return float(*value, size).and_then(|bytes| number(&bytes));
            }
            (Kind::Float, Value::Int(value)) => {
                return float(*value as f64, size).and_then(|bytes| number(&bytes));
            }
            (Kind::Int | Kind::Uint | Kind::Bool | Kind::Datetime(_), Value::Int(value)) => {
                return number(&value.to_le_bytes());
            }
            (Kind::Bytes, Value::Str(text)) => text.as_bytes().to_vec(),
            (Kind::Bytes, value) => base64(value.get("base64")?.as_str()?)?,
            (Kind::Str, Value::Str(text)) => {
                let unit = |char| match order {
                    ByteOrder::Big => u32::from(char).to_be_bytes(),
                    _ => u32::from(char).to_le_bytes(),
                };
                text.chars().flat_map(unit).collect()
            }
            _ => return None,
        };
        if bytes.len() > size {
            return None;
        }
        bytes.resize(size, 0);
        Some(Self::Bytes(bytes))
    }

    /// Whether the items of a row are null.
    pub(super) fn is(&self, dtype: &Dtype, row: &[u8]) -> bool {
        match self {
            Self::Bytes(bytes) => row == bytes,
            Self::Nan => {
                let size = match dtype.kind() {
                    Kind::Subarray { item, .. } => item.itemsize(),
                    _ => dtype.itemsize(),
                };
                !row.is_empty() && row.chunks(size.max(1)).all(|item| is_nan(item, dtype.byte_order()))
            }
        }
    }
}

/// A float in little-endian bytes.
fn float(value: f64, size: usize) -> Option<Vec<u8>> {
    match size {
        4 => Some((value as f32).to_le_bytes().to_vec()),
        8 => Some(value.to_le_bytes().to_vec()),
        _ => None,
    }
}

fn is_nan(item: &[u8], order: ByteOrder) -> bool {
    let mut item = item.to_vec();
    if order == ByteOrder::Big {
        item.reverse();
    }
    match (&item.first_chunk(), &item.first_chunk()) {
        (_, Some(double)) => f64::from_le_bytes(**double).is_nan(),
        (Some(single), _) => f32::from_le_bytes(**single).is_nan(),
        _ => false,
    }
}

/// Decodes base64 with padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for char in text.trim_end_matches('=').bytes() {
        let six = match char {
            b'A'..=b'Z' => char - b'A',
            b'a'..=b'z' => char - b'a' + 26,
            b'0'..=b'9' => char - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Limits;

    fn null(value: Value, dtype: &str) -> Option<(Dtype, Null)> {
        let dtype = Dtype::parse(dtype, &Limits::default()).unwrap();
        Null::of(&value, &dtype).map(|null| (dtype, null))
    }

    #[test]
    fn are_compared_with_items() {
        let is = |value: Value, dtype: &str, row: &[u8]| {
            null(value, dtype).is_some_and(|(dtype, null)| null.is(&dtype, row))
        };
        assert!(is(Value::Int(i64::MIN.into()), "<i8", &i64::MIN.to_le_bytes()));
        assert!(is(Value::Int(-2), ">i2", &[0xff, 0xfe]) && !is(Value::Int(-2), "<i2", &[0xff, 0xfe]));
        assert!(is(Value::Int(255), "|u1", &[255]));
        assert!(is(Value::Float(f64::NAN), "<f4", &f32::NAN.to_le_bytes()));
        assert!(!is(Value::Float(f64::NAN), "<f8", &1f64.to_le_bytes()));
        assert!(is(Value::Float(1.5), ">f4", &1.5f32.to_be_bytes()));
        assert!(is(Value::Str("é".into()), "<U2", &[0xe9, 0, 0, 0, 0, 0, 0, 0]));
        let bytes = Value::Map(alloc::vec![(Value::Str("base64".into()), Value::Str("AP8=".into()))]);
        assert!(is(bytes, "|S3", &[0, 255, 0]));
        assert!(is(Value::Int(7), "('|i1', (2,))", &[7, 7]) && !is(Value::Int(7), "('|i1', (2,))", &[7, 8]));
        assert_eq!(null(Value::Str("long".into()), "|S2"), None);
        assert_eq!(null(Value::Nil, "<i4"), None);
    }
}

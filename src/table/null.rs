//! Values that stand for null.

use crate::array::{ByteOrder, Dtype, Kind};
use crate::msgpack::Value;
#[cfg(all(feature = "std", feature = "write"))]
use alloc::string::String;
use alloc::vec::Vec;

/// How a value of a column is null.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Null {
    /// It is not a number.
    Nan,
    /// It consists of some of these bytes.
    OneOf(Vec<Vec<u8>>),
}

impl Null {
    /// The null of a column whose items have this dtype, by its entry in the schema. `None` if no item can be that value.
    pub(super) fn of(value: &Value, dtype: &Dtype) -> Option<Self> {
        let (size, order) = (dtype.itemsize(), dtype.byte_order());
        let one_of = |little: Vec<Vec<u8>>| {
            Some(Self::OneOf(little.into_iter().map(|bytes| ordered(bytes, order)).collect()))
        };
        let mut bytes = match (dtype.kind(), value) {
            (Kind::Subarray { item, .. }, value) => return Self::of(value, item),
            (Kind::Float, value) => {
                let value = real(value)?;
                if value.is_nan() {
                    return Some(Self::Nan);
                }
                // Zeros of both signs are equal.
                let values = if value == 0.0 { [0.0, -0.0] } else { [value; 2] };
                return one_of(values.into_iter().map(|value| float(value, size)).collect::<Option<_>>()?);
            }
            (Kind::Int | Kind::Uint | Kind::Bool, value) => {
                return one_of([integer(whole(value)?, size, *dtype.kind() == Kind::Int)?].into());
            }
            (Kind::Datetime(_), value) => {
                // The reference takes times that are none for null as well.
                let null = integer(whole(value)?, size, true)?;
                return one_of([null, integer(i64::MIN.into(), size, true)?].into());
            }
            (Kind::Bytes, Value::Str(text)) => text.as_bytes().to_vec(),
            (Kind::Bytes, value) => base64(value.get("base64")?.as_str()?)?,
            (Kind::Str, Value::Str(text)) => {
                text.chars().flat_map(|char| ordered(u32::from(char).to_le_bytes().to_vec(), order)).collect()
            }
            _ => return None,
        };
        // Zeros at the end of a text do not count.
        while bytes.len() > size && bytes.ends_with(&[0]) {
            bytes.pop();
        }
        if bytes.len() > size {
            return None;
        }
        bytes.resize(size, 0);
        Some(Self::OneOf([bytes].into()))
    }

    /// Whether the items of a row are null.
    pub(super) fn is(&self, dtype: &Dtype, row: &[u8]) -> bool {
        let dtype = item_of(dtype);
        row.chunks(dtype.itemsize().max(1)).all(|item| match self {
            Self::OneOf(nulls) => nulls.iter().any(|null| null == item),
            Self::Nan => is_nan(item, dtype.byte_order()),
        })
    }
}

/// The items of sub-arrays.
fn item_of(dtype: &Dtype) -> &Dtype {
    match dtype.kind() {
        Kind::Subarray { item, .. } => item_of(item),
        _ => dtype,
    }
}

/// Little-endian bytes in this order.
fn ordered(mut bytes: Vec<u8>, order: ByteOrder) -> Vec<u8> {
    if order == ByteOrder::Big {
        bytes.reverse();
    }
    bytes
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        value => whole(value).map(|int| int as f64),
    }
}

fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(*value),
        Value::Bool(value) => Some((*value).into()),
        // Only what is no fraction comes back.
        Value::Float(value) => Some(*value as i128).filter(|int| *int as f64 == *value),
        _ => None,
    }
}

/// An integer in little-endian bytes, if they can hold it.
pub(super) fn integer(value: i128, size: usize, signed: bool) -> Option<Vec<u8>> {
    let bits = u32::try_from(8 * size).ok().filter(|bits| (8..=64).contains(bits))?;
    let range = if signed { -(1 << (bits - 1))..1 << (bits - 1) } else { 0..1_i128 << bits };
    range.contains(&value).then(|| value.to_le_bytes()[..size].to_vec())
}

/// A float in little-endian bytes.
pub(super) fn float(value: f64, size: usize) -> Option<Vec<u8>> {
    match size {
        2 => Some(half(value).to_le_bytes().to_vec()),
        4 => Some((value as f32).to_le_bytes().to_vec()),
        8 => Some(value.to_le_bytes().to_vec()),
        _ => None,
    }
}

/// The nearest float of 16 bits; of two, the even one.
fn half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let bits = value.to_bits() & (u64::MAX >> 1);
    let exponent = (bits >> 52) as i32 - 1023;
    // Below 2^-14 all have the distance of the smallest, 2^-24. Below half of that is zero.
    let (exponent, dropped) = if exponent < -14 { (-15, 42 - 14 - exponent) } else { (exponent, 42) };
    if exponent > 15 {
        return sign | 0x7c00;
    }
    if dropped > 53 {
        return sign;
    }
    let hidden = if exponent == -15 { 1 << 52 } else { 0 };
    let fraction = bits & ((1 << 52) - 1) | hidden;
    let (kept, rest, middle) = (fraction >> dropped, fraction & ((1 << dropped) - 1), 1 << (dropped - 1));
    let up = rest > middle || (rest == middle && kept & 1 == 1);
    // What carries goes into the exponent.
    sign | ((((exponent + 15) as u16) << 10) + kept as u16 + u16::from(up))
}

/// Whether little- or big-endian bytes are those of a float that is not a number: all bits of the exponent, and some after them.
fn is_nan(item: &[u8], order: ByteOrder) -> bool {
    let item = ordered(item.to_vec(), order);
    match (item[..].try_into(), item[..].try_into(), item[..].try_into()) {
        (Ok(double), _, _) => f64::from_le_bytes(double).is_nan(),
        (_, Ok(single), _) => f32::from_le_bytes(single).is_nan(),
        (_, _, Ok(half)) => u16::from_le_bytes(half) & 0x7fff > 0x7c00,
        _ => false,
    }
}

/// Encodes base64 with padding.
#[cfg(all(feature = "std", feature = "write"))]
pub(super) fn base64_of(bytes: &[u8]) -> String {
    const CHARS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for n in 0..4 {
            let char = CHARS[(bits >> (18 - 6 * n) & 63) as usize];
            text.push(if n <= three.len() { char.into() } else { '=' });
        }
    }
    text
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
        // Values that the dtype cannot hold are those to which it rounds them; integers beyond it are none.
        assert!(is(Value::Int(u64::MAX.into()), "<u8", &[255; 8]) && !is(Value::Int(-1), "|u1", &[255]));
        assert!(is(Value::Int((1 << 60) + 1), "<i8", &((1_i64 << 60) + 1).to_le_bytes()));
        assert!(!is(Value::Int((1 << 60) + 1), "<i8", &(1_i64 << 60).to_le_bytes()));
        assert!(is(Value::Float(-999.1), "<f4", &(-999.1_f32).to_le_bytes()));
        assert!(is(Value::Float(-999.1), "<f2", &0xe3ce_u16.to_le_bytes()));
        assert!(is(Value::Float(f64::NAN), "<f2", &0x7e00_u16.to_le_bytes()));
        assert!(!is(Value::Float(f64::NAN), "<f2", &0x7c00_u16.to_le_bytes()));
        assert!(is(Value::Float(0.0), "<f8", &(-0.0_f64).to_le_bytes()) && is(Value::Int(0), "<f8", &[0; 8]));
        assert!(is(Value::Float(5.0), "<i4", &[5, 0, 0, 0]) && !is(Value::Float(5.5), "<i4", &[5, 0, 0, 0]));
        assert!(
            is(Value::Int(-1), "<M8[s]", &[255; 8]) && is(Value::Int(-1), "<M8[s]", &i64::MIN.to_le_bytes())
        );
        assert!(is(Value::Float(f64::NAN), "('<f2', (2,))", &[0, 0x7e, 1, 0xfe]));
        let bytes = Value::Map(alloc::vec![(Value::Str("base64".into()), Value::Str("AP8=".into()))]);
        assert!(is(bytes, "|S3", &[0, 255, 0]));
        assert!(is(Value::Int(7), "('|i1', (2,))", &[7, 7]) && !is(Value::Int(7), "('|i1', (2,))", &[7, 8]));
        assert!(
            is(Value::Str("a\0\0".into()), "|S1", b"a")
                && is(Value::Str("a\0".into()), "<U1", &[0x61, 0, 0, 0])
        );
        assert_eq!(null(Value::Str("long".into()), "|S2"), None);
        assert_eq!(null(Value::Nil, "<i4"), None);
    }

    #[test]
    fn floats_of_16_bits_are_the_nearest() {
        for (value, bits) in [
            (1.0, 0x3c00),
            (-2.5, 0xc100),
            (65504.0, 0x7bff),
            (65519.9, 0x7bff),
            (65520.0, 0x7c00),
            (1e300, 0x7c00),
            (f64::NEG_INFINITY, 0xfc00),
            (0.1, 0x2e66),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (6.103515625e-05, 0x0400),
            (6.097555160522461e-05, 0x03ff),
            (5.960464477539063e-08, 0x0001),
            (2.9802322387695312e-08, 0x0000),
            (2.9802322387695312e-08 * 1.0001, 0x0001),
            (8.940696716308594e-08, 0x0002),
            (1e-300, 0x0000),
            (-0.0, 0x8000),
        ] {
            assert_eq!(half(value), bits, "{value}");
        }
    }
}

//! Parses text as items.

use b2nd::array::{ByteOrder, Dtype, Kind};
use half::f16;

/// Parses a single value and writes its bytes. Returns false if it is not a value of this dtype.
pub(crate) fn parse_item(text: &str, dtype: &Dtype, out: &mut [u8]) -> bool {
    let trimmed = text.trim();
    match dtype.kind() {
        Kind::Bool => match trimmed {
            "True" | "true" | "1" => put(1, dtype, out),
            "False" | "false" | "0" => put(0, dtype, out),
            _ => false,
        },
        Kind::Int => trimmed.parse::<i64>().is_ok_and(|value| {
            let unused = 64 - 8 * out.len() as u32;
            value << unused >> unused == value && put(value as u64, dtype, out)
        }),
        Kind::Uint => trimmed
            .parse::<u64>()
            .is_ok_and(|value| (out.len() == 8 || value >> (8 * out.len()) == 0) && put(value, dtype, out)),
        Kind::Float => real(trimmed, dtype, out),
        Kind::Complex => complex(trimmed, dtype, out),
        Kind::Datetime(step) => step.parse_date(trimmed).is_some_and(|steps| put(steps as u64, dtype, out)),
        Kind::Timedelta(step) => {
            step.parse_duration(trimmed).is_some_and(|steps| put(steps as u64, dtype, out))
        }
        Kind::Bytes => pad(unescaped(text), out),
        Kind::Str => {
            let order = dtype.byte_order();
            let code = |char| match order {
                ByteOrder::Big => u32::from(char).to_be_bytes(),
                _ => u32::from(char).to_le_bytes(),
            };
            pad(text.chars().flat_map(code), out)
        }
        Kind::Void => {
            let pairs = trimmed.len() == 2 * out.len() && trimmed.is_ascii();
            pairs
                && out.iter_mut().enumerate().all(|(at, byte)| {
                    u8::from_str_radix(&trimmed[2 * at..2 * at + 2], 16).map(|value| *byte = value).is_ok()
                })
        }
        _ => false,
    }
}

/// The bytes of a text, of which `\\xC3` is one.
fn unescaped(text: &str) -> impl Iterator<Item = u8> {
    let mut rest = text.as_bytes();
    core::iter::from_fn(move || {
        let escape = rest.strip_prefix(b"\\x").and_then(|digits| digits.get(..2));
        let escape = escape.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let escape = escape.and_then(|digits| str::from_utf8(digits).ok());
        if let Some(byte) = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            rest = &rest[4..];
            return Some(byte);
        }
        rest.split_off_first().copied()
    })
}

/// Writes the low bytes of a number in the byte order of the dtype.
fn put(number: u64, dtype: &Dtype, out: &mut [u8]) -> bool {
    out.copy_from_slice(&number.to_le_bytes()[..out.len()]);
    if dtype.byte_order() == ByteOrder::Big {
        out.reverse();
    }
    true
}

fn real(text: &str, dtype: &Dtype, out: &mut [u8]) -> bool {
    let bits = match out.len() {
        2 => text.parse().map(|value: f64| f16::from_f64(value).to_bits().into()),
        4 => text.parse().map(|value: f32| value.to_bits().into()),
        8 => text.parse().map(f64::to_bits),
        _ => return false,
    };
    bits.is_ok_and(|bits| put(bits, dtype, out))
}

/// Parses `1.5`, `-2j` or `1.5-2j`, optionally in parentheses.
fn complex(text: &str, dtype: &Dtype, out: &mut [u8]) -> bool {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let (re, im) = match inner.strip_suffix(['j', 'J']) {
        None => (inner, "0"),
        Some(pair) => {
            // The last sign that does not belong to an exponent.
            let signs = pair.char_indices().rev().filter(|(_, char)| matches!(char, '+' | '-'));
            let sign = signs.map(|(at, _)| at).find(|&at| at > 0 && !pair[..at].ends_with(['e', 'E']));
            sign.map_or(("0", pair), |at| pair.split_at(at))
        }
    };
    let (first, second) = out.split_at_mut(out.len() / 2);
    real(re.trim(), dtype, first) && real(im.trim(), dtype, second)
}

/// Writes bytes padded with zeros. Returns false if they are too long.
fn pad(bytes: impl Iterator<Item = u8>, out: &mut [u8]) -> bool {
    let mut bytes = bytes.fuse();
    out.iter_mut().for_each(|byte| *byte = bytes.next().unwrap_or(0));
    bytes.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::Limits;

    fn item(text: &str, dtype: &str) -> Option<Vec<u8>> {
        let dtype = Dtype::parse(dtype, &Limits::default()).unwrap();
        let mut out = vec![0xaa; dtype.itemsize()];
        parse_item(text, &dtype, &mut out).then_some(out)
    }

    #[test]
    fn numbers_fit_their_dtype() {
        assert_eq!(item("-2", "<i2"), Some(vec![0xfe, 0xff]));
        assert_eq!(item("-2", ">i2"), Some(vec![0xff, 0xfe]));
        assert_eq!(item(" 255 ", "u1"), Some(vec![255]));
        assert_eq!(item("18446744073709551615", "<u8"), Some(vec![255; 8]));
        assert_eq!(item("1.5", ">f4"), Some(1.5_f32.to_be_bytes().to_vec()));
        assert_eq!(item("-inf", "<f2"), Some(vec![0, 0xfc]));
        assert!(f64::from_le_bytes(item("nan", "<f8").unwrap().try_into().unwrap()).is_nan());
        for (text, dtype) in
            [("256", "u1"), ("-1", "<u4"), ("128", "i1"), ("1.5", "<i4"), ("", "<f4"), ("2", "?")]
        {
            assert_eq!(item(text, dtype), None, "{text} as {dtype}");
        }
        assert_eq!(item("1", "<f16"), None);
    }

    #[test]
    fn complex_numbers_are_pythons() {
        let of = |re: f32, im: f32| Some([re.to_le_bytes(), im.to_le_bytes()].concat());
        assert_eq!(item("1.0-2.5j", "<c8"), of(1.0, -2.5));
        assert_eq!(item("(1e-3+2e+4j)", "<c8"), of(1e-3, 2e4));
        assert_eq!(item("-2j", "<c8"), of(0.0, -2.0));
        assert_eq!(item("3", "<c8"), of(3.0, 0.0));
        assert_eq!(item("-inf+infj", "<c8"), of(f32::NEG_INFINITY, f32::INFINITY));
        assert_eq!(item("1+2", "<c8"), None);
    }

    #[test]
    fn texts_are_padded() {
        assert_eq!(item("ab", "S3"), Some(b"ab\0".to_vec()));
        assert_eq!(item("abcd", "S3"), None);
        assert_eq!(item("é", ">U2"), Some(vec![0, 0, 0, 0xe9, 0, 0, 0, 0]));
        assert_eq!(item("01aB", "V2"), Some(vec![1, 0xab]));
        assert_eq!(item("01a", "V2"), None);
        assert_eq!(item("01éx", "V2"), None);
    }
}

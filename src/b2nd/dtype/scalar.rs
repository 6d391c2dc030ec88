//! Type strings and names: `<f4`, `|S300`, `<M8[25s]`, `float32`.

use super::{ByteOrder, Dtype, Kind, MAX_ITEMSIZE, TimeStep, TimeUnit, malformed, unknown};
use crate::Result;

/// NumPy's names, and its one-letter codes without a size, as the type strings that they stand for on 64-bit
/// Unix. Times are not among them: their names take a unit.
const NAMES: [(&str, &str); 63] = [
    ("bool", "b1"),
    ("bool_", "b1"),
    ("?", "b1"),
    ("int8", "i1"),
    ("byte", "i1"),
    ("b", "i1"),
    ("uint8", "u1"),
    ("ubyte", "u1"),
    ("B", "u1"),
    ("int16", "i2"),
    ("short", "i2"),
    ("h", "i2"),
    ("uint16", "u2"),
    ("ushort", "u2"),
    ("H", "u2"),
    ("int32", "i4"),
    ("intc", "i4"),
    ("i", "i4"),
    ("uint32", "u4"),
    ("uintc", "u4"),
    ("I", "u4"),
    ("int64", "i8"),
    ("int", "i8"),
    ("intp", "i8"),
    ("longlong", "i8"),
    ("l", "i8"),
    ("q", "i8"),
    ("p", "i8"),
    ("uint64", "u8"),
    ("uint", "u8"),
    ("uintp", "u8"),
    ("ulonglong", "u8"),
    ("L", "u8"),
    ("Q", "u8"),
    ("P", "u8"),
    ("float16", "f2"),
    ("half", "f2"),
    ("e", "f2"),
    ("float32", "f4"),
    ("single", "f4"),
    ("f", "f4"),
    ("float64", "f8"),
    ("float", "f8"),
    ("double", "f8"),
    ("d", "f8"),
    ("float96", "f12"),
    ("float128", "f16"),
    ("longdouble", "f16"),
    ("g", "f16"),
    ("complex64", "c8"),
    ("csingle", "c8"),
    ("F", "c8"),
    ("complex128", "c16"),
    ("complex", "c16"),
    ("cdouble", "c16"),
    ("D", "c16"),
    ("complex192", "c24"),
    ("complex256", "c32"),
    ("clongdouble", "c32"),
    ("G", "c32"),
    ("c", "S1"),
    ("object", "O"),
    ("object_", "O"),
];

const NAMES_WITHOUT_LENGTH: [(&str, &str); 6] =
    [("str", "U0"), ("str_", "U0"), ("U", "U0"), ("bytes", "S0"), ("bytes_", "S0"), ("void", "V0")];

const UNITS: [(&str, TimeUnit); 13] = [
    ("Y", TimeUnit::Year),
    ("M", TimeUnit::Month),
    ("W", TimeUnit::Week),
    ("D", TimeUnit::Day),
    ("h", TimeUnit::Hour),
    ("m", TimeUnit::Minute),
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
    ("ps", TimeUnit::Picosecond),
    ("fs", TimeUnit::Femtosecond),
    ("as", TimeUnit::Attosecond),
];

impl TimeUnit {
    /// NumPy's abbreviation: `ns`. Empty for [`Generic`](Self::Generic).
    pub fn symbol(self) -> &'static str {
        UNITS.iter().find(|(_, unit)| *unit == self).map_or("", |(symbol, _)| symbol)
    }
}

/// Reads the dtype of one value. Offsets in errors count from the start of `text`.
pub(super) fn parse(text: &str) -> Result<Dtype> {
    let order = match text.as_bytes().first() {
        Some(b'<' | b'=' | b'|') => Some(ByteOrder::Little),
        Some(b'>') => Some(ByteOrder::Big),
        Some(_) => None,
        None => return Err(malformed(text, 0)),
    };
    let start = usize::from(order.is_some());
    let spelled = &text[start..];
    let known = NAMES.iter().chain(&NAMES_WITHOUT_LENGTH).find(|(name, _)| *name == spelled);
    // Names with an order are as little NumPy's as `<float32`, but codes of one letter are: `>i`.
    let code = match known {
        Some((name, code)) if name.len() == 1 || order.is_none() => code,
        Some(_) => return Err(malformed(text, start)),
        None => spelled,
    };
    let order = order.unwrap_or(ByteOrder::Little);
    match time(code, order).unwrap_or_else(|| sized(code, order)) {
        Err(error) if known.is_none() => Err(error.shifted(start as u64)),
        other => other,
    }
}

/// A letter for the kind and a size: `f4`.
fn sized(code: &str, order: ByteOrder) -> Result<Dtype> {
    let bytes = code.as_bytes();
    let Some((&letter, digits)) = bytes.split_first() else { return Err(malformed(code, 0)) };
    if !letter.is_ascii_alphabetic() {
        return Err(malformed(code, 0));
    }
    if let Some(other) = digits.iter().position(|byte| !byte.is_ascii_digit()) {
        let word =
            bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b',' | b'.'));
        // A word may be a type that some extension of NumPy knows: `bfloat16`.
        return Err(if word { unknown() } else { malformed(code, 1 + other) });
    }
    let size = match (letter, code[1..].parse::<u64>().ok()) {
        (b'O', None) if digits.is_empty() => 8,
        (b'S' | b'V' | b'a', None) if digits.is_empty() => 0,
        (_, Some(size)) => size,
        _ if digits.is_empty() => return Err(unknown()),
        _ => return Err(malformed(code, 1)),
    };
    let (kind, itemsize) = match (letter, size) {
        (b'b', 1) => (Kind::Bool, 1),
        (b'i', 1 | 2 | 4 | 8) => (Kind::Int, size),
        (b'u', 1 | 2 | 4 | 8) => (Kind::Uint, size),
        (b'f', 2 | 4 | 8 | 12 | 16) => (Kind::Float, size),
        (b'c', 8 | 16 | 24 | 32) => (Kind::Complex, size),
        (b'S' | b'a', _) => (Kind::Bytes, size),
        (b'U', _) => (Kind::Str, size.saturating_mul(4)),
        (b'V', _) => (Kind::Void, size),
        (b'O', 4 | 8) => (Kind::Object, size),
        (b'b' | b'i' | b'u' | b'f' | b'c' | b'O', _) => return Err(malformed(code, 1)),
        _ => return Err(unknown()),
    };
    if itemsize > MAX_ITEMSIZE {
        return Err(malformed(code, 1));
    }
    let ordered =
        itemsize > 1 && !matches!(kind, Kind::Bytes | Kind::Void | Kind::Object) || kind == Kind::Str;
    let byte_order = if ordered { order } else { ByteOrder::NotApplicable };
    Ok(Dtype { kind, byte_order, itemsize: itemsize as usize })
}

/// A date or a duration, if that is what the code starts like.
fn time(code: &str, byte_order: ByteOrder) -> Option<Result<Dtype>> {
    let starts = [("M8", true), ("datetime64", true), ("m8", false), ("timedelta64", false)];
    let (start, is_date) = match code {
        "M" => (code, true),
        "m" => (code, false),
        _ => starts.into_iter().find(|(start, _)| code.starts_with(start))?,
    };
    Some(step(code, start.len()).map(|step| Dtype {
        kind: if is_date { Kind::Datetime(step) } else { Kind::Timedelta(step) },
        byte_order,
        itemsize: 8,
    }))
}

/// The step of a time from byte `start` of its code on: nothing, or `[25s]`.
fn step(code: &str, start: usize) -> Result<TimeStep> {
    let rest = &code[start..];
    if rest.is_empty() {
        return Ok(TimeStep { count: 1, unit: TimeUnit::Generic });
    }
    let Some(inner) = rest.strip_prefix('[') else { return Err(malformed(code, start)) };
    let Some(inner) = inner.strip_suffix(']') else { return Err(malformed(code, code.len())) };
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let (count, symbol) = inner.split_at(digits);
    let count = match count.parse::<i32>() {
        Ok(count) => count.unsigned_abs(),
        Err(_) if count.is_empty() => 1,
        Err(_) => return Err(malformed(code, start + 1)),
    };
    if symbol == "generic" && digits == 0 {
        return Ok(TimeStep { count: 1, unit: TimeUnit::Generic });
    }
    match UNITS.iter().find(|(known, _)| *known == symbol) {
        Some(&(_, unit)) => Ok(TimeStep { count, unit }),
        // `[s/100]` is NumPy's too; it never writes it.
        None if symbol.contains('/') => Err(unknown()),
        None => Err(malformed(code, start + 1 + digits)),
    }
}

//! Type strings and names: `<f4`, `|S300`, `<M8[25s]`, `float32`.

use super::{ByteOrder, Dtype, Kind, MAX_ITEMSIZE, TimeStep, TimeUnit, malformed, unknown};
use crate::Result;
use crate::base::times;

/// The type strings, each before the names and the one-letter codes that NumPy has for it on 64-bit Unix. Times are not
/// among them: their names take a unit.
const NAMES: [&str; 23] = [
    "b1 bool bool_ ?",
    "i1 int8 byte b",
    "u1 uint8 ubyte B",
    "i2 int16 short h",
    "u2 uint16 ushort H",
    "i4 int32 intc i",
    "u4 uint32 uintc I",
    "i8 int64 int intp longlong l q p",
    "u8 uint64 uint uintp ulonglong L Q P",
    "f2 float16 half e",
    "f4 float32 single f",
    "f8 float64 float double d",
    "f12 float96",
    "f16 float128 longdouble g",
    "c8 complex64 csingle F",
    "c16 complex128 complex cdouble D",
    "c24 complex192",
    "c32 complex256 clongdouble G",
    "S1 c",
    "O object object_",
    "U0 str str_ U",
    "S0 bytes bytes_",
    "V0 void",
];

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
pub(super) fn parse(text: &[u8]) -> Result<Dtype> {
    let (order, spelled) = match text {
        [b'<' | b'=' | b'|', rest @ ..] => (Some(ByteOrder::Little), rest),
        [b'>', rest @ ..] => (Some(ByteOrder::Big), rest),
        [] => return Err(malformed(text, 0)),
        _ => (None, text),
    };
    let start = text.len() - spelled.len();
    let known = meaning(spelled);
    // Names with an order are as little NumPy's as `<float32`, but codes of one letter are: `>i`.
    if known.is_some() && spelled.len() > 1 && order.is_some() {
        return Err(malformed(text, start));
    }
    let code = known.unwrap_or(spelled);
    let order = order.unwrap_or(ByteOrder::Little);
    match time(code, order).unwrap_or_else(|| sized(code, order)) {
        Err(error) if known.is_none() => Err(error.shifted(start as u64)),
        other => other,
    }
}

/// The type string that a name stands for.
fn meaning(name: &[u8]) -> Option<&'static [u8]> {
    NAMES.iter().find_map(|line| {
        let mut words = line.as_bytes().split(|&byte| byte == b' ');
        let code = words.next();
        code.filter(|_| words.any(|word| word == name))
    })
}

/// A letter for the kind and a size: `f4`.
fn sized(code: &[u8], order: ByteOrder) -> Result<Dtype> {
    let Some((&letter, digits)) = code.split_first() else { return Err(malformed(code, 0)) };
    if !letter.is_ascii_alphabetic() {
        return Err(malformed(code, 0));
    }
    if let Some(other) = digits.iter().position(|byte| !byte.is_ascii_digit()) {
        let word = code.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b',' | b'.'));
        // A word may be a type that some extension of NumPy knows: `bfloat16`.
        return Err(if word { unknown() } else { malformed(code, 1 + other) });
    }
    let size = match (letter, number(digits)) {
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
    let ordered = match kind {
        Kind::Bytes | Kind::Void | Kind::Object => false,
        Kind::Str => true,
        _ => itemsize > 1,
    };
    let byte_order = if ordered { order } else { ByteOrder::NotApplicable };
    Ok(Dtype { kind, byte_order, itemsize: itemsize as usize })
}

/// A decimal number; none without digits, or where it takes more than 64 bits.
fn number(digits: &[u8]) -> Option<u64> {
    let append = |number: u64, digit: &u8| times(number, 10)?.checked_add(u64::from(digit - b'0'));
    if digits.is_empty() { None } else { digits.iter().try_fold(0, append) }
}

/// A date or a duration, if that is what the code starts like.
fn time(code: &[u8], byte_order: ByteOrder) -> Option<Result<Dtype>> {
    let starts = [("M8", true), ("datetime64", true), ("m8", false), ("timedelta64", false)];
    let (start, is_date) = match code {
        b"M" => (1, true),
        b"m" => (1, false),
        _ => {
            let found = starts.iter().find(|(start, _)| code.starts_with(start.as_bytes()));
            found.map(|(start, is_date)| (start.len(), *is_date))?
        }
    };
    Some(step(code, start).map(|step| Dtype {
        kind: if is_date { Kind::Datetime(step) } else { Kind::Timedelta(step) },
        byte_order,
        itemsize: 8,
    }))
}

/// The step of a time from byte `start` of its code on: nothing, or `[25s]`.
fn step(code: &[u8], start: usize) -> Result<TimeStep> {
    let inner = match code.get(start..) {
        None | Some([]) => return Ok(TimeStep { count: 1, unit: TimeUnit::Generic }),
        Some([b'[', inner @ .., b']']) => inner,
        Some([b'[', ..]) => return Err(malformed(code, code.len())),
        Some(_) => return Err(malformed(code, start)),
    };
    let digits = inner.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (count, symbol) = inner.split_at(digits);
    let count = match number(count) {
        Some(count) if count <= i32::MAX as u64 => count as u32,
        None if count.is_empty() => 1,
        _ => return Err(malformed(code, start + 1)),
    };
    if symbol == b"generic" && digits == 0 {
        return Ok(TimeStep { count: 1, unit: TimeUnit::Generic });
    }
    match UNITS.iter().find(|(known, _)| known.as_bytes() == symbol) {
        Some(&(_, unit)) => Ok(TimeStep { count, unit }),
        // `[s/100]` is NumPy's too; it never writes it.
        None if symbol.contains(&b'/') => Err(unknown()),
        None => Err(malformed(code, start + 1 + digits)),
    }
}

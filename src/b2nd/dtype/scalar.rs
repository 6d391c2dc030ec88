//! Type strings and names: `<f4`, `|S300`, `<M8[25s]`, `float32`.

use super::{ByteOrder, Dtype, Kind, MAX_ITEMSIZE, TimeStep, TimeUnit, malformed, unknown};
use crate::Result;

/// The type strings, each before the names and the one-letter codes that NumPy has for it on 64-bit Unix.
const NAMES: [&str; 25] = [
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
    "M8 datetime64 M",
    "m8 timedelta64 m",
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
    let order = match text.first() {
        Some(b'<' | b'=' | b'|') => Some(ByteOrder::Little),
        Some(b'>') => Some(ByteOrder::Big),
        _ => None,
    };
    let start = usize::from(order.is_some());
    let step = text.iter().position(|&byte| byte == b'[').unwrap_or(text.len());
    let spelled = text.get(start..step).unwrap_or_default();
    let known = meaning(spelled);
    let code = known.unwrap_or(spelled);
    let mut dtype = sized(code).map_err(|at| match at {
        Some(at) => malformed(text, start + at),
        None => unknown(),
    })?;
    match &mut dtype.kind {
        Kind::Datetime(steps) | Kind::Timedelta(steps) => *steps = self::step(text, step)?,
        // Names with an order are as little NumPy's as `<float32`, but codes of one letter are: `>i`.
        _ if known.is_some() && spelled.len() > 1 && order.is_some() => return Err(malformed(text, start)),
        _ if step < text.len() => return Err(malformed(text, step)),
        _ => {}
    }
    if dtype.byte_order == ByteOrder::Little {
        dtype.byte_order = order.unwrap_or(ByteOrder::Little);
    }
    Ok(dtype)
}

/// The type string that a name stands for.
fn meaning(name: &[u8]) -> Option<&'static [u8]> {
    NAMES.iter().find_map(|line| {
        let mut words = line.as_bytes().split(|&byte| byte == b' ');
        let code = words.next();
        code.filter(|_| words.any(|word| word == name))
    })
}

/// A letter for the kind and a size: `f4`. Says where that goes wrong, and nowhere if it may be a type unknown here.
fn sized(code: &[u8]) -> Result<Dtype, Option<usize>> {
    let Some((&letter, digits)) = code.split_first() else { return Err(Some(0)) };
    if !letter.is_ascii_alphabetic() {
        return Err(Some(0));
    }
    if let Some(at) = digits.iter().position(|byte| !byte.is_ascii_digit()) {
        // A word may be a type that some extension of NumPy knows: `bfloat16`. So may several: `i4,f8`.
        let word = at == 0 || digits[at] == b',';
        return Err(if word && digits.iter().all(|&byte| is_word(byte) || byte == b',') {
            None
        } else {
            Some(1 + at)
        });
    }
    let size = match (letter, digits) {
        (b'O', []) => 8,
        (b'S' | b'V' | b'a', []) => 0,
        (_, []) => return Err(None),
        _ => number(digits).ok_or(Some(1))?,
    };
    let time = TimeStep { count: 1, unit: TimeUnit::Generic };
    let any = [size];
    let (kind, sizes): (_, &[usize]) = match letter {
        b'b' => (Kind::Bool, &[1]),
        b'i' => (Kind::Int, &[1, 2, 4, 8]),
        b'u' => (Kind::Uint, &[1, 2, 4, 8]),
        b'f' => (Kind::Float, &[2, 4, 8, 12, 16]),
        b'c' => (Kind::Complex, &[8, 16, 24, 32]),
        b'M' => (Kind::Datetime(time), &[8]),
        b'm' => (Kind::Timedelta(time), &[8]),
        b'O' => (Kind::Object, &[4, 8]),
        b'S' | b'a' => (Kind::Bytes, &any),
        b'V' => (Kind::Void, &any),
        b'U' if size > MAX_ITEMSIZE as usize / 4 => (Kind::Str, &[]),
        b'U' => (Kind::Str, &any),
        _ => return Err(None),
    };
    if !sizes.contains(&size) {
        return Err(Some(1));
    }
    let (ordered, itemsize) = match kind {
        Kind::Bytes | Kind::Void | Kind::Object => (false, size),
        Kind::Str => (true, 4 * size),
        _ => (size > 1, size),
    };
    let byte_order = if ordered { ByteOrder::Little } else { ByteOrder::NotApplicable };
    Ok(Dtype { kind, byte_order, itemsize })
}

/// A decimal number of 31 bits; none without digits.
pub(super) fn number(digits: &[u8]) -> Option<usize> {
    let append = |number: u64, digit: &u8| (number * 10 + u64::from(digit - b'0')).min(MAX_ITEMSIZE + 1);
    let number = digits.iter().fold(0, append);
    (!digits.is_empty() && number <= MAX_ITEMSIZE).then_some(number as usize)
}

/// What names are made of.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

/// The step of a time from byte `start` of its text on: nothing, or `[25s]`.
fn step(text: &[u8], start: usize) -> Result<TimeStep> {
    let generic = TimeStep { count: 1, unit: TimeUnit::Generic };
    let inner = match text.get(start..) {
        None | Some([]) => return Ok(generic),
        Some([_, inner @ .., b']']) => inner,
        Some(_) => return Err(malformed(text, text.len())),
    };
    let digits = inner.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (count, symbol) = inner.split_at(digits);
    let count = match number(count) {
        Some(count) => count as u32,
        None if digits == 0 => 1,
        None => return Err(malformed(text, start + 1)),
    };
    if symbol == b"generic" && digits == 0 {
        return Ok(generic);
    }
    match UNITS.iter().find(|(known, _)| known.as_bytes() == symbol) {
        Some(&(_, unit)) => Ok(TimeStep { count, unit }),
        // `[s/100]` is NumPy's too; it never writes it.
        None if symbol.contains(&b'/') => Err(unknown()),
        None => Err(malformed(text, start + 1 + digits)),
    }
}

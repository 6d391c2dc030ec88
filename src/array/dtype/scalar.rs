//! Type strings and names: `<f4`, `|S300`, `<M8[25s]`, `float32`.

use super::literal::{Cursor, number};
use super::{ByteOrder, Dtype, Kind, MAX_ITEMSIZE, TimeStep, TimeUnit, unknown};

/// Each type string, followed by its NumPy names and one-letter codes on 64-bit Unix.
const NAMES: &str = "|b1 bool bool_ ? |i1 int8 byte b |u1 uint8 ubyte B |i2 int16 short h |u2 uint16 ushort H \
    |i4 int32 intc i |u4 uint32 uintc I |i8 int64 int intp longlong l q p |u8 uint64 uint uintp ulonglong L Q P \
    |f2 float16 half e |f4 float32 single f |f8 float64 float double d |f12 float96 |f16 float128 longdouble g \
    |c8 complex64 csingle F |c16 complex128 complex cdouble D |c24 complex192 |c32 complex256 clongdouble G \
    |S1 c |O8 object object_ O |U0 str str_ U |S0 bytes bytes_ S a |V0 void V |M8 datetime64 M |m8 timedelta64 m";

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

impl TimeStep {
    /// Whether NumPy knows it: a positive number of units that fits 31 bits.
    pub(super) fn is_valid(self) -> bool {
        let counts = self.unit != TimeUnit::Generic || self.count == 1;
        counts && self.count > 0 && u64::from(self.count) <= MAX_ITEMSIZE
    }
}

impl TimeUnit {
    /// NumPy's abbreviation: `ns`. Empty for [`Generic`](Self::Generic).
    ///
    /// ```
    /// use b2nd::array::TimeUnit;
    /// assert_eq!((TimeUnit::Nanosecond.symbol(), TimeUnit::Generic.symbol()), ("ns", ""));
    /// ```
    pub fn symbol(self) -> &'static str {
        UNITS.iter().find(|(_, unit)| *unit == self).map_or("", |(symbol, _)| symbol)
    }
}

/// Parses the dtype of a single value.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Dtype {
    let order = match cursor.byte() {
        b'<' | b'=' | b'|' => Some(ByteOrder::Little),
        b'>' => Some(ByteOrder::Big),
        _ => None,
    };
    cursor.at += usize::from(order.is_some());
    let start = cursor.at;
    let name = cursor.word().as_bytes();
    if cursor.byte() == b',' {
        // A comma-separated list of types: `i4,f8`.
        cursor.fail(unknown());
    }
    let known = meaning(name);
    let mut dtype = sized(cursor, start, known.unwrap_or(name));
    if let Kind::Datetime(step) | Kind::Timedelta(step) = &mut dtype.kind {
        if cursor.byte() == b'[' {
            *step = self::step(cursor);
        }
    } else if known.is_some() && name.len() > 1 && order.is_some() {
        // NumPy refuses names with a byte order, such as `<float32`, but accepts one-letter codes: `>i`.
        cursor.wrong(start);
    }
    if dtype.byte_order == ByteOrder::Little {
        dtype.byte_order = order.unwrap_or(ByteOrder::Little);
    }
    dtype
}

/// The type string that a name stands for.
fn meaning(name: &[u8]) -> Option<&'static [u8]> {
    let mut code = None;
    for word in NAMES.as_bytes().split(|&byte| byte == b' ') {
        match word {
            [b'|', meant @ ..] => code = Some(meant),
            _ if word == name => return code,
            _ => {}
        }
    }
    None
}

/// A kind and a size: `f4`.
fn sized(cursor: &mut Cursor<'_>, start: usize, code: &[u8]) -> Dtype {
    let (&letter, rest) = code.split_first().unwrap_or((&0, &[]));
    let (len, size) = number(rest);
    if !letter.is_ascii_alphabetic() {
        cursor.wrong(start);
    }
    if len == 0 {
        // This may be a type of a NumPy extension, such as `bfloat16`.
        cursor.fail(unknown());
    } else if len < rest.len() {
        cursor.wrong(start + 1 + len);
    }
    let step = TimeStep { count: 1, unit: TimeUnit::Generic };
    let kind = match letter {
        b'b' => Kind::Bool,
        b'i' => Kind::Int,
        b'u' => Kind::Uint,
        b'f' => Kind::Float,
        b'c' => Kind::Complex,
        b'M' => Kind::Datetime(step),
        b'm' => Kind::Timedelta(step),
        b'O' => Kind::Object,
        b'S' | b'a' => Kind::Bytes,
        b'U' => Kind::Str,
        b'V' => Kind::Void,
        _ => {
            cursor.fail(unknown());
            Kind::Void
        }
    };
    let itemsize = if matches!(kind, Kind::Str) { size.saturating_mul(4) } else { size };
    if !has_size(&kind, itemsize) {
        cursor.wrong(start + 1);
    }
    Dtype::number(kind, itemsize)
}

/// Whether values of a kind, single ones, can have so many bytes.
pub(super) fn has_size(kind: &Kind, itemsize: usize) -> bool {
    // One bit for each size.
    let sizes: u64 = match kind {
        Kind::Bool => 1 << 1,
        Kind::Int | Kind::Uint => 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8,
        Kind::Float => 1 << 2 | 1 << 4 | 1 << 8 | 1 << 12 | 1 << 16,
        Kind::Complex => 1 << 8 | 1 << 16 | 1 << 24 | 1 << 32,
        Kind::Datetime(_) | Kind::Timedelta(_) => 1 << 8,
        Kind::Object => 1 << 4 | 1 << 8,
        Kind::Str if !itemsize.is_multiple_of(4) => return false,
        Kind::Str | Kind::Bytes | Kind::Void => return itemsize as u64 <= MAX_ITEMSIZE,
        Kind::Subarray { .. } | Kind::Struct { .. } => return false,
    };
    itemsize < 64 && sizes >> itemsize & 1 == 1
}

/// The step of a date or duration: `[25s]`.
fn step(cursor: &mut Cursor<'_>) -> TimeStep {
    cursor.at += 1;
    let count = cursor.number();
    let start = cursor.at;
    let symbol = cursor.word();
    let known = UNITS.iter().find(|(known, _)| *known == symbol);
    match cursor.byte() {
        // `[s/100]` is valid, but NumPy never writes it.
        b'/' => cursor.fail(unknown()),
        b']' => cursor.at += 1,
        _ => cursor.wrong(cursor.at),
    }
    let unit = known.map_or(TimeUnit::Generic, |&(_, unit)| unit);
    if unit == TimeUnit::Generic && (symbol != "generic" || count.is_some()) {
        cursor.wrong(start);
    }
    let step = TimeStep { count: count.unwrap_or(1) as u32, unit };
    if !step.is_valid() {
        // NumPy accepts steps of nothing, and fails later.
        cursor.fail(unknown());
    }
    step
}

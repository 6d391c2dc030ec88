//! Generic MessagePack values, to display metalayers.

use super::reader::{Reader, marker, wrong_marker};
use crate::base::{Error, Limits, Result};
use alloc::string::String;
use alloc::vec::Vec;

/// A MessagePack value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Nothing.
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer, from −2⁶³ to 2⁶⁴−1.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// Text, with U+FFFD in place of invalid UTF-8.
    Str(String),
    /// Bytes.
    Bin(Vec<u8>),
    /// A list.
    Array(Vec<Self>),
    /// Keys and values, in order. Keys may be of any type and may repeat.
    Map(Vec<(Self, Self)>),
    /// An extension type and its bytes.
    Ext(i8, Vec<u8>),
}

impl Value {
    /// Parses a value that takes up all of `bytes`.
    ///
    /// # Errors
    /// `Format` if the bytes are no MessagePack or go on after the value; `Limit` if it is nested too deeply
    /// or takes more memory than metadata may.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Value};
    /// let value = Value::parse(&[0x92, 0x01, 0xa1, b'x'], &Limits::default())?;
    /// assert_eq!(value, Value::Array(vec![Value::Int(1), Value::Str("x".into())]));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        Self::parse_counted(bytes, limits, &mut 0)
    }

    /// The same for a value that is one of many: `used` counts the memory of all.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn parse_counted(bytes: &[u8], limits: &Limits, used: &mut u64) -> Result<Self> {
        Self::parse_stored(bytes, u64::MAX, limits, used)
    }

    /// The same for one of which the file has `stored` bytes.
    pub(crate) fn parse_stored(bytes: &[u8], stored: u64, limits: &Limits, used: &mut u64) -> Result<Self> {
        let mut rest = bytes;
        let value = Self::parse_first(&mut rest, stored, limits, used)?;
        match rest.len() {
            0 => Ok(value),
            left => {
                Err(Error::mismatch("MessagePack length", bytes.len() as u64, (bytes.len() - left) as u64))
            }
        }
    }

    /// The same for the first of several values, which is removed from `bytes`.
    pub(crate) fn parse_first(
        bytes: &mut &[u8],
        stored: u64,
        limits: &Limits,
        used: &mut u64,
    ) -> Result<Self> {
        let mut parser = Parser { reader: Reader::new(bytes), limits, stored, before: *used, used: *used };
        let value = parser.value(0)?;
        *used = parser.used;
        *bytes = &bytes[parser.reader.position()..];
        Ok(value)
    }
}

impl Value {
    /// The value under a key of a map, if there is one.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Value};
    /// let map = Value::parse(b"\x81\xa1x\x07", &Limits::default())?;
    /// assert_eq!(map.get("x"), Some(&Value::Int(7)));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(pairs) = self else { return None };
        pairs.iter().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// The text, if it is one.
    pub const fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The integer, if it is one that a `u64` holds.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(int) => u64::try_from(*int).ok(),
            _ => None,
        }
    }

    /// The entries of a list.
    pub const fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items.as_slice()),
            _ => None,
        }
    }

    /// The entries of a Python tuple, which python-blosc2 writes as a list that begins with `"__tuple__"`.
    pub fn as_tuple(&self) -> Option<&[Self]> {
        match self.as_array()?.split_first()? {
            (Self::Str(mark), entries) if mark == "__tuple__" => Some(entries),
            _ => None,
        }
    }
}

/// Makes values of what they are in Rust.
macro_rules! from {
    ($($type:ty: $value:ident => $variant:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $variant
            }
        }
    )*};
}

from! {
    bool: value => Self::Bool(value);
    i32: value => Self::Int(value.into());
    i64: value => Self::Int(value.into());
    u32: value => Self::Int(value.into());
    u64: value => Self::Int(value.into());
    f32: value => Self::Float(value.into());
    f64: value => Self::Float(value);
    &str: value => Self::Str(value.into());
    String: value => Self::Str(value);
    Vec<Self>: value => Self::Array(value);
}

/// What an allocation takes besides its bytes, about.
const ALLOCATION: usize = 16;

struct Parser<'a> {
    reader: Reader<'a>,
    limits: &'a Limits,
    /// Bytes that the file has of the value, and of memory used before it.
    stored: u64,
    before: u64,
    /// Bytes of memory used so far.
    used: u64,
}

impl Parser<'_> {
    fn value(&mut self, depth: u32) -> Result<Value> {
        self.limits.allow_depth(depth)?;
        let at = self.reader.position();
        let byte = self.reader.byte();
        self.reader.check()?;
        let value = match byte {
            byte @ 0x00..=0x7f => Value::Int(byte.into()),
            byte @ 0xe0..=0xff => Value::Int((byte as i8).into()),
            byte @ 0x80..=0x8f => self.map(usize::from(byte & 0x0f), depth)?,
            byte @ 0x90..=0x9f => self.list(usize::from(byte & 0x0f), depth)?,
            byte @ 0xa0..=0xbf => self.str(usize::from(byte & 0x1f))?,
            marker::NIL => Value::Nil,
            marker::FALSE => Value::Bool(false),
            marker::TRUE => Value::Bool(true),
            byte @ (marker::BIN8 | marker::BIN16 | marker::BIN32) => {
                let len = self.len(byte - marker::BIN8);
                Value::Bin(self.bytes(len)?)
            }
            byte @ (marker::EXT8 | marker::EXT16 | marker::EXT32) => {
                let len = self.len(byte - marker::EXT8);
                self.ext(len)?
            }
            byte @ marker::FIXEXT1..=marker::FIXEXT16 => self.ext(1 << (byte - marker::FIXEXT1))?,
            marker::F32 => Value::Float(f32::from_be_bytes(self.reader.array()).into()),
            marker::F64 => Value::Float(f64::from_be_bytes(self.reader.array())),
            marker::U8 => Value::Int(self.reader.byte().into()),
            marker::U16 => Value::Int(u16::from_be_bytes(self.reader.array()).into()),
            marker::U32 => Value::Int(u32::from_be_bytes(self.reader.array()).into()),
            marker::U64 => Value::Int(u64::from_be_bytes(self.reader.array()).into()),
            marker::I8 => Value::Int(i8::from_be_bytes(self.reader.array()).into()),
            marker::I16 => Value::Int(i16::from_be_bytes(self.reader.array()).into()),
            marker::I32 => Value::Int(i32::from_be_bytes(self.reader.array()).into()),
            marker::I64 => Value::Int(i64::from_be_bytes(self.reader.array()).into()),
            byte @ (marker::STR8 | marker::STR16 | marker::STR32) => {
                let len = self.len(byte - marker::STR8);
                self.str(len)?
            }
            byte @ (marker::ARRAY16 | marker::ARRAY32) => {
                let len = self.len(byte - marker::ARRAY16 + 1);
                self.list(len, depth)?
            }
            byte @ (marker::MAP16 | marker::MAP32) => {
                let len = self.len(byte - marker::MAP16 + 1);
                self.map(len, depth)?
            }
            found => return Err(wrong_marker(found, at)),
        };
        self.reader.check()?;
        Ok(value)
    }

    /// A length of 1, 2 or 4 bytes.
    fn len(&mut self, log2: u8) -> usize {
        match log2 {
            0 => self.reader.byte().into(),
            1 => u16::from_be_bytes(self.reader.array()).into(),
            _ => u32::from_be_bytes(self.reader.array()) as usize,
        }
    }

    fn charge(&mut self, bytes: usize) -> Result<()> {
        self.used = self.used.saturating_add(bytes as u64);
        self.limits.allow_metadata(self.used)?;
        self.limits.allow_expansion(self.used - self.before, self.stored)
    }

    fn bytes(&mut self, len: usize) -> Result<Vec<u8>> {
        let bytes = self.reader.take(len);
        self.reader.check()?;
        self.charge(len.saturating_add(ALLOCATION))?;
        Ok(bytes.to_vec())
    }

    fn str(&mut self, len: usize) -> Result<Value> {
        let bytes = self.reader.take(len);
        self.reader.check()?;
        // Each invalid byte may become three bytes of UTF-8.
        let most = if core::str::from_utf8(bytes).is_ok() { len } else { len.saturating_mul(3) };
        self.charge(most.saturating_add(ALLOCATION))?;
        Ok(Value::Str(crate::base::text(bytes)))
    }

    fn ext(&mut self, len: usize) -> Result<Value> {
        let kind = self.reader.byte() as i8;
        Ok(Value::Ext(kind, self.bytes(len)?))
    }

    /// A vector for `len` items of at least `least` bytes each, if so many bytes are left.
    fn room<T>(&mut self, len: usize, least: usize) -> Result<Vec<T>> {
        let mut ahead = self.reader.clone();
        ahead.take(len.saturating_mul(least));
        ahead.check()?;
        self.charge(len.saturating_mul(size_of::<T>()).saturating_add(ALLOCATION))?;
        Ok(Vec::with_capacity(len))
    }

    fn list(&mut self, len: usize, depth: u32) -> Result<Value> {
        let mut items = self.room(len, 1)?;
        for _ in 0..len {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::Array(items))
    }

    fn map(&mut self, len: usize, depth: u32) -> Result<Value> {
        let mut items = self.room(len, 2)?;
        for _ in 0..len {
            items.push((self.value(depth + 1)?, self.value(depth + 1)?));
        }
        Ok(Value::Map(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Blame, Limit};
    use alloc::vec;

    fn parse(bytes: &[u8]) -> Result<Value> {
        Value::parse(bytes, &Limits::default())
    }

    #[test]
    fn reads_every_kind() {
        let text = |s: &str| Value::Str(s.into());
        for (bytes, value) in [
            (&[0xc0][..], Value::Nil),
            (&[0xc3], Value::Bool(true)),
            (&[0x7f], Value::Int(127)),
            (&[0xff], Value::Int(-1)),
            (&[0xcf, 255, 255, 255, 255, 255, 255, 255, 255], Value::Int(u64::MAX.into())),
            (&[0xd3, 128, 0, 0, 0, 0, 0, 0, 0], Value::Int(i64::MIN.into())),
            (&[0xd0, 0x80], Value::Int(-128)),
            (&[0xca, 0x3f, 0x80, 0, 0], Value::Float(1.0)),
            (&[0xa2, b'h', b'i'], text("hi")),
            (&[0xd9, 1, b'x'], text("x")),
            (&[0xc4, 2, 8, 9], Value::Bin(vec![8, 9])),
            (&[0xdc, 0, 1, 0xc2], Value::Array(vec![Value::Bool(false)])),
            (&[0x81, 1, 0x90], Value::Map(vec![(Value::Int(1), Value::Array(vec![]))])),
            (&[0xd4, 42, 7], Value::Ext(42, vec![7])),
            (&[0xc7, 2, 44, 1, 2], Value::Ext(44, vec![1, 2])),
        ] {
            assert_eq!(parse(bytes), Ok(value), "{bytes:02x?}");
            for len in 0..bytes.len() {
                assert!(parse(&bytes[..len]).is_err(), "{bytes:02x?} cut to {len}");
            }
        }
    }

    #[test]
    fn refuses_the_rest() {
        assert_eq!(parse(&[0xc1]), Err(wrong_marker(0xc1, 0)));
        assert_eq!(parse(&[1, 2]), Err(Error::mismatch("MessagePack length", 2, 1)));
        let deep = parse(&[0x91; 100]).unwrap_err();
        assert!(matches!(deep.blame(), Blame::Limit(error) if error.limit == Limit::Depth));
        let tight = Limits { metadata: 64, ..Default::default() };
        let large = Value::parse(&[0x93, 1, 2, 3], &tight).unwrap_err();
        assert!(matches!(large.blame(), Blame::Limit(_)));
        // A claimed length beyond the data is not even charged.
        let claimed = Value::parse(&[0xdd, 255, 255, 255, 255, 1], &tight).unwrap_err();
        assert!(matches!(claimed.blame(), Blame::Format(_)));
    }
}

//! Generic MessagePack values, to display metalayers.

use super::tokens::{TUPLE, Token, Tokens};
use crate::base::{Limits, Result};
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

    /// Parses a value that is one of many: `used` counts the memory of all.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Value};
    /// let mut used = 0;
    /// for bytes in [&b"\xa1a"[..], b"\x07"] {
    ///     Value::parse_counted(bytes, &Limits::default(), &mut used)?;
    /// }
    /// assert!(used > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`parse`](Self::parse).
    pub fn parse_counted(bytes: &[u8], limits: &Limits, used: &mut u64) -> Result<Self> {
        Self::parse_stored(bytes, u64::MAX, limits, used)
    }

    /// Parses a value of which the file has `stored` bytes.
    pub(crate) fn parse_stored(bytes: &[u8], stored: u64, limits: &Limits, used: &mut u64) -> Result<Self> {
        let mut parser = Parser::new(bytes, stored, limits, used);
        let value = parser.value()?.unwrap_or(Self::Nil);
        parser.tokens.finish()?;
        Ok(value)
    }

    /// Parses the first of several values, and removes it from `bytes`.
    #[cfg(feature = "store")]
    pub(crate) fn parse_first(
        bytes: &mut &[u8],
        stored: u64,
        limits: &Limits,
        used: &mut u64,
    ) -> Result<Self> {
        let mut parser = Parser::new(bytes, stored, limits, used);
        let value = parser.value()?.unwrap_or(Self::Nil);
        let len = parser.tokens.at();
        *bytes = &bytes[len..];
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
    ///
    /// ```
    /// use b2nd::msgpack::Value;
    /// assert_eq!((Value::Str("a".into()).as_str(), Value::Nil.as_str()), (Some("a"), None));
    /// ```
    pub const fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The integer, if it is one that a `u64` holds.
    ///
    /// ```
    /// use b2nd::msgpack::Value;
    /// assert_eq!((Value::Int(7).as_u64(), Value::Int(-7).as_u64()), (Some(7), None));
    /// ```
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Int(int) => u64::try_from(*int).ok(),
            _ => None,
        }
    }

    /// The entries of a list.
    ///
    /// ```
    /// use b2nd::msgpack::Value;
    /// assert_eq!(Value::Array(vec![Value::Nil]).as_array(), Some(&[Value::Nil][..]));
    /// ```
    pub const fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items.as_slice()),
            _ => None,
        }
    }

    /// The entries of a Python tuple, which python-blosc2 writes as a list that begins with `"__tuple__"`.
    ///
    /// ```
    /// use b2nd::msgpack::Value;
    /// let tuple = Value::Array(vec![Value::Str("__tuple__".into()), Value::Int(7)]);
    /// assert_eq!(tuple.as_tuple(), Some(&[Value::Int(7)][..]));
    /// ```
    pub fn as_tuple(&self) -> Option<&[Self]> {
        match self.as_array()?.split_first()? {
            (Self::Str(mark), entries) if mark.as_bytes() == &TUPLE[1..] => Some(entries),
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

/// Bytes that an allocation takes besides its content, about.
const ALLOCATION: usize = 16;

struct Parser<'a> {
    tokens: Tokens<'a>,
    limits: &'a Limits,
    /// Bytes that the file has of the value, and of memory used before it.
    stored: u64,
    before: u64,
    /// Bytes of memory used so far.
    used: &'a mut u64,
}

impl<'a> Parser<'a> {
    const fn new(bytes: &'a [u8], stored: u64, limits: &'a Limits, used: &'a mut u64) -> Self {
        Self { tokens: Tokens::new(bytes, limits), limits, stored, before: *used, used }
    }

    /// The next value; `None` at the end of a list or a map.
    fn value(&mut self) -> Result<Option<Value>> {
        let Some(token) = self.tokens.next().transpose()? else { return Ok(None) };
        Ok(Some(match token {
            Token::End => return Ok(None),
            Token::Nil => Value::Nil,
            Token::Bool(value) => Value::Bool(value),
            Token::Int(int) => Value::Int(int),
            Token::Float(number) => Value::Float(number),
            Token::Str(bytes) => {
                // Each invalid byte may become three bytes of UTF-8.
                let is_text = core::str::from_utf8(bytes).is_ok();
                self.charge(bytes.len(), if is_text { 1 } else { 3 })?;
                Value::Str(crate::base::text(bytes))
            }
            Token::Bin(bytes) => Value::Bin(self.bytes(bytes)?),
            Token::Ext(kind, bytes) => Value::Ext(kind, self.bytes(bytes)?),
            Token::Array(len) => {
                let mut items = self.room(len)?;
                while let Some(item) = self.value()? {
                    items.push(item);
                }
                Value::Array(items)
            }
            Token::Map(len) => {
                let mut pairs = self.room(len)?;
                while let Some(key) = self.value()? {
                    pairs.push((key, self.value()?.unwrap_or(Value::Nil)));
                }
                Value::Map(pairs)
            }
        }))
    }

    /// Charges an allocation of `len` items.
    fn charge(&mut self, len: usize, size: usize) -> Result<()> {
        let bytes = len.saturating_mul(size).saturating_add(ALLOCATION);
        *self.used = self.used.saturating_add(bytes as u64);
        self.limits.allow_metadata(*self.used)?;
        self.limits.allow_expansion(*self.used - self.before, self.stored)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.charge(bytes.len(), 1)?;
        Ok(bytes.to_vec())
    }

    fn room<T>(&mut self, len: usize) -> Result<Vec<T>> {
        self.charge(len, size_of::<T>())?;
        Ok(Vec::with_capacity(len))
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::wrong_marker;
    use super::*;
    use crate::base::{Error, ErrorKind, Limit};
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
        assert!(matches!(deep.kind(), ErrorKind::Limit(error) if error.limit == Limit::Depth));
        let tight = Limits { metadata: 64, ..Default::default() };
        let large = Value::parse(&[0x93, 1, 2, 3], &tight).unwrap_err();
        assert!(matches!(large.kind(), ErrorKind::Limit(_)));
        // A claimed length beyond the data is not even charged.
        let claimed = Value::parse(&[0xdd, 255, 255, 255, 255, 1], &tight).unwrap_err();
        assert!(matches!(claimed.kind(), ErrorKind::Format(_)));
    }
}

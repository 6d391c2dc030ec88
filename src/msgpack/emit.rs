//! Writes MessagePack values.

use super::marker;
use super::tokens::Token;
use super::value::Value;
use alloc::vec::Vec;

impl Value {
    /// The value as MessagePack, each part in its shortest form; floats have 64 bits.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Value};
    /// let value = Value::Array(vec![Value::Int(1), Value::Str("x".into())]);
    /// assert_eq!(value.emit(), [0x92, 0x01, 0xa1, b'x']);
    /// assert_eq!(Value::parse(&value.emit(), &Limits::default())?, value);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// Integers outside of −2⁶³ to 2⁶⁴−1 lose their upper bits. Only the first 2³² − 1 entries or bytes of a part are kept.
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(self, &mut bytes);
        bytes
    }
}

fn put(value: &Value, out: &mut Vec<u8>) {
    let most = |len: usize| len.min(u32::MAX as usize);
    match value {
        Value::Nil => Token::Nil.emit(out),
        Value::Bool(value) => Token::Bool(*value).emit(out),
        Value::Int(int) => Token::Int(*int).emit(out),
        Value::Float(number) => Token::Float(*number).emit(out),
        Value::Str(text) => Token::Str(text.as_bytes()).emit(out),
        Value::Bin(bytes) => Token::Bin(bytes).emit(out),
        Value::Ext(kind, bytes) => Token::Ext(*kind, bytes).emit(out),
        Value::Array(items) => {
            Token::Array(items.len()).emit(out);
            items[..most(items.len())].iter().for_each(|item| put(item, out));
        }
        Value::Map(pairs) => {
            Token::Map(pairs.len()).emit(out);
            pairs[..most(pairs.len())].iter().for_each(|(key, value)| {
                put(key, out);
                put(value, out);
            });
        }
    }
}

impl Token<'_> {
    /// Appends the token as [`Value::emit`] writes it. The entries of a list or a map must follow; the end of one has no bytes.
    ///
    /// ```
    /// use b2nd::msgpack::Token;
    /// let mut bytes = Vec::new();
    /// [Token::Array(2), Token::Int(1), Token::Str(b"x")].map(|token| token.emit(&mut bytes));
    /// assert_eq!(bytes, [0x92, 0x01, 0xa1, b'x']);
    /// ```
    pub fn emit(&self, out: &mut Vec<u8>) {
        let bytes = match *self {
            Token::Nil => return out.push(marker::NIL),
            Token::Bool(value) => return out.push(if value { marker::TRUE } else { marker::FALSE }),
            Token::Int(value) => return int(value, out),
            Token::Float(value) => {
                out.push(marker::F64);
                return out.extend(value.to_be_bytes());
            }
            Token::Str(text) => {
                head(text.len(), Some((0xa0, 31)), &[marker::STR8, marker::STR16, marker::STR32], out);
                text
            }
            Token::Bin(bytes) => {
                head(bytes.len(), None, &[marker::BIN8, marker::BIN16, marker::BIN32], out);
                bytes
            }
            Token::Ext(kind, bytes) => {
                if let 1 | 2 | 4 | 8 | 16 = bytes.len() {
                    out.push(marker::FIXEXT1 + bytes.len().ilog2() as u8);
                } else {
                    head(bytes.len(), None, &[marker::EXT8, marker::EXT16, marker::EXT32], out);
                }
                out.push(kind as u8);
                bytes
            }
            Token::Array(len) => {
                return head(len, Some((0x90, 15)), &[0, marker::ARRAY16, marker::ARRAY32], out);
            }
            Token::Map(len) => return head(len, Some((0x80, 15)), &[0, marker::MAP16, marker::MAP32], out),
            Token::End => return,
        };
        out.extend(&bytes[..bytes.len().min(u32::MAX as usize)]);
    }
}

/// A length in its shortest form: within a marker, or after one of those for 8, 16 and 32 bits, of which the first may be
/// missing.
fn head(len: usize, short: Option<(u8, usize)>, markers: &[u8; 3], out: &mut Vec<u8>) {
    let len = len.min(u32::MAX as usize);
    match (len, short) {
        (_, Some((marker, most))) if len <= most => out.push(marker | len as u8),
        (..=0xff, _) if markers[0] != 0 => out.extend([markers[0], len as u8]),
        (..=0xffff, _) => {
            out.push(markers[1]);
            out.extend((len as u16).to_be_bytes());
        }
        _ => {
            out.push(markers[2]);
            out.extend((len as u32).to_be_bytes());
        }
    }
}

/// An integer, with as many bytes as it needs.
fn int(value: i128, out: &mut Vec<u8>) {
    let (first, size) = match value {
        -32..=127 => return out.push(value as u8),
        128.. => (marker::U8, [0xff, 0xffff, 0xffff_ffff].iter().filter(|most| value > **most).count()),
        _ => (marker::I8, [-0x80, -0x8000, -0x8000_0000].iter().filter(|least| value < **least).count()),
    };
    out.push(first + size as u8);
    out.extend(&(value as u64).to_be_bytes()[8 - (1 << size)..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Limits;
    use alloc::{string::String, vec};

    #[test]
    #[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
    fn is_read_back_and_is_short() {
        let same = |value: Value, len: usize| {
            let bytes = value.emit();
            assert_eq!((Value::parse(&bytes, &Limits::default()), bytes.len()), (Ok(value), len));
        };
        for (value, len) in [
            (0, 1),
            (127, 1),
            (128, 2),
            (255, 2),
            (256, 3),
            (65535, 3),
            (65536, 5),
            (1 << 32, 9),
            (u64::MAX.into(), 9),
            (-1, 1),
            (-32, 1),
            (-33, 2),
            (-128, 2),
            (-129, 3),
            (-32768, 3),
            (-32769, 5),
            (i64::MIN.into(), 9),
        ] {
            same(Value::Int(value), len);
        }
        for (len, head) in [(0, 1), (31, 1), (32, 2), (255, 2), (256, 3), (65536, 5)] {
            same(Value::Str("x".repeat(len)), len + head);
            same(Value::Bin(vec![7; len]), len + head.max(2));
        }
        for (len, head) in [(0, 1), (15, 1), (16, 3), (65536, 5)] {
            same(Value::Array(vec![Value::Nil; len]), len + head);
            same(Value::Map(vec![(Value::Bool(true), Value::Bool(false)); len]), 2 * len + head);
        }
        for (len, head) in [(0, 3), (1, 2), (2, 2), (3, 3), (16, 2), (300, 4)] {
            same(Value::Ext(-5, vec![1; len]), len + head);
        }
        same(Value::Float(0.1), 9);
        same(Value::Map(vec![(Value::Str(String::from("k")), Value::Array(vec![Value::Int(-7)]))]), 5);
    }
}

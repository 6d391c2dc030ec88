//! MessagePack token by token.

use super::reader::{Reader, marker, wrong_marker};
use crate::base::{Error, Limits, Result};
use alloc::vec::Vec;

/// The text that begins a list which is a tuple of Python.
pub(super) const TUPLE: &[u8] = b"\xa9__tuple__";

/// A part of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// Nothing.
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer, from −2⁶³ to 2⁶⁴−1.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// Text, usually UTF-8.
    Str(&'a [u8]),
    /// Bytes.
    Bin(&'a [u8]),
    /// An extension type and its bytes.
    Ext(i8, &'a [u8]),
    /// The beginning of a list of so many values, which follow.
    Array(usize),
    /// The beginning of a map of so many keys and values, which follow in turns.
    Map(usize),
    /// The end of the innermost list or map.
    End,
}

/// The tokens of a value in turn, without memory for more than its nesting. Ends after an error.
///
/// ```
/// use b2nd::{Limits, msgpack::{Token, Tokens}};
/// let tokens = Tokens::new(&[0x92, 0x01, 0xa1, b'x'], &Limits::default());
/// let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(tokens, [Token::Array(2), Token::Int(1), Token::Str(b"x"), Token::End]);
/// # Ok::<(), b2nd::Error>(())
/// ```
///
/// Errors are `Format` if the bytes are no MessagePack, and `Limit` if it is nested too deeply.
#[derive(Debug)]
pub struct Tokens<'a> {
    reader: Reader<'a>,
    limits: Limits,
    /// The values that are missing in the innermost list or map, and in those around it.
    missing: usize,
    outer: Vec<usize>,
}

impl<'a> Tokens<'a> {
    /// Tokens of the value at the start of `bytes`.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Tokens};
    /// let tokens = Tokens::new(b"\x92\x01\x02", &Limits::default());
    /// // The list, its two values, and its end.
    /// assert_eq!(tokens.count(), 4);
    /// ```
    #[must_use]
    pub const fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self { reader: Reader::new(bytes), limits: *limits, missing: 1, outer: Vec::new() }
    }

    /// The offset after the last token.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Tokens};
    /// let mut tokens = Tokens::new(b"\xa1x", &Limits::default());
    /// tokens.next();
    /// assert_eq!(tokens.at(), 2);
    /// ```
    #[must_use]
    pub const fn at(&self) -> usize {
        self.reader.position()
    }

    /// Skips the text that makes a list which has just begun a tuple of Python, if it is there.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::{Token, Tokens}};
    /// let mut tokens = Tokens::new(b"\x92\xa9__tuple__\x07", &Limits::default());
    /// assert_eq!(tokens.next(), Some(Ok(Token::Array(2))));
    /// assert!(tokens.skip_tuple() && !tokens.skip_tuple());
    /// assert_eq!(tokens.next(), Some(Ok(Token::Int(7))));
    /// ```
    pub fn skip_tuple(&mut self) -> bool {
        let is_tuple = self.missing > 0 && self.reader.rest().starts_with(TUPLE);
        if is_tuple {
            self.missing -= 1;
            self.reader.take(TUPLE.len());
        }
        is_tuple
    }

    /// Checks that no bytes follow the value.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Tokens};
    /// let mut tokens = Tokens::new(b"\x01\x02", &Limits::default());
    /// assert!(tokens.next().is_some() && tokens.next().is_none());
    /// assert!(tokens.finish().is_err());
    /// ```
    ///
    /// # Errors
    /// `Format` if some do.
    pub fn finish(&self) -> Result<()> {
        match self.reader.left() {
            0 => Ok(()),
            left => {
                let end = self.at();
                Err(Error::mismatch("MessagePack length", (end + left) as u64, end as u64))
            }
        }
    }

    fn token(&mut self) -> Result<Token<'a>> {
        self.limits.allow_depth(self.outer.len() as u32)?;
        let at = self.at();
        // Zero at the end of the bytes, which the reader notes.
        let byte = self.reader.byte();
        let token = match byte {
            0x00..=0x7f => Token::Int(byte.into()),
            0x80..=0x8f => self.begin(usize::from(byte & 0x0f), 2),
            0x90..=0x9f => self.begin(usize::from(byte & 0x0f), 1),
            0xa0..=0xbf => Token::Str(self.reader.take(usize::from(byte & 0x1f))),
            marker::NIL => Token::Nil,
            marker::FALSE | marker::TRUE => Token::Bool(byte == marker::TRUE),
            marker::BIN8..=marker::BIN32 => {
                let len = self.len(byte - marker::BIN8);
                Token::Bin(self.reader.take(len))
            }
            marker::EXT8..=marker::EXT32 => {
                let len = self.len(byte - marker::EXT8);
                self.ext(len)
            }
            marker::F32 => Token::Float(f32::from_bits(self.uint(2) as u32).into()),
            marker::F64 => Token::Float(f64::from_bits(self.uint(3))),
            marker::U8..=marker::U64 => Token::Int(self.uint(byte - marker::U8).into()),
            marker::I8..=marker::I64 => {
                let unused = 64 - (8 << (byte - marker::I8));
                Token::Int(((self.uint(byte - marker::I8) << unused) as i64 >> unused).into())
            }
            marker::FIXEXT1..=marker::FIXEXT16 => self.ext(1 << (byte - marker::FIXEXT1)),
            marker::STR8..=marker::STR32 => {
                let len = self.len(byte - marker::STR8);
                Token::Str(self.reader.take(len))
            }
            marker::ARRAY16 | marker::ARRAY32 => {
                let len = self.len(byte - marker::ARRAY16 + 1);
                self.begin(len, 1)
            }
            marker::MAP16 | marker::MAP32 => {
                let len = self.len(byte - marker::MAP16 + 1);
                self.begin(len, 2)
            }
            0xe0..=0xff => Token::Int((byte as i8).into()),
            _ => return Err(wrong_marker(byte, at)),
        };
        self.reader.check()?;
        Ok(token)
    }

    /// An unsigned integer of 1, 2, 4 or 8 bytes.
    fn uint(&mut self, log2: u8) -> u64 {
        self.reader.take(1 << log2).iter().fold(0, |int, &byte| int << 8 | u64::from(byte))
    }

    /// A length of 1, 2 or 4 bytes.
    fn len(&mut self, log2: u8) -> usize {
        self.uint(log2) as usize
    }

    fn ext(&mut self, len: usize) -> Token<'a> {
        let kind = self.reader.byte() as i8;
        Token::Ext(kind, self.reader.take(len))
    }

    /// Begins a list of `len` values, or a map of as many pairs, if so many bytes are left.
    fn begin(&mut self, len: usize, each: usize) -> Token<'a> {
        let values = len.saturating_mul(each);
        if values > self.reader.left() {
            self.reader.take(values);
        }
        self.outer.push(core::mem::replace(&mut self.missing, values));
        if each == 1 { Token::Array(len) } else { Token::Map(len) }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(missing) = self.missing.checked_sub(1) else {
            self.missing = self.outer.pop()?;
            return Some(Ok(Token::End));
        };
        self.missing = missing;
        let token = self.token();
        if token.is_err() {
            (self.missing, self.outer) = (0, Vec::new());
        }
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_ends_where_it_is_complete() {
        let bytes = [0x92, 0x81, 0xc0, 0x90, 0xd1, 0xff, 0x00, 0x07];
        let mut tokens = Tokens::new(&bytes, &Limits::default());
        let read: Result<Vec<_>> = tokens.by_ref().collect();
        let list = [Token::Array(0), Token::End];
        let map = [&[Token::Map(1), Token::Nil], &list[..], &[Token::End]].concat();
        let all = [&[Token::Array(2)], &map[..], &[Token::Int(-256), Token::End]].concat();
        assert_eq!((read, tokens.at()), (Ok(all), 7));
        assert_eq!(tokens.finish(), Err(Error::mismatch("MessagePack length", 8, 7)));
        let mut wrong = Tokens::new(&[0x92, 0xc1, 1], &Limits::default());
        assert_eq!(wrong.next(), Some(Ok(Token::Array(2))));
        assert!(wrong.next().is_some_and(|token| token.is_err()));
        assert_eq!(wrong.next(), None);
    }
}

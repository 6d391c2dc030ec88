//! Python literals, as far as dtypes are spelled in them: strings, integers, tuples, lists, dicts, names.

use super::{malformed, unknown};
use crate::{Error, Limit, LimitError, Limits, Result};
use alloc::{borrow::ToOwned, string::String, vec::Vec};

/// Bytes of tree to charge for each byte of text: `0,` becomes one node of a vector that has grown by doubling.
const TREE_BYTES_PER_TEXT_BYTE: u64 = 64;

/// A literal and the byte of the text where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) at: usize,
    pub(super) value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Str(String),
    Int(i64),
    Tuple(Vec<Literal>),
    List(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
    /// `True`, `None`, `numpy.record`.
    Name(String),
}

/// Reads a text that is one literal.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Literal> {
    limits.allow_memory((text.len() as u64).saturating_mul(TREE_BYTES_PER_TEXT_BYTE))?;
    // A level of structure takes two brackets, `[(`, and the innermost one more for a shape.
    let brackets = limits.depth.saturating_mul(2).saturating_add(1);
    let mut parser = Parser { text, at: 0, brackets, depth: limits.depth };
    let literal = parser.literal()?;
    parser.skip_space();
    if parser.at == text.len() { Ok(literal) } else { Err(parser.wrong()) }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Brackets that may still be opened.
    brackets: u32,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte, if it is the one wanted.
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        self.take_while(|byte| byte.is_ascii_whitespace());
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &str {
        let rest = &self.text.as_bytes()[self.at..];
        let start = self.at;
        self.at += rest.iter().take_while(|&&byte| wanted(byte)).count();
        // Whatever is wanted ends where a character does.
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn wrong(&self) -> Error {
        malformed(self.text.as_bytes(), self.at)
    }

    fn literal(&mut self) -> Result<Literal> {
        self.skip_space();
        let at = self.at;
        let value = match self.peek() {
            Some(b'\'' | b'"') => Value::Str(self.string()?),
            Some(b'0'..=b'9' | b'-' | b'+') => Value::Int(self.int()?),
            Some(b'(') => self.tuple()?,
            Some(b'[') => Value::List(self.series(b']', Self::literal)?.0),
            Some(b'{') => Value::Dict(self.series(b'}', Self::entry)?.0),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.word()?,
            _ => return Err(self.wrong()),
        };
        Ok(Literal { at, value })
    }

    /// `(1, 2)`, `(1,)` and `()` are tuples, `(1)` is 1.
    fn tuple(&mut self) -> Result<Value> {
        let (mut items, ends_in_comma) = self.series(b')', Self::literal)?;
        match items.pop() {
            Some(only) if items.is_empty() && !ends_in_comma => Ok(only.value),
            last => {
                items.extend(last);
                Ok(Value::Tuple(items))
            }
        }
    }

    /// What stands between brackets, parted by commas, and whether a comma ends it.
    fn series<T>(&mut self, close: u8, item: fn(&mut Self) -> Result<T>) -> Result<(Vec<T>, bool)> {
        self.brackets = self.brackets.checked_sub(1).ok_or_else(|| too_deep(self.depth))?;
        self.at += 1;
        let mut items = Vec::new();
        let mut comma = true;
        loop {
            self.skip_space();
            if self.take(close) {
                self.brackets += 1;
                return Ok((items, comma));
            }
            if !comma {
                return Err(self.wrong());
            }
            items.push(item(self)?);
            self.skip_space();
            comma = self.take(b',');
        }
    }

    fn entry(&mut self) -> Result<(Literal, Literal)> {
        let key = self.literal()?;
        self.skip_space();
        if !self.take(b':') {
            return Err(self.wrong());
        }
        Ok((key, self.literal()?))
    }

    fn int(&mut self) -> Result<i64> {
        let start = self.at;
        if !self.take(b'-') {
            self.take(b'+');
        }
        if self.take_while(|byte| byte.is_ascii_digit()).is_empty() {
            return Err(self.wrong());
        }
        let int = self.text.get(start..self.at).and_then(|int| int.parse().ok());
        // Python 2 wrote long integers so.
        self.take(b'L');
        int.ok_or_else(|| malformed(self.text.as_bytes(), start))
    }

    /// A name, or a string with Python 2's prefix for Unicode.
    fn word(&mut self) -> Result<Value> {
        let word =
            self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).to_owned();
        match self.peek() {
            Some(b'\'' | b'"') if matches!(word.as_str(), "u" | "U") => Ok(Value::Str(self.string()?)),
            // Bytes, raw strings, calls: Python, but in no dtype that NumPy writes.
            Some(b'\'' | b'"' | b'(') => Err(unknown()),
            _ => Ok(Value::Name(word)),
        }
    }

    fn string(&mut self) -> Result<String> {
        let quote = self.text.as_bytes()[self.at];
        self.at += 1;
        let mut string = String::new();
        loop {
            string.push_str(self.take_while(|byte| byte != quote && byte != b'\\' && byte != b'\n'));
            if self.take(quote) {
                return Ok(string);
            }
            if !self.take(b'\\') {
                return Err(self.wrong());
            }
            string.extend(self.escape()?);
        }
    }

    /// What follows a backslash; none for a line that goes on.
    fn escape(&mut self) -> Result<Option<char>> {
        let at = self.at;
        let letter = self.peek().ok_or_else(|| self.wrong())?;
        if matches!(letter, b'0'..=b'7') {
            return self.code(8, 3).map(Some);
        }
        if !letter.is_ascii() {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(Some(match letter {
            b'\n' => return Ok(None),
            b'\\' | b'\'' | b'"' => char::from(letter),
            b'a' => '\x07',
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'v' => '\x0b',
            b'x' => self.hex(2)?,
            b'u' => self.hex(4)?,
            b'U' => self.hex(8)?,
            b'N' => return Err(unknown()),
            _ => return Err(malformed(self.text.as_bytes(), at)),
        }))
    }

    fn hex(&mut self, digits: usize) -> Result<char> {
        let end = self.at + digits;
        let code = self.code(16, digits)?;
        if self.at == end { Ok(code) } else { Err(self.wrong()) }
    }

    /// The character whose number is in the next digits, at most so many.
    fn code(&mut self, radix: u32, most: usize) -> Result<char> {
        let start = self.at;
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(radix)) {
            if self.at - start == most {
                break;
            }
            number = number * radix + digit;
            self.at += 1;
        }
        // No digits at all, and the halves of surrogate pairs, are no character.
        let code = char::from_u32(number).filter(|_| self.at > start);
        code.ok_or_else(|| malformed(self.text.as_bytes(), start))
    }
}

/// More levels than the limit allows.
#[cold]
pub(super) fn too_deep(allowed: u32) -> Error {
    Error::from(LimitError {
        limit: Limit::Depth,
        wanted: u64::from(allowed) + 1,
        allowed: u64::from(allowed),
    })
}

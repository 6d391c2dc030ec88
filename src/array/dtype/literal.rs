//! The Python literals that spell dtypes: brackets, strings, integers, `True` and `None`.

use super::{MAX_ITEMSIZE, malformed, unknown};
use crate::{Error, Result};
use alloc::string::String;

/// Escape sequences: the letter after the backslash, then the character that it stands for.
const ESCAPES: [&[u8; 2]; 10] =
    [b"\\\\", b"''", b"\"\"", b"a\x07", b"b\x08", b"f\x0c", b"n\n", b"r\r", b"t\t", b"v\x0b"];

/// A position in the text of a literal, and the first error. After an error reading goes on with meaningless values,
/// but always terminates.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) error: Option<Error>,
}

/// A comma-separated list in brackets.
pub(super) struct Series {
    close: u8,
    /// Items so far.
    pub(super) count: usize,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, error: None }
    }

    /// The result, if the whole text was read without an error.
    pub(super) fn finish<T>(mut self, read: T) -> Result<T> {
        self.peek();
        if self.at < self.text.len() {
            self.wrong(self.at);
        }
        self.error.map_or(Ok(read), Err)
    }

    pub(super) fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Records an error at byte `at`.
    #[inline(never)]
    pub(super) fn wrong(&mut self, at: usize) {
        self.fail(malformed(self.text.as_bytes(), at));
    }

    /// The current byte, or 0 at the end.
    pub(super) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Skips spaces and returns the current byte.
    pub(super) fn peek(&mut self) -> u8 {
        while self.byte().is_ascii_whitespace() {
            self.at += 1;
        }
        self.byte()
    }

    /// Skips spaces, and the next byte if it is `wanted`.
    pub(super) fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    /// Like [`take`](Self::take), but anything else is an error.
    pub(super) fn expect(&mut self, wanted: u8) {
        if !self.take(wanted) {
            self.wrong(self.at);
        }
    }

    /// Opens a bracket.
    pub(super) fn open(&mut self, open: u8, close: u8) -> Series {
        self.expect(open);
        Series { close, count: 0 }
    }

    /// Whether another item follows.
    pub(super) fn more(&mut self, series: &mut Series) -> bool {
        let mut closed = self.take(series.close);
        if !closed && series.count > 0 {
            self.expect(b',');
            closed = self.take(series.close);
        }
        series.count += usize::from(!closed);
        !closed && self.error.is_none()
    }

    /// An identifier: `True`, `numpy.record`, `bool_`, `i4`, `?`.
    pub(super) fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.byte().is_ascii_alphanumeric() || matches!(self.byte(), b'_' | b'.' | b'?') {
            self.at += 1;
        }
        // The range ends on a character boundary.
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A decimal number of at most 31 bits, if there is one.
    pub(super) fn number(&mut self) -> Option<usize> {
        let (len, number) = number(self.text.as_bytes().get(self.at..).unwrap_or_default());
        if number as u64 > MAX_ITEMSIZE {
            self.wrong(self.at);
        }
        self.at += len;
        (len > 0).then_some(number)
    }

    /// A length or an offset.
    pub(super) fn size(&mut self) -> usize {
        self.peek();
        let size = self.number();
        if size.is_none() {
            self.wrong(self.at);
        }
        // The suffix of long integers in Python 2.
        self.at += usize::from(self.byte() == b'L');
        size.unwrap_or(0)
    }

    pub(super) fn bool(&mut self) -> bool {
        self.peek();
        let word = self.word();
        let value = matches!(word, "True" | "1");
        if !value && !matches!(word, "False" | "0") {
            self.wrong(self.at - word.len());
        }
        value
    }

    /// A string, or a Python 2 Unicode string.
    pub(super) fn string(&mut self) -> String {
        if matches!(self.peek(), b'u' | b'U') {
            self.at += 1;
        }
        let quote = self.byte();
        let mut string = String::new();
        if !matches!(quote, b'\'' | b'"') {
            self.wrong(self.at);
            return string;
        }
        loop {
            self.at += 1;
            let start = self.at;
            while !matches!(self.byte(), b'\\' | b'\n') && self.byte() != quote && self.at < self.text.len() {
                self.at += 1;
            }
            string.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.byte() {
                b'\\' => {
                    if let Some(char) = self.escape() {
                        string.push(char);
                    }
                }
                byte => {
                    if byte != quote {
                        self.wrong(self.at);
                    }
                    self.at += 1;
                    return string;
                }
            }
        }
    }

    /// The character of an escape sequence; `None` for a line continuation. Leaves the cursor on the sequence's last
    /// byte.
    fn escape(&mut self) -> Option<char> {
        self.at += 1;
        let (radix, digits) = match self.byte() {
            b'\n' => return None,
            b'0'..=b'7' => {
                self.at -= 1;
                (8, 3)
            }
            b'x' => (16, 2),
            b'u' => (16, 4),
            b'U' => (16, 8),
            b'N' => {
                self.fail(unknown());
                return None;
            }
            letter => {
                let known = ESCAPES.iter().find(|[name, _]| *name == letter);
                if known.is_none() {
                    self.wrong(self.at);
                }
                return known.map(|&&[_, meant]| char::from(meant));
            }
        };
        self.code(radix, digits)
    }

    /// The character with the number in the digits that follow: exactly `digits` of them, or up to `digits` in octal.
    fn code(&mut self, radix: u32, digits: usize) -> Option<char> {
        let start = self.at + 1;
        let mut number = 0;
        for _ in 0..digits {
            self.at += 1;
            match char::from(self.byte()).to_digit(radix) {
                Some(digit) => number = number * radix + digit,
                None => {
                    if radix == 16 {
                        self.wrong(self.at);
                    }
                    self.at -= 1;
                    break;
                }
            }
        }
        // Surrogates are not characters.
        let char = char::from_u32(number);
        if char.is_none() {
            self.wrong(start);
        }
        char
    }
}

/// The decimal number at the start of the bytes, if it has at most 31 bits, and how many digits it has.
pub(super) fn number(bytes: &[u8]) -> (usize, usize) {
    let mut number = 0;
    let mut len = 0;
    while let Some(digit @ b'0'..=b'9') = bytes.get(len) {
        number = (number * 10 + u64::from(digit - b'0')).min(MAX_ITEMSIZE + 1);
        len += 1;
    }
    (len, number as usize)
}

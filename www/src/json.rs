//! A small JSON writer. The formatting of the standard library would be as large as all codecs together.

use crate::output::Output;

/// Writes JSON text.
pub(crate) struct Json<'o>(pub(crate) &'o mut Output);

impl Json<'_> {
    /// Appends text as it is.
    #[inline(never)]
    fn put(&mut self, text: &[u8]) {
        self.0.push(text);
    }

    /// Begins an object. Its members follow, each a name and a value.
    pub(crate) fn begin(&mut self) {
        self.put(b"{");
    }

    /// Ends an object.
    pub(crate) fn end(&mut self) {
        self.close(b"},");
    }

    /// The name of a member, whose value follows.
    #[inline(never)]
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.0.cut(1);
        self.put(b":");
        self
    }

    /// `[…]` of numbers.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        self.array(numbers, Self::number);
    }

    /// `[…]` with one value for each item.
    pub(crate) fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.put(b"[");
        for item in items {
            write(self, item);
        }
        self.close(b"],");
    }

    /// A number.
    #[inline(never)]
    pub(crate) fn number(&mut self, number: u64) {
        if number >= 10 {
            self.number(number / 10);
            self.0.cut(1);
        }
        self.put(&[b'0' + (number % 10) as u8, b',']);
    }

    /// `null`.
    pub(crate) fn null(&mut self) {
        self.put(b"null,");
    }

    /// A string.
    #[inline(never)]
    pub(crate) fn string(&mut self, text: &str) {
        self.put(b"\"");
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => self.put(&[b'\\', byte]),
                0..b' ' => {
                    self.put(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), HEX[usize::from(byte & 15)]])
                }
                _ => self.put(&[byte]),
            }
        }
        self.put(b"\",");
    }

    /// A string, or `null`.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.null(),
        }
    }

    /// Removes the comma after the last value.
    #[inline(never)]
    fn close(&mut self, bracket: &[u8]) {
        if self.0.bytes().ends_with(b",") {
            self.0.cut(1);
        }
        self.put(bracket);
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

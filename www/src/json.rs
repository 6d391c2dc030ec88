//! A writer of JSON: what little is needed, without the formatting of the standard library, which weighs as much as
//! all codecs together.

use alloc::string::String;

/// JSON text in the making.
#[derive(Default)]
pub(crate) struct Json {
    text: String,
}

impl Json {
    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// `{…}` with the members that `write` writes.
    pub(crate) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.nest('{', '}', write);
    }

    /// `[…]` with one element for each item.
    pub(crate) fn array<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.nest('[', ']', |json| {
            for item in items {
                write(json, item);
                json.text.push(',');
            }
        });
    }

    /// A member of an object: its name; its value is what `write` writes.
    pub(crate) fn member(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.string(name);
        self.text.push(':');
        write(self);
        self.text.push(',');
    }

    /// A number.
    pub(crate) fn number(&mut self, number: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self, value: bool) {
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// `null`.
    pub(crate) fn null(&mut self) {
        self.text.push_str("null");
    }

    /// A string.
    pub(crate) fn string(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                '\0'..=' ' => {
                    let hex = |digit: u32| char::from_digit(digit, 16).unwrap_or('0');
                    self.text.extend(['\\', 'u', '0', '0', hex(c as u32 >> 4), hex(c as u32 & 15)]);
                }
                _ => self.text.push(c),
            }
        }
        self.text.push('"');
    }

    /// A string, or `null`.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.null(),
        }
    }

    fn nest(&mut self, open: char, close: char, write: impl FnOnce(&mut Self)) {
        self.text.push(open);
        write(self);
        if self.text.ends_with(',') {
            self.text.pop();
        }
        self.text.push(close);
    }
}

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
    pub(crate) fn into_text(mut self) -> String {
        self.text.pop();
        self.text
    }

    /// Begins an object. Its members follow, each a name and a value.
    pub(crate) fn begin(&mut self) {
        self.text.push('{');
    }

    /// Ends an object.
    pub(crate) fn end(&mut self) {
        self.close('}');
    }

    /// The name of a member, whose value follows.
    #[inline(never)]
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.text.pop();
        self.text.push(':');
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
        self.text.push('[');
        for item in items {
            write(self, item);
        }
        self.close(']');
    }

    /// A number.
    #[inline(never)]
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
        self.text.push(',');
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self, value: bool) {
        self.word(if value { "true" } else { "false" });
    }

    /// `null`.
    pub(crate) fn null(&mut self) {
        self.word("null");
    }

    /// A string.
    #[inline(never)]
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
        self.word("\"");
    }

    /// A string, or `null`.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.null(),
        }
    }

    /// Every value has a comma after it; the last one has nothing to separate.
    #[inline(never)]
    fn close(&mut self, bracket: char) {
        if self.text.ends_with(',') {
            self.text.pop();
        }
        self.text.push(bracket);
        self.text.push(',');
    }

    #[inline(never)]
    fn word(&mut self, word: &str) {
        self.text.push_str(word);
        self.text.push(',');
    }
}

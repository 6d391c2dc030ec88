//! How values are written for which CSV and JSON have no form of their own.

use alloc::string::String;
use core::fmt::Write;

/// How values are written for which CSV and JSON have no form of their own.
///
/// ```
/// use b2nd::array::Dtype;
/// use b2nd::export::{BytesAs, Style, csv_cell};
/// let dtype = Dtype::parse("S5", &Default::default())?;
/// let cell = |bytes| csv_cell(&dtype, b"caf\xc3\xa9", &Style { bytes, ..Style::default() });
/// assert_eq!(cell(BytesAs::Escapes).as_deref(), Some(r"caf\xC3\xA9"));
/// assert_eq!(cell(BytesAs::Base64).as_deref(), Some("Y2Fmw6k="));
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Style {
    /// Byte strings and raw bytes.
    pub bytes: BytesAs,
    /// NaN and infinities.
    pub nan: NanAs,
    /// Null cells of tables in CSV, without quotes. A text that equals it has quotes, as has an empty one.
    pub null: String,
}

/// How bytes become text. Each form can be read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BytesAs {
    /// Printable ASCII as it is, other bytes and backslashes as `\xC3`, which DuckDB and Python read; raw bytes (`V`) hexadecimal.
    #[default]
    Escapes,
    /// UTF-8 as the text that it is, other bytes and backslashes as `\xC3`.
    Utf8,
    /// Base64 with padding.
    Base64,
    /// Hexadecimal digits.
    Hex,
}

/// How NaN and infinities are written in JSON. CSV has `nan` and `inf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum NanAs {
    /// The strings `"NaN"`, `"Infinity"` and `"-Infinity"`.
    #[default]
    String,
    /// `null`; in CSV, what null cells are.
    Null,
    /// `NaN`, `Infinity` and `-Infinity` without quotes, which Python, pandas and DuckDB read, but which is no JSON.
    Literal,
}

impl BytesAs {
    /// The text of a byte string.
    ///
    /// ```
    /// use b2nd::export::BytesAs;
    ///
    /// assert_eq!(BytesAs::Base64.text(b"caf\xe9"), "Y2Fm6Q==");
    /// ```
    #[must_use]
    pub fn text(self, bytes: &[u8]) -> String {
        match self {
            Self::Escapes => escaped(bytes, |char| matches!(char, ' '..='~')),
            Self::Utf8 => escaped(bytes, |_| true),
            Self::Base64 => base64(bytes),
            Self::Hex => hex(bytes),
        }
    }

    /// The text of raw bytes.
    pub(super) fn raw(self, bytes: &[u8]) -> String {
        if self == Self::Base64 { base64(bytes) } else { hex(bytes) }
    }
}

/// Characters that are plain as they are; others, backslashes, and what is no UTF-8 byte by byte.
fn escaped(bytes: &[u8], is_plain: fn(char) -> bool) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\\' => text += r"\x5C",
                _ if is_plain(char) => text.push(char),
                _ => escape(char.encode_utf8(&mut [0; 4]).as_bytes(), &mut text),
            }
        }
        escape(chunk.invalid(), &mut text);
    }
    text
}

fn escape(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02X}");
    }
}

/// Hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let digit = DIGITS[bits >> (18 - 6 * at) & 63];
            text.push(if at > group.len() { '=' } else { digit.into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_differ_have_texts_that_differ() {
        for form in [BytesAs::Escapes, BytesAs::Utf8, BytesAs::Base64, BytesAs::Hex] {
            assert_ne!(form.text(b"caf\xc3\xa9"), form.text(b"caf\xe9"));
            assert_ne!(form.text(b"\\xe9"), form.text(b"\xe9"));
        }
        assert_eq!(BytesAs::Escapes.text(b"caf\xc3\xa9 \\\n\"~\x7f"), r#"caf\xC3\xA9 \x5C\x0A"~\x7F"#);
        assert_eq!(BytesAs::Utf8.text(b"caf\xc3\xa9\xe9\\"), r"café\xE9\x5C");
        let rfc4648 = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (len, text) in rfc4648.into_iter().enumerate() {
            assert_eq!(BytesAs::Base64.raw(&b"foobar"[..len]), text);
        }
        assert_eq!(
            (BytesAs::Escapes.raw(b"a\xff"), BytesAs::Hex.text(b"a\xff")),
            ("61ff".into(), "61ff".into())
        );
    }
}

//! JSON text as values of MessagePack. NaN and infinities are numbers, and halves of surrogates are characters, as Python writes them and
//! other parsers refuse them.

use crate::base::{Error, Limits, Malformed, Result, decimal};
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

/// Parses a JSON text.
///
/// # Errors
/// `Format` if it is none, with the offset in the text; `Limit` if it is nested too deeply or takes more memory than metadata may.
pub(crate) fn parse(text: &str, limits: &Limits) -> Result<Value> {
    let mut parser = Parser { text, at: 0, limits, used: 0 };
    let value = parser.value(0)?;
    parser.spaces();
    if parser.at < text.len() { Err(parser.wrong()) } else { Ok(value) }
}

/// Numbers that programs write have at most so many characters.
const USUAL_DIGITS: usize = 40;
/// Bytes that a digit of others counts for: rounding them takes time, as the square of their digits.
const DIGIT: u64 = 64;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    limits: &'a Limits,
    /// Bytes of memory used so far.
    used: u64,
}

impl Parser<'_> {
    fn value(&mut self, depth: u32) -> Result<Value> {
        self.limits.allow_depth(depth)?;
        self.used += 2 * size_of::<Value>() as u64;
        self.limits.allow_metadata(self.used)?;
        self.spaces();
        let words = [
            ("null", Value::Nil),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        for (word, value) in words {
            if self.skip(word) {
                return Ok(value);
            }
        }
        match self.next() {
            Some(b'"') => self.string().map(Value::Str),
            Some(b'[') => {
                let mut items = Vec::new();
                self.entries("[", "]", |parser| {
                    items.push(parser.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Value::Array(items))
            }
            Some(b'{') => {
                let mut pairs = Vec::new();
                self.entries("{", "}", |parser| {
                    parser.spaces();
                    let key = Value::Str(parser.string()?);
                    parser.expect(":")?;
                    pairs.push((key, parser.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Value::Map(pairs))
            }
            _ => self.number(),
        }
    }

    /// Entries between brackets, separated by commas.
    fn entries(
        &mut self,
        open: &str,
        close: &str,
        mut entry: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(open)?;
        self.spaces();
        if self.skip(close) {
            return Ok(());
        }
        loop {
            entry(self)?;
            self.spaces();
            if self.skip(close) {
                return Ok(());
            }
            self.expect(",")?;
        }
    }

    fn number(&mut self) -> Result<Value> {
        let rest = &self.text[self.at..];
        let is_part = |char: char| char.is_ascii_digit() || matches!(char, '+' | '-' | '.' | 'e' | 'E');
        let digits = &rest[..rest.find(|char| !is_part(char)).unwrap_or(rest.len())];
        if !is_number(digits) {
            return Err(self.wrong());
        }
        self.at += digits.len();
        if digits.len() > USUAL_DIGITS {
            self.used += DIGIT * digits.len() as u64;
            self.limits.allow_metadata(self.used)?;
        }
        if let Ok(int) = digits.parse::<i128>()
            && (i64::MIN.into()..=u64::MAX.into()).contains(&int)
        {
            return Ok(Value::Int(int));
        }
        Ok(Value::Float(decimal(digits)))
    }

    fn string(&mut self) -> Result<String> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain =
                rest.find(|char| matches!(char, '"' | '\\' | '\0'..' ')).ok_or_else(|| self.wrong())?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.skip("\"") {
                self.used += text.len() as u64;
                return Ok(text);
            }
            if !self.skip("\\") {
                return Err(self.wrong());
            }
            self.escaped(&mut text)?;
        }
    }

    /// Adds the character after a backslash; after `\u`, those of all such that follow.
    fn escaped(&mut self, text: &mut String) -> Result<()> {
        text.push(match self.next() {
            Some(char @ (b'"' | b'\\' | b'/')) => char.into(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.units(text),
            _ => return Err(self.wrong()),
        });
        self.at += 1;
        Ok(())
    }

    /// Adds the characters of units of UTF-16. Halves of a pair by themselves become U+FFFD.
    fn units(&mut self, text: &mut String) -> Result<()> {
        let mut units = Vec::new();
        self.at += 1;
        loop {
            units.push(self.unit()?);
            if !self.skip("\\u") {
                break;
            }
        }
        let chars = char::decode_utf16(units);
        text.extend(chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)));
        Ok(())
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u16> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = u16::from_str_radix(digits.ok_or_else(|| self.wrong())?, 16).map_err(|_| self.wrong())?;
        self.at += 4;
        Ok(unit)
    }

    fn spaces(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, word: &str) -> bool {
        let is_next = self.text[self.at..].starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        self.spaces();
        if self.skip(word) { Ok(()) } else { Err(self.wrong()) }
    }

    fn wrong(&self) -> Error {
        Error::format_at(
            Malformed::Field { name: "JSON", value: self.next().unwrap_or(0).into() },
            self.at as u64,
        )
    }
}

/// Whether a text is a number as JSON writes it: without a plus, zeros in front, or a point without digits.
fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (whole == "0" || !whole.starts_with('0')) && [whole, fraction, exponent].into_iter().all(are_digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use alloc::vec;

    fn json(text: &str) -> Result<Value> {
        parse(text, &Limits::default())
    }

    #[test]
    fn reads_every_kind() {
        let text = |text: &str| Value::Str(text.into());
        for (source, value) in [
            ("null", Value::Nil),
            (" true ", Value::Bool(true)),
            ("-12", Value::Int(-12)),
            ("18446744073709551615", Value::Int(u64::MAX.into())),
            ("18446744073709551616", Value::Float(18446744073709551616.0)),
            ("1.5e3", Value::Float(1500.0)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
            (r#""a\"\\\/\n\u00e9\ud83d\ude00\ud83d""#, text("a\"\\/\né\u{1f600}\u{fffd}")),
            (r#""\ud83d\u0041\ud83d\ud83d\ude00\ude00""#, text("\u{fffd}A\u{fffd}\u{1f600}\u{fffd}")),
            ("0", Value::Int(0)),
            ("-0.0e+1", Value::Float(-0.0)),
            ("[1, []]", Value::Array(vec![Value::Int(1), Value::Array(vec![])])),
            (r#"{"k": {}}"#, Value::Map(vec![(text("k"), Value::Map(vec![]))])),
        ] {
            assert_eq!(json(source), Ok(value), "{source}");
        }
        assert!(matches!(json("NaN"), Ok(Value::Float(nan)) if nan.is_nan()));
    }

    #[test]
    fn refuses_the_rest() {
        for wrong in [
            "",
            "nul",
            "1 2",
            "[1",
            "[1,",
            "[1 2]",
            "{\"a\"}",
            "{1: 2}",
            "\"a",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u+041\"",
            "\"\\u004\u{e9}\"",
            "\"\n\"",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "--1",
            "1e+-1",
            "-",
            "é",
        ] {
            let error = json(wrong).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Format(_)), "{wrong}");
        }
        assert!(matches!(json(&"[".repeat(100)).unwrap_err().kind(), ErrorKind::Limit(_)));
        let tight = Limits { metadata: 500, ..Limits::default() };
        assert!(matches!(parse("[1,2,3,4,5,6,7,8,9]", &tight).unwrap_err().kind(), ErrorKind::Limit(_)));
    }
}

//! Nested JSON arrays, or a line of JSON for each entry of the first axis.
//!
//! Integers are plain numbers of any size. Complex numbers are `[re, im]`, dates ISO 8601 strings, durations strings like `"5 s"`, and
//! NaT is null. Structures are objects.

use super::item::{Item, List};
use super::{ExportError, NanAs, Style, Values, float::Real, nest::Nest, put};
use crate::array::{Dtype, Kind};
use alloc::vec::Vec;

/// Pairs of brackets of an empty array, whose shape may claim any number.
const MAX_BRACKETS: u64 = 1 << 20;

#[derive(Debug)]
pub(super) struct Json<'a> {
    dtype: &'a Dtype,
    nest: Nest,
    at: u64,
    style: &'a Style,
    /// The axes with brackets: all, or all but the first if its entries have lines.
    depth: usize,
}

impl<'a> Json<'a> {
    /// [`ExportError::Brackets`] if the array is empty, and the entries before that axis are too many.
    pub(super) fn new(
        dtype: &'a Dtype,
        nest: Nest,
        style: &'a Style,
        lines: bool,
    ) -> Result<Self, ExportError> {
        let outer = nest.shape().iter().take_while(|len| **len > 0);
        if nest.len() == 0 && outer.fold(1, |count: u64, len| count.saturating_mul(*len)) > MAX_BRACKETS {
            return Err(ExportError::Brackets);
        }
        let depth = nest.ndim() - usize::from(lines && nest.ndim() > 0);
        Ok(Self { dtype, nest, at: 0, style, depth })
    }

    /// Whether each entry of the first axis has a line.
    fn has_lines(&self) -> bool {
        self.depth < self.nest.ndim()
    }

    fn separate(&self, out: &mut Vec<u8>) {
        let opening = self.nest.starts(self.at).min(self.depth);
        if self.at > 0 && !self.has_lines() {
            let is_line = opening > 0 || matches!(self.dtype.kind(), Kind::Struct { .. });
            out.extend(if is_line { b",\n" } else { b", " });
        } else if self.at > 0 && opening < self.depth {
            out.extend(b", ");
        }
        (0..opening).for_each(|_| out.push(b'['));
    }
}

impl Values for Json<'_> {
    fn write(&mut self, items: &[u8], out: &mut Vec<u8>) {
        for bytes in items.chunks_exact(self.dtype.itemsize()) {
            self.separate(out);
            item(out, &Item::read(self.dtype, bytes), self.style);
            let ends = self.nest.ends(self.at);
            (0..ends.min(self.depth)).for_each(|_| out.push(b']'));
            if self.has_lines() && ends >= self.depth {
                out.push(b'\n');
            }
            self.at += 1;
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        debug_assert_eq!(self.at, self.nest.len(), "all items must be written");
        let shape = self.nest.shape();
        if !self.has_lines() {
            if self.nest.len() == 0 {
                empty(out, shape);
            }
            out.push(b'\n');
        } else if self.nest.len() == 0 {
            for _ in 0..shape[0] {
                empty(out, &shape[1..]);
                out.push(b'\n');
            }
        }
    }
}

/// The brackets of an empty array.
fn empty(out: &mut Vec<u8>, shape: &[u64]) {
    let Some((&len, inner)) = shape.split_first() else { return };
    out.push(b'[');
    for index in 0..len {
        if index > 0 {
            out.extend(b", ");
        }
        empty(out, inner);
    }
    out.push(b']');
}

/// Appends an item as JSON, as in arrays: complex numbers as `[re, im]`, structures as objects.
///
/// ```
/// let dtype = b2nd::array::Dtype::parse("<f4", &Default::default())?;
/// let mut text = Vec::new();
/// b2nd::export::json_item(&dtype, &f32::NAN.to_le_bytes(), &Default::default(), &mut text);
/// assert_eq!(text, b"\"NaN\"");
/// # Ok::<(), b2nd::Error>(())
/// ```
///
/// # Panics
/// If the bytes are fewer than those of an item.
pub fn json_item(dtype: &Dtype, bytes: &[u8], style: &Style, out: &mut Vec<u8>) {
    item(out, &Item::read(dtype, &bytes[..dtype.itemsize()]), style);
}

fn item(out: &mut Vec<u8>, value: &Item<'_>, style: &Style) {
    match value {
        Item::Bool(value) => put(out, format_args!("{value}")),
        Item::Int(value) => put(out, format_args!("{value}")),
        Item::Uint(value) => put(out, format_args!("{value}")),
        Item::Real(value) => real(out, *value, style),
        Item::Complex(re, im) => {
            out.push(b'[');
            real(out, *re, style);
            out.extend(b", ");
            real(out, *im, style);
            out.push(b']');
        }
        Item::Time(Some(value)) | Item::Str(value) => json_text(value, out),
        Item::Bytes(bytes) => json_text(&style.bytes.text(bytes), out),
        Item::Void(bytes) => json_text(&style.bytes.raw(bytes), out),
        Item::Time(None) | Item::Object => out.extend(b"null"),
        Item::List(values) => list(out, *values, style),
        Item::Record(record) => {
            out.push(b'{');
            for (at, (field, value)) in record.fields().enumerate() {
                out.extend(if at > 0 { &b", "[..] } else { b"" });
                json_text(&field.name, out);
                out.extend(b": ");
                item(out, &value, style);
            }
            out.push(b'}');
        }
    }
}

fn list(out: &mut Vec<u8>, values: List<'_>, style: &Style) {
    let Some(entries) = values.entries() else {
        return item(out, &Item::read(values.dtype, values.bytes), style);
    };
    out.push(b'[');
    for (index, entry) in entries.enumerate() {
        if index > 0 {
            out.extend(b", ");
        }
        list(out, entry, style);
    }
    out.push(b']');
}

pub(super) fn real(out: &mut Vec<u8>, value: Real, style: &Style) {
    let name = match value.value() {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        number if number.is_nan() => "NaN",
        _ => return put(out, format_args!("{value}")),
    };
    match style.nan {
        NanAs::String => json_text(name, out),
        NanAs::Null => out.extend(b"null"),
        NanAs::Literal => out.extend(name.as_bytes()),
    }
}

/// Appends text as a JSON string.
///
/// ```
/// let mut text = Vec::new();
/// b2nd::export::json_text("a \"b\"\n", &mut text);
/// assert_eq!(text, br#""a \"b\"\n""#);
/// ```
pub fn json_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            0x08 => out.extend(b"\\b"),
            0x0c => out.extend(b"\\f"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            b'\t' => out.extend(b"\\t"),
            ..0x20 => put(out, format_args!("\\u{byte:04x}")),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::super::{ExportError, Exporter, Format, testing::bytes, testing::written};
    use crate::array::Dtype;
    use crate::base::Limits;
    use alloc::borrow::ToOwned;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn json(text: &str, shape: &[u64], items: &[u8]) -> String {
        written(Format::Json, text, shape, items)
    }

    #[test]
    fn arrays_nest() {
        let items: Vec<u8> = (0..12).collect();
        assert_eq!(json("u1", &[3], &[1, 2, 3]), "[1, 2, 3]\n");
        assert_eq!(json("u1", &[], &[7]), "7\n");
        let nested = "[[[0, 1, 2],\n[3, 4, 5]],\n[[6, 7, 8],\n[9, 10, 11]]]\n";
        assert_eq!(json("u1", &[2, 2, 3], &items), nested);
        assert_eq!(json("('u1', (3,))", &[2, 2], &items), nested);
        assert_eq!(json("u1", &[2, 0, 3], &[]), "[[], []]\n");
        assert_eq!(json("u1", &[1, 1], &[5]), "[[5]]\n");
    }

    #[test]
    fn values_of_each_kind() {
        let floats = [0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e16];
        let text = "[0.1, \"NaN\", \"Infinity\", \"-Infinity\", 1e16]\n";
        assert_eq!(json("<f4", &[5], &bytes(&floats, f32::to_le_bytes)), text);
        assert_eq!(json("<u8", &[1], &u64::MAX.to_le_bytes()), "[18446744073709551615]\n");
        assert_eq!(json("<c16", &[1], &bytes(&[1.5, -2.0], f64::to_le_bytes)), "[[1.5, -2.0]]\n");
        assert_eq!(json("?", &[2], &[0, 1]), "[false, true]\n");
        let dates = bytes(&[0, i64::MIN], i64::to_le_bytes);
        assert_eq!(json("<M8[D]", &[2], &dates), "[\"1970-01-01\", null]\n");
        assert_eq!(json("<m8[D]", &[2], &dates), "[\"0 D\", null]\n");
        assert_eq!(json("S2", &[3], b"a\0\"\n\xe9\0"), r#"["a", "\"\\x0A", "\\xE9"]"#.to_owned() + "\n");
        assert_eq!(json("<U1", &[1], &[0xe9, 0, 0, 0]), "[\"é\"]\n");
        assert_eq!(json("V2", &[1], &[1, 0xab]), "[\"01ab\"]\n");
    }

    #[test]
    fn lines_have_an_entry_of_the_first_axis_each() {
        let lines = |text, shape: &[u64], items: &[u8]| written(Format::Ndjson, text, shape, items);
        assert_eq!(lines("u1", &[], &[7]), "7\n");
        assert_eq!(lines("u1", &[3], &[1, 2, 3]), "1\n2\n3\n");
        assert_eq!(lines("u1", &[2, 2], &[1, 2, 3, 4]), "[1, 2]\n[3, 4]\n");
        assert_eq!(lines("u1", &[1, 2, 2], &[1, 2, 3, 4]), "[[1, 2], [3, 4]]\n");
        assert_eq!(lines("[('a', 'u1')]", &[2], &[1, 2]), "{\"a\": 1}\n{\"a\": 2}\n");
        assert_eq!(lines("u1", &[2, 0], &[]), "[]\n[]\n");
        assert_eq!(lines("u1", &[0, 2], &[]), "");
    }

    #[test]
    fn shapes_without_items_cost_little() {
        let dtype = Dtype::parse("u1", &Limits::default()).unwrap();
        for format in [Format::Json, Format::Ndjson] {
            for shape in [&[1 << 60, 0][..], &[1 << 11, 1 << 11, 0, 3]] {
                assert_eq!(Exporter::new(format, &dtype, shape).err(), Some(ExportError::Brackets));
            }
            assert!(Exporter::new(format, &dtype, &[1 << 10, 0, u64::MAX]).is_ok());
        }
    }

    #[test]
    fn structures_are_objects() {
        let dtype = "[('a', '<i2'), ('b', [('c', 'u1', (2, 2)), ('d', [])])]";
        let text = "[{\"a\": 1, \"b\": {\"c\": [[2, 3], [4, 5]], \"d\": {}}},\n\
                    {\"a\": -1, \"b\": {\"c\": [[6, 7], [8, 9]], \"d\": {}}}]\n";
        assert_eq!(json(dtype, &[2], &[1, 0, 2, 3, 4, 5, 255, 255, 6, 7, 8, 9]), text);
    }
}

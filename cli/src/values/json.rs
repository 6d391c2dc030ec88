//! Nested JSON arrays.
//!
//! Integers are plain numbers of any size; NaN and infinities are the strings `"NaN"`, `"Infinity"` and `"-Infinity"`.
//! Complex numbers are `[re, im]`, dates ISO 8601 strings, durations strings like `"5 s"`, and NaT is null. Byte
//! strings are text, read as UTF-8 or else as Latin-1; raw bytes are hexadecimal. Structures are objects, Python
//! objects null.

use super::item::{Item, List, bytes_as_text, hex};
use super::{ValueWriter, float::Real, nest::Nest};
use b2nd::array::{Dtype, Kind};
use std::io::{self, Write};

#[derive(Debug)]
pub(crate) struct Json<'a, W> {
    dtype: &'a Dtype,
    nest: Nest,
    at: u64,
    out: W,
}

impl<'a, W: Write> Json<'a, W> {
    pub(crate) const fn new(dtype: &'a Dtype, nest: Nest, out: W) -> Self {
        Self { dtype, nest, at: 0, out }
    }

    fn separate(&mut self) -> io::Result<()> {
        let opening = self.nest.starts(self.at);
        if self.at > 0 {
            let is_line = opening > 0 || matches!(self.dtype.kind(), Kind::Struct { .. });
            self.out.write_all(if is_line { b",\n" } else { b", " })?;
        }
        (0..opening).try_for_each(|_| self.out.write_all(b"["))
    }
}

impl<W: Write> ValueWriter for Json<'_, W> {
    fn write(&mut self, items: &[u8]) -> io::Result<()> {
        for bytes in items.chunks_exact(self.dtype.itemsize()) {
            self.separate()?;
            item(&mut self.out, &Item::read(self.dtype, bytes))?;
            (0..self.nest.ends(self.at)).try_for_each(|_| self.out.write_all(b"]"))?;
            self.at += 1;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        debug_assert_eq!(self.at, self.nest.len(), "all items must be written");
        if self.nest.len() == 0 {
            empty(&mut self.out, self.nest.shape())?;
        }
        self.out.write_all(b"\n")?;
        self.out.flush()
    }
}

/// The brackets of an empty array.
fn empty(out: &mut impl Write, shape: &[u64]) -> io::Result<()> {
    let Some((&len, inner)) = shape.split_first() else { return Ok(()) };
    out.write_all(b"[")?;
    for index in 0..len {
        if index > 0 {
            out.write_all(b", ")?;
        }
        empty(out, inner)?;
    }
    out.write_all(b"]")
}

pub(crate) fn item(out: &mut impl Write, value: &Item<'_>) -> io::Result<()> {
    match value {
        Item::Bool(value) => write!(out, "{value}"),
        Item::Int(value) => write!(out, "{value}"),
        Item::Uint(value) => write!(out, "{value}"),
        Item::Real(value) => real(out, *value),
        Item::Complex(re, im) => {
            out.write_all(b"[")?;
            real(out, *re)?;
            out.write_all(b", ")?;
            real(out, *im)?;
            out.write_all(b"]")
        }
        Item::Time(Some(value)) | Item::Str(value) => string(out, value),
        Item::Bytes(bytes) => string(out, &bytes_as_text(bytes)),
        Item::Void(bytes) => string(out, &hex(bytes)),
        Item::Time(None) | Item::Object => out.write_all(b"null"),
        Item::List(values) => list(out, *values),
        Item::Record(record) => {
            let mut separator = "{";
            for (field, value) in record.fields() {
                write!(out, "{separator}")?;
                string(out, &field.name)?;
                out.write_all(b": ")?;
                item(out, &value)?;
                separator = ", ";
            }
            out.write_all(if separator == "{" { b"{}" } else { b"}" })
        }
    }
}

fn list(out: &mut impl Write, values: List<'_>) -> io::Result<()> {
    let Some(entries) = values.entries() else { return item(out, &Item::read(values.dtype, values.bytes)) };
    out.write_all(b"[")?;
    for (index, entry) in entries.enumerate() {
        if index > 0 {
            out.write_all(b", ")?;
        }
        list(out, entry)?;
    }
    out.write_all(b"]")
}

fn real(out: &mut impl Write, value: Real) -> io::Result<()> {
    match value.value() {
        f64::INFINITY => write!(out, "\"Infinity\""),
        f64::NEG_INFINITY => write!(out, "\"-Infinity\""),
        number if number.is_nan() => write!(out, "\"NaN\""),
        _ => write!(out, "{value}"),
    }
}

fn string(out: &mut impl Write, text: &str) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

#[cfg(test)]
mod tests {
    use super::super::{Format, testing::bytes, testing::written};
    use serde_json::Value;

    fn json(text: &str, shape: &[u64], items: &[u8]) -> String {
        let json = written(Format::Json, text, shape, items);
        serde_json::from_str::<Value>(&json).unwrap();
        json
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
        assert_eq!(json("S2", &[3], b"a\0\"\n\xe9\0"), "[\"a\", \"\\\"\\n\", \"é\"]\n");
        assert_eq!(json("<U1", &[1], &[0xe9, 0, 0, 0]), "[\"é\"]\n");
        assert_eq!(json("V2", &[1], &[1, 0xab]), "[\"01ab\"]\n");
        assert_eq!(json("O", &[1], &[9; 8]), "[null]\n");
    }

    #[test]
    fn structures_are_objects() {
        let dtype = "[('a', '<i2'), ('b', [('c', 'u1', (2, 2)), ('d', [])])]";
        let text = "[{\"a\": 1, \"b\": {\"c\": [[2, 3], [4, 5]], \"d\": {}}},\n\
                    {\"a\": -1, \"b\": {\"c\": [[6, 7], [8, 9]], \"d\": {}}}]\n";
        assert_eq!(json(dtype, &[2], &[1, 0, 2, 3, 4, 5, 255, 255, 6, 7, 8, 9]), text);
    }
}

//! MessagePack values as JSON, with what python-blosc2 stores as extensions.

use super::float::Real;
use super::json::{json_text, real};
use super::list::List;
use super::style::hex;
use super::{ExportError, Exporter, Format, Style, put};
use crate::base::Limits;
use crate::msgpack::Value;
use crate::objects::{Extension, Tensor};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Writes objects: JSON lists them, text and NDJSON have one a line.
///
/// ```
/// use b2nd::export::{Format, ObjectExporter, Style};
/// use b2nd::msgpack::Value;
/// let mut exporter = ObjectExporter::new(Format::Ndjson, Style::default(), false)?;
/// let mut lines = Vec::new();
/// for value in [Value::Bool(true), Value::Str("a".into())] {
///     exporter.write(&value, &Default::default(), &mut lines);
/// }
/// exporter.finish(&mut lines);
/// assert_eq!(lines, b"true\n\"a\"\n");
/// # Ok::<(), b2nd::export::ExportError>(())
/// ```
#[derive(Debug)]
pub struct ObjectExporter {
    list: List,
    style: Style,
}

impl ObjectExporter {
    /// For objects, of which a `single` one was indexed or any number.
    ///
    /// ```
    /// use b2nd::{Limits, export::{Format, ObjectExporter, Style}, msgpack::Value};
    /// assert!(ObjectExporter::new(Format::Json, Style::default(), false).is_ok());
    /// assert!(ObjectExporter::new(Format::Csv, Style::default(), false).is_err());
    /// ```
    ///
    /// # Errors
    /// [`ExportError::Rows`] for formats of items, which objects are not, and for CSV.
    pub fn new(format: Format, style: Style, single: bool) -> Result<Self, ExportError> {
        match format {
            Format::Csv => Err(ExportError::Rows),
            // The line of an object that is no list ends as all do.
            _ => Ok(Self { list: List::new(format, single)?, style }),
        }
    }

    /// Appends an object. The depth of what extensions contain is limited.
    ///
    /// ```
    /// use b2nd::{Limits, export::{Format, ObjectExporter, Style}, msgpack::Value};
    /// let (mut exporter, mut out) = (ObjectExporter::new(Format::Ndjson, Style::default(), false)?, Vec::new());
    /// exporter.write(&Value::Bool(true), &Limits::default(), &mut out);
    /// assert_eq!(out, b"true\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&mut self, object: &Value, limits: &Limits, out: &mut Vec<u8>) {
        self.list.begin(out);
        json_object(object, &self.style, limits, out);
        self.list.end(out);
    }

    /// Appends a line that tells of objects that are left out.
    ///
    /// ```
    /// use b2nd::{Limits, export::{Format, ObjectExporter, Style}, msgpack::Value};
    /// let (mut exporter, mut out) = (ObjectExporter::new(Format::Text, Style::default(), false)?, Vec::new());
    /// exporter.gap(&mut out);
    /// assert_eq!(out, b"...\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gap(&mut self, out: &mut Vec<u8>) {
        out.extend(b"...\n");
    }

    /// Appends the end, after all objects.
    ///
    /// ```
    /// use b2nd::{Limits, export::{Format, ObjectExporter, Style}, msgpack::Value};
    /// let (mut exporter, mut out) = (ObjectExporter::new(Format::Json, Style::default(), false)?, Vec::new());
    /// exporter.write(&Value::Bool(true), &Limits::default(), &mut out);
    /// exporter.finish(&mut out);
    /// assert_eq!(out, b"[true]\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.list.finish(out);
    }
}

/// Appends a value as JSON, on one line. Tuples and sets become lists, bytes `{"bin": hex}`, frames `{"frame": length}`, keys that are
/// no texts their JSON; of equal keys the last one counts.
///
/// ```
/// let value = b2nd::msgpack::Value::Bin(vec![1, 0xab]);
/// let mut json = Vec::new();
/// b2nd::export::json_object(&value, &Default::default(), &Default::default(), &mut json);
/// assert_eq!(json, br#"{"bin":"01ab"}"#);
/// ```
pub fn json_object(value: &Value, style: &Style, limits: &Limits, out: &mut Vec<u8>) {
    match value {
        Value::Nil => out.extend(b"null"),
        Value::Bool(value) => put(out, format_args!("{value}")),
        Value::Int(value) => put(out, format_args!("{value}")),
        Value::Float(value) => real(out, Real::Double(*value), style),
        Value::Str(text) => json_text(text, out),
        Value::Bin(bytes) => put(out, format_args!("{{\"bin\":\"{}\"}}", hex(bytes))),
        Value::Array(items) => list(value.as_tuple().unwrap_or(items), style, limits, out),
        Value::Map(pairs) => map(pairs, style, limits, out),
        Value::Ext(code, bytes) => extension(*code, bytes, style, limits, out),
    }
}

fn list(items: &[Value], style: &Style, limits: &Limits, out: &mut Vec<u8>) {
    out.push(b'[');
    for (at, item) in items.iter().enumerate() {
        out.extend(if at > 0 { &b","[..] } else { b"" });
        json_object(item, style, limits, out);
    }
    out.push(b']');
}

fn map(pairs: &[(Value, Value)], style: &Style, limits: &Limits, out: &mut Vec<u8>) {
    let names: Vec<String> = pairs.iter().map(|(key, _)| name(key, style, limits)).collect();
    let last: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (&**name, at)).collect();
    let mut separator = b'{';
    for (at, (_, value)) in pairs.iter().enumerate() {
        if last.get(&*names[at]) == Some(&at) {
            out.push(separator);
            separator = b',';
            json_text(&names[at], out);
            out.push(b':');
            json_object(value, style, limits, out);
        }
    }
    out.extend(if pairs.is_empty() { &b"{}"[..] } else { b"}" });
}

/// Keys that are no texts are written as JSON.
fn name(key: &Value, style: &Style, limits: &Limits) -> String {
    if let Value::Str(text) = key {
        return text.clone();
    }
    let mut json = Vec::new();
    json_object(key, style, limits, &mut json);
    String::from_utf8(json).unwrap_or_default()
}

fn extension(code: i8, bytes: &[u8], style: &Style, limits: &Limits, out: &mut Vec<u8>) {
    let inner = Limits { depth: limits.depth.saturating_sub(1), ..*limits };
    match Extension::parse(code, bytes, limits) {
        Ok(Some(Extension::Complex(re, im))) => list(&[re, im].map(Value::Float), style, limits, out),
        Ok(Some(Extension::Set(items))) => list(&items, style, &inner, out),
        Ok(Some(Extension::Tensor(array))) => tensor(&array, style, out),
        Ok(Some(Extension::Objects { shape, items })) => {
            let shape: Vec<Value> = shape.into_iter().map(|len| Value::Int(len.into())).collect();
            out.extend(b"{\"shape\":");
            list(&shape, style, &inner, out);
            out.extend(b",\"items\":");
            list(&items, style, &inner, out);
            out.push(b'}');
        }
        Ok(Some(Extension::Frame(bytes))) => put(out, format_args!("{{\"frame\":{}}}", bytes.len())),
        Ok(Some(Extension::Reference(value))) => json_object(&value, style, &inner, out),
        _ => put(out, format_args!("{{\"ext\":{code},\"bin\":\"{}\"}}", hex(bytes))),
    }
}

/// Nested lists, as of arrays, without lines.
fn tensor(array: &Tensor, style: &Style, out: &mut Vec<u8>) {
    let Ok(mut exporter) = Exporter::with_style(Format::Json, style, &array.dtype, &array.shape) else {
        return out.extend(b"null");
    };
    let mut text = Vec::new();
    exporter.write(&array.data, &mut text);
    exporter.finish(&mut text);
    out.extend(text.into_iter().filter(|byte| *byte != b'\n'));
}

//! Sequences of objects, and MessagePack values as JSON.

use crate::failure::Failure;
use crate::get::Wish;
use crate::opened::{Opened, failure};
use crate::output::Output;
use crate::rows::Rows;
use crate::values::{Format, Refused, writer};
use b2nd::Limits;
use b2nd::msgpack::Value;
use b2nd::objects::{Extension, Objects, Serializer, Tensor};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// `b2nd get` of a sequence: as text an object a line, as JSON a list of them.
pub(crate) fn get(opened: Opened<'_>, wish: &Wish<'_>) -> Result<(), Failure> {
    let (path, limits) = (opened.path, opened.limits);
    let objects = Objects::open(opened.reader).map_err(|error| failure(path, error))?;
    let rows = Rows::of(wish.selection.unwrap_or(""), objects.len());
    let rows = rows.map_err(|error| Failure::Blosc(path.into(), error))?;
    if wish.dtype.is_some() || matches!(wish.format, Format::Npy | Format::Csv) {
        return Err(Refused::NoDtype.into());
    }
    let mut out = Output::create(wish.output).map_err(Failure::Output)?;
    let mut list = Lines::new(wish.format, &rows);
    for part in list.shown(&rows) {
        for (window, picked) in part.windows() {
            // A batch at a time: each may take much memory.
            let (mut range, mut values) = (0..0, Vec::new());
            for at in picked {
                let at = window.start + at as u64;
                if !range.contains(&at) {
                    let nbatch = objects.batch_of(at).map_err(|error| failure(path, error.into()))?;
                    let batch = objects.batch(nbatch).map_err(|error| failure(path, error.into()))?;
                    range = batch.start.max(window.start)..batch.end.min(window.end);
                    values = objects.range(range.clone()).map_err(|error| failure(path, error))?;
                }
                list.write(&values[(at - range.start) as usize], &limits, &mut out)
                    .map_err(Failure::Output)?;
            }
        }
        list.end_part(&mut out).map_err(Failure::Output)?;
    }
    list.finish(&mut out).map_err(Failure::Output)?;
    out.commit().map_err(Failure::Output)
}

/// Writes objects.
struct Lines {
    /// Whether a list is written.
    is_list: bool,
    is_first: bool,
    hides: bool,
}

impl Lines {
    fn new(format: Format, rows: &Rows) -> Self {
        let hides = format == Format::Text && rows.hidden().is_some();
        Self { is_list: format == Format::Json && !rows.single, is_first: true, hides }
    }

    /// The parts that are written.
    fn shown(&self, rows: &Rows) -> Vec<Rows> {
        match rows.hidden().filter(|_| self.hides) {
            Some(hidden) => vec![rows.part(0..hidden.start), rows.part(hidden.end..rows.count)],
            None => vec![rows.clone()],
        }
    }

    fn write(&mut self, value: &Value, limits: &Limits, out: &mut Output) -> io::Result<()> {
        let opening = if self.is_first { "[" } else { ",\n" };
        let (before, after) = if self.is_list { (opening, "") } else { ("", "\n") };
        self.is_first = false;
        out.write_all(before.as_bytes())?;
        write_json(value, limits, out)?;
        out.write_all(after.as_bytes())
    }

    /// Shows once that objects are left out.
    fn end_part(&mut self, out: &mut Output) -> io::Result<()> {
        if core::mem::take(&mut self.hides) { out.write_all(b"...\n") } else { Ok(()) }
    }

    fn finish(&self, out: &mut Output) -> io::Result<()> {
        match (self.is_list, self.is_first) {
            (true, true) => out.write_all(b"[]\n"),
            (true, false) => out.write_all(b"]\n"),
            _ => Ok(()),
        }
    }
}

/// What `info` says of a sequence.
pub(crate) fn add_facts(facts: &mut Json, opened: Opened<'_>) -> Result<(), Failure> {
    let path = opened.path;
    let objects = Objects::open(opened.reader).map_err(|error| failure(path, error))?;
    facts["length"] = objects.len().into();
    facts["serializer"] = match objects.serializer() {
        Serializer::Arrow => "arrow".into(),
        _ => "msgpack".into(),
    };
    Ok(())
}

/// Decodes all objects of a sequence, and counts them. What is stored as Arrow is decoded with the feature `arrow`.
pub(crate) fn verify(opened: Opened<'_>) -> Result<u64, Failure> {
    let path = opened.path;
    let of = |error| failure(path, error);
    let objects = Objects::open(opened.reader).map_err(of)?;
    if objects.serializer() == Serializer::MessagePack || cfg!(feature = "arrow") {
        objects.verify().map_err(of)?;
    }
    Ok(objects.len())
}

/// Writes [`json`] without holding it: as such it may take many times the memory of the value.
pub(crate) fn write_json(value: &Value, limits: &Limits, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Array(items) => {
            out.write_all(b"[")?;
            for (at, item) in value.as_tuple().unwrap_or(items).iter().enumerate() {
                out.write_all(if at > 0 { b"," } else { b"" })?;
                write_json(item, limits, out)?;
            }
            out.write_all(b"]")
        }
        Value::Map(pairs) if has_distinct_keys(pairs) => {
            out.write_all(b"{")?;
            for (at, (key, value)) in pairs.iter().enumerate() {
                out.write_all(if at > 0 { b"," } else { b"" })?;
                write!(out, "{}:", Json::from(self::key(key, limits)))?;
                write_json(value, limits, out)?;
            }
            out.write_all(b"}")
        }
        Value::Bin(bytes) => {
            out.write_all(b"{\"bin\":\"")?;
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            out.write_all(b"\"}")
        }
        _ => write!(out, "{}", json(value, limits)),
    }
}

/// Whether no key repeats. Of those that do, JSON has the last value.
fn has_distinct_keys(pairs: &[(Value, Value)]) -> bool {
    let mut names: Vec<_> = pairs.iter().filter_map(|(key, _)| key.as_str()).collect();
    names.sort_unstable();
    names.len() == pairs.len() && names.is_sorted_by(|one, next| one != next) || pairs.len() < 2
}

/// About how many bytes a value takes as JSON and its text.
pub(crate) fn cost(value: &Value) -> u64 {
    /// Of each, of an entry of a map, and of a map.
    const EACH: u64 = 128;
    const ENTRY: u64 = 64;
    const MAP: u64 = 192;
    EACH + match value {
        Value::Str(text) => 8 * text.len() as u64,
        Value::Bin(bytes) => 6 * bytes.len() as u64,
        Value::Ext(_, bytes) => EACH * bytes.len() as u64,
        Value::Array(items) => items.iter().map(cost).sum(),
        Value::Map(pairs) => {
            MAP + pairs.iter().map(|(key, value)| ENTRY + cost(key) + cost(value)).sum::<u64>()
        }
        _ => 0,
    }
}

/// MessagePack as JSON, with what python-blosc2 stores as extensions. Tuples and sets become lists, bytes `{"bin": hex}`, frames
/// `{"frame": length}`.
pub(crate) fn json(value: &Value, limits: &Limits) -> Json {
    let list = |items: &[Value]| items.iter().map(|item| json(item, limits)).collect();
    match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => i64::try_from(*value).map_or_else(|_| Json::from(*value as u64), Json::from),
        Value::Float(value) => float(*value),
        Value::Str(text) => text.as_str().into(),
        Value::Bin(bytes) => json!({ "bin": hex(bytes) }),
        Value::Array(items) => list(value.as_tuple().unwrap_or(items)),
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| (self::key(key, limits), json(value, limits));
            pairs.iter().map(pair).collect::<Map<_, _>>().into()
        }
        Value::Ext(code, bytes) => extension(*code, bytes, limits),
        _ => Json::Null,
    }
}

fn extension(code: i8, bytes: &[u8], limits: &Limits) -> Json {
    let inner = Limits { depth: limits.depth.saturating_sub(1), ..*limits };
    let list = |items: &[Value]| Json::from_iter(items.iter().map(|item| json(item, &inner)));
    match Extension::parse(code, bytes, limits) {
        Ok(Some(Extension::Complex(re, im))) => Json::from_iter([float(re), float(im)]),
        Ok(Some(Extension::Set(items))) => list(&items),
        Ok(Some(Extension::Tensor(array))) => tensor(&array).unwrap_or(Json::Null),
        Ok(Some(Extension::Objects { shape, items })) => json!({ "shape": shape, "items": list(&items) }),
        Ok(Some(Extension::Frame(bytes))) => json!({ "frame": bytes.len() }),
        Ok(Some(Extension::Reference(value))) => json(&value, &inner),
        _ => json!({ "ext": code, "bin": hex(bytes) }),
    }
}

/// Nested lists, as for arrays.
fn tensor(array: &Tensor) -> Option<Json> {
    let mut text = Vec::new();
    let mut out = writer(Format::Json, &array.dtype, &array.shape, &mut text).ok()?;
    out.write(&array.data).and_then(|()| out.finish()).ok()?;
    drop(out);
    serde_json::from_slice(&text).ok()
}

pub(crate) fn float(value: f64) -> Json {
    match value {
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        value if value.is_nan() => "NaN".into(),
        value => value.into(),
    }
}

/// Keys that are not text are written as JSON.
fn key(key: &Value, limits: &Limits) -> String {
    match key {
        Value::Str(text) => text.clone(),
        other => json(other, limits).to_string(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! Descriptions for `info`, as text and as JSON: the fields are the keys, in this order.

use crate::explain::Choices;
use crate::words::count;
use b2nd::frame::Reference;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::io;

/// A description.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Facts {
    Frame(Box<FrameFacts>),
    Store(StoreFacts),
    Table(TableFacts),
}

/// The description of a frame or a chunk.
#[derive(Debug, Serialize)]
pub(crate) struct FrameFacts {
    pub(crate) kind: &'static str,
    #[serde(serialize_with = "by_name")]
    pub(crate) reference: Option<Reference>,
    pub(crate) shape: Option<Vec<u64>>,
    pub(crate) chunks: Option<Vec<u32>>,
    pub(crate) blocks: Option<Vec<u32>>,
    pub(crate) dtype: Option<String>,
    pub(crate) typesize: u32,
    pub(crate) nbytes: u64,
    pub(crate) cbytes: u64,
    /// Bytes after the end of a file that is too short; `None` if there is not one file.
    pub(crate) missing: Option<u64>,
    pub(crate) nchunks: Option<u64>,
    pub(crate) codec: CodecName,
    /// The codec's parameter, of the few that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) codec_meta: Option<u8>,
    pub(crate) clevel: Option<u8>,
    pub(crate) filters: Vec<FilterFacts>,
    pub(crate) splitmode: Option<&'static str>,
    pub(crate) contiguous: bool,
    pub(crate) frame_version: Option<u8>,
    pub(crate) metalayers: Map<String, Json>,
    pub(crate) attributes: Option<Map<String, Json>>,
    #[serde(flatten)]
    pub(crate) contents: Contents,
    /// How the parameters of a new frame were chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) auto: Option<Choices>,
}

/// The contents of a frame other than arrays and items.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Contents {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tensor: Option<TensorFacts>,
    /// The origin of a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<Json>,
    #[serde(flatten)]
    pub(crate) sequence: Option<SequenceFacts>,
}

/// A sequence of objects.
#[derive(Debug, Serialize)]
pub(crate) struct SequenceFacts {
    pub(crate) length: u64,
    pub(crate) serializer: &'static str,
}

/// A packed tensor.
#[derive(Debug, Serialize)]
pub(crate) struct TensorFacts {
    pub(crate) shape: Vec<u64>,
    pub(crate) dtype: String,
}

/// A codec by its name, or by its number if it has none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum CodecName {
    Known(&'static str),
    Unknown(u8),
}

/// A filter with its parameter.
#[derive(Debug, Serialize)]
pub(crate) struct FilterFacts {
    pub(crate) id: u8,
    pub(crate) name: Option<&'static str>,
    pub(crate) meta: u8,
}

/// A store.
#[derive(Debug, Serialize)]
pub(crate) struct StoreFacts {
    pub(crate) kind: &'static str,
    pub(crate) store: &'static str,
    pub(crate) members: usize,
    pub(crate) attributes: Map<String, Json>,
}

/// A table.
#[derive(Debug, Serialize)]
pub(crate) struct TableFacts {
    pub(crate) kind: &'static str,
    pub(crate) rows: u64,
    pub(crate) columns: Vec<ColumnFacts>,
    pub(crate) attributes: Map<String, Json>,
}

/// A column of a table.
#[derive(Debug, Serialize)]
pub(crate) struct ColumnFacts {
    pub(crate) name: String,
    pub(crate) kind: String,
    #[serde(flatten)]
    pub(crate) values: ColumnValues,
    /// Other entries of the schema: units, zones, shapes, what lists and dictionaries hold.
    #[serde(flatten)]
    pub(crate) details: Map<String, Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index: Option<IndexFacts>,
}

/// An index of a column.
#[derive(Debug, Serialize)]
pub(crate) struct IndexFacts {
    pub(crate) kind: String,
    pub(crate) stale: bool,
}

/// Where the values of a column come from.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ColumnValues {
    Stored {
        nullable: bool,
        /// Whether those that it is computed from have changed since then.
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        stale: bool,
    },
    Computed {
        computed: String,
        inputs: Vec<String>,
    },
}

fn by_name<S: Serializer>(reference: &Option<Reference>, serializer: S) -> Result<S::Ok, S::Error> {
    reference.map(Reference::name).serialize(serializer)
}

impl Facts {
    /// Lines of a name and a value; what is absent has none.
    pub(crate) fn text(&self) -> String {
        let mut lines = Lines::default();
        match self {
            Self::Frame(frame) => frame.write(&mut lines),
            Self::Store(store) => {
                lines.add("kind", store.kind);
                lines.add("store", store.store);
                lines.add("members", store.members);
                lines.layers("attribute", &store.attributes);
            }
            Self::Table(table) => {
                lines.add("kind", table.kind);
                lines.add("rows", table.rows);
                table.columns.iter().for_each(|column| lines.add("column", column.text()));
                lines.layers("attribute", &table.attributes);
            }
        }
        lines.0
    }

    /// One JSON object.
    pub(crate) fn json(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

impl FrameFacts {
    fn write(&self, lines: &mut Lines) {
        lines.add("kind", self.kind);
        lines.maybe("reference", self.reference);
        lines.maybe("shape", self.shape.as_deref().map(tuple));
        lines.maybe("chunks", self.chunks.as_deref().map(tuple));
        lines.maybe("blocks", self.blocks.as_deref().map(tuple));
        lines.maybe("dtype", self.dtype.as_ref());
        lines.add("typesize", self.typesize);
        lines.add("nbytes", size(self.nbytes));
        lines.add("cbytes", size(self.cbytes));
        if self.cbytes > 0 {
            lines.add("ratio", format!("{:.2}", self.nbytes as f64 / self.cbytes as f64));
        }
        lines.maybe("missing", self.missing.filter(|missing| *missing > 0).map(size));
        lines.maybe("nchunks", self.nchunks);
        match self.codec {
            CodecName::Known(name) => lines.add("codec", name),
            CodecName::Unknown(number) => lines.add("codec", number),
        }
        lines.maybe("codec_meta", self.codec_meta);
        lines.maybe("clevel", self.clevel);
        lines.add("filters", self.filters.iter().map(FilterFacts::text).collect::<Vec<_>>().join(", "));
        lines.maybe("splitmode", self.splitmode);
        lines.add("contiguous", self.contiguous);
        lines.maybe("frame_version", self.frame_version);
        lines.layers("metalayer", &self.metalayers);
        self.attributes.iter().for_each(|layers| lines.layers("attribute", layers));
        self.contents.write(lines);
    }
}

impl Contents {
    fn write(&self, lines: &mut Lines) {
        lines.maybe("tensor", self.tensor.as_ref().map(|tensor| json!(tensor)));
        match &self.origin {
            None | Some(Json::Null) => {}
            Some(Json::String(text)) => lines.add("origin", text),
            Some(Json::Array(items)) => lines.add("origin", tuple(items)),
            Some(other) => lines.add("origin", other),
        }
        if let Some(SequenceFacts { length, serializer }) = self.sequence {
            lines.add("length", length);
            lines.add("serializer", serializer);
        }
    }
}

impl FilterFacts {
    fn text(&self) -> String {
        let name = self.name.map_or_else(|| format!("filter {}", self.id), str::to_owned);
        if self.meta > 0 { format!("{name} (meta {})", self.meta) } else { name }
    }
}

impl ColumnFacts {
    fn text(&self) -> String {
        let Self { name, kind, values, details, index } = self;
        let mut text = format!("{name}: {kind}");
        for (name, value) in details.iter().filter(|(name, _)| !TOLD_IN_JSON.contains(&name.as_str())) {
            text += &format!(", {} {}", name.replace('_', " "), detail(value));
        }
        match values {
            ColumnValues::Stored { nullable, stale } => {
                text += if *nullable { ", nullable" } else { "" };
                text += if *stale { ", stale" } else { "" };
            }
            ColumnValues::Computed { computed, .. } => text += &format!(", computed: {computed}"),
        }
        if let Some(IndexFacts { kind, stale }) = index {
            text += &format!(", index {kind}{}", if *stale { " (stale)" } else { "" });
        }
        text
    }
}

/// How values are stored matters less.
const TOLD_IN_JSON: [&str; 8] = [
    "storage",
    "serializer",
    "batch_rows",
    "null_storage",
    "null_code",
    "null_value",
    "index_type",
    "ordered",
];

/// An entry of the schema in a word: for items of lists and structures, their kinds.
fn detail(value: &Json) -> String {
    let words = |items: &[Json]| tuple(&items.iter().map(detail).collect::<Vec<_>>());
    match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => words(items),
        Json::Object(spec) => {
            let word = |key| spec.get(key).map(detail);
            [word("name"), word("kind"), word("fields")].into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// Lines of text.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: impl core::fmt::Display) {
        self.0.push_str(&format!("{name:<13} {value}\n"));
    }

    fn maybe(&mut self, name: &str, value: Option<impl core::fmt::Display>) {
        value.into_iter().for_each(|value| self.add(name, value));
    }

    /// Metalayers, but for those of arrays, of which other lines tell.
    fn layers(&mut self, name: &str, layers: &Map<String, Json>) {
        for (layer, value) in layers.iter().filter(|(layer, _)| !matches!(layer.as_str(), "b2nd" | "caterva"))
        {
            self.add(name, format_args!("{layer}: {value}"));
        }
    }
}

/// `(12, 30, 40)`, and `(12,)` for one item, as Python has it.
pub(crate) fn tuple(items: &[impl core::fmt::Display]) -> String {
    let comma = if items.len() == 1 { "," } else { "" };
    format!("({}{comma})", items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// A size, rounded and exact.
fn size(nbytes: u64) -> String {
    let mut rounded = nbytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if rounded < 1024.0 {
            break;
        }
        (rounded, unit) = (rounded / 1024.0, larger);
    }
    let exact = count(nbytes, "byte");
    if unit == "bytes" { exact } else { format!("{rounded:.2} {unit} ({exact})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_tell_where_their_values_come_from() {
        let column = |values| ColumnFacts {
            name: "x".into(),
            kind: "int64".into(),
            values,
            details: Map::new(),
            index: None,
        };
        let stored = |nullable, stale| column(ColumnValues::Stored { nullable, stale });
        let told = |column: ColumnFacts| (column.text(), serde_json::to_value(column).unwrap());
        let plain = json!({ "name": "x", "kind": "int64", "nullable": false });
        assert_eq!(told(stored(false, false)), ("x: int64".into(), plain));
        let stale = json!({ "name": "x", "kind": "int64", "nullable": true, "stale": true });
        assert_eq!(told(stored(true, true)), ("x: int64, nullable, stale".into(), stale));
        let computed = column(ColumnValues::Computed { computed: "a + 1".into(), inputs: vec!["a".into()] });
        let json = json!({ "name": "x", "kind": "int64", "computed": "a + 1", "inputs": ["a"] });
        assert_eq!(told(computed), ("x: int64, computed: a + 1".into(), json));
    }

    #[test]
    fn sizes_are_rounded_and_exact() {
        assert_eq!([0, 1, 1023].map(size), ["0 bytes", "1 byte", "1023 bytes"]);
        assert_eq!(size(3 << 20), "3.00 MiB (3145728 bytes)");
    }

    #[test]
    fn what_frames_do_not_hold_has_no_keys() {
        assert_eq!(serde_json::to_value(Contents::default()).unwrap(), json!({}));
        let sequence = Some(SequenceFacts { length: 3, serializer: "msgpack" });
        let contents = Contents { sequence, origin: Some(json!([1, "a"])), ..Contents::default() };
        let json = json!({ "origin": [1, "a"], "length": 3, "serializer": "msgpack" });
        assert_eq!(serde_json::to_value(&contents).unwrap(), json);
        let mut lines = Lines::default();
        contents.write(&mut lines);
        assert_eq!(lines.0, "origin        (1, \"a\")\nlength        3\nserializer    msgpack\n");
    }
}

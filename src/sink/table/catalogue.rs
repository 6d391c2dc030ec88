//! The frame that describes a table: its schema, and the catalogue of its indexes.

use super::extremes::Extremes;
use super::{Grid, Written};
use crate::array::{ArrayParams, Dtype};
use crate::chunk::{CParams, DParams};
use crate::codec::Codec;
use crate::frame::FrameParams;
use crate::msgpack::Value;
use crate::sink::indexes::{CATALOGUE, forget, mark_stale, put};
use crate::sink::{Editor, File, StoreEditor};
use crate::source::Reader;
use crate::table::{ColumnSpec, json, json_text};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The lists of the schema for computed columns and for generated ones.
pub(super) const COMPUTED: &str = "computed_columns";
pub(super) const GENERATED: &str = "materialized_columns";
/// How often values were changed: once, by the writing of the table.
const VALUE_EPOCH: i128 = 1;
/// Records in a chunk of a summary.
const RECORDS: u64 = 1 << 16;

/// The content of the frame.
#[derive(Debug)]
pub(super) struct Catalogue {
    columns: Vec<Value>,
    version: i128,
    /// The entries of columns that are computed.
    pub(super) computed: Vec<Value>,
    /// The names of columns, and what is said of their summaries.
    indexes: Vec<(Value, Value)>,
}

/// The changes of a table.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) values: bool,
    /// Which rows there are.
    pub(super) visibility: bool,
    /// The columns, if there are others or they have other names.
    pub(super) columns: Option<Vec<ColumnSpec>>,
    /// The entries of computed columns, and of generated ones.
    pub(super) computed: Vec<Value>,
    pub(super) generated: Vec<Value>,
    /// Names of columns that have lost their indexes.
    pub(super) without_index: Vec<String>,
    /// Summaries that were kept up to date.
    pub(super) summaries: Vec<Summary>,
}

/// A summary that was written: the name of the column, and the entry of the catalogue without its path.
#[derive(Debug)]
pub(super) struct Summary {
    name: String,
    dtype: String,
    rows: u64,
    grid: Grid,
    nullable: bool,
}

impl Catalogue {
    pub(super) fn new(columns: &[ColumnSpec]) -> Self {
        let version = columns.iter().map(version_of).max().unwrap_or(1);
        let columns = columns.iter().map(|spec| spec.entry.clone()).collect();
        Self { columns, version, computed: Vec::new(), indexes: Vec::new() }
    }

    pub(super) fn add_all(&mut self, table: &str, summary: Option<Summary>) {
        self.indexes.extend(summary.map(|summary| summary.entry(table, VALUE_EPOCH)));
    }

    /// The attributes of the frame.
    pub(super) fn attributes(&self, rows: u64) -> Vec<(String, Vec<u8>)> {
        let schema = Value::Map(Vec::from([
            (text("version"), Value::Int(self.version)),
            (text("columns"), Value::Array(self.columns.clone())),
            (text(COMPUTED), Value::Array(self.computed.clone())),
            (text("n_rows"), Value::Int(rows.into())),
            (text("create_summary_index"), Value::Bool(true)),
            (text("summary_indexes_built"), Value::Bool(!self.indexes.is_empty())),
        ]));
        let mut attributes = Vec::from([
            ("kind".to_string(), text("ctable")),
            ("version".to_string(), Value::Int(1)),
            ("schema".to_string(), Value::Str(json_text(&schema))),
            ("value_epoch".to_string(), Value::Int(VALUE_EPOCH)),
        ]);
        if !self.indexes.is_empty() {
            attributes.push(("index_catalog".to_string(), Value::Map(self.indexes.clone())));
        }
        attributes.into_iter().map(|(name, value)| (name, value.emit())).collect()
    }
}

impl Summary {
    /// Writes the records of a column; `None` if its name cannot be part of a path.
    pub(super) fn write(
        store: &mut StoreEditor,
        (table, spec, dtype): (&str, &ColumnSpec, &Dtype),
        extremes: Extremes,
        (rows, grid): (u64, Grid),
    ) -> Written<Option<Self>> {
        if spec.name.contains(['/', '\\', ':']) {
            return Ok(None);
        }
        let records = extremes.finish();
        let dtype = dtype.to_string();
        let record = record_dtype(&dtype);
        let count = rows.div_ceil(grid.block.into());
        let chunk = count.min(RECORDS) as u32;
        let params = ArrayParams::new(&[count], &record).with_chunks(&[chunk]).with_blocks(&[chunk]);
        let mut editor = store.create_array(&[table, &key_of(&spec.name)].concat(), &params)?;
        editor.set(.., &records)?;
        editor.commit()?;
        let nullable = spec.is_nullable();
        Ok(Some(Self { name: spec.name.clone(), dtype, rows, grid, nullable }))
    }

    /// The entry of the catalogue, as the reference has it.
    fn entry(self, table: &str, epoch: i128) -> (Value, Value) {
        let Self { name, dtype, rows, grid, nullable } = self;
        let path = [&table[table.len().min(1)..], if table.is_empty() { "" } else { "/" }].concat();
        let path = [&path, &key_of(&name)[1..], ".b2nd"].concat();
        let target = [(text("source"), text("field")), (text("field"), Value::Nil)];
        let level = [
            (text("segment_len"), Value::Int(grid.block.into())),
            (text("nsegments"), Value::Int(rows.div_ceil(grid.block.into()).into())),
            (text("path"), Value::Str(path)),
            (text("dtype"), fields(&dtype)),
        ];
        let mut entry = Vec::from([
            (text("name"), text("__self__")),
            (text("token"), text(&name)),
            (text("target"), Value::Map(target.into())),
            (text("field"), Value::Nil),
            (text("kind"), text("summary")),
            (text("version"), Value::Int(1)),
            (text("optlevel"), Value::Int(5)),
            (text("persistent"), Value::Bool(true)),
            (text("ooc"), Value::Bool(true)),
            (text("stale"), Value::Bool(false)),
            (text("dtype"), text(&dtype)),
            (text("shape"), tuple([Value::Int(rows.into())])),
            (text("chunks"), tuple([Value::Int(grid.chunk.into())])),
            (text("blocks"), tuple([Value::Int(grid.block.into())])),
            (text("levels"), Value::Map(Vec::from([(text("block"), Value::Map(level.into()))]))),
        ]);
        entry.extend(["bucket", "partial", "full", "opsi", "cparams"].map(|name| (text(name), Value::Nil)));
        entry.push((text("null_aware"), Value::Bool(nullable)));
        entry.push((text("built_value_epoch"), Value::Int(epoch)));
        (Value::Str(name), Value::Map(entry))
    }
}

/// The version of schemas with such a column, which the reference counts up only for what older releases cannot read.
fn version_of(spec: &ColumnSpec) -> i128 {
    match () {
        () if spec.is_masked() => 3,
        () if spec.kind == "ndarray" => 2,
        () => 1,
    }
}

/// The key of a summary, below that of the table.
pub(super) fn key_of(name: &str) -> String {
    ["/_indexes/", name, "/summary.block"].concat()
}

/// The dtype of a record.
fn record_dtype(dtype: &str) -> String {
    ["[('min', '", dtype, "'), ('max', '", dtype, "'), ('flags', '|u1')]"].concat()
}

/// The fields of a summary's records as a list of tuples.
fn fields(dtype: &str) -> Value {
    let field = |(name, dtype): (&str, &str)| tuple([text(name), text(dtype)]);
    Value::Array([("min", dtype), ("max", dtype), ("flags", "|u1")].into_iter().map(field).collect())
}

/// A tuple of Python.
fn tuple<const N: usize>(values: [Value; N]) -> Value {
    Value::Array([text("__tuple__")].into_iter().chain(values).collect())
}

pub(super) fn text(text: &str) -> Value {
    Value::Str(text.into())
}

/// Writes a frame that has nothing but attributes.
pub(super) fn write(file: File, attributes: &[(String, Vec<u8>)]) -> Written<()> {
    let cparams = CParams { codec: Codec::ZSTD, clevel: 5, typesize: 1, ..CParams::default() };
    let mut editor = Editor::create(file, &FrameParams { cparams, ..FrameParams::default() })?;
    for (name, content) in attributes {
        editor.set_attr_bytes(name, content)?;
    }
    editor.commit()
}

/// Notes in the frame that describes a table what has changed: indexes are stale after changes of values, apart from the summaries that were
/// kept up to date.
pub(super) fn update(
    file: File,
    dparams: DParams,
    (table, changes): (&str, Changes),
    rows: u64,
) -> Written<()> {
    let limits = dparams.limits;
    let attributes = Reader::open(&file, dparams.clone())?.trailer()?.attributes.clone();
    let mut editor = Editor::open(file, dparams)?;
    let value = |name: &str| -> Written<Option<Value>> {
        let layer = attributes.iter().find(|layer| layer.name == name.as_bytes());
        Ok(layer.map(|layer| layer.value(&limits)).transpose()?)
    };
    if let Some(Value::Str(schema)) = value("schema")? {
        let mut schema = json(&schema, &limits)?;
        put(&mut schema, "n_rows", Value::Int(rows.into()));
        if let (Some(columns), Value::Map(entries)) = (&changes.columns, &mut schema) {
            // What the reference has noted of the names that an import had, it drops, too.
            entries.retain(|(name, _)| name.as_str() != Some("metadata"));
            let version = schema.get("version").and_then(Value::as_u64).unwrap_or(1).into();
            let version = columns.iter().map(version_of).fold(version, i128::max);
            put(&mut schema, "version", Value::Int(version));
            put(
                &mut schema,
                "columns",
                Value::Array(columns.iter().map(|spec| spec.entry.clone()).collect()),
            );
        }
        for (list, entries) in [(COMPUTED, changes.computed), (GENERATED, changes.generated)] {
            if !entries.is_empty() || schema.get(list).is_some() {
                put(&mut schema, list, Value::Array(entries));
            }
        }
        editor.set_attr_bytes("schema", &Value::Str(json_text(&schema)).emit())?;
    }
    let mut epoch_of_values = 0;
    for (changed, name) in [(changes.visibility, "visibility_epoch"), (changes.values, "value_epoch")] {
        let epoch = value(name)?.and_then(|epoch| epoch.as_u64()).unwrap_or(0);
        epoch_of_values = i128::from(epoch) + i128::from(changed);
        if changed {
            editor.set_attr_bytes(name, &Value::Int(epoch_of_values).emit())?;
        }
    }
    let known = value(CATALOGUE)?;
    let mut indexes = known.clone().unwrap_or(Value::Map(Vec::new()));
    forget(&mut indexes, &changes.without_index);
    if changes.values {
        mark_stale(&mut indexes);
    }
    for summary in changes.summaries {
        let (name, entry) = summary.entry(table, epoch_of_values);
        put(&mut indexes, name.as_str().unwrap_or_default(), entry);
    }
    if known.unwrap_or(Value::Map(Vec::new())) != indexes {
        editor.set_attr_bytes(CATALOGUE, &indexes.emit())?;
    }
    editor.commit()
}

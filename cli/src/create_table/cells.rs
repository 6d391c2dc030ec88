//! Cells of a batch of lines, for columns of a table.

use super::infer::parse;
use super::lines::{Cell, Line, Lines};
use crate::args::layers;
use crate::input::{InputError, InvalidInput};
use b2nd::array::{Dtype, Kind};
use b2nd::msgpack::Value;
use b2nd::table::{Cells, ColumnSpec, Data};
use b2nd::{Error, Limits};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Lines of a batch at most, and their bytes.
const ROWS: usize = 1 << 16;
const BYTES: usize = 32 << 20;

/// Collects lines.
pub(crate) struct Batch<'c> {
    columns: Vec<Collected<'c>>,
    rows: usize,
    bytes: usize,
}

/// Where the columns are in the lines.
pub(crate) struct Names<'c> {
    places: Vec<usize>,
    all: BTreeSet<&'c str>,
}

struct Collected<'c> {
    spec: &'c ColumnSpec,
    /// The dtype of a row, if the column is an array.
    dtype: Option<Dtype>,
    data: Data,
    valid: Vec<bool>,
}

impl<'c> Batch<'c> {
    pub(crate) fn new(columns: &'c [ColumnSpec], limits: &Limits) -> Result<Self, Error> {
        let columns = columns.iter().map(|spec| Collected::new(spec, limits)).collect::<Result<_, _>>()?;
        Ok(Self { columns, rows: 0, bytes: 0 })
    }

    /// Finds the columns in the lines. A first line with names must have all columns, and no others.
    pub(crate) fn names(&self, lines: &Lines) -> Result<Names<'c>, InputError> {
        let all: BTreeSet<&str> = self.columns.iter().map(|column| &column.spec.name[..]).collect();
        let Some(header) = lines.header() else {
            return Ok(Names { places: (0..self.columns.len()).collect(), all });
        };
        if header.len() != self.columns.len() {
            let (expected, found) = (self.columns.len(), header.len());
            return Err(InvalidInput::Cells { line: 1, expected, found }.into());
        }
        let place = |column: &Collected<'_>| {
            let found = header.iter().position(|name| *name == column.spec.name);
            found.ok_or(InvalidInput::Line { line: 1, what: "a column has no cell with its name" })
        };
        Ok(Names { places: self.columns.iter().map(place).collect::<Result<_, _>>()?, all })
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes >= BYTES
    }

    pub(crate) fn push(&mut self, line: &Line, names: &Names<'_>) -> Result<(), InputError> {
        if line.has_others(&names.all) {
            return Err(InvalidInput::Line { line: line.number, what: "a name that no column has" }.into());
        }
        for (column, place) in self.columns.iter_mut().zip(&names.places) {
            let cell = line.cell(*place, &column.spec.name);
            if !column.push(cell) {
                let (text, dtype) = (text_of(cell), column.spec.kind.clone());
                return Err(InvalidInput::Cell { line: line.number, column: place + 1, text, dtype }.into());
            }
            self.bytes += 16 + if let Cell::Text(text) = cell { text.len() } else { 0 };
        }
        self.rows += 1;
        Ok(())
    }

    /// The cells of all columns, which the batch has no more.
    pub(crate) fn take(&mut self) -> Vec<Cells> {
        (self.rows, self.bytes) = (0, 0);
        self.columns.iter_mut().map(Collected::take).collect()
    }
}

impl<'c> Collected<'c> {
    fn new(spec: &'c ColumnSpec, limits: &Limits) -> Result<Self, Error> {
        let stored = spec.stored_dtype(limits)?;
        let dtype = match (&*spec.kind, stored) {
            ("string" | "bytes", _) | (_, None) => None,
            ("bool", _) => Some(Dtype::of::<bool>()),
            (_, Some(stored)) => Some(spec.row_dtype(stored, &[], limits)?),
        };
        let data = match (&*spec.kind, &dtype) {
            (_, Some(dtype)) => Data::Items { dtype: dtype.clone(), items: Vec::new() },
            ("string" | "utf8" | "dictionary", _) => Data::Texts(Vec::new()),
            _ => Data::Objects(Vec::new()),
        };
        Ok(Self { spec, dtype, data, valid: Vec::new() })
    }

    /// Adds a cell. Returns whether it is a value of the column.
    fn push(&mut self, cell: Cell<'_>) -> bool {
        let cell = match (cell, &self.spec.kind[..]) {
            (Cell::Empty, "string" | "utf8" | "dictionary" | "vlstring" | "bytes" | "vlbytes") => {
                Cell::Text("")
            }
            (Cell::Empty, _) => Cell::Null,
            (cell, _) => cell,
        };
        let is_null = matches!(cell, Cell::Null);
        if is_null && !self.spec.is_nullable() && !matches!(self.data, Data::Texts(_)) {
            return false;
        }
        // An empty cell is an empty text where nulls cannot be.
        self.valid.push(!is_null || !self.spec.is_nullable());
        match (&mut self.data, &self.dtype) {
            (Data::Items { items, .. }, Some(dtype)) => push_items(cell, dtype, items),
            (Data::Texts(texts), _) => {
                texts.push(text_of(cell));
                true
            }
            (Data::Objects(objects), _) => object_of(cell, &self.spec.kind).is_some_and(|object| {
                objects.push(object);
                true
            }),
            _ => false,
        }
    }

    fn take(&mut self) -> Cells {
        let empty = match &self.data {
            Data::Items { dtype, .. } => Data::Items { dtype: dtype.clone(), items: Vec::new() },
            Data::Texts(_) => Data::Texts(Vec::new()),
            _ => Data::Objects(Vec::new()),
        };
        let valid = core::mem::take(&mut self.valid);
        Cells {
            data: core::mem::replace(&mut self.data, empty),
            valid: valid.contains(&false).then_some(valid),
        }
    }
}

fn text_of(cell: Cell<'_>) -> String {
    match cell {
        Cell::Null | Cell::Empty => String::new(),
        Cell::Text(text) => text.into(),
        Cell::Json(value) => value.to_string(),
    }
}

/// Adds a row of an array: the items of nested lists, if its dtype is a sub-array.
fn push_items(cell: Cell<'_>, dtype: &Dtype, items: &mut Vec<u8>) -> bool {
    let start = items.len();
    items.resize(start + dtype.itemsize(), 0);
    let row = &mut items[start..];
    let Kind::Subarray { item, .. } = dtype.kind() else {
        return matches!(cell, Cell::Null) || parse(&text_of(cell), dtype, row);
    };
    let parsed;
    let value = match cell {
        Cell::Null | Cell::Empty => return true,
        Cell::Json(value) => value,
        Cell::Text(text) => match serde_json::from_str(text) {
            Ok(value) => {
                parsed = value;
                &parsed
            }
            Err(_) => return false,
        },
    };
    let mut texts = Vec::new();
    flatten(value, &mut texts);
    let size = item.itemsize().max(1);
    texts.len() * size == row.len()
        && texts.iter().zip(row.chunks_mut(size)).all(|(text, place)| parse(text, item, place))
}

/// The numbers of nested lists.
fn flatten(value: &Json, texts: &mut Vec<String>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| flatten(item, texts)),
        Json::String(text) => texts.push(text.clone()),
        value => texts.push(value.to_string()),
    }
}

/// A cell of a column of objects: texts and bytes as they are, others from JSON.
fn object_of(cell: Cell<'_>, kind: &str) -> Option<Value> {
    Some(match (kind, cell) {
        (_, Cell::Null | Cell::Empty) => Value::Nil,
        ("vlstring", cell) => Value::Str(text_of(cell)),
        ("bytes" | "vlbytes", Cell::Text(text)) => Value::Bin(text.as_bytes().into()),
        ("bytes" | "vlbytes", _) => return None,
        (_, Cell::Json(value)) => layers::value(value),
        ("list" | "struct", Cell::Text(text)) => layers::value(&serde_json::from_str(text).ok()?),
        (_, Cell::Text(text)) => Value::Str(text.into()),
    })
}

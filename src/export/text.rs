//! Human-readable values in NumPy's layout: nested brackets, aligned columns, and only the edges of arrays with more than a
//! thousand items.

use super::item::{Item, List};
use super::{Values, float::Real, nest::Nest};
use crate::array::{Dtype, Kind};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Only the edges of larger arrays are shown.
const THRESHOLD: u64 = 1000;
/// Entries shown at either end of an axis.
const EDGE: u64 = 3;
/// Line width in columns.
const LINE: usize = 75;

/// Collects the text of all shown items, since their widths depend on each other.
#[derive(Debug)]
pub(super) struct Text<'a> {
    dtype: &'a Dtype,
    nest: Nest,
    at: u64,
    cells: Vec<String>,
}

impl<'a> Text<'a> {
    pub(super) const fn new(dtype: &'a Dtype, nest: Nest) -> Self {
        Self { dtype, nest, at: 0, cells: Vec::new() }
    }

    /// The first shown item from `item` on.
    fn next_shown(&self, item: u64) -> u64 {
        let hidden = |&axis: &usize| {
            let index = self.nest.index(item, axis);
            self.hides(axis) && (EDGE..self.nest.shape()[axis] - EDGE).contains(&index)
        };
        match (0..self.nest.ndim()).find(hidden) {
            Some(axis) => self.nest.entry(item, axis, self.nest.shape()[axis] - EDGE),
            None => item,
        }
    }

    /// Whether only the edges of the axis are shown.
    fn hides(&self, axis: usize) -> bool {
        self.nest.len() > THRESHOLD && self.nest.shape()[axis] > 2 * EDGE
    }

    /// The text of the entries from an axis on.
    fn layout(&self, axis: usize, cells: &mut impl Iterator<Item = String>) -> String {
        if axis == self.nest.ndim() {
            return cells.next().unwrap_or_default();
        }
        let hides = self.hides(axis);
        let shown = if hides { 2 * EDGE } else { self.nest.shape()[axis] };
        let mut entries: Vec<String> = (0..shown).map(|_| self.layout(axis + 1, cells)).collect();
        if hides {
            entries.insert(EDGE as usize, "...".into());
        }
        let indent = " ".repeat(axis + 1);
        let inner_axes = self.nest.ndim() - axis - 1;
        let body = match inner_axes {
            0 => wrapped(&entries, &indent, LINE - 1 - axis),
            _ => entries.join(&("\n".repeat(inner_axes) + &indent)),
        };
        format!("[{body}]")
    }
}

impl Values for Text<'_> {
    fn write(&mut self, items: &[u8], _: &mut Vec<u8>) {
        let size = self.dtype.itemsize();
        let start = self.at;
        self.at += (items.len() / size) as u64;
        let mut next = start;
        while next < self.at {
            next = self.next_shown(next);
            // At most the length of the given items, which fit in memory.
            let Some(bytes) = items.get((next - start) as usize * size..).filter(|_| next < self.at) else {
                break;
            };
            self.cells.push(cell(&Item::read(self.dtype, &bytes[..size])));
            next += 1;
        }
    }

    fn skippable(&self) -> u64 {
        if self.at < self.nest.len() { self.next_shown(self.at) - self.at } else { 0 }
    }

    fn skip(&mut self, count: u64) {
        debug_assert!(count <= self.skippable(), "only hidden items may be skipped");
        self.at += count;
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        debug_assert_eq!(self.at, self.nest.len(), "all items must be written");
        let mut cells = core::mem::take(&mut self.cells);
        align(&mut cells, self.dtype.kind());
        let text = if self.nest.len() == 0 { "[]".into() } else { self.layout(0, &mut cells.into_iter()) };
        out.extend(text.into_bytes());
        out.push(b'\n');
    }
}

/// Wraps entries to lines of a width, all but the first indented.
fn wrapped(entries: &[String], indent: &str, width: usize) -> String {
    let mut text = String::new();
    let mut column = indent.len();
    for (index, entry) in entries.iter().enumerate() {
        let len = entry.chars().count();
        if index > 0 && column + 1 + len > width {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(indent);
            column = indent.len();
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(entry);
        column += len;
    }
    text
}

/// Pads cells to a common width: floats at their points, text to the left, structures not at all.
fn align(cells: &mut [String], kind: &Kind) {
    match kind {
        Kind::Struct { .. } => return,
        Kind::Float => align_points(cells),
        _ => {}
    }
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    for cell in cells {
        *cell = match kind {
            Kind::Bytes | Kind::Str => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        };
    }
}

/// Pads the fractions to a common length. `nan` and `1e16` have none.
fn align_points(cells: &mut [String]) {
    let fraction_len = |cell: &String| cell.find('.').map(|point| cell.len() - point);
    let longest = cells.iter().filter_map(fraction_len).max().unwrap_or(0);
    for cell in cells {
        let missing = fraction_len(cell).map_or(0, |len| longest - len);
        cell.extend(core::iter::repeat_n(' ', missing));
    }
}

fn cell(value: &Item<'_>) -> String {
    match value {
        Item::Bool(value) => (if *value { "True" } else { "False" }).into(),
        Item::Int(value) => value.to_string(),
        Item::Uint(value) => value.to_string(),
        Item::Real(value) => value.to_string(),
        Item::Complex(re, im) => complex(*re, *im),
        Item::Time(value) => format!("'{}'", value.as_deref().unwrap_or("NaT")),
        Item::Bytes(bytes) | Item::Void(bytes) => format!("b'{}'", bytes.escape_ascii()),
        Item::Str(text) => quoted(text),
        // Refused before.
        Item::Object => String::new(),
        Item::List(values) => list(*values, values.bytes.len() as u64 > THRESHOLD * item_len(*values)),
        Item::Record(record) => {
            let parts: Vec<String> = record.fields().map(|(_, value)| cell(&value)).collect();
            format!("({})", parts.join(", "))
        }
    }
}

fn item_len(values: List<'_>) -> u64 {
    values.dtype.itemsize() as u64
}

/// A sub-array within a structure, on one line.
fn list(values: List<'_>, is_large: bool) -> String {
    let Some(entries) = values.entries() else { return cell(&Item::read(values.dtype, values.bytes)) };
    let (len, edge) = (entries.len(), EDGE as usize);
    let hides = is_large && len > 2 * edge;
    let shown = entries.enumerate().filter(|(index, _)| !hides || *index < edge || *index >= len - edge);
    let mut parts: Vec<String> = shown.map(|(_, entry)| list(entry, is_large)).collect();
    if hides {
        parts.insert(edge, "...".into());
    }
    format!("[{}]", parts.join(", "))
}

/// `1.0+2.0j`
pub(super) fn complex(re: Real, im: Real) -> String {
    let im = im.to_string();
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("{re}{sign}{im}j")
}

/// Quoted text, with control characters escaped.
fn quoted(text: &str) -> String {
    let escaped = |char: char| match char {
        '"' => "\"".to_owned(),
        char => char.escape_debug().to_string(),
    };
    format!("'{}'", text.chars().map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests;

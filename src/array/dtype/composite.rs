//! Sub-arrays and structures, parsed from Python literals.

use super::layout::Layout;
use super::literal::Cursor;
use super::{Dtype, Field, Kind, MAX_ITEMSIZE, MAX_SUBARRAY_DIMS, scalar, unknown};
use crate::{Limit, LimitError, Limits, Result};
use alloc::{boxed::Box, collections::BinaryHeap, string::String, vec::Vec};
use core::mem;
use core::ops::{Deref, DerefMut};

/// Bytes to charge for each byte of text: `'',` becomes a field in a vector that grows by doubling.
const BYTES_PER_TEXT_BYTE: u64 = 128;

/// The keys of the dict form: one list with a value for each field, or a value for the whole structure.
const KEYS: [&str; 6] = ["names", "formats", "offsets", "titles", "itemsize", "aligned"];

/// Parses a whole dtype.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Dtype> {
    let mut cursor = Cursor::new(text);
    let dtype = if matches!(cursor.peek(), b'[' | b'{' | b'(' | b'\'' | b'"') {
        limits.allow_memory((text.len() as u64).saturating_mul(BYTES_PER_TEXT_BYTE))?;
        let mut reader = Reader { cursor, levels: limits.depth, depth: limits.depth, aligned: false };
        let dtype = reader.dtype();
        cursor = reader.cursor;
        dtype
    } else {
        scalar::read(&mut cursor)
    };
    cursor.finish(dtype)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Levels of structure that may still be opened, and the limit.
    levels: u32,
    depth: u32,
    /// Inside an aligned structure, where all structures are aligned and NumPy does not repeat it.
    aligned: bool,
}

impl<'a> Deref for Reader<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.cursor
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl Reader<'_> {
    fn dtype(&mut self) -> Dtype {
        let first = self.peek();
        let start = self.at;
        let read = match first {
            b'[' => Self::listed,
            b'{' => Self::laid_out,
            b'(' => Self::pair,
            _ => return self.quoted(first),
        };
        if self.levels == 0 {
            let allowed = u64::from(self.depth);
            self.fail(LimitError { limit: Limit::Depth, wanted: allowed + 1, allowed }.into());
            return Dtype::void(0);
        }
        self.levels -= 1;
        let dtype = read(self, start);
        self.levels += 1;
        dtype
    }

    /// A type string.
    fn quoted(&mut self, first: u8) -> Dtype {
        // A class or a call: valid Python, but not what NumPy writes for a dtype.
        if first.is_ascii_alphabetic() && !matches!(first, b'u' | b'U') {
            self.fail(unknown());
        }
        let start = self.at as u64 + 1;
        let text = self.string();
        let mut inner = Cursor::new(&text);
        let dtype = scalar::read(&mut inner);
        inner.finish(dtype).unwrap_or_else(|error| {
            self.fail(error.shifted(start));
            Dtype::void(0)
        })
    }

    /// `('<i4', (2, 3))`, a sub-array; `(numpy.record, [...])`, a structure of record arrays.
    fn pair(&mut self, start: usize) -> Dtype {
        let mut dtype = Dtype::void(0);
        let (mut record, mut known) = (false, true);
        let mut parts = self.open(b'(', b')');
        while self.more(&mut parts) {
            match (parts.count, self.peek()) {
                (1, b'n') => record = self.word() == "numpy.record",
                (2, b'(' | b'0'..=b'9') => self.subarray(&mut dtype),
                (count, _) => {
                    dtype = self.dtype();
                    known = count == 1 || record;
                }
            }
        }
        if !matches!(parts.count, 1 | 2) {
            self.wrong(start);
        }
        if !known {
            self.fail(unknown());
        }
        dtype
    }

    /// Turns the item into a sub-array of the shape that follows. Like NumPy, merges nested sub-arrays into one.
    fn subarray(&mut self, item: &mut Dtype) {
        let mut dims = Vec::new();
        let tuple = self.peek() == b'(';
        let start = self.at;
        if tuple {
            let mut lens = self.open(b'(', b')');
            while self.more(&mut lens) {
                dims.push(self.size());
            }
        } else {
            dims.push(self.size());
        }
        if dims.is_empty() {
            return;
        }
        // Both factors have at most 31 bits. A product above the limit stays above it, unless an axis is empty.
        let enlarge = |bytes: u64, &dim: &usize| (bytes * dim as u64).min(MAX_ITEMSIZE + 1);
        let itemsize = dims.iter().fold(item.itemsize as u64, enlarge);
        let inner = mem::replace(item, Dtype::void(itemsize as usize));
        let inner = match inner.kind {
            Kind::Subarray { item, shape } => {
                dims.extend(shape);
                item
            }
            _ => Box::new(inner),
        };
        if dims.len() > MAX_SUBARRAY_DIMS || itemsize > MAX_ITEMSIZE {
            self.wrong(start);
        }
        item.kind = Kind::Subarray { item: inner, shape: dims };
    }

    /// `[('a', '<i4'), …]`: each field starts where the previous one ends. Unnamed void fields are gaps, as in `.npy`
    /// headers.
    fn listed(&mut self, start: usize) -> Dtype {
        let mut fields = Vec::new();
        let mut layout = Layout::new(self.aligned);
        let mut items = self.open(b'[', b']');
        while self.more(&mut items) {
            let mut field = self.field();
            layout.append(&mut field);
            if !(field.name.is_empty() && matches!(field.dtype.kind, Kind::Void)) {
                fields.push(field);
            }
        }
        self.structure(start, fields, layout.rounded())
    }

    /// `('a', '<i4')`, `('a', '<i4', (2, 3))`
    fn field(&mut self) -> Field {
        let mut field = Field::blank();
        self.peek();
        let start = self.at;
        let mut parts = self.open(b'(', b')');
        while self.more(&mut parts) {
            match parts.count {
                1 => self.name(&mut field),
                2 => field.dtype = self.dtype(),
                _ => self.subarray(&mut field.dtype),
            }
        }
        if !matches!(parts.count, 2 | 3) {
            self.wrong(start);
        }
        field
    }

    /// `'name'`, or `('title', 'name')`.
    fn name(&mut self, field: &mut Field) {
        let pair = self.take(b'(');
        if pair {
            field.title = self.title();
            self.expect(b',');
        }
        field.name = self.string();
        if pair {
            self.expect(b')');
        }
    }

    fn title(&mut self) -> Option<String> {
        if self.peek() == b'N' && self.word() == "None" {
            return None;
        }
        Some(self.string())
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': 12}`
    fn laid_out(&mut self, start: usize) -> Dtype {
        let mut fields = Vec::new();
        let mut counts = [None; 4];
        let mut itemsize = None;
        let mut aligned = self.aligned;
        let mut entries = self.open(b'{', b'}');
        while self.more(&mut entries) {
            let name = self.string();
            let key = KEYS.iter().position(|known| *known == name).unwrap_or(KEYS.len());
            if key == KEYS.len() {
                self.fail(unknown());
            }
            self.expect(b':');
            match key {
                0..4 => counts[key] = Some(self.column(key, &mut fields)),
                4 => itemsize = Some(self.size()),
                _ => aligned |= self.bool(),
            }
        }
        if aligned && !self.aligned {
            // NumPy writes `aligned` last, but it applies to the nested structures before it.
            self.at = start;
            self.aligned = true;
            let dtype = self.laid_out(start);
            self.aligned = false;
            return dtype;
        }
        if counts[0].is_none() && counts[1].is_none() {
            // `{'a': ('<i4', 0)}` is an older spelling that NumPy does not write.
            self.fail(unknown());
        }
        let mut layout = Layout::new(aligned);
        for field in &mut fields {
            match counts[2] {
                Some(_) => layout.place(field),
                None => layout.append(field),
            }
        }
        let itemsize = itemsize.unwrap_or(layout.rounded());
        let needed = counts
            .iter()
            .enumerate()
            .all(|(key, count)| count.map_or(key >= 2, |count| count == fields.len()));
        if !needed || itemsize < layout.furthest {
            self.wrong(start);
        }
        self.structure(start, fields, itemsize)
    }

    /// A list with one value for each field.
    fn column(&mut self, key: usize, fields: &mut Vec<Field>) -> usize {
        let mut items = if self.peek() == b'(' { self.open(b'(', b')') } else { self.open(b'[', b']') };
        while self.more(&mut items) {
            if items.count > fields.len() {
                fields.push(Field::blank());
            }
            let field = &mut fields[items.count - 1];
            match key {
                0 => field.name = self.string(),
                1 => field.dtype = self.dtype(),
                2 => field.offset = self.size(),
                _ => field.title = self.title(),
            }
        }
        items.count
    }

    fn structure(&mut self, start: usize, mut fields: Vec<Field>, itemsize: usize) -> Dtype {
        for (index, field) in fields.iter_mut().enumerate() {
            if field.name.is_empty() {
                // NumPy names unnamed fields.
                field.name = numbered(index);
            }
        }
        let mut labels = Vec::new();
        for field in &fields {
            labels.push(&field.name);
            labels.extend(&field.title);
        }
        // Heap sort: smallest code size.
        let labels = BinaryHeap::from(labels).into_sorted_vec();
        let twice = labels.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || itemsize as u64 > MAX_ITEMSIZE {
            self.wrong(start);
        }
        Dtype { kind: Kind::Struct { fields, aligned: self.aligned }, ..Dtype::void(itemsize) }
    }
}

/// `f` followed by the number. Formats by hand: `format!` would double the size of this code.
pub(super) fn numbered(index: usize) -> String {
    let mut name = if index < 10 { "f".into() } else { numbered(index / 10) };
    name.push(char::from(b'0' + (index % 10) as u8));
    name
}

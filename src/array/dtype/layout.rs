//! The layout of a structure: where its fields end, and its size.

use super::{Dtype, Field, Kind, MAX_ITEMSIZE};

/// The fields placed so far.
///
/// Explicit offsets are not checked against the alignment: it depends on the writer's machine.
pub(super) struct Layout {
    /// The end of the last field.
    end: usize,
    /// The end of the field that reaches furthest.
    pub(super) furthest: usize,
    /// The alignment of the structure: its size is a multiple of this.
    alignment: usize,
    aligned: bool,
}

impl Layout {
    pub(super) const fn new(aligned: bool) -> Self {
        Self { end: 0, furthest: 0, alignment: 1, aligned }
    }

    /// Places a field after the last one.
    pub(super) fn append(&mut self, field: &mut Field) {
        let alignment = if self.aligned { alignment(&field.dtype) } else { 1 };
        field.offset = self.end.next_multiple_of(alignment);
        self.place(field);
    }

    /// Records a field at the offset that it has.
    pub(super) fn place(&mut self, field: &Field) {
        if self.aligned {
            self.alignment = self.alignment.max(alignment(&field.dtype));
        }
        // Both terms have at most 31 bits. A sum above the limit stays above it.
        self.end = (field.offset + field.dtype.itemsize).min(MAX_ITEMSIZE as usize + 1);
        self.furthest = self.furthest.max(self.end);
    }

    /// The size of the structure where the file does not give it.
    pub(super) const fn rounded(&self) -> usize {
        self.furthest.next_multiple_of(self.alignment)
    }
}

/// The alignment that C compilers for 64-bit machines choose.
pub(super) fn alignment(dtype: &Dtype) -> usize {
    match &dtype.kind {
        Kind::Bool | Kind::Bytes | Kind::Void => 1,
        Kind::Str => 4,
        Kind::Complex => real_alignment(dtype.itemsize / 2),
        Kind::Subarray { item, .. } => alignment(item),
        Kind::Struct { fields, aligned: true } => {
            fields.iter().map(|field| alignment(&field.dtype)).max().unwrap_or(1)
        }
        Kind::Struct { .. } => 1,
        _ => real_alignment(dtype.itemsize),
    }
}

/// Numbers are aligned to their size, except the `long double` of 32-bit machines.
const fn real_alignment(size: usize) -> usize {
    if size == 12 { 4 } else { size }
}

//! How far the fields of a structure reach.

use super::{Dtype, Kind};

/// The fields placed so far.
///
/// That explicit offsets fit the alignment is not asked for: it is that of the writer's machine.
pub(super) struct Extent {
    /// The end of the last field.
    end: u64,
    /// The end of the field that reaches furthest.
    pub(super) furthest: u64,
    /// What the structure's size is a multiple of.
    alignment: u64,
    aligned: bool,
}

impl Extent {
    pub(super) const fn new(aligned: bool) -> Self {
        Self { end: 0, furthest: 0, alignment: 1, aligned }
    }

    /// Puts a field behind the last one, and gives its offset.
    pub(super) fn append(&mut self, dtype: &Dtype) -> Option<usize> {
        let alignment = if self.aligned { alignment(dtype) } else { 1 };
        let offset = usize::try_from(self.end.next_multiple_of(alignment)).ok()?;
        Some(self.place(offset, dtype))
    }

    /// Puts a field where the file says.
    pub(super) fn place(&mut self, offset: usize, dtype: &Dtype) -> usize {
        if self.aligned {
            self.alignment = self.alignment.max(alignment(dtype));
        }
        // Each is of 31 bits, and a text has not enough fields to overflow 64.
        self.end = offset as u64 + dtype.itemsize as u64;
        self.furthest = self.furthest.max(self.end);
        offset
    }

    /// The size of the structure, if the file does not say it.
    pub(super) const fn rounded(&self) -> u64 {
        self.furthest.next_multiple_of(self.alignment)
    }
}

/// How C compilers for 64-bit machines align it.
fn alignment(dtype: &Dtype) -> u64 {
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
const fn real_alignment(size: usize) -> u64 {
    if size == 12 { 4 } else { size as u64 }
}

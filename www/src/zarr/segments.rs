//! The bytes of a chunk that were read.

use crate::sections::{Sections, f64s};
use alloc::vec::Vec;
use b2nd::{Error, FormatError, Malformed, Result};
use core::ops::Range;

/// Parts of a chunk, in order.
pub(super) struct Segments<'a> {
    list: Vec<(u64, &'a [u8])>,
}

impl<'a> Segments<'a> {
    /// Reads the remaining sections: the starts of the parts, then their bytes.
    pub(super) fn new(mut sections: Sections<'a>) -> Self {
        let starts = f64s(sections.section());
        Self { list: starts.map(|start| start as u64).zip(sections).collect() }
    }

    /// The bytes at the start of the chunk.
    pub(super) fn head(&self) -> &'a [u8] {
        self.list.first().filter(|(start, _)| *start == 0).map_or(&[], |(_, bytes)| bytes)
    }

    /// All of these bytes, which are in one part.
    pub(super) fn get(&self, range: Range<u32>) -> Result<&'a [u8]> {
        let range = u64::from(range.start)..u64::from(range.end);
        let before = self.list.partition_point(|(start, _)| *start <= range.start);
        // A part that begins later may overlap with the head, which has all that is at the start.
        let found = self.list[..before].iter().rev().find_map(|(start, bytes)| {
            bytes.get((range.start - start) as usize..(range.end - start) as usize)
        });
        found.ok_or_else(|| self.truncated(range.end))
    }

    /// The error of a chunk that ends before `needed` bytes.
    pub(super) fn truncated(&self, needed: u64) -> Error {
        truncated(needed, self.list.last().map_or(0, |(start, bytes)| start + bytes.len() as u64))
    }
}

/// The error of a chunk that has only the first bytes of those that are needed.
pub(super) fn truncated(needed: u64, available: u64) -> Error {
    let what = Malformed::Truncated { needed, available };
    FormatError { what, offset: None, chunk: None, block: None }.into()
}

//! Brackets and separators of rows and objects.

use super::{ExportError, Format};
use alloc::vec::Vec;

/// Writes entries: in JSON a list of them, else a line each. One that was indexed is no list.
#[derive(Debug)]
pub(super) struct List {
    has_brackets: bool,
    is_empty: bool,
}

impl List {
    /// Fails for formats of items.
    pub(super) fn new(format: Format, single: bool) -> Result<Self, ExportError> {
        match format {
            Format::Npy | Format::Raw => Err(ExportError::Rows),
            _ => Ok(Self { has_brackets: format == Format::Json && !single, is_empty: true }),
        }
    }

    /// Begins the next entry.
    pub(super) fn begin(&mut self, out: &mut Vec<u8>) {
        if self.has_brackets {
            out.extend(if self.is_empty { &b"["[..] } else { b",\n" });
        }
        self.is_empty = false;
    }

    /// Ends an entry.
    pub(super) fn end(&self, out: &mut Vec<u8>) {
        if !self.has_brackets {
            out.push(b'\n');
        }
    }

    /// The end of all.
    pub(super) fn finish(&self, out: &mut Vec<u8>) {
        if self.has_brackets {
            out.extend(if self.is_empty { &b"[]\n"[..] } else { b"]\n" });
        }
    }
}

//! Ranges of bytes in the output.

use crate::output::Output;
use core::ops::Range;

/// Writes ranges of bytes. Merges adjacent ones.
pub(crate) struct Ranges<'o> {
    output: &'o mut Output,
    last: Option<u32>,
}

impl<'o> Ranges<'o> {
    pub(crate) const fn new(output: &'o mut Output) -> Self {
        Self { output, last: None }
    }

    pub(crate) fn push(&mut self, range: Range<u32>) {
        if self.last == Some(range.start) {
            self.output.cut(4);
        } else {
            self.output.push(&range.start.to_le_bytes());
        }
        self.output.push(&range.end.to_le_bytes());
        self.last = Some(range.end);
    }
}

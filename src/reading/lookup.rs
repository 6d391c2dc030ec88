//! Finding the bytes of a chunk in those that were brought.

use crate::base::{Error, Malformed, Result};
use crate::frame::{Part, Request};
use core::ops::Range;

/// Requests, sorted as [`merge`](super::merge()) leaves them, and what was brought for each: fewer bytes where a part ends
/// earlier.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'r, 'b> {
    pub(super) requests: &'r [Request],
    pub(super) answers: &'r [&'b [u8]],
}

impl<'b> Lookup<'_, 'b> {
    /// The bytes of a range of a part, as far as they are there; they are in one request.
    pub(super) fn some(&self, part: Part, range: &Range<u64>) -> Result<&'b [u8]> {
        let after = self
            .requests
            .partition_point(|request| (request.part, request.range.start) <= (part, range.start));
        let number = after.saturating_sub(1);
        let (Some(request), Some(answer)) = (self.requests.get(number), self.answers.get(number)) else {
            return Ok(&[]);
        };
        if let (Part::Chunk(file), true) = (request.part, answer.is_empty()) {
            return Err(Error::format(Malformed::MissingChunk { file }));
        }
        let within = |at: u64| answer.len().min(at.saturating_sub(request.range.start) as usize);
        Ok(&answer[within(range.start)..within(range.end)])
    }

    /// All of these bytes of a chunk that begins at byte `offset` of a part.
    pub(super) fn all(&self, part: Part, offset: u64, range: &Range<u32>) -> Result<&'b [u8]> {
        let bytes = self.some(part, &at(offset, range))?;
        if bytes.len() < range.len() {
            let start = range.start as usize;
            return Err(Error::truncated(start, range.len(), start + bytes.len()));
        }
        Ok(bytes)
    }
}

/// Bytes of a chunk that begins at byte `offset` of its part.
pub(super) fn at(offset: u64, range: &Range<u32>) -> Range<u64> {
    let [start, end] = [range.start, range.end].map(|at| offset.saturating_add(at.into()));
    start..end
}

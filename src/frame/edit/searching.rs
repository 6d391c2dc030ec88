//! Finding the unused bytes of a frame that was opened, sans I/O.

use super::super::location::Location;
use super::super::request::{Exchange, Part, Request};
use super::FrameEditor;
use crate::base::{ArgumentError, Result};
use crate::chunk::Header;
use crate::chunk::wire::EXTENDED_HEADER;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::ops::Range;

/// Chunks that are looked at for unused space behind them: a small read each.
const MAX_CHUNKS: usize = 1024;

/// The exchange that finds the unused bytes of a contiguous frame, for [`FrameEditor::reuse`]: behind the chunks that are the
/// farthest from what follows. It finds none where chunks overlap or cannot be read.
#[derive(Debug)]
pub struct SpaceSearch {
    /// Chunks, where they begin and where the next ones do.
    spans: Vec<Span>,
    requests: Vec<Request>,
    found: UnusedSpace,
}

/// The start of a chunk, its number, and the start of what follows.
type Span = [u64; 3];

/// Unused space that a [`SpaceSearch`] has found.
#[derive(Debug, Default)]
pub struct UnusedSpace {
    pub(super) ranges: Vec<Range<u64>>,
    /// Chunks that were looked at, and their stored bytes.
    pub(super) cbytes: Vec<(u64, u32)>,
}

impl SpaceSearch {
    /// Searches a frame that was opened and has not been changed.
    pub fn new(frame: &FrameEditor) -> Self {
        let (start, end) = frame.bounds();
        let stored = |nchunk| match frame.locate(nchunk) {
            Ok(Location::Stored { part: Part::Frame, offset }) => Some([offset, nchunk, 0]),
            _ => None,
        };
        let mut spans: Vec<Span> = sorted((0..frame.nchunks()).filter_map(stored).collect());
        spans.dedup_by_key(|[start, ..]| *start);
        let bounds = start..end;
        if spans.iter().any(|[start, ..]| !bounds.contains(start)) {
            return Self { spans: Vec::new(), requests: Vec::new(), found: UnusedSpace::default() };
        }
        let before = start..spans.first().map_or(end, |[first, ..]| *first);
        let mut next = end;
        for [start, _, follows] in spans.iter_mut().rev() {
            (*follows, next) = (next, *start);
        }
        if spans.len() > MAX_CHUNKS {
            let lens = spans.iter().map(|[start, nchunk, next]| [next - start, *nchunk, *next]);
            let longest = sorted(lens.collect()).split_off(spans.len() - MAX_CHUNKS);
            spans = sorted(longest.iter().map(|[len, nchunk, next]| [next - len, *nchunk, *next]).collect());
        }
        let head = |start| Request { part: Part::Frame, range: start..start + EXTENDED_HEADER as u64 };
        let requests = spans.iter().map(|[start, ..]| head(*start)).collect();
        Self { spans, requests, found: UnusedSpace { ranges: [before].into(), cbytes: Vec::new() } }
    }
}

impl Exchange for SpaceSearch {
    type Outcome = UnusedSpace;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(&self.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if answers.len() != self.requests.len() {
            return Err(ArgumentError::Unfinished.into());
        }
        self.requests.clear();
        for ([start, nchunk, next], bytes) in self.spans.iter().zip(answers) {
            match Header::parse(bytes) {
                Ok(header) if start + u64::from(header.cbytes) <= *next => {
                    self.found.ranges.push(start + u64::from(header.cbytes)..*next);
                    self.found.cbytes.push((*nchunk, header.cbytes));
                }
                _ => {
                    self.found = UnusedSpace::default();
                    break;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<UnusedSpace> {
        if self.requests.is_empty() { Ok(self.found) } else { Err(ArgumentError::Unfinished.into()) }
    }
}

/// By the first number. This is the sort with the least code.
fn sorted(spans: Vec<Span>) -> Vec<Span> {
    BinaryHeap::from(spans).into_sorted_vec()
}

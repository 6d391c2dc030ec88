//! Finding the unused bytes of a frame that was opened, sans I/O.

use super::super::location::Location;
use super::super::request::{Exchange, Part, Request};
use super::FrameEditor;
use crate::base::{ArgumentError, Result};
use crate::chunk::Header;
use crate::chunk::wire::EXTENDED_HEADER;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

/// Chunks that are looked at for unused space behind them: a small read each.
const MAX_CHUNKS: usize = 1024;

/// The exchange that finds the unused bytes of a contiguous frame, for [`FrameEditor::reuse`]: behind the chunks that are the
/// farthest from what follows. It finds none where chunks overlap or cannot be read.
#[derive(Debug)]
pub struct SpaceSearch {
    /// Chunks, and where they begin and the next ones do, in order.
    spans: Vec<(Range<u64>, u64)>,
    requests: Vec<Request>,
    found: UnusedSpace,
}

/// What a [`SpaceSearch`] has found.
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
            Ok(Location::Stored { part: Part::Frame, offset }) => Some((offset, nchunk)),
            _ => None,
        };
        let mut chunks: Vec<(u64, u64)> = (0..frame.nchunks()).filter_map(stored).collect();
        chunks.sort_unstable();
        chunks.dedup_by_key(|(offset, _)| *offset);
        let first = chunks.first().map_or(end, |(offset, _)| *offset);
        let nexts = chunks.iter().skip(1).map(|(offset, _)| *offset).chain([end]);
        let spans = chunks.iter().zip(nexts).map(|((at, nchunk), next)| (*at..next, *nchunk));
        let mut spans: Vec<_> = spans.collect();
        if spans.len() > MAX_CHUNKS {
            spans.sort_unstable_by_key(|(span, _)| Reverse(span.end.saturating_sub(span.start)));
            spans.truncate(MAX_CHUNKS);
            spans.sort_unstable_by_key(|(span, _)| span.start);
        }
        let head = |start| Request { part: Part::Frame, range: start..start + EXTENDED_HEADER as u64 };
        let requests = spans.iter().map(|(span, _)| head(span.start)).collect();
        let before = start..first.max(start);
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
        for ((span, nchunk), bytes) in self.spans.iter().zip(answers) {
            match Header::parse(bytes) {
                Ok(header) if span.start + u64::from(header.cbytes) <= span.end => {
                    self.found.ranges.push(span.start + u64::from(header.cbytes)..span.end);
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

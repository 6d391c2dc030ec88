//! How large the chunks are, where the frame does not say.

use super::lookup::Lookup;
use super::merge::merge;
use super::plan::Chunks;
use crate::base::{ArgumentError, Result};
use crate::chunk::{EXTENDED_HEADER, Header};
use crate::frame::{Exchange, Location, Request, Run};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Headers that are asked for at once, at most.
const BATCH: usize = 4 << 10;

/// The exchange that reads the headers of all chunks: of chunks in a row of one size how many there are, and that size.
pub(crate) struct SizesReading<'a> {
    chunks: Chunks<'a>,
    runs: Box<dyn Iterator<Item = Run> + 'a>,
    asked: Vec<Run>,
    requests: Vec<Request>,
    sizes: Vec<(u64, u32)>,
}

impl<'a> SizesReading<'a> {
    /// Of the chunks of a frame.
    ///
    /// # Errors
    /// `Limit` if there are too many to be counted.
    pub(crate) fn new(chunks: Chunks<'a>) -> Result<Self> {
        /// Bytes that are kept for a run of chunks, here and in the super-chunk.
        const EACH: u64 = 40;
        let runs = chunks.index.runs();
        chunks.dparams.limits.allow_memory(chunks.index.runs().count() as u64 * EACH)?;
        let (asked, requests, sizes) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { chunks, runs: Box::new(runs), asked, requests, sizes })
    }

    fn push(&mut self, Run { chunks, .. }: Run, size: u32) {
        let more = chunks.end - chunks.start;
        match self.sizes.last_mut() {
            Some((count, same)) if *same == size => *count += more,
            _ => self.sizes.push((more, size)),
        }
    }
}

impl SizesReading<'_> {
    /// Asks for the headers of the next chunks.
    fn ask_headers(&mut self) -> Result<()> {
        self.asked.extend(self.runs.by_ref().take(BATCH));
        for run in &self.asked {
            if let Location::Stored { part, offset } = run.location.clone()? {
                let range = offset..offset.saturating_add(EXTENDED_HEADER as u64);
                self.requests.push(Request { part, range });
            }
        }
        merge(&mut self.requests, &self.chunks.merge);
        Ok(())
    }

    fn take(&mut self, answers: &[&[u8]]) -> Result<()> {
        for run in core::mem::take(&mut self.asked) {
            let nchunk = run.chunks.start;
            let header = match run.location.clone()? {
                Location::Special(value) => self.chunks.frame.header.special_chunk(nchunk, value)?,
                Location::Stored { part, offset } => {
                    let lookup = Lookup { requests: &self.requests, answers };
                    let range = offset..offset.saturating_add(EXTENDED_HEADER as u64);
                    let header = lookup.some(part, &range).and_then(Header::parse);
                    header.map_err(|error| error.shifted(offset).in_chunk(nchunk))?
                }
            };
            self.push(run, header.nbytes);
        }
        self.requests.clear();
        Ok(())
    }
}

impl Exchange for SizesReading<'_> {
    type Outcome = Vec<(u64, u32)>;

    fn ask(&mut self) -> Result<&[Request]> {
        while self.requests.is_empty() {
            self.ask_headers()?;
            match (self.asked.is_empty(), self.requests.is_empty()) {
                (true, _) => break,
                // All of them are special.
                (_, true) => self.take(&[])?,
                _ => {}
            }
        }
        Ok(&self.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if answers.len() != self.requests.len() {
            return Err(ArgumentError::NotAsked.into());
        }
        self.take(answers)
    }

    fn finish(mut self) -> Result<Self::Outcome> {
        let done = self.asked.is_empty() && self.runs.next().is_none();
        if done { Ok(self.sizes) } else { Err(ArgumentError::Unfinished.into()) }
    }
}

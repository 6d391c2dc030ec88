//! Decoding all of a chunk and keeping nothing.

use super::lookup::{Lookup, at};
use super::merge::merge;
use super::plan::{Chunks, ReadingMemory};
use super::wave::BatchLimit;
use crate::base::{ArgumentError, Result};
use crate::chunk::{Body, Discard, Head, Header, PIECE, Progress};
use crate::frame::{Exchange, Part, Request};
use alloc::vec::Vec;
use core::ops::Range;

/// The exchange that decodes all blocks of a stored chunk, one after the other. Blocks that are stored in one place are
/// decoded once.
#[derive(Debug)]
pub(crate) struct ChunkCheck<'a> {
    chunks: Chunks<'a>,
    part: Part,
    offset: u64,
    /// Bytes that the head takes, as its header says.
    needed: u64,
    head: Vec<u8>,
    /// The blocks to come, and how many of them were asked for.
    blocks: Vec<u32>,
    asked: usize,
    progress: Progress,
    memory: &'a mut ReadingMemory,
}

impl<'a> ChunkCheck<'a> {
    /// Of the chunk with this header, which begins at byte `offset` of a part.
    pub(crate) fn new(
        chunks: Chunks<'a>,
        (part, offset): (Part, u64),
        header: &Header,
        memory: &'a mut ReadingMemory,
    ) -> Self {
        let (head, blocks, progress) = (Vec::new(), Vec::new(), Progress::default());
        Self { chunks, part, offset, needed: header.table_end(), head, blocks, asked: 0, progress, memory }
    }

    fn take_head(&mut self, bytes: &[u8]) -> Result<()> {
        let head = Head::parse(bytes)?;
        self.blocks = distinct(&head.cut_into(PIECE));
        self.head = Vec::from(&bytes[..head.header().table_end() as usize]);
        Ok(())
    }

    fn ask_head(&mut self) -> Result<()> {
        let range = self.offset..self.offset.saturating_add(self.needed);
        self.chunks.dparams.limits.allow_memory(self.needed)?;
        self.memory.requests.push(Request { part: self.part, range });
        Ok(())
    }

    fn ask_blocks(&mut self) -> Result<()> {
        let ReadingMemory { starts, requests, .. } = &mut *self.memory;
        let head = Head::parse(&self.head)?.cut_into(PIECE);
        let spans = head.spans(&mut starts.starts);
        let mut limit = BatchLimit::new(&self.chunks.merge);
        let mut push =
            |range| limit.push(Request { part: self.part, range: at(self.offset, &range) }, requests);
        spans.shared(self.progress.has_first())?.for_each(|range| _ = push(range));
        self.asked = 0;
        for &nblock in &self.blocks {
            self.asked += 1;
            if !push(spans.block(nblock)?) {
                break;
            }
        }
        Ok(())
    }

    fn take_blocks(&mut self, answers: &[&[u8]]) -> Result<()> {
        let ReadingMemory { scratch, starts, requests, .. } = &mut *self.memory;
        let head = Head::parse(&self.head)?.cut_into(PIECE);
        let spans = head.spans(&mut starts.starts);
        let lookup = Lookup { requests, answers };
        let mut get = |range: Range<u32>| lookup.all(self.part, self.offset, &range);
        let rest = self.blocks.split_off(self.asked);
        let mut blocks = core::mem::replace(&mut self.blocks, rest).into_iter();
        let place = (&spans, self.chunks.context);
        head.read(place, &mut blocks, &mut get, &mut self.progress, &mut Discard, scratch)?;
        if self.blocks.is_empty() { self.progress.check(head.header()) } else { Ok(()) }
    }
}

impl Exchange for ChunkCheck<'_> {
    type Outcome = ();

    fn ask(&mut self) -> Result<&[Request]> {
        self.memory.requests.clear();
        if self.head.is_empty() {
            self.ask_head()?;
        }
        // Blocks that take no bytes of their own are decoded at once.
        while self.memory.requests.is_empty() && !self.blocks.is_empty() {
            self.ask_blocks()?;
            merge(&mut self.memory.requests, &self.chunks.merge);
            if self.memory.requests.is_empty() {
                self.take_blocks(&[])?;
            }
        }
        Ok(&self.memory.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if answers.len() != self.memory.requests.len() {
            return Err(ArgumentError::NotAsked.into());
        }
        match answers {
            [head] if self.head.is_empty() => self.take_head(head),
            _ => self.take_blocks(answers),
        }
    }

    fn finish(self) -> Result<()> {
        let done = !self.head.is_empty() && self.blocks.is_empty();
        if done { Ok(()) } else { Err(ArgumentError::Unfinished.into()) }
    }
}

/// The blocks that are stored, in the order of their places, and one for each place; but all in their order where they vary
/// in length.
fn distinct(head: &Head<'_>) -> Vec<u32> {
    let Header { body, nblocks, .. } = *head.header();
    let mut blocks: Vec<u32> = (0..nblocks).collect();
    match body {
        Body::VlBlocks => return blocks,
        Body::Special(_) => return Vec::new(),
        _ => {}
    }
    // A start that cannot be stays, to be complained of.
    let place = |nblock: &u32| (head.start(*nblock).unwrap_or(u32::MAX), *nblock);
    blocks.sort_unstable_by_key(place);
    blocks.dedup_by_key(|nblock| (place(nblock).0, head.plain_range(*nblock).len()));
    blocks
}

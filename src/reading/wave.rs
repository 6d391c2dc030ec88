//! Chunks that are read at the same time.

use super::chunk::ChunkReading;
use super::lookup::{Lookup, at};
use super::merge::Merge;
use crate::base::{Error, Limits, Result};
use crate::chunk::{Context, Head, Progress, Scratch, Spans};
use crate::frame::{Part, Request};
use crate::plan::{ChunkTask, Plan};
use alloc::vec::Vec;
use core::ops::Range;

/// A chunk that is stored, on its way to the result.
#[derive(Debug)]
pub(super) struct StoredChunk {
    pub(super) task: ChunkTask,
    pub(super) part: Part,
    pub(super) offset: u64,
    /// Bytes from its start that are asked for first.
    pub(super) asked: u64,
    /// Its head, within what the wave keeps of heads.
    head: Option<Range<usize>>,
    progress: Progress,
    /// The first block that is not decoded yet, and the first one that is not asked for either.
    decoded: u32,
    next: u32,
}

/// The state that the chunks of a wave share.
pub(super) struct WaveShared<'a, 'm> {
    pub(super) plan: &'a Plan,
    pub(super) context: Context<'a>,
    pub(super) limits: &'a Limits,
    pub(super) heads: &'m mut Vec<u8>,
    pub(super) starts: &'m mut BlockStarts,
    pub(super) scratch: &'m mut Scratch,
    pub(super) out: &'m mut [u8],
}

/// The starts of one chunk's blocks, in order.
#[derive(Debug, Default)]
pub(super) struct BlockStarts {
    /// The chunk.
    nchunk: Option<u64>,
    pub(super) starts: Vec<u32>,
}

impl BlockStarts {
    /// Forgets them: another frame has a chunk of that number, too.
    pub(super) const fn clear(&mut self) {
        self.nchunk = None;
    }

    /// The spans of chunk `nchunk`. They are asked for twice, before its blocks are brought and after that.
    fn spans<'a>(&mut self, nchunk: u64, head: &Head<'a>) -> Spans<'a, '_> {
        if self.nchunk.replace(nchunk) == Some(nchunk) {
            return head.spans_in(&self.starts);
        }
        head.spans(&mut self.starts)
    }
}

impl StoredChunk {
    pub(super) fn new(task: ChunkTask, part: Part, offset: u64, asked: u64) -> Self {
        Self { task, part, offset, asked, head: None, progress: Progress::default(), decoded: 0, next: 0 }
    }

    /// Whether its first bytes must be brought before its blocks.
    pub(super) const fn needs_head(&self) -> bool {
        self.head.is_none() && !self.is_decoded()
    }

    /// Whether all that is wanted of it is in its place.
    pub(super) const fn is_decoded(&self) -> bool {
        self.decoded == u32::MAX
    }

    /// Its first bytes.
    pub(super) fn first(&self) -> Request {
        Request { part: self.part, range: self.offset..self.offset.saturating_add(self.asked) }
    }

    /// Takes the first bytes: keeps its head, if that is there, and decodes the chunk at once if all of it is.
    #[inline(never)]
    pub(super) fn take_first(
        &mut self,
        lookup: Lookup<'_, '_>,
        shared: &mut WaveShared<'_, '_>,
    ) -> Result<()> {
        let bytes = lookup.some(self.part, &self.first().range)?;
        match ChunkReading::open(shared.plan, &self.task, shared.context, bytes)? {
            Err(needed) if (bytes.len() as u64) < self.asked => {
                Head::parse(bytes).and(Err(Error::truncated(0, needed as usize, bytes.len())))
            }
            Err(needed) => {
                self.asked = shared.limits.allow_memory(needed)? as u64;
                Ok(())
            }
            Ok(reading) if bytes.len() >= reading.header().cbytes as usize => {
                let all = 0..u32::MAX;
                let mut get = |range: Range<u32>| Ok(&bytes[range.start as usize..range.end as usize]);
                let WaveShared { starts, scratch, out, .. } = shared;
                let spans = starts.spans(self.task.nchunk(), reading.head());
                reading.decode_some(all, &spans, &mut get, &mut self.progress, *scratch, out)?;
                (self.decoded, self.next) = (u32::MAX, u32::MAX);
                Ok(())
            }
            Ok(reading) => {
                let start = shared.heads.len();
                shared.heads.extend(&bytes[..reading.header().table_end() as usize]);
                self.head = Some(start..shared.heads.len());
                Ok(())
            }
        }
    }

    /// Asks for blocks as long as there is limit for them; false once there is none.
    #[inline(never)]
    pub(super) fn ask(
        &mut self,
        requests: &mut Vec<Request>,
        limit: &mut BatchLimit,
        shared: &mut WaveShared<'_, '_>,
    ) -> Result<bool> {
        let Some(head) = self.head.clone().filter(|_| self.next < u32::MAX) else { return Ok(true) };
        let (part, offset) = (self.part, self.offset);
        let head = Head::parse(&shared.heads[head])?;
        let reading = ChunkReading::of_head(shared.plan, &self.task, shared.context, head)?;
        let spans = shared.starts.spans(self.task.nchunk(), reading.head());
        reading.ranges_from(&mut self.next, &self.progress, &spans, |range| {
            limit.push(Request { part, range: at(offset, &range) }, requests)
        })?;
        Ok(self.next == u32::MAX)
    }

    /// Decodes the blocks that were asked for.
    #[inline(never)]
    pub(super) fn take(&mut self, lookup: Lookup<'_, '_>, shared: &mut WaveShared<'_, '_>) -> Result<()> {
        let Some(head) = self.head.clone().filter(|_| self.decoded < self.next) else { return Ok(()) };
        let WaveShared { plan, context, heads, starts, scratch, out, .. } = shared;
        let head = Head::parse(&heads[head])?;
        let reading = ChunkReading::of_head(plan, &self.task, *context, head)?;
        let mut get = |range: Range<u32>| lookup.all(self.part, self.offset, &range);
        let blocks = self.decoded..self.next;
        let spans = starts.spans(self.task.nchunk(), reading.head());
        reading.decode_some(blocks, &spans, &mut get, &mut self.progress, *scratch, out)?;
        self.decoded = self.next;
        Ok(())
    }
}

/// How much may still be asked for in a batch.
pub(super) struct BatchLimit {
    bytes: u64,
    blocks: u32,
    requests: usize,
}

impl BatchLimit {
    /// Blocks in one batch.
    const BLOCKS: u32 = 4 << 10;

    pub(super) const fn new(merge: &Merge) -> Self {
        Self { bytes: merge.batch, blocks: Self::BLOCKS, requests: merge.requests }
    }

    /// Takes a range, which goes on from the last one or is a request more; false if it is the last one.
    pub(super) fn push(&mut self, request: Request, requests: &mut Vec<Request>) -> bool {
        let len = request.range.end - request.range.start;
        self.blocks = self.blocks.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(len);
        match requests.last_mut() {
            Some(last) if last.part == request.part && last.range.end == request.range.start => {
                last.range.end = request.range.end;
            }
            Some(last) if *last == request => {}
            _ if len == 0 => {}
            _ => {
                self.requests = self.requests.saturating_sub(1);
                requests.push(request);
            }
        }
        self.blocks > 0 && self.bytes > 0 && self.requests > 0
    }
}

//! Reading what a plan wants of a frame.

use super::chunk::ChunkReading;
use super::lookup::Lookup;
use super::merge::{Merge, merge};
use super::wave::{BatchLimit, BlockStarts, StoredChunk, WaveShared};
use crate::base::{ArgumentError, Error, Result, buffer_len};
use crate::chunk::{Context, DParams, Scratch};
use crate::frame::{ChunkIndex, Exchange, Frame, Location, Part, Request};
use crate::plan::{ChunkTask, Plan, TouchedChunks};
use alloc::vec::Vec;

/// The chunks of a frame, and how to read them.
#[derive(Debug, Clone, Copy)]
pub struct Chunks<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// Where its chunks are.
    pub index: &'a ChunkIndex,
    /// The parameters for decoding: those of the array, or else of the frame.
    pub context: Context<'a>,
    /// The parameters of decoding, with the limits of what a chunk may ask for.
    pub dparams: &'a DParams,
    /// How ranges become requests.
    pub merge: Merge,
}

/// ReadingMemory of a [`PlanReading`], to be used again and again.
#[derive(Debug, Default)]
pub struct ReadingMemory {
    /// The decoder's.
    pub(crate) scratch: Scratch,
    wave: Vec<StoredChunk>,
    /// Heads of the chunks of a wave.
    heads: Vec<u8>,
    pub(super) starts: BlockStarts,
    pub(super) requests: Vec<Request>,
}

impl ReadingMemory {
    /// None yet; with these limits and codecs.
    pub fn new(dparams: &DParams) -> Self {
        Self { scratch: Scratch::new(dparams), ..Self::default() }
    }
}

/// The exchange that reads what a plan wants, in waves of chunks: first the heads of all chunks of a wave, then their
/// blocks.
///
/// ```
/// use b2nd::{DParams, Reader, Selection, Error};
/// use b2nd::reading::{Chunks, ReadingMemory, Merge, PlanReading};
/// use b2nd::wire::Exchange;
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// # let dparams = DParams::default();
/// let reader = Reader::open(&file[..], dparams.clone())?;
/// let plan = reader.plan(&"3:5, ::7".parse::<Selection>()?)?;
/// let mut out = vec![0; plan.nbytes()];
/// let chunks = Chunks {
///     frame: reader.frame(),
///     index: reader.index()?,
///     context: reader.context(),
///     dparams: &dparams,
///     merge: Merge::NETWORK,
/// };
/// let mut memory = ReadingMemory::new(&dparams);
/// let mut reading = PlanReading::new(chunks, &plan, &mut memory, &mut out)?;
/// loop {
///     // All of them may be under way at the same time.
///     let requests = reading.ask()?;
///     if requests.is_empty() {
///         break;
///     }
///     let bytes = |range: &std::ops::Range<u64>| &file[range.start as usize..range.end.min(file.len() as u64) as usize];
///     let answers: Vec<&[u8]> = requests.iter().map(|request| bytes(&request.range)).collect();
///     reading.give(&answers)?;
/// }
/// reading.finish()?;
/// assert_eq!(out, reader.get(&"3:5, ::7".parse::<Selection>()?)?);
/// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Debug)]
pub struct PlanReading<'a> {
    chunks: Chunks<'a>,
    plan: &'a Plan,
    /// The plan that this is a share of, and in how many shares it is.
    whole: (&'a Plan, u64),
    tasks: TouchedChunks<'a>,
    /// The first task of the next wave, if it has been looked at.
    next: Option<ChunkTask>,
    /// Where chunks begin, in order, if a request costs so much that it is worth to know.
    starts: Vec<u64>,
    memory: &'a mut ReadingMemory,
    out: &'a mut [u8],
}

impl<'a> PlanReading<'a> {
    /// Reads what `plan` wants to `out`.
    ///
    /// # Errors
    /// `Argument` if `out` has not [`Plan::nbytes`] bytes.
    pub fn new(
        chunks: Chunks<'a>,
        plan: &'a Plan,
        memory: &'a mut ReadingMemory,
        out: &'a mut [u8],
    ) -> Result<Self> {
        buffer_len(plan.nbytes(), out)?;
        memory.wave.clear();
        memory.heads.clear();
        memory.starts.clear();
        let starts = if chunks.merge.gap > 0 { chunks.index.starts() } else { Vec::new() };
        Ok(Self {
            chunks,
            plan,
            whole: (plan, 1),
            tasks: TouchedChunks::new(plan),
            next: None,
            starts,
            memory,
            out,
        })
    }

    /// The reading, whose plan is one of so many shares of another. They are asked for together: a chunk that they want as a whole is
    /// read with one request.
    #[cfg(feature = "std")]
    pub(crate) fn of(self, whole: &'a Plan, shares: usize) -> Self {
        Self { whole: (whole, shares as u64), ..self }
    }

    /// The chunks of the wave, the requests, and what these chunks are read with.
    fn wave(&mut self) -> (&mut Vec<StoredChunk>, &mut Vec<Request>, WaveShared<'a, '_>) {
        let ReadingMemory { scratch, wave, heads, starts, requests } = &mut *self.memory;
        let (plan, context, limits) = (self.plan, self.chunks.context, &self.chunks.dparams.limits);
        (wave, requests, WaveShared { plan, context, limits, heads, starts, scratch, out: self.out })
    }

    /// Asks for blocks of the wave's chunks; false if none is left.
    fn ask_blocks(&mut self) -> Result<bool> {
        if self.memory.wave.iter().any(StoredChunk::needs_head) {
            return Ok(true);
        }
        let mut limit = BatchLimit::new(&self.chunks.merge);
        let (wave, requests, mut shared) = self.wave();
        let mut left = false;
        for chunk in wave {
            let (offset, nchunk) = (chunk.offset, chunk.task.nchunk());
            left |= !chunk.is_decoded();
            let all = chunk
                .ask(requests, &mut limit, &mut shared)
                .map_err(|error| error.shifted(offset).in_chunk(nchunk))?;
            if !all {
                break;
            }
        }
        Ok(left)
    }

    /// Goes on to chunks that can be read at the same time. Those that are stored nowhere are decoded on the way.
    #[inline(never)]
    fn next_wave(&mut self) -> Result<()> {
        self.memory.wave.clear();
        self.memory.heads.clear();
        let mut room = self.chunks.merge.batch;
        while let Some(task) = self.next.take().or_else(|| self.tasks.next()) {
            let (part, offset) = match self.locate(task.nchunk())? {
                Location::Special(value) => {
                    let nchunk = task.nchunk();
                    let decoded = self.fill(&task, value);
                    decoded.map_err(|error| error.in_chunk(nchunk))?;
                    continue;
                }
                Location::Stored { part, offset } => (part, offset),
            };
            let (asked, cost) = self.first_bytes(&task, part, offset);
            if cost > room && !self.memory.wave.is_empty() {
                self.next = Some(task);
                return Ok(());
            }
            room = room.saturating_sub(cost);
            let wave = &mut self.memory.wave;
            // Mostly there is one chunk, and the heap may be small.
            wave.reserve_exact(usize::from(wave.is_empty()));
            wave.push(StoredChunk::new(task, part, offset, asked));
            if room == 0 || self.memory.wave.len() == WAVE {
                return Ok(());
            }
        }
        Ok(())
    }

    fn locate(&self, nchunk: u64) -> Result<Location> {
        let Chunks { index, .. } = self.chunks;
        if nchunk >= index.nchunks() {
            // Where chunks differ in size, the frame's header does not say how many there are.
            return Err(Error::mismatch("nchunks", index.nchunks(), nchunk + 1));
        }
        index.locate(nchunk)
    }

    fn fill(&mut self, task: &ChunkTask, value: crate::chunk::SpecialValue) -> Result<()> {
        let header = self.chunks.frame.header.special_chunk(task.nchunk(), value)?;
        let reading = ChunkReading::of_special(self.plan, task, self.chunks.context, header)?;
        let ReadingMemory { scratch, starts, .. } = &mut *self.memory;
        reading.decode(&mut |_| Ok(&[]), &mut starts.starts, scratch, self.out)
    }

    /// How many bytes of a chunk to ask for first, and how many are likely to be asked for in all.
    fn first_bytes(&self, task: &ChunkTask, part: Part, offset: u64) -> (u64, u64) {
        let head = ChunkReading::expected_head(&self.chunks.frame.header, self.plan, task);
        if self.starts.is_empty() || part != Part::Frame {
            // One chunk makes a wave.
            return (head, u64::MAX);
        }
        let next = self.starts.partition_point(|start| *start <= offset);
        let end = self.starts.get(next).copied().unwrap_or(self.chunks.frame.header.index_start());
        let extent = end.saturating_sub(offset);
        let blocksize = ChunkReading::expected_blocksize(&self.chunks.frame.header, self.plan);
        let blocks = task.nbytes().div_ceil(u64::from(blocksize).max(1)).max(1);
        let (whole, shares) = self.whole;
        let wanted = whole.count_blocks(task, blocksize);
        // As much as a thousandth of a batch goes for each chunk in any case.
        let least = (self.chunks.merge.batch >> 12).max(1);
        if extent <= self.chunks.merge.batch.saturating_mul(shares)
            && ChunkReading::is_read_whole(Some(extent), head, wanted, blocks)
        {
            return (extent, extent.max(least));
        }
        (head, (head + extent / blocks * wanted).max(least))
    }
}

impl PlanReading<'_> {
    /// Makes the next requests, of which there may be none; false if nothing is left to be read.
    fn ask_next(&mut self) -> Result<bool> {
        self.memory.requests.clear();
        let mut more = self.ask_blocks()?;
        if !more {
            self.next_wave()?;
            more = !self.memory.wave.is_empty();
        }
        let ReadingMemory { wave, requests, .. } = &mut *self.memory;
        let first = wave.iter().filter(|chunk| chunk.needs_head()).map(StoredChunk::first);
        requests.extend(first);
        merge(requests, &self.chunks.merge);
        Ok(more)
    }

    fn take(&mut self, answers: &[&[u8]]) -> Result<()> {
        let (wave, requests, mut shared) = self.wave();
        let lookup = Lookup { requests, answers };
        for chunk in wave {
            let taken = if chunk.needs_head() {
                chunk.take_first(lookup, &mut shared)
            } else {
                chunk.take(lookup, &mut shared)
            };
            taken.map_err(|error| error.shifted(chunk.offset).in_chunk(chunk.task.nchunk()))?;
        }
        Ok(())
    }
}

impl Exchange for PlanReading<'_> {
    type Outcome = ();

    fn ask(&mut self) -> Result<&[Request]> {
        while self.ask_next()? && self.memory.requests.is_empty() {
            // Chunks that take no bytes besides their heads.
            self.take(&[])?;
        }
        Ok(&self.memory.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if answers.len() != self.memory.requests.len() {
            return Err(ArgumentError::NotAsked.into());
        }
        self.take(answers)
    }

    fn finish(mut self) -> Result<()> {
        if self.ask()?.is_empty() { Ok(()) } else { Err(ArgumentError::Unfinished.into()) }
    }
}

/// Chunks of one wave at most.
const WAVE: usize = 4 << 10;

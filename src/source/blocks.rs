//! Reading what a plan wants of one chunk: its head, then only the blocks that it needs.

use super::job::{Job, Place, Sink};
use super::memory::{BlockMemory, Memory};
use super::reader::Reader;
use super::{ReadAt, ReadError};
use crate::base::{Error, Result};
use crate::chunk::{Blocks, Body, Chunk, EXTENDED_HEADER, Head, Header, Scratch, Spans};
use crate::codec;
use crate::frame::Location;
use alloc::vec::Vec;
use core::iter::Peekable;
use core::ops::Range;

/// Blocks that lie side by side, or in the same place, are read at once, up to so many bytes.
const AT_ONCE: u32 = 1 << 20;
/// And so many of them.
const RUN: usize = 4 << 10;
/// Chunks that have no compressed blocks can be cut anyhow; into pieces of so many bytes at most.
pub(super) const PIECE: u32 = 1 << 20;

impl<S: ReadAt> Reader<S> {
    /// Reads one chunk's part of a plan.
    pub(super) fn read_chunk(
        &self,
        location: Location,
        job: &mut Job<'_>,
        memory: &mut Memory,
    ) -> Result<(), ReadError<S::Error>> {
        let piece = PIECE.min(job.plan.tile_nbytes() as u32);
        match location {
            Location::Special(value) => {
                let header = self.frame().header.special_chunk(job.task.nchunk(), value)?;
                header.check_nbytes(job.task.nbytes())?;
                let head = Head::of_special(header).cut_into(piece);
                let mut wanted = job.plan.blocks(job.task, head.header().blocksize);
                let mut decoder = Blocks::new(&head, &[], self.context(), &mut memory.scratch)?;
                wanted.try_for_each(|nblock| Ok(job.decode(&mut decoder, nblock, &[])?))
            }
            Location::Stored { part, offset } => {
                let place = Place { part, offset };
                self.read_stored(place, piece, job, memory)
                    .map_err(|error| error.map_blosc(|error| error.shifted(offset)))
            }
        }
    }

    fn read_stored(
        &self,
        place: Place,
        piece: u32,
        job: &mut Job<'_>,
        memory: &mut Memory,
    ) -> Result<(), ReadError<S::Error>> {
        let Memory { scratch, head, table, blocks } = memory;
        let head = self.read_head(place, self.head_guess(job), head, table)?.cut_into(piece);
        head.header().check_nbytes(job.task.nbytes())?;
        if head.header().body == Body::VlBlocks {
            return self.read_whole(place, head.header(), job, scratch, &mut blocks.bytes);
        }
        let wanted = job.plan.blocks(job.task, head.header().blocksize);
        self.read_blocks(place, &head, wanted, (scratch, blocks), job)
    }

    /// Reads blocks, neighbours and those that share a place at once, and hands them on.
    pub(super) fn read_blocks(
        &self,
        place: Place,
        head: &Head<'_>,
        wanted: impl Iterator<Item = u32>,
        (scratch, memory): (&mut Scratch, &mut BlockMemory),
        sink: &mut impl Sink,
    ) -> Result<(), ReadError<S::Error>> {
        let BlockMemory { dict, first, bytes, starts, run } = memory;
        let mut wanted = wanted.peekable();
        let spans = head.spans(starts);
        let section = match spans.dict() {
            Some(range) => self.read_range(place, range, dict)?,
            None => &[],
        };
        let in_pairs = codec::in_pairs(head.header().codec);
        let mut decoder = Blocks::new(head, section, self.context(), scratch)?;
        while let Some(range) = neighbours(&mut wanted, &spans, run)? {
            if decoder.needs_first() && run.iter().any(|&nblock| nblock > 0) {
                decoder.give_first(self.read_range(place, spans.block(0)?, first)?)?;
            }
            let bytes = self.read_range(place, range.clone(), bytes)?;
            let block = |nblock| {
                let block = spans.block(nblock)?;
                let at = (block.start - range.start) as usize..(block.end - range.start) as usize;
                Ok::<_, Error>((nblock, &bytes[at]))
            };
            for (at, &nblock) in run.iter().enumerate() {
                let now = block(nblock)?;
                if in_pairs
                    && let Some(&next) = run.get(at + 1)
                    && let Ok(next) = block(next)
                {
                    sink.look_ahead(&mut decoder, now, next);
                }
                sink.take(&mut decoder, now.0, now.1)?;
            }
        }
        Ok(())
    }

    /// Variable-length blocks have no places of their own: the chunk is decoded as a whole.
    fn read_whole(
        &self,
        place: Place,
        header: &Header,
        job: &mut Job<'_>,
        scratch: &mut Scratch,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ReadError<S::Error>> {
        self.dparams.limits.allow_memory(header.cbytes.into())?;
        let bytes = self.read_range(place, 0..header.cbytes, buffer)?;
        let plain = Chunk::with_context(bytes, self.context())?.decode(scratch)?;
        job.plan.place(job.task, 0, &plain, job.out);
        Ok(())
    }

    /// How long the chunk's head is, if the frame is right about the size of blocks.
    fn head_guess(&self, job: &Job<'_>) -> u64 {
        /// Longer ones are read once the chunk itself says so.
        const MOST: u64 = 64 << 10;
        /// The reference makes no smaller blocks.
        const LEAST_BLOCK: u64 = 32;
        let blocksize = match self.frame().header.blocksize {
            0 => job.plan.tile_nbytes() as u64,
            blocksize => blocksize.into(),
        };
        let nblocks = job.task.nbytes().div_ceil(blocksize.max(LEAST_BLOCK));
        (EXTENDED_HEADER as u64 + 4 * nblocks).min(MOST)
    }

    pub(super) fn read_head<'b>(
        &'b self,
        place: Place,
        guess: u64,
        buffer: &'b mut Vec<u8>,
        longer: &'b mut Vec<u8>,
    ) -> Result<Head<'b>, ReadError<S::Error>> {
        let bytes = self.read_part(place, guess, buffer)?;
        let len = Header::parse(bytes)?.table_end();
        if len <= bytes.len() as u64 {
            return Ok(Head::parse(bytes)?);
        }
        self.dparams.limits.allow_memory(len)?;
        Ok(Head::parse(self.read_part(place, len, longer)?)?)
    }

    /// The bytes `range` of a chunk, all of them.
    pub(super) fn read_range<'b>(
        &'b self,
        place: Place,
        range: Range<u32>,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], ReadError<S::Error>> {
        let len = range.len();
        let at = Place { offset: place.offset + u64::from(range.start), ..place };
        let bytes = self.read_part(at, len as u64, buffer)?;
        if bytes.len() < len {
            return Err(
                Error::truncated(range.start as usize, len, range.start as usize + bytes.len()).into()
            );
        }
        Ok(bytes)
    }
}

/// Moves the next blocks to `run` as long as each lies beside the one before, or in its place, and tells where their
/// bytes are.
fn neighbours(
    wanted: &mut Peekable<impl Iterator<Item = u32>>,
    spans: &Spans<'_, '_>,
    run: &mut Vec<u32>,
) -> Result<Option<Range<u32>>> {
    run.clear();
    let Some(first) = wanted.next() else { return Ok(None) };
    let mut all = spans.block(first)?;
    let mut last = all.clone();
    run.push(first);
    while let Some(&nblock) = wanted.peek() {
        let next = spans.block(nblock)?;
        let near = next == last || next.start == all.end && next.end - all.start <= AT_ONCE;
        if !near || run.len() == RUN {
            break;
        }
        all.end = next.end;
        last = next;
        run.extend(wanted.next());
    }
    Ok(Some(all))
}

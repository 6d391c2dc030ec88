//! Chunks of a frame, fetched to a buffer as far as they are needed.

use super::{AreaWork, ReadFlash};
use crate::base::{ArgumentError, Error, Limit, LimitError, Result, Unsupported};
use crate::chunk::{Blocks, Body, Context, Head, Header, Progress, Sink, Window};
use crate::source::ReadError;
use core::iter::once;
use core::ops::Range;

/// A frame's place in a memory, and why that failed.
pub(super) struct Source<M: ReadFlash> {
    pub(super) memory: M,
    place: Range<u32>,
    failure: Option<M::Error>,
}

impl<M: ReadFlash> Source<M> {
    pub(super) fn new(memory: M, place: Range<u32>) -> Self {
        Self { memory, place: place.start..place.end.max(place.start), failure: None }
    }

    /// Bytes of the frame.
    pub(super) const fn len(&self) -> u32 {
        self.place.end - self.place.start
    }

    /// Cuts off what follows the frame.
    pub(super) fn cut(&mut self, len: u64) -> Result<()> {
        let len = u32::try_from(len).ok().filter(|&len| len <= self.len());
        let len = len.ok_or_else(|| missing(0..u32::MAX, self.len()))?;
        self.place.end = self.place.start + len;
        Ok(())
    }

    /// Fetches bytes of the frame to the start of a buffer, from which they are taken.
    pub(super) fn fetch<'b>(&mut self, range: Range<u32>, buffer: &mut &'b mut [u8]) -> Result<&'b [u8]> {
        if range.end > self.len() {
            return Err(missing(range, self.len()));
        }
        let len = range.len();
        if len > buffer.len() {
            let (wanted, allowed) = (len as u64, buffer.len() as u64);
            return Err(LimitError { limit: Limit::Memory, wanted, allowed }.into());
        }
        let (taken, rest) = core::mem::take(buffer).split_at_mut(len);
        *buffer = rest;
        if len > 0
            && let Err(error) = self.memory.read(self.place.start + range.start, taken)
        {
            self.failure = Some(error);
            // The caller is told the other one.
            return Err(missing(range, 0));
        }
        Ok(taken)
    }

    /// The result of a call: the memory's own error if that failed.
    pub(super) fn told<T>(&mut self, result: Result<T>) -> Result<T, ReadError<M::Error>> {
        result.map_err(|error| self.failure.take().map_or(ReadError::Blosc(error), ReadError::Source))
    }
}

/// Bytes that are not there.
#[cold]
fn missing(range: Range<u32>, available: u32) -> Error {
    Error::truncated(range.start as usize, range.len(), available as usize)
}

/// A chunk whose head is fetched.
pub(super) struct Fetched<'b, M: ReadFlash> {
    source: &'b mut Source<M>,
    /// Where it begins in the frame.
    at: u32,
    pub(super) head: Head<'b>,
    context: Context<'b>,
    /// The buffer behind the head.
    rest: &'b mut [u8],
}

impl<'b, M: ReadFlash> Fetched<'b, M> {
    /// Fetches the head of the chunk at an offset, at once if it is no longer than `expected`.
    pub(super) fn open(
        source: &'b mut Source<M>,
        (at, expected): (u32, u32),
        context: Context<'b>,
        buffer: &'b mut [u8],
    ) -> Result<Self> {
        let len = source.len().saturating_sub(at);
        let range = |needed: u32| at..at + needed.min(len);
        let expected = range(expected.min(u32::try_from(buffer.len()).unwrap_or(u32::MAX)));
        let first = source.fetch(expected.clone(), &mut &mut *buffer)?;
        let needed = Head::needed(first).map_err(|error| error.shifted(at.into()))?;
        let needed = range(u32::try_from(needed).unwrap_or(u32::MAX));
        if needed.end > expected.end {
            source.fetch(needed.clone(), &mut &mut *buffer)?;
        }
        // What was fetched too much stays, too: the head may be taken from there again.
        let fetched = (needed.end.max(expected.end) - at) as usize;
        let (head, rest) = buffer.split_at_mut_checked(fetched).ok_or_else(|| missing(needed, at))?;
        let head = Head::parse(head).map_err(|error| error.shifted(at.into()))?;
        let cbytes = head.header().cbytes;
        if cbytes > len {
            return Err(missing(at..at.saturating_add(cbytes), source.len()));
        }
        Ok(Self { source, at, head, context, rest })
    }

    /// A chunk that is stored nowhere.
    pub(super) fn of_special(source: &'b mut Source<M>, head: Head<'b>, rest: &'b mut [u8]) -> Self {
        Self { source, at: 0, head, context: Context::default(), rest }
    }

    /// Cuts it into blocks of `blocksize` bytes, or fewer if there is no room for these, if it has no compressed ones.
    pub(super) fn cut(&mut self, blocksize: u32) {
        self.head = self.head.cut_into(blocksize.min(u32::try_from(self.rest.len()).unwrap_or(u32::MAX)));
    }

    /// Block `nblock`, plain.
    pub(super) fn block<'w>(&mut self, nblock: u32, work: &'w mut AreaWork<'_>) -> Result<&'w [u8]> {
        let (head, context) = (self.head, self.context);
        Blocks::single(&head, nblock, self.block_bytes(nblock)?, context, work)
    }

    /// Fetches the bytes of a block: its dictionary, the first block if it refers to that, and its own.
    #[inline(always)]
    pub(super) fn block_bytes(&mut self, nblock: u32) -> Result<[&[u8]; 3]> {
        let nblocks = self.head.header().nblocks;
        if nblock >= nblocks {
            return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
        }
        let [dict, first, own] = self.head.starts().with_shared(nblock)?;
        let (source, at, mut rest) = (&mut *self.source, self.at, &mut *self.rest);
        let mut get = |range: Range<u32>| source.fetch(at + range.start..at + range.end, &mut rest);
        Ok([get(dict)?, get(first)?, get(own)?])
    }

    /// Copies the plain bytes from `at` on to `dst`. Blocks are of one length.
    pub(super) fn bytes_into(&mut self, at: usize, dst: &mut [u8], work: &mut AreaWork<'_>) -> Result<()> {
        let mut blocks = self.blocks_of(at, dst.len())?;
        self.read(&mut blocks, &mut Window { start: at, dst }, &mut Progress::default(), work)
    }

    /// The blocks, of one length, that the `len` plain bytes from `at` on are in.
    pub(super) fn blocks_of(&mut self, at: usize, len: usize) -> Result<Range<u32>> {
        let header = self.head.header();
        if header.body == Body::VlBlocks {
            return Err(Unsupported::VariableBlocks.into());
        }
        if len == 0 {
            return Ok(0..0);
        }
        self.cut(header.blocksize);
        let Header { nbytes, blocksize, .. } = *self.head.header();
        let end = at.checked_add(len).filter(|&end| end <= nbytes as usize);
        let end = end.ok_or_else(|| Error::truncated(at, len, nbytes as usize))? as u32;
        let blocksize = blocksize.max(1);
        Ok(at as u32 / blocksize..end.div_ceil(blocksize))
    }

    /// Decodes blocks for `sink`, each of which is fetched where the one before it was.
    pub(super) fn read(
        &mut self,
        blocks: &mut dyn Iterator<Item = u32>,
        sink: &mut dyn Sink,
        progress: &mut Progress,
        work: &mut AreaWork<'_>,
    ) -> Result<()> {
        let (source, at, head) = (&mut *self.source, self.at, self.head);
        let spans = head.starts();
        for nblock in blocks {
            let mut rest = &mut *self.rest;
            let mut get = |range: Range<u32>| source.fetch(at + range.start..at + range.end, &mut rest);
            head.read((&spans, self.context), &mut once(nblock), &mut get, progress, sink, work)?;
        }
        Ok(())
    }
}

//! Reading blocks of a chunk: from the bytes that somebody brings to whoever takes them.

use super::block::Context;
use super::blocks::Blocks;
use super::head::{Head, Spans};
use super::header::{Body, Header};
use super::memory::DecodeMemory;
use super::sink::Sink;
use crate::base::{Error, Result};
#[cfg(feature = "alloc")]
use crate::codec;
use core::iter::Peekable;
use core::ops::Range;

/// How far the blocks of a chunk have been read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Progress {
    /// Plain bytes of the first block in the memory, where others refer to it.
    first: Option<usize>,
    /// Plain bytes of the variable-length blocks that have been read.
    plain: u32,
}

impl Progress {
    /// Whether the first block need not be brought again.
    #[cfg(feature = "alloc")]
    pub(crate) const fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// Tells whether the blocks make up their chunk, all of them having been read if they vary in length.
    ///
    /// # Errors
    /// `Format` if not.
    pub(crate) fn check(&self, header: &Header) -> Result<()> {
        if header.body == Body::VlBlocks && self.plain != header.nbytes {
            return Err(Error::mismatch("nbytes", header.nbytes.into(), self.plain.into()));
        }
        Ok(())
    }
}

impl Head<'_> {
    /// Decodes `blocks` for `sink`: some, in their order, or all from the first one on where they vary in length. `get`
    /// has the bytes of the chunk that `spans` tells.
    ///
    /// # Errors
    /// Errors of `get`; `Format`, `Unsupported` and `Limit` for the data.
    pub(crate) fn read<'d>(
        &self,
        (spans, context): (&Spans<'_, '_>, Context<'_>),
        blocks: &mut dyn Iterator<Item = u32>,
        get: &mut dyn FnMut(Range<u32>) -> Result<&'d [u8]>,
        progress: &mut Progress,
        sink: &mut dyn Sink,
        memory: &mut dyn DecodeMemory,
    ) -> Result<()> {
        let mut blocks = blocks.peekable();
        if blocks.peek().is_none() {
            return Ok(());
        }
        let dict = spans.dict().map_or(Ok(&[][..]), &mut *get)?;
        let mut decoder = Blocks::new(self, dict, context, progress.first, memory)?;
        let done = decoder.read(spans, blocks, get, &mut progress.plain, sink);
        progress.first = decoder.first();
        done
    }
}

impl Blocks<'_, '_> {
    /// `plain` bytes come before those of these blocks, where they vary in length.
    #[cfg_attr(
        not(feature = "alloc"),
        allow(clippy::while_let_on_iterator, reason = "with `alloc` the block after is looked at")
    )]
    fn read<'d>(
        &mut self,
        spans: &Spans<'_, '_>,
        mut blocks: Peekable<&mut dyn Iterator<Item = u32>>,
        get: &mut dyn FnMut(Range<u32>) -> Result<&'d [u8]>,
        plain: &mut u32,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut get = |nblock| {
            let range = spans.block(nblock)?;
            if range.is_empty() { Ok(&[][..]) } else { get(range) }
        };
        while let Some(nblock) = blocks.next() {
            #[cfg(feature = "alloc")]
            let has_first = sink.has_first() && self.head().header().body != Body::VlBlocks;
            #[cfg(not(feature = "alloc"))]
            let has_first = false;
            if nblock > 0 && !has_first && self.needs_first() {
                self.give_first(get(0)?)?;
            }
            let bytes = get(nblock)?;
            #[cfg(feature = "alloc")]
            if self.head().header().body == Body::VlBlocks {
                self.read_variable(nblock, bytes, plain, sink)?;
                continue;
            }
            #[cfg(feature = "alloc")]
            if codec::in_pairs(self.head().header().codec)
                && let Some(&next) = blocks.peek()
                && sink.takes_whole(self.head(), nblock)
                && sink.takes_whole(self.head(), next)
                && let Ok(others) = get(next)
            {
                self.look_ahead((nblock, bytes), (next, others));
            }
            sink.take(self, nblock, bytes)?;
        }
        Ok(())
    }

    /// Decodes a block of variable length, whose place in the plain chunk is the end of the one before it.
    #[cfg(feature = "alloc")]
    fn read_variable(
        &mut self,
        nblock: u32,
        bytes: &[u8],
        start: &mut u32,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let header = *self.head().header();
        let plain = self.decode(nblock, bytes)?;
        let (len, left) = (plain.len() as u32, header.nbytes - *start);
        if len > left {
            return Err(Error::mismatch("block length", len.into(), left.into()).in_block(nblock));
        }
        sink.take_plain(*start as usize, plain)?;
        *start += len;
        Ok(())
    }
}

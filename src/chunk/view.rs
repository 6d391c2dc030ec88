//! A chunk that lies in memory.

use super::block::Context;
use super::blocks::Blocks;
use super::head::Head;
use super::header::{Body, Header};
use super::memory::DecodeMemory;
use super::reading::Progress;
use super::sink::Sink;
use crate::base::{ArgumentError, Error, Result, SMALL, Unsupported, copy, slice_at};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::Range;

/// Pieces, in bytes, that chunks without compressed blocks are cut into at most.
pub(crate) const PIECE: u32 = 1 << 20;

/// Whether the starts of blocks are sorted. The sort takes more code than it saves time where code is dear.
const SORTS: bool = !SMALL && !cfg!(target_family = "wasm");

/// A chunk whose bytes are all there.
///
/// Making one checks the header and that neither the table nor the end is missing. Blocks are checked as they
/// are decoded.
///
/// ```
/// use b2nd::{Scratch, chunk::Chunk};
/// // Eight copied bytes: a Blosc1 header, then the data.
/// let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/// let chunk = Chunk::new(&bytes)?;
/// let mut scratch = Scratch::default();
/// assert_eq!(chunk.decode(&mut scratch)?, [1, 2, 3, 4, 5, 6, 7, 8]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    pub(super) head: Head<'a>,
    /// All of the chunk and nothing more.
    bytes: &'a [u8],
    pub(super) context: Context<'a>,
}

impl<'a> Chunk<'a> {
    /// The chunk at the start of `bytes`, which may go on after it.
    ///
    /// ```
    /// use b2nd::chunk::Chunk;
    /// // Eight copied bytes: a Blosc1 header, then the data.
    /// let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(Chunk::new(&bytes)?.header().nbytes, 8);
    /// assert!(Chunk::new(&bytes[..23]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` and `Unsupported` for what the header says or for bytes that are missing.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        Self::with_context(bytes, Context::default())
    }

    /// Opens a chunk that is part of a super-chunk.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::{Chunk, Context}};
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// // The frame's type size; that of the chunk is 1.
    /// let chunk = Chunk::with_context(&bytes, Context { itemsize: 4, ..Context::default() })?;
    /// let mut item = [0; 4];
    /// chunk.items_into(1..2, &mut item, &mut Scratch::default())?;
    /// assert_eq!(item, [5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`new`](Self::new).
    pub fn with_context(bytes: &'a [u8], context: Context<'a>) -> Result<Self> {
        let head = Head::parse(bytes)?;
        let bytes = slice_at(bytes, 0, head.header().cbytes as usize)?;
        Ok(Self { head, bytes, context })
    }

    /// A chunk that is one value throughout and is stored nowhere.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::{Chunk, Header, SpecialValue}};
    /// let chunk = Chunk::of_special(Header::of_special(SpecialValue::Nan, 8, 4)?);
    /// assert!(f32::from_le_bytes(*chunk.decode(&mut Scratch::default())?.first_chunk().unwrap()).is_nan());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_special(header: Header) -> Self {
        Self { head: Head::of_special(header), bytes: &[], context: Context::default() }
    }

    /// The header.
    ///
    /// ```
    /// use b2nd::chunk::{Body, Chunk};
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let chunk = Chunk::new(&bytes)?;
    /// assert_eq!((chunk.header().nbytes, &chunk.header().body), (8, &Body::Memcpyed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn header(&self) -> &Header {
        self.head.header()
    }

    /// Cuts it into blocks of another size, if it has no compressed ones.
    pub(crate) fn cut(&mut self, blocksize: u32) {
        self.head.cut(blocksize);
    }

    /// Block `nblock`, plain, in any memory.
    pub(crate) fn block_in<'s>(&self, nblock: u32, memory: &'s mut dyn DecodeMemory) -> Result<&'s [u8]> {
        let nblocks = self.header().nblocks;
        if nblock >= nblocks {
            return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
        }
        let ranges = self.head.starts().with_shared(nblock)?;
        let [dict, first, own] = ranges.map(|range| self.get(range));
        Blocks::single(&self.head, nblock, [dict?, first?, own?], self.context, memory)
    }

    /// Copies the plain bytes from `at` on to `dst`. Blocks are of one length.
    pub(crate) fn bytes_into(&self, at: usize, dst: &mut [u8], memory: &mut dyn DecodeMemory) -> Result<()> {
        let header = self.header();
        if header.body == Body::VlBlocks {
            return Err(Unsupported::VariableBlocks.into());
        }
        if dst.is_empty() {
            return Ok(());
        }
        // Chunks without compressed blocks take no more memory than a piece.
        let mut chunk = *self;
        chunk.cut(header.blocksize.min(PIECE));
        let header = chunk.header();
        let end = at.checked_add(dst.len()).filter(|&end| end <= header.nbytes as usize);
        let end = end.ok_or_else(|| Error::truncated(at, dst.len(), header.nbytes as usize))?;
        let blocksize = (header.blocksize as usize).max(1);
        let mut blocks = (at / blocksize) as u32..end.div_ceil(blocksize) as u32;
        chunk.read(&mut blocks, &mut Window { start: at, dst }, memory)
    }

    /// Decodes blocks for `sink`.
    pub(crate) fn read(
        &self,
        blocks: &mut dyn Iterator<Item = u32>,
        sink: &mut dyn Sink,
        memory: &mut dyn DecodeMemory,
    ) -> Result<()> {
        let mut progress = Progress::default();
        #[cfg(feature = "alloc")]
        let mut starts = Vec::new();
        // Many blocks in no order take memory, or else time.
        #[cfg(feature = "alloc")]
        let spans = if SORTS { self.head.spans(&mut starts) } else { self.head.starts() };
        #[cfg(not(feature = "alloc"))]
        let spans = self.head.starts();
        let place = (&spans, self.context);
        self.head.read(place, blocks, &mut |range| self.get(range), &mut progress, sink, memory)?;
        progress.check(self.header())
    }

    fn get(&self, range: Range<u32>) -> Result<&'a [u8]> {
        slice_at(self.bytes, range.start as usize, range.len())
    }
}

/// Plain bytes of a chunk, from byte `start` on.
pub(crate) struct Window<'a> {
    pub(crate) start: usize,
    pub(crate) dst: &'a mut [u8],
}

impl Window<'_> {
    /// The part of `dst` that lies in a plain range of the chunk.
    fn part(&self, plain: &Range<usize>) -> Range<usize> {
        plain.start.saturating_sub(self.start)..self.dst.len().min(plain.end - self.start)
    }
}

impl Sink for Window<'_> {
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let plain = blocks.head().plain_range(nblock);
        let part = self.part(&plain);
        if !SMALL && part.len() == plain.len() {
            return blocks.decode_into(nblock, bytes, &mut self.dst[part]);
        }
        let start = self.start + part.start - plain.start;
        let wanted = blocks.decode_range(nblock, bytes, start..start + part.len())?;
        copy(wanted, self.dst.get_mut(part).unwrap_or_default())
    }

    fn take_plain(&mut self, start: usize, plain: &[u8]) -> Result<()> {
        let part = self.part(&(start..start + plain.len()));
        self.dst[part.clone()].copy_from_slice(&plain[self.start + part.start - start..][..part.len()]);
        Ok(())
    }

    fn takes_whole(&self, head: &Head<'_>, nblock: u32) -> bool {
        let plain = head.plain_range(nblock);
        self.part(&plain).len() == plain.len()
    }
}

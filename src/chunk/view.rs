//! A chunk that lies in memory.

use super::block::Context;
use super::blocks::Blocks;
use super::head::Head;
use super::header::{Body, Header};
use super::memory::Memory;
use crate::base::{ArgumentError, Error, Result, Unsupported, slice_at};

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
    /// # Errors
    /// `Format` and `Unsupported` for what the header says or for bytes that are missing.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        Self::with_context(bytes, Context::default())
    }

    /// The same for a chunk that is part of a super-chunk.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_context(bytes: &'a [u8], context: Context<'a>) -> Result<Self> {
        let head = Head::parse(bytes)?;
        let bytes = slice_at(bytes, 0, head.header().cbytes as usize)?;
        Ok(Self { head, bytes, context })
    }

    /// A chunk that is one value throughout and is stored nowhere.
    pub fn of_special(header: Header) -> Self {
        Self { head: Head::of_special(header), bytes: &[], context: Context::default() }
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        self.head.header()
    }

    /// Whether blocks vary in length.
    pub(crate) fn is_variable(&self) -> bool {
        self.header().body == Body::VlBlocks
    }

    /// Cuts it into blocks of another size, if it has no compressed ones.
    pub(crate) fn cut(&mut self, blocksize: u32) {
        self.head.cut(blocksize);
    }

    /// Block `nblock`, plain, in any memory.
    pub(crate) fn block_in<'s>(&self, nblock: u32, memory: &'s mut dyn Memory) -> Result<&'s [u8]> {
        let nblocks = self.header().nblocks;
        if nblock >= nblocks {
            return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
        }
        self.blocks(nblock, memory)?.into_plain(nblock, self.block_bytes(nblock)?)
    }

    /// Copies the plain bytes from `at` on to `dst`. Blocks are of one length.
    pub(crate) fn bytes_into(&self, at: usize, dst: &mut [u8], memory: &mut dyn Memory) -> Result<()> {
        let header = self.header();
        if header.body == Body::VlBlocks {
            return Err(Unsupported::VariableBlocks.into());
        }
        if dst.is_empty() {
            return Ok(());
        }
        let end = at.checked_add(dst.len()).filter(|&end| end <= header.nbytes as usize);
        let end = end.ok_or_else(|| Error::truncated(at, dst.len(), header.nbytes as usize))?;
        let blocksize = header.blocksize as usize;
        let mut blocks = self.blocks(((end - 1) / blocksize) as u32, memory)?;
        let (mut at, mut dst) = (at, dst);
        while !dst.is_empty() {
            let nblock = at / blocksize;
            let len = dst.len().min((nblock + 1) * blocksize - at);
            let (now, later) = dst.split_at_mut(len);
            let start = at - nblock * blocksize;
            let bytes = self.block_bytes(nblock as u32)?;
            now.copy_from_slice(blocks.decode_range(nblock as u32, bytes, start..start + len)?);
            at += len;
            dst = later;
        }
        Ok(())
    }

    /// A decoder that is ready for all blocks up to `last`.
    pub(crate) fn blocks<'c, 's>(&'c self, last: u32, memory: &'s mut dyn Memory) -> Result<Blocks<'c, 's>> {
        let mut blocks = Blocks::with_memory(&self.head, self.dict_section(), self.context, memory)?;
        if last > 0 && blocks.needs_first() {
            blocks.give_first(self.block_bytes(0)?)?;
        }
        Ok(blocks)
    }

    /// What follows the table: the dictionary, if there is one, and all else.
    pub(super) fn dict_section(&self) -> &'a [u8] {
        &self.bytes[self.header().table_end() as usize..]
    }

    /// The bytes of a block, and those of others after it: only a variable-length block ends where the next
    /// one begins; streams know their lengths.
    pub(crate) fn block_bytes(&self, nblock: u32) -> Result<&'a [u8]> {
        let start = self.head.start(nblock)?;
        let end = match self.header() {
            Header { body: Body::VlBlocks, nblocks, .. } if nblock + 1 < *nblocks => {
                self.head.start(nblock + 1)?
            }
            Header { cbytes, .. } => *cbytes,
        };
        let bytes = self.bytes.get(start as usize..end as usize);
        bytes.ok_or_else(|| Error::field("bstart", end.into(), start.into()).in_block(nblock))
    }
}

//! A chunk that lies in memory.

use super::block::{Block, Context};
use super::blocks::Blocks;
use super::head::Head;
use super::header::{Body, Header};
use super::scratch::Scratch;
use crate::base::{ArgumentError, Error, Result, Unsupported, buffer_len, slice_at};
use alloc::vec::Vec;
use core::ops::Range;

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
    head: Head<'a>,
    /// All of the chunk and nothing more.
    bytes: &'a [u8],
    context: Context<'a>,
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

    /// Decodes the whole chunk into `dst`.
    ///
    /// # Errors
    /// `Argument` if `dst` has not [`Header::nbytes`] bytes; `Format`, `Unsupported` and `Limit` for the data.
    /// Then `dst` holds nothing of use.
    pub fn decode_into(&self, dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        buffer_len(self.header().nbytes as usize, dst)?;
        let dict = self.head.dictionary(self.dict_section(), scratch)?;
        let mut done = 0;
        for nblock in 0..self.header().nblocks {
            let bytes = self.block_bytes(nblock)?;
            let len = self.head.plain_len(nblock, bytes)?;
            if len > dst.len() - done {
                return Err(
                    Error::mismatch("block length", len as u64, (dst.len() - done) as u64).in_block(nblock)
                );
            }
            // DELTA refers to the first block, which is plain by then.
            let (before, rest) = dst.split_at_mut(done);
            let first = if nblock > 0 { Some(&*before) } else { None };
            let block = Block { head: &self.head, context: &self.context, dict, nblock, bytes, first };
            block.decode(&mut rest[..len], scratch.work())?;
            done += len;
        }
        if done < dst.len() {
            return Err(Error::mismatch("nbytes", dst.len() as u64, done as u64));
        }
        Ok(())
    }

    /// The whole chunk, plain.
    ///
    /// # Errors
    /// Those of [`decode_into`](Self::decode_into); `Limit` if it is larger than the limits allow.
    pub fn decode(&self, scratch: &mut Scratch) -> Result<Vec<u8>> {
        let mut dst = scratch.zeros(self.header().nbytes.into())?;
        let decoded = self.decode_into(&mut dst, scratch);
        scratch.release(dst.len() as u64);
        decoded.map(|()| dst)
    }

    /// Block `nblock`, plain; it lies in the scratch. The first block is decoded as well if DELTA needs it.
    ///
    /// # Errors
    /// `Argument` if there is no such block; `Format`, `Unsupported` and `Limit` for the data.
    pub fn block<'s>(&self, nblock: u32, scratch: &'s mut Scratch) -> Result<&'s [u8]> {
        let nblocks = self.header().nblocks;
        if nblock >= nblocks {
            return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
        }
        self.blocks(nblock, scratch)?.into_plain(nblock, self.block_bytes(nblock)?)
    }

    /// Decodes `items` of the chunk into `dst`, and no block that holds none of them.
    ///
    /// # Errors
    /// `Argument` if they are not in the chunk or `dst` has not their length; `Unsupported` for chunks of
    /// variable-length blocks; `Format`, `Unsupported` and `Limit` for the data.
    pub fn items_into(&self, items: Range<u32>, dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        let header = self.header();
        let itemsize = u64::from(self.context.itemsize(header));
        let nitems = u64::from(header.nbytes) / itemsize;
        if items.start > items.end || u64::from(items.end) > nitems {
            return Err(ArgumentError::Index { axis: 0, index: items.end.into(), len: nitems }.into());
        }
        if header.body == Body::VlBlocks {
            return Err(Unsupported::VariableBlocks.into());
        }
        buffer_len(items.len() * itemsize as usize, dst)?;
        let (mut at, mut dst) = ((u64::from(items.start) * itemsize) as usize, dst);
        if dst.is_empty() {
            return Ok(());
        }
        let last = (at + dst.len() - 1) / header.blocksize as usize;
        let mut blocks = self.blocks(last as u32, scratch)?;
        while !dst.is_empty() {
            let nblock = (at / header.blocksize as usize) as u32;
            let plain = self.head.plain_range(nblock);
            let len = (plain.end - at).min(dst.len());
            let (now, later) = dst.split_at_mut(len);
            if len == plain.len() {
                blocks.decode_into(nblock, self.block_bytes(nblock)?, now)?;
            } else {
                let block = blocks.decode(nblock, self.block_bytes(nblock)?)?;
                now.copy_from_slice(&block[at - plain.start..][..len]);
            }
            at += len;
            dst = later;
        }
        Ok(())
    }

    /// A decoder that is ready for all blocks up to `last`.
    fn blocks<'s>(&self, last: u32, scratch: &'s mut Scratch) -> Result<Blocks<'a, 's>> {
        let mut blocks = Blocks::new(self.head, self.dict_section(), self.context, scratch)?;
        if last > 0 && blocks.needs_first() {
            blocks.give_first(self.block_bytes(0)?)?;
        }
        Ok(blocks)
    }

    /// What follows the table: the dictionary, if there is one, and all else.
    fn dict_section(&self) -> &'a [u8] {
        &self.bytes[self.header().table_end() as usize..]
    }

    /// The bytes of a block, and those of others after it: only a variable-length block ends where the next
    /// one begins; streams know their lengths.
    fn block_bytes(&self, nblock: u32) -> Result<&'a [u8]> {
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

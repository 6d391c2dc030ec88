//! Chunks decoded to memory of their own, or from a [`Scratch`].

use super::header::Body;
use super::{Blocks, Chunk, Scratch};
use crate::base::{ArgumentError, Error, Result, Unsupported, buffer_len};
use crate::codec::in_pairs;
use alloc::vec::Vec;
use core::ops::Range;

impl Chunk<'_> {
    /// Decodes the whole chunk into `dst`.
    ///
    /// # Errors
    /// `Argument` if `dst` has not [`Header::nbytes`](super::Header::nbytes) bytes; `Format`, `Unsupported` and `Limit` for the data.
    /// Then `dst` holds nothing of use.
    pub fn decode_into(&self, dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        buffer_len(self.header().nbytes as usize, dst)?;
        let mut done = 0;
        // One piece, where there are no streams.
        let head = self.head.cut_into(self.header().nbytes);
        let mut blocks = Blocks::new(&head, self.dict_section(), self.context, scratch)?;
        for nblock in 0..head.header().nblocks {
            let bytes = self.block_bytes(nblock)?;
            let len = head.plain_len(nblock, bytes)?;
            if len > dst.len() - done {
                return Err(
                    Error::mismatch("block length", len as u64, (dst.len() - done) as u64).in_block(nblock)
                );
            }
            if in_pairs(head.header().codec)
                && let Ok(next) = self.block_bytes(nblock + 1)
            {
                blocks.look_ahead((nblock, bytes), (nblock + 1, next));
            }
            let (before, rest) = dst.split_at_mut(done);
            blocks.decode_after(before, nblock, bytes, &mut rest[..len])?;
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
        self.block_in(nblock, scratch)
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
}

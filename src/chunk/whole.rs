//! Chunks decoded to memory of their own, or from a [`Scratch`].

use super::block::JOINS;
use super::head::Head;
use super::header::Body;
use super::sink::Sink;
use super::{Blocks, Chunk, Scratch};
use crate::base::{ArgumentError, Result, SMALL, buffer_len};
use alloc::vec::Vec;
use core::ops::Range;

impl Chunk<'_> {
    /// Decodes the whole chunk into `dst`.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::Chunk};
    /// # // Eight copied bytes: a Blosc1 header, then the data.
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let chunk = Chunk::new(&bytes)?;
    /// let mut plain = [0; 8];
    /// chunk.decode_into(&mut plain, &mut Scratch::default())?;
    /// assert_eq!(plain, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `dst` has not [`Header::nbytes`](super::Header::nbytes) bytes; `Format`, `Unsupported` and `Limit` for the data.
    /// Then `dst` holds nothing of use.
    pub fn decode_into(&self, dst: &mut [u8], scratch: &mut Scratch) -> Result<()> {
        buffer_len(self.header().nbytes as usize, dst)?;
        let mut chunk = *self;
        // One piece, where there are no streams.
        chunk.cut(self.header().nbytes);
        chunk.read(&mut (0..chunk.header().nblocks), &mut Whole(dst), scratch)
    }

    /// The whole chunk, plain.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::Chunk};
    /// # // Eight copied bytes: a Blosc1 header, then the data.
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(Chunk::new(&bytes)?.decode(&mut Scratch::default())?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`decode_into`](Self::decode_into); `Limit` if it is larger than the limits allow.
    pub fn decode(&self, scratch: &mut Scratch) -> Result<Vec<u8>> {
        let nbytes = self.header().nbytes.into();
        if self.header().body == Body::VlBlocks {
            // Nothing but the header says how many bytes there are: pages that no block reaches stay untouched.
            let mut dst = scratch.zeros(nbytes)?;
            let decoded = self.decode_into(&mut dst, scratch);
            scratch.release(nbytes);
            return decoded.map(|()| dst);
        }
        let mut grown = Grown(scratch.room(nbytes)?);
        let decoded = self.read(&mut (0..self.header().nblocks), &mut grown, scratch);
        scratch.release(nbytes);
        decoded.map(|()| grown.0)
    }

    /// Block `nblock`, plain; it lies in the scratch. The first block is decoded as well if DELTA needs it.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::Chunk};
    /// # // Eight copied bytes: a Blosc1 header, then the data.
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let mut scratch = Scratch::default();
    /// assert_eq!(Chunk::new(&bytes)?.block(0, &mut scratch)?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such block; `Format`, `Unsupported` and `Limit` for the data.
    pub fn block<'s>(&self, nblock: u32, scratch: &'s mut Scratch) -> Result<&'s [u8]> {
        self.block_in(nblock, scratch)
    }

    /// Decodes `items` of the chunk into `dst`, and no block that holds none of them.
    ///
    /// ```
    /// use b2nd::{Scratch, chunk::Chunk};
    /// # // Eight copied bytes: a Blosc1 header, then the data.
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let mut items = [0; 3];
    /// Chunk::new(&bytes)?.items_into(2..5, &mut items, &mut Scratch::default())?;
    /// assert_eq!(items, [3, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        buffer_len(items.len() * itemsize as usize, dst)?;
        self.bytes_into((u64::from(items.start) * itemsize) as usize, dst, scratch)
    }
}

/// A plain chunk that grows block by block: zeros for a whole chunk would have left the cache when a block is decoded into them.
struct Grown(Vec<u8>);

impl Sink for Grown {
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let plain = blocks.head().plain_range(nblock);
        // Without zeros that only take time.
        if !SMALL && blocks.head().header().body == Body::Memcpyed {
            return self.take_plain(plain.start, blocks.decode(nblock, bytes)?);
        }
        if JOINS && blocks.append(nblock, bytes, &mut self.0)? {
            return Ok(());
        }
        self.0.resize(plain.end, 0);
        let (before, dst) = self.0.split_at_mut(plain.start);
        blocks.decode_after(before, nblock, bytes, dst)
    }

    fn take_plain(&mut self, _: usize, plain: &[u8]) -> Result<()> {
        self.0.extend_from_slice(plain);
        Ok(())
    }

    fn takes_whole(&self, _: &Head<'_>, _: u32) -> bool {
        true
    }

    fn has_first(&self) -> bool {
        true
    }
}

/// A plain chunk, block by block in order.
struct Whole<'a>(&'a mut [u8]);

impl Sink for Whole<'_> {
    fn take(&mut self, blocks: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        let plain = blocks.head().plain_range(nblock);
        let (before, rest) = self.0.split_at_mut(plain.start);
        blocks.decode_after(before, nblock, bytes, &mut rest[..plain.len()])
    }

    fn take_plain(&mut self, start: usize, plain: &[u8]) -> Result<()> {
        self.0[start..start + plain.len()].copy_from_slice(plain);
        Ok(())
    }

    fn takes_whole(&self, _: &Head<'_>, _: u32) -> bool {
        true
    }

    fn has_first(&self) -> bool {
        true
    }
}

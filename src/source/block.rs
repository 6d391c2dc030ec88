//! Single blocks of a chunk.

use super::reader::Reader;
use super::{ReadAt, ReadError};
use crate::base::{ArgumentError, Error};
use crate::chunk::{Blocks, Chunk, Head};
use crate::frame::Location;
use alloc::vec::Vec;

impl<S: ReadAt> Reader<S> {
    /// Block `nblock` of a chunk, plain. Reads its bytes, the head of the chunk, and a dictionary or first block that it depends
    /// on.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let (chunk, block) = (reader.chunk(0)?, reader.block(0, 1)?);
    /// assert_eq!(block, chunk[block.len()..2 * block.len()]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk or block; what is wrong with the chunk; `Limit` if the block is too large.
    pub fn block(&self, nchunk: u64, nblock: u32) -> Result<Vec<u8>, ReadError<S::Error>> {
        let info = self.info_of(nchunk)?;
        let in_chunk = |error: Error| error.in_chunk(nchunk);
        self.frame().header.check_chunk(nchunk, &info.header).map_err(in_chunk)?;
        self.with_memory(|memory| {
            let scratch = &mut memory.reading.scratch;
            let Location::Stored { part, offset } = info.location else {
                let block = Chunk::of_special(info.header).block(nblock, scratch).map(<[u8]>::to_vec);
                return Ok(block.map_err(in_chunk)?);
            };
            let located = |error: Error| error.shifted(offset).in_chunk(nchunk);
            let mut buffers = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
            let [of_head, of_parts @ ..] = &mut buffers;
            let head = self.read_part((part, offset), info.header.table_end(), of_head)?;
            let head = Head::parse(head).map_err(located)?;
            let mut starts = Vec::new();
            let nblocks = info.header.nblocks;
            if nblock >= nblocks {
                return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
            }
            let ranges = head.spans(&mut starts).with_shared(nblock).map_err(located)?;
            let mut parts = [&[][..]; 3];
            for ((range, buffer), bytes) in ranges.into_iter().zip(of_parts).zip(&mut parts) {
                if !range.is_empty() {
                    let at = offset.saturating_add(range.start.into());
                    *bytes = self.read_part((part, at), range.len() as u64, buffer)?;
                }
            }
            let block = Blocks::single(&head, nblock, parts, self.context(), scratch);
            Ok(block.map(<[u8]>::to_vec).map_err(located)?)
        })
    }
}

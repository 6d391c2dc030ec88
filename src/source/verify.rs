//! Decoding everything and keeping nothing.

use super::memory::ReadMemory;
use super::reader::{ChunkInfo, Reader};
use super::{ReadAt, ReadError};
use crate::base::Error;
use crate::fetch::ChunkCheck;
use crate::frame::Location;

impl<S: ReadAt> Reader<S> {
    /// Decodes all blocks of a chunk, one after the other, and keeps none: this takes the memory of a block and of the
    /// table of block starts. Blocks that are stored in one place are decoded once.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.verify(0)?.header.nbytes, 28_800);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// What is wrong with the chunk, `Argument` if there is none.
    pub fn verify(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        let info = self.chunk_info(nchunk)?;
        let located = |error: Error| error.in_chunk(nchunk);
        self.frame().header.check_chunk(nchunk, &info.header).map_err(located)?;
        if let Location::Stored { part, offset } = info.location {
            let chunks = self.chunks()?;
            self.with_memory(|ReadMemory { fetch, buffers }| {
                self.drive(&mut ChunkCheck::new(chunks, (part, offset), &info.header, fetch), buffers)
            })
            .map_err(|error| error.map_blosc(|error| located(error.shifted(offset))))?;
        }
        Ok(info)
    }
}

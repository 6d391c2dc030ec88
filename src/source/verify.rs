//! Decoding everything and keeping nothing.

use super::blocks::PIECE;
use super::job::{Place, Sink};
use super::memory::Memory;
use super::reader::{ChunkInfo, Reader};
use super::{ReadAt, ReadError};
use crate::base::{Error, Result};
use crate::chunk::{Blocks, Body, Chunk, EXTENDED_HEADER, Head, Header};
use crate::frame::Location;
use alloc::vec::Vec;

impl<S: ReadAt> Reader<S> {
    /// Decodes all blocks of a chunk, one after the other, and keeps none: this takes the memory of a block and of the
    /// table of block starts, but for chunks of variable-length blocks, which are read whole. Blocks that are stored
    /// in one place are decoded once.
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
            self.with_memory(|memory| self.verify_stored(Place { part, offset }, &info.header, memory))
                .map_err(|error| error.map_blosc(|error| located(error.shifted(offset))))?;
        }
        Ok(info)
    }

    fn verify_stored(
        &self,
        place: Place,
        header: &Header,
        memory: &mut Memory,
    ) -> Result<(), ReadError<S::Error>> {
        let Memory { scratch, head, table, blocks } = memory;
        if header.body == Body::VlBlocks {
            self.dparams.limits.allow_memory(header.cbytes.into())?;
            let bytes = self.read_range(place, 0..header.cbytes, &mut blocks.bytes)?;
            let chunk = Chunk::with_context(bytes, self.context())?;
            let mut decoder = chunk.blocks(header.nblocks.saturating_sub(1), scratch)?;
            let mut nbytes = 0;
            for nblock in 0..header.nblocks {
                nbytes += decoder.decode(nblock, chunk.block_bytes(nblock)?)?.len() as u64;
            }
            return if nbytes == u64::from(header.nbytes) {
                Ok(())
            } else {
                Err(Error::mismatch("nbytes", nbytes, header.nbytes.into()).into())
            };
        }
        let head = self.read_head(place, EXTENDED_HEADER as u64, head, table)?.cut_into(PIECE);
        self.read_blocks(place, &head, distinct(&head).into_iter(), (scratch, blocks), &mut Nowhere)
    }
}

/// The blocks that are stored, in the order of their places, and one for each place.
fn distinct(head: &Head<'_>) -> Vec<u32> {
    let nblocks = if matches!(head.header().body, Body::Special(_)) { 0 } else { head.header().nblocks };
    // A start that cannot be stays, to be complained of.
    let place = |nblock: &u32| (head.start(*nblock).unwrap_or(u32::MAX), *nblock);
    let mut blocks: Vec<u32> = (0..nblocks).collect();
    blocks.sort_unstable_by_key(place);
    blocks.dedup_by_key(|nblock| (place(nblock).0, head.plain_range(*nblock).len()));
    blocks
}

/// Where decoded blocks are of no further use.
struct Nowhere;

impl Sink for Nowhere {
    fn take(&mut self, decoder: &mut Blocks<'_, '_>, nblock: u32, bytes: &[u8]) -> Result<()> {
        decoder.decode(nblock, bytes).map(drop)
    }

    fn look_ahead(&self, decoder: &mut Blocks<'_, '_>, now: (u32, &[u8]), next: (u32, &[u8])) {
        decoder.look_ahead(now, next);
    }
}

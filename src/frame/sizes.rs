//! How long chunks are, as the frame's header has it.

use super::header::Header;
use crate::base::{Error, Extent, Result, wide};
use crate::chunk::{Header as ChunkHeader, SpecialValue};

/// All that is still needed of a header once its frame is open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Bytes of all chunks, plain.
    pub(super) nbytes: Extent,
    /// Bytes of a plain chunk; 0 if the chunks differ, and while there is none.
    pub(super) chunksize: u32,
}

impl Sizes {
    /// Chunks, where they have one size.
    pub(crate) fn nchunks(self) -> Extent {
        self.nbytes.div_ceil(Extent::from(self.chunksize).max(1))
    }

    /// Says no to an index of another length than the frame's.
    pub(crate) fn check_index(self, nbytes: u32) -> Result<()> {
        let found = u64::from(nbytes);
        let expected = match self.chunksize {
            0 => found / 8 * 8,
            _ => wide(self.nchunks()).saturating_mul(8),
        };
        if found == expected { Ok(()) } else { Err(Error::mismatch("index length", found, expected)) }
    }

    /// Plain bytes of a chunk: of one that is only an entry of the index nothing else tells.
    pub(crate) fn chunk_nbytes(self, nchunk: u64) -> Result<u32> {
        if self.chunksize == 0 {
            // In frames of chunks that differ in size nothing tells (FORMAT §7.2).
            return Err(Error::field("chunksize", 0, 58).in_chunk(nchunk));
        }
        let before = nchunk.min(wide(self.nchunks())) * u64::from(self.chunksize);
        Ok(wide(self.nbytes).saturating_sub(before).min(self.chunksize.into()) as u32)
    }
}

impl Header {
    /// The lengths of chunks.
    pub(crate) const fn sizes(&self) -> Sizes {
        Sizes { nbytes: self.nbytes as Extent, chunksize: self.chunksize }
    }

    /// How many chunks there are by the index that begins with these bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn count_chunks(&self, index: &[u8]) -> Result<u64> {
        let nbytes = ChunkHeader::parse(index)?.nbytes;
        self.sizes().check_index(nbytes)?;
        Ok(u64::from(nbytes) / 8)
    }

    /// The header of a chunk that is one value and only an entry of the index.
    ///
    /// # Errors
    /// `Format` where chunks differ in size: nothing tells that of this one (FORMAT §7.2); and for NaNs of a size that
    /// is not a float's.
    pub fn special_chunk(&self, nchunk: u64, value: SpecialValue) -> Result<ChunkHeader> {
        ChunkHeader::of_special(value, self.sizes().chunk_nbytes(nchunk)?, self.typesize)
    }

    /// Compares the header of chunk `nchunk` with the length that the frame gives it. Where chunks differ in size, any
    /// will do.
    ///
    /// # Errors
    /// `Format` if they differ.
    pub fn check_chunk(&self, nchunk: u64, chunk: &ChunkHeader) -> Result<()> {
        if self.chunksize == 0 {
            return Ok(());
        }
        chunk.check_nbytes(self.sizes().chunk_nbytes(nchunk)?.into())
    }
}

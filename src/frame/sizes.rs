//! The sizes of chunks, from the frame's header.

use super::header::Header;
use crate::base::{Error, Extent, Result, wide};
use crate::chunk::{Body, Header as ChunkHeader, SpecialValue};

/// The part of the header that is needed once a frame is open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Uncompressed bytes of all chunks.
    pub(super) nbytes: Extent,
    /// Uncompressed bytes per chunk; 0 if chunks differ in size, or before there is one.
    pub(super) chunksize: u32,
}

impl Sizes {
    /// Number of chunks, if they have the same size.
    pub(crate) fn nchunks(self) -> Extent {
        self.nbytes.div_ceil(Extent::from(self.chunksize).max(1))
    }

    /// Checks the length of the index, and that it repeats whole entries if it does.
    pub(crate) fn check_index(self, index: &ChunkHeader) -> Result<()> {
        if let Body::Special(SpecialValue::Repeat { width }) = index.body
            && 8_u32.checked_rem(width) != Some(0)
        {
            return Err(Error::mismatch("typesize", width.into(), 8));
        }
        let found = u64::from(index.nbytes);
        let expected = match self.chunksize {
            0 => found / 8 * 8,
            _ => wide(self.nchunks()).saturating_mul(8),
        };
        if found == expected { Ok(()) } else { Err(Error::mismatch("index length", found, expected)) }
    }

    /// Uncompressed bytes of a chunk. For a special chunk this is the only source.
    pub(crate) fn chunk_nbytes(self, nchunk: u64) -> Result<u32> {
        if self.chunksize == 0 {
            // In frames whose chunks differ in size nothing tells (FORMAT §7.2).
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

    /// The number of chunks, from the index that begins with these bytes.
    pub(crate) fn count_chunks(&self, index: &[u8]) -> Result<u64> {
        let index = ChunkHeader::parse(index)?;
        self.sizes().check_index(&index)?;
        Ok(u64::from(index.nbytes) / 8)
    }

    /// The header of a special chunk, which is only an index entry.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// use b2nd::chunk::SpecialValue;
    /// assert_eq!(header.special_chunk(0, SpecialValue::Zeros)?.nbytes, header.chunksize);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` where chunks differ in size: nothing tells that of this one (FORMAT §7.2); and for NaNs of a size that
    /// is not a float's.
    pub fn special_chunk(&self, nchunk: u64, value: SpecialValue) -> Result<ChunkHeader> {
        ChunkHeader::of_special(value, self.sizes().chunk_nbytes(nchunk)?, self.typesize)
    }

    /// Checks the header of chunk `nchunk` against the size that the frame gives it. Any size will do if chunks differ
    /// in size.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// use b2nd::chunk::SpecialValue;
    /// let mut chunk = header.special_chunk(0, SpecialValue::Zeros)?;
    /// assert!(header.check_chunk(0, &chunk).is_ok());
    /// chunk.nbytes += 1;
    /// assert!(header.check_chunk(0, &chunk).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

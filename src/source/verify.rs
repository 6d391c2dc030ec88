//! Decoding everything and keeping nothing.

use super::memory::ReadMemory;
use super::reader::{ChunkInfo, Reader};
use super::{ReadAt, ReadError};
use crate::base::Error;
use crate::chunk::Header as ChunkHeader;
use crate::fetch::ChunkCheck;
use crate::frame::{Location, Part, Run};
use alloc::collections::BTreeMap;
use core::ops::Range;

/// Chunks whose places are remembered. A frame of many chunks has them in as many places; who wants to cost much has many in
/// few.
const PLACES: usize = 16 << 10;

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
        let info = self.info_of(nchunk)?;
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

    /// Verifies all chunks, those that are stored in one place once. Calls `each` for chunks that are alike, with what
    /// [`verify`](Self::verify) says of the first of them, or why they are not there.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut good = 0;
    /// reader.verify_each(|chunks, info| good += if info.is_ok() { chunks.end - chunks.start } else { 0 })?;
    /// assert_eq!(good, 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`index`](Self::index).
    pub fn verify_each(
        &self,
        mut each: impl FnMut(Range<u64>, Result<ChunkInfo, ReadError<S::Error>>),
    ) -> Result<(), ReadError<S::Error>> {
        let mut places = BTreeMap::new();
        for Run { chunks, location } in self.index()?.runs() {
            let location = match location {
                Ok(location) => location,
                Err(error) => {
                    each(chunks, Err(error.into()));
                    continue;
                }
            };
            // All chunks of a run have one location, but the last chunk of a frame may be shorter.
            let last = chunks.end - 1;
            for chunks in [chunks.start..last, last..chunks.end] {
                if !chunks.is_empty() {
                    let info = self.verify_once(chunks.start, location, &mut places);
                    each(chunks, info);
                }
            }
        }
        Ok(())
    }

    /// Verifies a chunk, unless the one in its place was good.
    fn verify_once(
        &self,
        nchunk: u64,
        location: Location,
        places: &mut BTreeMap<(Part, u64), ChunkHeader>,
    ) -> Result<ChunkInfo, ReadError<S::Error>> {
        let Location::Stored { part, offset } = location else { return self.verify(nchunk) };
        if let Some(header) = places.get(&(part, offset)) {
            let checked = self.frame().header.check_chunk(nchunk, header);
            return Ok(checked
                .map(|()| ChunkInfo { location, header: *header })
                .map_err(|error| error.in_chunk(nchunk))?);
        }
        let info = self.verify(nchunk)?;
        if places.len() == PLACES {
            places.clear();
        }
        places.insert((part, offset), info.header);
        Ok(info)
    }
}

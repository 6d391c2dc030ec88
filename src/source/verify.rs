//! Decoding everything and keeping nothing.

use super::driving::complete;
use super::memory::ReadMemory;
use super::reader::{ChunkInfo, Reader};
use super::{ReadAt, ReadError};
use crate::base::{Error, Result as Checked};
use crate::chunk::Header as ChunkHeader;
use crate::frame::{Location, Part, Run};
use crate::reading::ChunkCheck;
use alloc::collections::BTreeMap;
#[cfg(feature = "rayon")]
use alloc::vec::Vec;
use core::ops::Range;

/// Chunks whose places are remembered. A frame of many chunks has them in as many places; who wants to cost much has many in
/// few.
const PLACES: usize = 16 << 10;

/// Chunks that are verified at a time, for each thread.
#[cfg(feature = "rayon")]
const AT_ONCE: usize = 4;

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
    /// `Format`, `Unsupported` or `Limit` for the chunk; `Argument` if there is none.
    pub fn verify(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        let info = self.info_of(nchunk)?;
        let located = |error: Error| error.in_chunk(nchunk);
        self.frame().header.check_chunk(nchunk, &info.header).map_err(located)?;
        if let Location::Stored { part, offset } = info.location {
            let chunks = self.chunks()?;
            self.with_memory(|ReadMemory { reading, buffers }| {
                complete(
                    &self.source,
                    &mut ChunkCheck::new(chunks, (part, offset), &info.header, reading),
                    buffers,
                )
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
    /// Errors of [`index`](Self::index).
    pub fn verify_each(
        &self,
        mut each: impl FnMut(Range<u64>, Result<ChunkInfo, ReadError<S::Error>>),
    ) -> Result<(), ReadError<S::Error>> {
        let mut places = BTreeMap::new();
        for (chunks, location) in self.index()?.runs().flat_map(alike) {
            let info = match location {
                Ok(location) => self.verify_once(chunks.start, location, &mut places),
                Err(error) => Err(error.into()),
            };
            each(chunks, info);
        }
        Ok(())
    }

    /// Verifies with as many threads as rayon has, with the same calls of `each` in the same order, all by the calling thread.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut good = 0;
    /// reader.verify_each_parallel(|chunks, info| good += if info.is_ok() { chunks.end - chunks.start } else { 0 })?;
    /// assert_eq!(good, 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`verify_each`](Self::verify_each).
    #[cfg(feature = "rayon")]
    pub fn verify_each_parallel(
        &self,
        mut each: impl FnMut(Range<u64>, Result<ChunkInfo, ReadError<S::Error>>),
    ) -> Result<(), ReadError<S::Error>>
    where
        S: Sync,
        S::Error: Send,
    {
        use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
        let mut places = BTreeMap::new();
        let mut alike = self.index()?.runs().flat_map(alike);
        loop {
            let batch: Vec<_> = alike.by_ref().take(AT_ONCE * rayon::current_num_threads()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            // The first chunk in each place that is not known yet.
            let mut new = BTreeMap::new();
            for (chunks, location) in &batch {
                if let Ok(Location::Stored { part, offset }) = location
                    && !places.contains_key(&(*part, *offset))
                {
                    new.entry((*part, *offset)).or_insert(chunks.start);
                }
            }
            let new: Vec<u64> = new.into_values().collect();
            let checked: Vec<_> = new.par_iter().map(|&nchunk| (nchunk, self.verify(nchunk))).collect();
            let mut checked: BTreeMap<_, _> = checked.into_iter().collect();
            for (chunks, location) in batch {
                let info = match (location, checked.remove(&chunks.start)) {
                    (Err(error), _) => Err(error.into()),
                    (Ok(location), None) => self.verify_once(chunks.start, location, &mut places),
                    (Ok(location), Some(info)) => info.inspect(|info| remember(&mut places, location, info)),
                };
                each(chunks, info);
            }
        }
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
        remember(places, location, &info);
        Ok(info)
    }
}

/// Notes the place of a good chunk.
fn remember(places: &mut BTreeMap<(Part, u64), ChunkHeader>, location: Location, info: &ChunkInfo) {
    if let Location::Stored { part, offset } = location {
        if places.len() == PLACES {
            places.clear();
        }
        places.insert((part, offset), info.header);
    }
}

/// The chunks of a run in one or two parts: all have one location, but the last chunk of a frame may be shorter. Those that are
/// not there stay together.
fn alike(Run { chunks, location }: Run) -> impl Iterator<Item = (Range<u64>, Checked<Location>)> {
    let middle = if location.is_ok() { chunks.end - 1 } else { chunks.end };
    let parts = [chunks.start..middle, middle..chunks.end];
    parts.into_iter().filter(|chunks| !chunks.is_empty()).map(move |chunks| (chunks, location.clone()))
}

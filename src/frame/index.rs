//! The chunk index: where each chunk is (FORMAT §7.2).

use super::header::Header;
use super::location::{ChunkOffsets, Location};
use super::reference::Fetched;
use super::request::Part;
use crate::base::{ArgumentError, Error, Limits, Result, Unsupported};
use crate::chunk::{Body, Chunk, DParams, Scratch};
use alloc::vec::Vec;
use core::ops::Range;

/// The locations of all chunks, or of the chunks of a [partial](super::IndexReading::part) index.
///
/// Consecutive chunks with equal entries, such as those of one repeated value, take the memory of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkIndex {
    nchunks: u64,
    /// The chunks whose locations it has.
    chunks: Range<u64>,
    entries: Vec<IndexEntry>,
    offsets: ChunkOffsets,
    /// For a cache: the chunks that were fetched.
    pub(super) fetched: Option<Fetched>,
}

/// The index entry of all chunks from `first` to the next `first`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IndexEntry {
    first: u32,
    offset: [u8; 8],
}

/// Consecutive chunks with the same location.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// Their numbers.
    pub chunks: Range<u64>,
    /// Their location; for an invalid entry, the error of the first chunk.
    pub location: Result<Location>,
}

impl ChunkIndex {
    /// The index of a frame without chunks, or of a chunk on its own at the start of its file.
    pub(super) fn of_known(header: &Header) -> Self {
        let nchunks = u64::from(header.version == 0);
        let entries =
            if nchunks == 0 { Vec::new() } else { [IndexEntry { first: 0, offset: [0; 8] }].into() };
        Self { nchunks, chunks: 0..nchunks, entries, offsets: ChunkOffsets::of(header), fetched: None }
    }

    /// Decodes entries from the index chunk, whose length was checked against the frame's. Decodes all of them if the
    /// index is one repeated value or has variable-length blocks.
    pub(super) fn of_chunk(
        header: &Header,
        chunk: &Chunk<'_>,
        chunks: Range<u64>,
        dparams: &DParams,
    ) -> Result<Self> {
        let nchunks = u64::from(chunk.header().nbytes) / 8;
        let chunks = match chunk.header().body {
            Body::VlBlocks | Body::Special(_) => 0..nchunks,
            _ => chunks.start.min(nchunks)..chunks.end.min(nchunks),
        };
        let mut entries = Entries::new(chunk.header().cbytes, chunks.end - chunks.start, &dparams.limits)?;
        entries.read(chunk, &chunks, dparams)?;
        Ok(Self {
            nchunks,
            chunks,
            entries: entries.entries,
            offsets: ChunkOffsets::of(header),
            fetched: None,
        })
    }

    /// Chunks in the frame.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.index()?.nchunks(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn nchunks(&self) -> u64 {
        self.nchunks
    }

    /// The chunks whose locations are known: all, unless the index is partial.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.index()?.chunks().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn chunks(&self) -> Range<u64> {
        self.chunks.start..self.chunks.end
    }

    /// The location of chunk `nchunk`.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// use b2nd::frame::Location;
    /// assert!(matches!(reader.index()?.locate(0)?, Location::Stored { offset: 242, .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, or not in this part of the index, `Format` if its place is outside of the
    /// frame, `Unsupported` if it is one of a proxy or a remote array and was not fetched.
    pub fn locate(&self, nchunk: u64) -> Result<Location> {
        if !self.chunks.contains(&nchunk) {
            return Err(ArgumentError::Chunk { index: nchunk, nchunks: self.nchunks }.into());
        }
        let next = self.entries.partition_point(|entry| u64::from(entry.first) <= nchunk);
        let location = self.offsets.locate(nchunk, self.entries[next - 1].offset)?;
        if self.is_fetched(nchunk, location) {
            return Ok(location);
        }
        Err(Unsupported::NotFetched { chunk: nchunk }.into())
    }

    /// The chunks around a known one with the same location.
    pub(crate) fn run_around(&self, nchunk: u64) -> Range<u64> {
        let next = self.entries.partition_point(|entry| u64::from(entry.first) <= nchunk);
        let first = next.checked_sub(1).map_or(0, |at| self.entries[at].first);
        first.into()..self.entries.get(next).map_or(self.chunks.end, |next| next.first.into())
    }

    /// The value of these chunks, if they are special, alike, and known.
    #[cfg(feature = "expression")]
    pub(crate) fn special_value(
        &self,
        chunks: core::ops::RangeInclusive<u64>,
    ) -> Option<crate::chunk::SpecialValue> {
        let run = self.run_around(*chunks.start());
        match self.locate(*chunks.start()).ok()? {
            Location::Special(value) if self.fetched.is_none() && run.contains(chunks.end()) => Some(value),
            _ => None,
        }
    }

    fn is_fetched(&self, nchunk: u64, location: Location) -> bool {
        let special = matches!(location, Location::Special(_));
        self.fetched.as_ref().is_none_or(|fetched| fetched.has(nchunk, special))
    }

    /// All chunks in runs of equal location: long runs where an array is mostly zeros, single chunks where they are
    /// stored.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.index()?.runs().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        let mut entry = 0;
        let mut first = self.chunks.start;
        core::iter::from_fn(move || {
            let IndexEntry { offset, .. } = self.entries.get(entry)?;
            let end = self.entries.get(entry + 1).map_or(self.chunks.end, |next| next.first.into());
            let run = self.run(first..end, *offset);
            first = run.chunks.end;
            entry += usize::from(first == end);
            Some(run)
        })
    }

    /// Sorted offsets of the chunks in the frame, without those in files of their own.
    pub(crate) fn starts(&self) -> Vec<u64> {
        let stored = |run: Run| match run.location {
            Ok(Location::Stored { part: Part::Frame, offset }) => Some(offset),
            _ => None,
        };
        let mut starts: Vec<u64> = self.runs().filter_map(stored).collect();
        if !starts.is_sorted() {
            starts.sort_unstable();
        }
        starts
    }

    /// The leading chunks of `chunks` with the same location; in a cache, only those that are fetched, or not, like
    /// the first.
    fn run(&self, chunks: Range<u64>, offset: [u8; 8]) -> Run {
        let Range { start: first, end } = chunks;
        let mut run = Run { chunks, location: self.offsets.locate(first, offset) };
        if let (Some(_), Ok(location)) = (&self.fetched, &run.location) {
            let location = *location;
            let fetched = self.is_fetched(first, location);
            let others = (first..end).find(|&nchunk| self.is_fetched(nchunk, location) != fetched);
            run.chunks.end = others.unwrap_or(end);
            if !fetched {
                run.location = Err(Unsupported::NotFetched { chunk: first }.into());
            }
        }
        run
    }
}

/// An index under construction.
struct Entries {
    entries: Vec<IndexEntry>,
    /// Bytes read.
    read: usize,
    /// Bytes of an entry that continues in the next block.
    partial: [u8; 8],
    allowed: Limits,
}

impl Entries {
    /// Reserves room for as many entries as an index of `cbytes` is likely to have; there may be more, or far fewer.
    fn new(cbytes: u32, nchunks: u64, limits: &Limits) -> Result<Self> {
        /// Typical compression ratio of an index.
        const EXPECTED: u64 = 16;
        let room = nchunks.min(u64::from(cbytes) * EXPECTED / size_of::<IndexEntry>() as u64);
        let mut entries = Self { entries: Vec::new(), read: 0, partial: [0; 8], allowed: *limits };
        entries.grow(room as usize)?;
        Ok(entries)
    }

    fn grow(&mut self, len: usize) -> Result<()> {
        // While the list grows, the old and the new one exist at once.
        let wanted = (self.entries.len() + len) as u64 * size_of::<IndexEntry>() as u64;
        self.allowed.allow_memory(wanted)?;
        self.entries.reserve_exact(len - self.entries.len());
        Ok(())
    }

    fn read(&mut self, chunk: &Chunk<'_>, chunks: &Range<u64>, dparams: &DParams) -> Result<()> {
        /// Writers use blocks of 16 KiB for the index.
        const LARGE: u32 = 16 << 20;
        /// Only an index of repeated entries compresses better than this.
        const RATIO: u32 = 1 << 10;
        /// Bytes of an uncompressed index that are copied at a time.
        const PIECE: u32 = 64 << 10;
        let mut chunk = *chunk;
        chunk.cut(if matches!(chunk.header().body, Body::Special(_)) { 8 } else { PIECE });
        let header = chunk.header();
        let mut scratch = Scratch::new(dparams);
        match header.body {
            _ if header.nbytes == 0 => return Ok(()),
            Body::Special(_) => {
                let offset = *chunk.block(0, &mut scratch)?.first_chunk().unwrap_or(&[0; 8]);
                return self.push(chunks.start as usize, offset);
            }
            Body::Blocks if header.blocksize > LARGE.max(header.cbytes.saturating_mul(RATIO)) => {
                return Err(Error::field("blocksize", header.blocksize.into(), 8));
            }
            _ => {}
        }
        if header.body == Body::VlBlocks {
            for nblock in 0..header.nblocks {
                self.block(chunk.block(nblock, &mut scratch)?)?;
            }
        } else {
            let end = chunks.end as usize * 8;
            self.read = chunks.start as usize * 8;
            while self.read < end {
                let blocksize = header.blocksize.max(1) as usize;
                let block = chunk.block((self.read / blocksize) as u32, &mut scratch)?;
                let from = self.read % blocksize;
                let to = block.len().min(from + end - self.read);
                let bytes = block.get(from..to).filter(|bytes| !bytes.is_empty());
                self.block(bytes.ok_or_else(|| Error::truncated(from, 8, block.len()))?)?;
            }
        }
        if self.read as u64 / 8 == chunks.end {
            return Ok(());
        }
        Err(Error::mismatch("nbytes", self.read as u64, header.nbytes.into()))
    }

    /// Appends the bytes of a block.
    fn block(&mut self, mut bytes: &[u8]) -> Result<()> {
        let begun = self.read % 8;
        if begun > 0 {
            let (rest, others) = bytes.split_at((8 - begun).min(bytes.len()));
            self.partial[begun..begun + rest.len()].copy_from_slice(rest);
            self.read += rest.len();
            if !self.read.is_multiple_of(8) {
                return Ok(());
            }
            self.push(self.read / 8 - 1, self.partial)?;
            bytes = others;
        }
        let (offsets, rest) = bytes.as_chunks();
        for offset in offsets {
            self.push(self.read / 8, *offset)?;
            self.read += 8;
        }
        self.partial[..rest.len()].copy_from_slice(rest);
        self.read += rest.len();
        Ok(())
    }

    fn push(&mut self, nchunk: usize, offset: [u8; 8]) -> Result<()> {
        if self.entries.last().is_some_and(|last| last.offset == offset) {
            return Ok(());
        }
        let len = self.entries.len();
        if len == self.entries.capacity() {
            self.grow((2 * len).max(64))?;
        }
        self.entries.push(IndexEntry { first: nchunk as u32, offset });
        Ok(())
    }
}

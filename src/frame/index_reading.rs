//! Reading the chunk index, sans I/O.

use super::header::Header;
use super::index::ChunkIndex;
use super::reference::Fetched;
use super::request::{Conversation, Part, Request};
use super::trailer::TrailerReading;
use crate::base::{ArgumentError, Result, Unsupported};
use crate::chunk::{Chunk, DParams, Header as ChunkHeader, MIN_HEADER};
use core::ops::Range;

/// Reads the chunk index.
///
/// Refuses [references](super::Reference) unless [`DParams::as_stored`] is set: none of their data can be read without
/// an index. For a cache it also reads the trailer, which says which chunks were fetched.
#[derive(Debug)]
pub struct IndexReading<'f> {
    header: &'f Header,
    /// The chunks whose entries are wanted.
    chunks: Range<u64>,
    /// Bytes to ask for, until there is an index.
    asked: u64,
    index: Option<ChunkIndex>,
    /// For a cache.
    trailer: Option<TrailerReading>,
}

impl<'f> IndexReading<'f> {
    /// The index of the frame with this header.
    pub fn new(header: &'f Header) -> Self {
        Self::part(header, 0..u64::MAX)
    }

    /// The entries of some chunks only. The result may have more: see [`ChunkIndex::chunks`].
    pub fn part(header: &'f Header, chunks: Range<u64>) -> Self {
        /// The first request; more is read once the index says that it is longer.
        const GUESS: u64 = 64 << 10;
        let known = header.version == 0 || header.nbytes == 0;
        let bound = match header.chunksize {
            0 => GUESS,
            _ => header.sizes().nchunks().saturating_mul(8).saturating_add(32),
        };
        let asked = bound.min(GUESS).min(header.frame_len - header.index_start());
        Self { header, chunks, asked, index: known.then(|| ChunkIndex::of_known(header)), trailer: None }
    }
}

impl Conversation for IndexReading<'_> {
    type Outcome = ChunkIndex;

    fn ask(&self) -> Option<Request> {
        let start = self.header.index_start();
        match (&self.index, &self.trailer) {
            (None, _) => Some(Request { part: Part::Frame, range: start..start + self.asked }),
            (_, Some(reading)) => reading.ask(),
            _ => None,
        }
    }

    fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        match (&self.index, &mut self.trailer) {
            (None, _) => self.read(bytes, dparams).map_err(|error| error.shifted(self.header.index_start())),
            (_, Some(reading)) => reading.give(bytes, dparams),
            _ => Err(ArgumentError::NotAsked.into()),
        }
    }

    fn finish(self) -> Result<ChunkIndex> {
        let mut index = self.index.ok_or(ArgumentError::Unfinished)?;
        if let Some(reading) = self.trailer {
            index.fetched = Some(Fetched::of(&reading.finish()?, index.nchunks()));
        }
        Ok(index)
    }
}

impl IndexReading<'_> {
    fn read(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        let reference = self.header.reference();
        if let Some(reference) = reference.filter(|_| !dparams.as_stored) {
            return Err(Unsupported::Reference(reference).into());
        }
        let room = self.header.frame_len - self.header.index_start();
        if bytes.len() as u64 == self.asked && bytes.len() >= MIN_HEADER {
            let cbytes = u64::from(ChunkHeader::parse(bytes)?.cbytes);
            if cbytes > self.asked && cbytes <= room {
                self.asked = dparams.limits.allow_memory(cbytes)? as u64;
                return Ok(());
            }
        }
        let chunk = Chunk::new(bytes)?;
        self.header.sizes().check_index(chunk.header())?;
        self.index = Some(ChunkIndex::of_chunk(self.header, &chunk, self.chunks.clone(), dparams)?);
        if reference.is_some_and(|reference| reference.is_cache()) {
            self.trailer = Some(TrailerReading::new(self.header));
        }
        Ok(())
    }
}

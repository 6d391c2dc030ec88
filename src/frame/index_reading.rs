//! Reading the chunk index, sans I/O.

use super::header::Header;
use super::index::ChunkIndex;
use super::reference::Fetched;
use super::request::{Exchange, Part, Request, answered};
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
    dparams: &'f DParams,
    /// The chunks whose entries are wanted.
    chunks: Range<u64>,
    /// Of the chunk of the index, until there is an index.
    request: Option<Request>,
    index: Option<ChunkIndex>,
    /// For a cache.
    trailer: Option<TrailerReading<'f>>,
}

impl<'f> IndexReading<'f> {
    /// The index of the frame with this header.
    pub fn new(header: &'f Header, dparams: &'f DParams) -> Self {
        Self::part(header, 0..u64::MAX, dparams)
    }

    /// The entries of some chunks only. The result may have more: see [`ChunkIndex::chunks`].
    pub fn part(header: &'f Header, chunks: Range<u64>, dparams: &'f DParams) -> Self {
        /// The first request; more is read once the index says that it is longer.
        const GUESS: u64 = 64 << 10;
        let known = header.version == 0 || header.nbytes == 0;
        let bound = match header.chunksize {
            0 => GUESS,
            _ => header.sizes().nchunks().saturating_mul(8).saturating_add(32),
        };
        let asked = bound.min(GUESS).min(header.frame_len - header.index_start());
        let (request, index) = if known {
            (None, Some(ChunkIndex::of_known(header)))
        } else {
            (Some(first(header, asked)), None)
        };
        Self { header, dparams, chunks, request, index, trailer: None }
    }
}

/// So many bytes from the start of the index on.
fn first(header: &Header, len: u64) -> Request {
    let start = header.index_start();
    Request { part: Part::Frame, range: start..start + len }
}

impl Exchange for IndexReading<'_> {
    type Outcome = ChunkIndex;

    fn ask(&mut self) -> Result<&[Request]> {
        match &mut self.trailer {
            Some(reading) => reading.ask(),
            None => Ok(self.request.as_slice()),
        }
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        if let Some(reading) = &mut self.trailer {
            return reading.give(answers);
        }
        let (request, bytes) = answered(&self.request, answers)?;
        let Range { start, end } = request.range;
        self.read(bytes, end - start).map_err(|error| error.shifted(start))
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
    /// Takes the first `asked` bytes of the chunk.
    fn read(&mut self, bytes: &[u8], asked: u64) -> Result<()> {
        let dparams = self.dparams;
        let reference = self.header.reference();
        if let Some(reference) = reference.filter(|_| !dparams.as_stored) {
            return Err(Unsupported::Reference(reference).into());
        }
        let room = self.header.frame_len - self.header.index_start();
        if bytes.len() as u64 == asked && bytes.len() >= MIN_HEADER {
            let cbytes = u64::from(ChunkHeader::parse(bytes)?.cbytes);
            if cbytes > asked && cbytes <= room {
                self.request = Some(first(self.header, dparams.limits.allow_memory(cbytes)? as u64));
                return Ok(());
            }
        }
        let chunk = Chunk::new(bytes)?;
        self.header.sizes().check_index(chunk.header())?;
        self.index = Some(ChunkIndex::of_chunk(self.header, &chunk, self.chunks.clone(), dparams)?);
        if reference.is_some_and(|reference| reference.is_cache()) {
            self.trailer = Some(TrailerReading::new(self.header, dparams));
        }
        self.request = None;
        Ok(())
    }
}

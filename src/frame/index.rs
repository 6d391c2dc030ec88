//! The index: where each chunk is (FORMAT §7.2).

use super::header::Header;
use super::location::{Location, Places};
use super::request::{Conversation, Part, Request};
use crate::base::{ArgumentError, Result};
use crate::chunk::{Chunk, DParams, Header as ChunkHeader, MIN_HEADER};
use alloc::vec::Vec;

/// The locations of all chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    offsets: Vec<u8>,
    places: Places,
}

/// The conversation that reads an index.
#[derive(Debug)]
pub struct IndexReading<'f> {
    header: &'f Header,
    /// Asking for this much, where there is no index yet.
    asked: u64,
    index: Option<Index>,
}

impl<'f> IndexReading<'f> {
    /// The index of the frame with this header.
    pub fn new(header: &'f Header) -> Self {
        /// More than this is read only once the index has said that it is longer.
        const GUESS: u64 = 64 << 10;
        let known = match header.version {
            // A chunk on its own begins where its file begins.
            0 => Some([0; 8].into()),
            _ if header.nbytes == 0 => Some(Vec::new()),
            _ => None,
        };
        let bound = match header.chunksize {
            0 => GUESS,
            _ => header.sizes().nchunks().saturating_mul(8).saturating_add(32),
        };
        let asked = bound.min(GUESS).min(header.frame_len - header.index_start());
        let index = known.map(|offsets| Index { offsets, places: Places::of(header) });
        Self { header, asked, index }
    }
}

impl Conversation for IndexReading<'_> {
    type Outcome = Index;

    fn ask(&self) -> Option<Request> {
        let start = self.header.index_start();
        self.index.is_none().then_some(Request { part: Part::Frame, range: start..start + self.asked })
    }

    fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        if self.index.is_some() {
            return Err(ArgumentError::NotAsked.into());
        }
        self.read(bytes, dparams).map_err(|error| error.shifted(self.header.index_start()))
    }

    fn finish(self) -> Result<Index> {
        self.index.ok_or(ArgumentError::NotAsked.into())
    }
}

impl IndexReading<'_> {
    fn read(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        let room = self.header.frame_len - self.header.index_start();
        if bytes.len() as u64 == self.asked && bytes.len() >= MIN_HEADER {
            let cbytes = u64::from(ChunkHeader::parse(bytes)?.cbytes);
            if cbytes > self.asked && cbytes <= room {
                self.asked = dparams.limits.allow_memory(cbytes)? as u64;
                return Ok(());
            }
        }
        let chunk = Chunk::new(bytes)?;
        self.header.sizes().check_index(chunk.header().nbytes)?;
        let offsets = super::plain(&chunk, dparams)?;
        self.index = Some(Index { offsets, places: Places::of(self.header) });
        Ok(())
    }
}

impl Index {
    /// Chunks in the frame.
    pub fn nchunks(&self) -> u64 {
        (self.offsets.len() / 8) as u64
    }

    /// Where chunk `nchunk` is.
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, `Format` if its place is outside of the frame.
    pub fn locate(&self, nchunk: u64) -> Result<Location> {
        let nchunks = self.nchunks();
        let at = usize::try_from(nchunk).ok().filter(|_| nchunk < nchunks);
        let Some(offset) = at.and_then(|at| self.offsets.as_chunks().0.get(at)) else {
            return Err(ArgumentError::Chunk { index: nchunk, nchunks }.into());
        };
        self.places.locate(nchunk, *offset)
    }
}

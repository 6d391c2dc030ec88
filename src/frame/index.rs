//! The index: where each chunk is (FORMAT §7.2).

use super::header::Header;
use super::location::{Location, Places};
use super::request::{Part, Request};
use crate::base::{ArgumentError, Error, Result};
use crate::chunk::{Chunk, DParams, Header as ChunkHeader, MIN_HEADER, Scratch};
use alloc::vec::Vec;

/// The locations of all chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    offsets: Vec<u8>,
    places: Places,
}

/// Reading the index, as a conversation: bring what [`ask`](Self::ask) wants until it wants nothing.
#[derive(Debug)]
pub struct IndexReading<'f> {
    header: &'f Header,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing read, asking for this much.
    Guess(u64),
    Known(u64),
    Done(Index),
}

impl<'f> IndexReading<'f> {
    /// The index of the frame with this header.
    pub fn new(header: &'f Header) -> Self {
        /// More than this is read only once the index has said that it is longer.
        const GUESS: u64 = 64 << 10;
        let empty = Index { offsets: Vec::new(), places: Places::of(header) };
        let state = if header.version == 0 {
            // A chunk on its own begins where its file begins.
            State::Done(Index { offsets: [0; 8].into(), ..empty })
        } else if header.nbytes == 0 {
            State::Done(empty)
        } else {
            let nchunks = header.sizes().nchunks();
            let bound =
                if header.is_variable() { GUESS } else { nchunks.saturating_mul(8).saturating_add(32) };
            State::Guess(bound.min(GUESS).min(header.frame_len - header.index_start()))
        };
        Self { header, state }
    }

    /// The bytes that are needed next, if any.
    pub fn ask(&self) -> Option<Request> {
        let (State::Guess(len) | State::Known(len)) = self.state else { return None };
        let start = self.header.index_start();
        Some(Request { part: Part::Frame, range: start..start + len })
    }

    /// Takes the bytes that [`ask`](Self::ask) wanted, fewer if the frame ends earlier.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for the index chunk; `Argument` if nothing was asked for.
    pub fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        let start = self.header.index_start();
        let parse = |error: Error| error.shifted(start);
        match self.state {
            State::Done(_) => return Err(ArgumentError::NotAsked.into()),
            State::Guess(len) if bytes.len() as u64 == len && bytes.len() >= MIN_HEADER => {
                let cbytes = u64::from(ChunkHeader::parse(bytes).map_err(parse)?.cbytes);
                if cbytes > len && cbytes <= self.header.frame_len - start {
                    dparams.limits.allow_memory(cbytes)?;
                    self.state = State::Known(cbytes);
                    return Ok(());
                }
            }
            State::Guess(_) | State::Known(_) => {}
        }
        self.state = State::Done(Index::parse(bytes, self.header, dparams).map_err(parse)?);
        Ok(())
    }

    /// The index, or the reading again if something is still needed.
    pub fn finish(self) -> Result<Index, Self> {
        match self.state {
            State::Done(index) => Ok(index),
            State::Guess(_) | State::Known(_) => Err(self),
        }
    }
}

impl Index {
    fn parse(bytes: &[u8], header: &Header, dparams: &DParams) -> Result<Self> {
        let chunk = Chunk::new(bytes)?;
        header.sizes().check_index(chunk.header().nbytes)?;
        let offsets = chunk.decode(&mut Scratch::new(dparams))?;
        Ok(Self { offsets, places: Places::of(header) })
    }

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

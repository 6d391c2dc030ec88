//! Opening a frame, as a conversation: it asks for bytes, somebody brings them.

use super::Frame;
use super::header::{self, Header};
use super::request::{Part, Request};
use super::trailer::TrailerReading;
use crate::base::{ArgumentError, Result};
use crate::chunk::{DParams, Header as ChunkHeader, is_chunk};
use core::mem;

/// Opening a frame, or a chunk on its own, which reads as a frame of one chunk. Bring what [`ask`](Self::ask) wants until it wants nothing.
///
/// One request is enough for most frames: the header comes first. Only the betas' frames, whose trailer tells
/// how to read the chunks, take up to two more.
///
/// ```
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// use b2nd::{DParams, frame::Opening};
/// let mut opening = Opening::new(DParams::default());
/// while let Some(request) = opening.ask() {
///     let end = request.range.end.min(file.len() as u64) as usize;
///     opening.give(&file[request.range.start as usize..end])?;
/// }
/// let frame = opening.finish()?;
/// assert!(frame.header.metalayer("b2nd").is_some());
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
pub struct Opening {
    dparams: DParams,
    state: State,
}

/// Holds the header with its metalayers, nearly always.
const GUESS: u64 = 8 << 10;

#[derive(Debug)]
enum State {
    /// Asking for this much.
    Header(u64),
    Trailer(Header, TrailerReading),
    Done(Frame),
}

impl Opening {
    /// Opens a frame of which nothing is known.
    pub const fn new(dparams: DParams) -> Self {
        Self { dparams, state: State::Header(GUESS) }
    }

    /// The bytes that are needed next, if any.
    pub fn ask(&self) -> Option<Request> {
        match &self.state {
            State::Header(len) => Some(Request { part: Part::Frame, range: 0..*len }),
            State::Trailer(_, reading) => reading.ask(),
            State::Done(_) => None,
        }
    }

    /// Takes the bytes that [`ask`](Self::ask) wanted, fewer if the frame ends earlier.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for the header; `Argument` if nothing was asked for.
    pub fn give(&mut self, bytes: &[u8]) -> Result<()> {
        let state = mem::replace(&mut self.state, State::Header(GUESS));
        self.state = match state {
            State::Header(asked) => self.header(asked, bytes)?,
            State::Trailer(header, mut reading) => {
                reading.give(bytes, &self.dparams)?;
                match reading.finish() {
                    Ok(trailer) => State::Done(Frame { header, trailer: Some(trailer) }),
                    Err(reading) => State::Trailer(header, reading),
                }
            }
            State::Done(_) => return Err(ArgumentError::NotAsked.into()),
        };
        Ok(())
    }

    fn header(&self, asked: u64, bytes: &[u8]) -> Result<State> {
        if is_chunk(bytes) {
            return Ok(State::Done(Frame::of_chunk(&ChunkHeader::parse(bytes)?)));
        }
        let len = u64::from(header::header_len(bytes)?);
        if len > asked {
            self.dparams.limits.allow_metadata(len)?;
            return Ok(State::Header(len));
        }
        let header = Header::parse(bytes, &self.dparams.limits)?;
        if !header.is_beta() {
            return Ok(State::Done(Frame { header, trailer: None }));
        }
        let reading = TrailerReading::new(&header);
        Ok(State::Trailer(header, reading))
    }

    /// The frame, once nothing more is needed.
    ///
    /// # Errors
    /// `Argument` if something still is.
    pub fn finish(self) -> Result<Frame> {
        match self.state {
            State::Done(frame) => Ok(frame),
            State::Header(_) | State::Trailer(..) => Err(ArgumentError::NotAsked.into()),
        }
    }
}

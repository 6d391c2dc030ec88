//! Opening a frame, sans I/O.

use super::Frame;
use super::header::Header;
use super::request::{Conversation, Part, Request};
use super::trailer::TrailerReading;
use super::wire;
use crate::base::{ArgumentError, Result};
use crate::chunk::{DParams, Header as ChunkHeader, is_chunk};

/// Opens a frame, or a chunk on its own, which reads as a frame of one chunk.
///
/// Most frames take one request, since the header comes first. Frames of beta releases, whose trailer tells how to
/// read the chunks, take up to two more.
///
/// ```
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// use b2nd::{DParams, frame::{Conversation, Opening}};
/// let mut opening = Opening::default();
/// while let Some(request) = opening.ask() {
///     let end = request.range.end.min(file.len() as u64) as usize;
///     opening.give(&file[request.range.start as usize..end], &DParams::default())?;
/// }
/// let frame = opening.finish()?;
/// assert!(frame.header.metalayer("b2nd").is_some());
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Opening {
    /// The length of the header, if it exceeds the first request.
    header_len: u64,
    frame: Option<Frame>,
    /// For beta releases.
    trailer: Option<TrailerReading>,
}

/// The first request. Nearly all headers fit.
const GUESS: u64 = 8 << 10;

impl Conversation for Opening {
    type Outcome = Frame;

    fn ask(&self) -> Option<Request> {
        match (&self.frame, &self.trailer) {
            (None, _) => Some(Request { part: Part::Frame, range: 0..self.header_len.max(GUESS) }),
            (_, Some(reading)) => reading.ask(),
            _ => None,
        }
    }

    fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()> {
        if let Some(reading) = &mut self.trailer {
            return reading.give(bytes, dparams);
        }
        if self.frame.is_some() {
            return Err(ArgumentError::NotAsked.into());
        }
        if is_chunk(bytes) {
            self.frame = Some(Frame::of_chunk(&ChunkHeader::parse(bytes)?));
            return Ok(());
        }
        let len = u64::from(wire::header_len(bytes)?);
        if len > self.header_len.max(GUESS) {
            self.header_len = dparams.limits.allow_metadata(len)? as u64;
            return Ok(());
        }
        let header = Header::parse(bytes, &dparams.limits)?;
        self.trailer = header.is_beta().then(|| TrailerReading::new(&header));
        self.frame = Some(Frame { header, trailer: None });
        Ok(())
    }

    fn finish(self) -> Result<Frame> {
        let mut frame = self.frame.ok_or(ArgumentError::Unfinished)?;
        if let Some(reading) = self.trailer {
            frame.trailer = Some(reading.finish()?);
        }
        Ok(frame)
    }
}

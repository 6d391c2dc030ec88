//! Opening a frame, sans I/O.

use super::Frame;
use super::header::Header;
use super::request::{Exchange, Part, Request, answered};
use super::trailer::TrailerReading;
use super::wire;
use crate::base::{ArgumentError, Limits, Result, Unsupported};
use crate::chunk::{DParams, Header as ChunkHeader, is_chunk};

/// Opens a frame, or a chunk on its own, which reads as a frame of one chunk.
///
/// Most frames take one request, since the header comes first. Frames of beta releases, whose trailer tells how to
/// read the chunks, take up to two more.
#[derive(Debug)]
pub struct Opening<'d> {
    dparams: &'d DParams,
    /// Of the start of the frame, until the header is there.
    request: Option<Request>,
    frame: Option<Frame>,
    /// For beta releases.
    trailer: Option<TrailerReading<'d>>,
}

impl<'d> Opening<'d> {
    /// Reads within the limits of `dparams`.
    pub fn new(dparams: &'d DParams) -> Self {
        Self { dparams, request: Some(first()), frame: None, trailer: None }
    }
}

/// The first request. Nearly all headers fit.
pub(super) const fn first() -> Request {
    Request { part: Part::Frame, range: 0..8 << 10 }
}

/// The request for the whole header, if the answer has only its start.
pub(super) fn longer(request: &Request, bytes: &[u8], limits: &Limits) -> Result<Option<Request>> {
    let len = u64::from(wire::header_len(bytes)?);
    if len <= request.range.end {
        return Ok(None);
    }
    let len = limits.allow_metadata(len)? as u64;
    Ok(Some(Request { part: Part::Frame, range: 0..len }))
}

impl Exchange for Opening<'_> {
    type Outcome = Frame;

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
        if is_chunk(bytes) {
            self.frame = Some(Frame::of_chunk(&ChunkHeader::parse(bytes)?));
            self.request = None;
            return Ok(());
        }
        if bytes.starts_with(b"PK") {
            return Err(Unsupported::Archive.into());
        }
        if let Some(longer) = longer(request, bytes, &self.dparams.limits)? {
            self.request = Some(longer);
            return Ok(());
        }
        let header = Header::parse(bytes, &self.dparams.limits)?;
        self.trailer = header.is_beta().then(|| TrailerReading::new(&header, self.dparams));
        self.frame = Some(Frame { header, trailer: None });
        self.request = None;
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

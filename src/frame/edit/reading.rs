//! Reading what an editor knows of a frame, sans I/O.

use super::super::opening::{first, longer};
use super::super::request::{Exchange, Part, Request, answered};
use crate::base::{ArgumentError, Result, Unsupported};
use crate::chunk::{DParams, is_chunk};
use crate::frame::Header;
use alloc::vec::Vec;

/// Facts that an editor knows about a frame: all but its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameEnds {
    /// The header.
    pub header: Header,
    /// Bytes from the start of the frame on, with the header.
    pub start: Vec<u8>,
    /// The bytes after the chunks: the index and the trailer.
    pub end: Vec<u8>,
}

/// The exchange that reads what an editor knows of a frame: first the header, then what follows the chunks.
#[derive(Debug)]
pub struct EditOpening<'d> {
    dparams: &'d DParams,
    request: Option<Request>,
    ends: Option<FrameEnds>,
}

impl<'d> EditOpening<'d> {
    /// Reads within the limits of `dparams`.
    pub fn new(dparams: &'d DParams) -> Self {
        Self { dparams, request: Some(first()), ends: None }
    }
}

impl Exchange for EditOpening<'_> {
    type Outcome = FrameEnds;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(self.request.as_slice())
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        let limits = &self.dparams.limits;
        let (request, bytes) = answered(&self.request, answers)?;
        self.request = if let Some(ends) = &mut self.ends {
            ends.end = bytes.to_vec();
            None
        } else if is_chunk(bytes) {
            return Err(Unsupported::FrameVersion(0).into());
        } else if let Some(longer) = longer(request, bytes, limits)? {
            Some(longer)
        } else {
            let header = Header::parse(bytes, limits)?;
            let range = header.end();
            limits.allow_memory(range.end - range.start)?;
            self.ends = Some(FrameEnds { header, start: bytes.to_vec(), end: Vec::new() });
            Some(Request { part: Part::Frame, range })
        };
        Ok(())
    }

    fn finish(self) -> Result<FrameEnds> {
        self.ends.filter(|_| self.request.is_none()).ok_or(ArgumentError::Unfinished.into())
    }
}

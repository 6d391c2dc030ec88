//! Whether a source still has the state of the frame that was opened.

use super::{ReadAt, ReadError, drive};
use crate::base::{Changed, ErrorKind};
use crate::chunk::DParams;
use crate::frame::{Frame, Header, Opening, Request, Revision};
use alloc::vec::Vec;

/// Commits that may follow each other while a frame is opened.
const ATTEMPTS: usize = 64;

/// Opens a frame, in its current state where it changes meanwhile.
pub(super) fn open<S: ReadAt>(
    source: &mut S,
    dparams: &DParams,
) -> Result<(Frame, Option<Revision>), ReadError<S::Error>> {
    for _ in 1..ATTEMPTS {
        match attempt(source, dparams) {
            Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Changed(_)) => {
                // Another file may be at its place.
                source.reopen().map_err(ReadError::Source)?;
            }
            Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Format(_)) => {
                // A header may be read while it is written.
                return attempt(source, dparams).map_err(|_| error.into());
            }
            opened => return opened,
        }
    }
    attempt(source, dparams)
}

fn attempt<S: ReadAt>(
    source: &S,
    dparams: &DParams,
) -> Result<(Frame, Option<Revision>), ReadError<S::Error>> {
    let frame = drive(source, Opening::new(dparams))?;
    let Some([header, end]) = Revision::places(&frame.header) else { return Ok((frame, None)) };
    let (Some(header), Some(end)) = (bytes(source, &header)?, bytes(source, &end)?) else {
        return Ok((frame, None));
    };
    // What was parsed may be older, or a header that was half written.
    let same = Header::parse(&header, &dparams.limits).is_ok_and(|header| header == frame.header);
    let revision = Revision::of(&frame.header, [header, end]);
    if same && revision.is_current(source).map_err(ReadError::Source)? {
        Ok((frame, Some(revision)))
    } else {
        Err(Changed::Read.into())
    }
}

fn bytes<S: ReadAt>(source: &S, request: &Request) -> Result<Option<Vec<u8>>, ReadError<S::Error>> {
    let mut buffer = Vec::new();
    Ok(source.current(request, &mut buffer).map_err(ReadError::Source)?.map(<[u8]>::to_vec))
}

impl Revision {
    /// Whether this is the committed state. It is if the source cannot change.
    ///
    /// # Errors
    /// The source's own.
    pub fn is_current<S: ReadAt + ?Sized>(&self, source: &S) -> Result<bool, S::Error> {
        let mut buffer = Vec::new();
        for (place, bytes) in self.requests().iter().zip([&self.header, &self.end]) {
            let now = source.current(place, &mut buffer)?;
            if now.is_some_and(|now| now != &bytes[..]) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

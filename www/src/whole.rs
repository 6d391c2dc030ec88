//! Whole chunks of a frame, and what all of its chunks owe to it.

use crate::engine::{Answer, Engine, Opened};
use crate::frame::{opened, special};
use b2nd::chunk::{Chunk, Context, Header, SpecialValue};
use b2nd::{Array, Error, FormatError, Malformed, Result};

/// What chunks of a frame owe to it.
pub(crate) fn context(opened: &Opened) -> Context<'_> {
    let mut context = match (&opened.array, &opened.schunk) {
        (Ok(Some(array)), _) => Array::context(array),
        (_, Ok(Some(schunk))) => schunk.context(),
        _ => Context { itemsize: opened.frame.header.typesize, ..Context::default() },
    };
    context.early_bitshuffle |= opened.frame.early_bitshuffle();
    context
}

/// The plain length of a chunk by the frame's header; `None` where chunks differ in size.
pub(crate) fn expected(header: &b2nd::frame::Header, nchunk: u64) -> Option<u32> {
    let before = nchunk.saturating_mul(header.chunksize.into());
    (header.chunksize > 0).then(|| header.nbytes.saturating_sub(before).min(header.chunksize.into()) as u32)
}

/// The header of a chunk that only the index knows.
pub(crate) fn special_header(opened: &Opened, nchunk: u64, value: SpecialValue) -> Result<Header> {
    let header = &opened.frame.header;
    let nbytes = expected(header, nchunk).ok_or_else(|| {
        let what = Malformed::Field { name: "chunksize", value: 0 };
        Error::from(FormatError { what, offset: Some(58), chunk: Some(nchunk), block: None })
    })?;
    Header::of_special(value, nbytes, header.typesize)
}

pub(crate) fn of_frame(engine: &mut Engine, nchunk: u64, location: f64) -> Result<Answer> {
    let Engine { scratch, input, output, opened, dparams, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let chunk = match special(location) {
        Some(value) => Chunk::of_special(special_header(opened, nchunk, value)?),
        None => Chunk::with_context(sections.section(), context(opened))?,
    };
    let nbytes = chunk.header().nbytes;
    if let Some(expected) = expected(&opened.frame.header, nchunk).filter(|&expected| expected != nbytes) {
        let what =
            Malformed::Mismatch { name: "chunk nbytes", found: nbytes.into(), expected: expected.into() };
        return Err(Error::from(FormatError { what, offset: None, chunk: Some(nchunk), block: None }));
    }
    dparams.limits.allow_memory(nbytes.into())?;
    chunk.decode_into(output.reserve(nbytes as usize), scratch)?;
    Ok(Answer::Done)
}

/// Errors are told with the chunk that they are about: their offsets count from its start.
pub(crate) fn in_chunk(nchunk: f64, result: Result<Answer>) -> Result<Answer> {
    result.map_err(|error| match error {
        Error::Format(mut error) => {
            error.chunk = error.chunk.or(Some(nchunk as u64));
            Error::Format(error)
        }
        other => other,
    })
}

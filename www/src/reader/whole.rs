//! Decodes whole chunks of a frame.

use super::frame::special;
use super::opened::{State, opened};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::FRAME;
use b2nd::chunk::{Chunk, Header};
use b2nd::{Limit, LimitError, Result};

/// Decodes the chunk of this number, location and extent; fails if it has more than `most` uncompressed bytes.
pub(crate) fn of_frame(
    engine: &mut Engine,
    (nchunk, location, extent): (u64, f64, u64),
    most: u64,
) -> Result<(), CallError> {
    let Engine { scratch, input, output, reader: State { opened, .. }, dparams, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut needed = extent;
    let chunk = if let Some(value) = special(nchunk, location)? {
        Chunk::of_special(opened.frame.header.special_chunk(nchunk, value)?)
    } else {
        let mut answers = input.sections();
        loop {
            let Some(bytes) = answers.next() else {
                let (part, start) =
                    if opened.frame.header.sparse { (location, 0.0) } else { (FRAME, location) };
                output.numbers(&[part, start, start + needed as f64]);
                return Err(CallError::Need);
            };
            let header = Header::parse(bytes)?;
            let wanted = header.nbytes.into();
            if wanted > most {
                return Err(CallError::Failed(
                    LimitError { limit: Limit::Expansion, wanted, allowed: most }.into(),
                ));
            }
            // If chunks differ in size, only the header tells the length of the file.
            if u64::from(header.cbytes) <= needed || bytes.len() as u64 >= u64::from(header.cbytes) {
                break Chunk::with_context(bytes, opened.context())?;
            }
            needed = header.cbytes.into();
        }
    };
    let nbytes = chunk.header().nbytes;
    opened.frame.header.check_chunk(nchunk, chunk.header())?;
    dparams.limits.allow_memory(nbytes.into())?;
    chunk.decode_into(output.reserve(nbytes as usize), scratch)?;
    Ok(())
}

/// Adds the number of the chunk to an error, whose offsets count from the start of that chunk.
pub(crate) fn in_chunk(nchunk: f64, result: Result<(), CallError>) -> Result<(), CallError> {
    result.map_err(|stop| match stop {
        CallError::Failed(error) => CallError::Failed(error.in_chunk(nchunk as u64)),
        need => need,
    })
}

//! Decodes whole chunks of a frame.

use super::frame::special;
use super::opened::{State, opened};
use crate::engine::Engine;
use crate::stop::Stop;
use b2nd::Result;
use b2nd::chunk::Chunk;

pub(crate) fn of_frame(engine: &mut Engine, nchunk: u64, location: f64) -> Result<(), Stop> {
    let Engine { scratch, input, output, reader: State { opened, .. }, dparams, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let chunk = match special(location) {
        Some(value) => Chunk::of_special(opened.frame.header.special_chunk(nchunk, value)?),
        None => Chunk::with_context(sections.section(), opened.context())?,
    };
    let nbytes = chunk.header().nbytes;
    opened.frame.header.check_chunk(nchunk, chunk.header())?;
    dparams.limits.allow_memory(nbytes.into())?;
    chunk.decode_into(output.reserve(nbytes as usize), scratch)?;
    Ok(())
}

/// Adds the number of the chunk to an error, whose offsets count from the start of that chunk.
pub(crate) fn in_chunk(nchunk: f64, result: Result<(), Stop>) -> Result<(), Stop> {
    result.map_err(|stop| match stop {
        Stop::Failed(error) => Stop::Failed(error.in_chunk(nchunk as u64)),
        need => need,
    })
}

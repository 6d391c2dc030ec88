//! Writing: chunks outside of frames and, with the feature `writer`, arrays in frames.

#[cfg(feature = "writer")]
mod editing;
#[cfg(feature = "writer")]
mod journal;
mod params;

use crate::engine::{Engine, Stop};
#[cfg(feature = "writer")]
use alloc::vec::Vec;
#[cfg(feature = "writer")]
use b2nd::array::ArrayEncoder;
use b2nd::chunk::ChunkEncoder;
#[cfg(feature = "writer")]
pub(crate) use editing::{Writer, answer, append, commit, create, edit, metalayer, replace, resize, set};

#[cfg(feature = "writer")]
pub(crate) use journal::Journal;

/// The encoders of the last calls, which keep their tables.
#[derive(Default)]
pub(crate) struct Encoders {
    chunk: ChunkEncoder,
    /// With its parameters, as they were given.
    #[cfg(feature = "writer")]
    array: Option<(Vec<u8>, ArrayEncoder)>,
}

/// Encodes a chunk outside of a frame.
pub(crate) fn chunk(engine: &mut Engine) -> Result<(), Stop> {
    let Engine { input, output, encoders, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let cparams = params::cparams(sections.section());
    if *encoders.chunk.cparams() != cparams {
        encoders.chunk = ChunkEncoder::new(cparams);
    }
    let plain = sections.section();
    let room = encoders.chunk.max_len(plain.len());
    let len = encoders.chunk.encode_into(plain, output.reserve(room))?;
    output.cut(room - len);
    Ok(())
}

/// Encodes the chunk of an array from its items.
#[cfg(feature = "writer")]
pub(crate) fn array_chunk(engine: &mut Engine, nchunk: u64) -> Result<(), Stop> {
    let Engine { input, output, encoders, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let given = params::ARRAY.map(|_| sections.section());
    let key = given.concat();
    let encoder = match &mut encoders.array {
        Some((same, encoder)) if *same == key => encoder,
        array => &mut array.insert((key, ArrayEncoder::new(&params::array(given))?)).1,
    };
    output.push(&encoder.encode(nchunk, sections.section())?);
    Ok(())
}

//! Chunks outside of frames.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::status;
use b2nd::chunk::Chunk;
use wasm_bindgen::prelude::wasm_bindgen;

/// Decodes a chunk outside of a frame.
#[wasm_bindgen]
pub fn chunk_decode() -> u32 {
    status(decode)
}

fn decode(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { scratch, input, output, dparams, .. } = engine;
    let chunk = Chunk::new(input.bytes())?;
    let nbytes = dparams.limits.allow_memory(chunk.header().nbytes.into())?;
    chunk.decode_into(output.reserve(nbytes), scratch)?;
    Ok(())
}

//! Chunks outside of frames that are encoded.

use crate::call_error::CallError;
use crate::cparams::cparams;
use crate::engine::Engine;
use crate::status;
use wasm_bindgen::prelude::wasm_bindgen;

/// Encodes a chunk outside of a frame.
#[wasm_bindgen]
pub fn chunk_encode() -> u32 {
    status(chunk)
}

fn chunk(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, encoder, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    encoder.set_cparams(cparams(sections.section()));
    output.push(&encoder.encode(sections.section())?);
    Ok(())
}

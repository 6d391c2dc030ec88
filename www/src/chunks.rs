//! Chunks outside of frames.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::status;
use b2nd::Result;
use b2nd::chunk::{Body, Chunk, Header, SpecialValue};
use wasm_bindgen::prelude::wasm_bindgen;

/// The header of a chunk outside of a frame.
#[wasm_bindgen]
pub fn chunk_info() -> u32 {
    status(info)
}

/// Decodes a chunk outside of a frame.
#[wasm_bindgen]
pub fn chunk_decode() -> u32 {
    status(decode)
}

fn info(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, .. } = engine;
    output.clear();
    let header = Header::parse(input.bytes())?;
    let body = match header.body {
        Body::Memcpyed => 0,
        Body::Special(SpecialValue::Zeros) => 1,
        Body::Special(SpecialValue::Nan) => 2,
        Body::Special(SpecialValue::Repeat { .. }) => 3,
        Body::Special(SpecialValue::Uninit) => 4,
        Body::Blocks => 5,
        Body::VlBlocks => 6,
    };
    let filters = header.filters.iter().count() as u32;
    let numbers = [
        header.version.into(),
        header.header_len,
        header.typesize.into(),
        header.nbytes,
        header.blocksize,
        header.cbytes,
        header.nblocks,
        header.codec.0.into(),
        header.codec_meta.into(),
        body,
        header.split.into(),
        header.uses_dict.into(),
        filters,
    ];
    for number in numbers {
        output.numbers(&[number.into()]);
    }
    for filter in header.filters.iter() {
        output.numbers(&[filter.id, filter.meta].map(f64::from));
    }
    Ok(())
}

fn decode(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { scratch, input, output, dparams, .. } = engine;
    let chunk = Chunk::new(input.bytes())?;
    let nbytes = dparams.limits.allow_memory(chunk.header().nbytes.into())?;
    chunk.decode_into(output.reserve(nbytes), scratch)?;
    Ok(())
}

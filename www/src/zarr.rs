//! Parts of the chunks of Zarr arrays: what a selection takes of a chunk, whose bytes the caller reads.

mod chunks;
mod segments;

use crate::engine::Engine;
use crate::status;
use wasm_bindgen::prelude::wasm_bindgen;

/// Plans a selection: the shape of its result and the chunks that it touches.
#[wasm_bindgen]
pub fn zarr_plan() -> u32 {
    status(chunks::plan)
}

/// The bytes of a chunk to read besides its head.
#[wasm_bindgen]
pub fn zarr_requests(nchunk: f64) -> u32 {
    status(|engine| chunks::requests(engine, nchunk as u64))
}

/// Decodes the part of a chunk that a selection takes.
#[wasm_bindgen]
pub fn zarr_part(nchunk: f64, unit: u32) -> u32 {
    status(|engine| chunks::part(engine, nchunk as u64, unit as usize))
}

/// Takes the same part of the items of a whole chunk.
#[wasm_bindgen]
pub fn zarr_place(nchunk: f64) -> u32 {
    status(|engine: &mut Engine| chunks::place(engine, nchunk as u64))
}

//! Frames and arrays that are read.

mod batches;
mod facts;
mod frame;
mod header;
mod merge;
mod opened;
mod part;
mod plan;
mod ranges;
mod whole;

use crate::{msgpack, status};
use wasm_bindgen::prelude::wasm_bindgen;

pub(crate) use opened::State;

/// The header of a chunk outside of a frame.
#[wasm_bindgen]
pub fn chunk_info() -> u32 {
    status(header::header)
}

/// Opens a frame, or a chunk outside of a frame.
#[wasm_bindgen]
pub fn open() -> u32 {
    status(frame::open)
}

/// Loads a frame again, by its recipe.
#[wasm_bindgen]
pub fn load() -> u32 {
    status(frame::load)
}

/// The metalayers in the frame's header.
#[wasm_bindgen]
pub fn metalayers() -> u32 {
    status(frame::metalayers)
}

/// The attributes.
#[wasm_bindgen]
pub fn trailer() -> u32 {
    status(frame::trailer)
}

/// The value that MessagePack is, with `used` bytes of memory; if `plain` is not 0, without what python-blosc2 means by extensions.
#[wasm_bindgen]
pub fn value(used: f64, plain: u32) -> u32 {
    status(|engine| msgpack::value(engine, used as u64, plain != 0))
}

/// The locations of chunks, from chunk `from` on. Fails for references unless `as_stored` is not 0.
#[wasm_bindgen]
pub fn index(from: f64, as_stored: u32) -> u32 {
    status(|engine| frame::index(engine, from as u64, as_stored != 0))
}

/// The result of a selection.
#[wasm_bindgen]
pub fn plan(items: u32) -> u32 {
    status(|engine| plan::plan(engine, items))
}

/// The chunks that a selection touches, in batches, from chunk `from` on and before `end`.
#[wasm_bindgen]
pub fn batches(items: u32, from: f64, end: f64, flags: u32) -> u32 {
    status(|engine| batches::batches(engine, items, from as u64, end as u64, flags))
}

/// An estimate of the bytes of a chunk that a selection needs.
#[wasm_bindgen]
pub fn guess(items: u32, nchunk: f64, piece: i32, extent: f64) -> u32 {
    status(|engine| plan::guess(engine, items, nchunk as u64, piece, extent as u64))
}

/// The bytes of a chunk that a selection needs.
#[wasm_bindgen]
pub fn wanted(items: u32, nchunk: f64, piece: i32, location: f64) -> u32 {
    status(|engine| whole::in_chunk(nchunk, part::wanted(engine, items, (nchunk as u64, piece), location)))
}

/// Merges ranges of bytes into requests.
#[wasm_bindgen]
pub fn merge(gap: f64, waste: f64) -> u32 {
    status(|engine| {
        merge::requests(engine, gap, waste);
        Ok(())
    })
}

/// Decodes what a selection takes of some chunks.
#[wasm_bindgen]
pub fn decode(items: u32) -> u32 {
    status(|engine| part::decode(engine, items))
}

/// Decodes a whole chunk of the frame, of `extent` bytes about and of at most `most` uncompressed bytes.
#[wasm_bindgen]
pub fn chunk(nchunk: f64, location: f64, extent: f64, most: f64) -> u32 {
    status(|engine| {
        let chunk = (nchunk as u64, location, extent as u64);
        whole::in_chunk(nchunk, whole::of_frame(engine, chunk, most as u64))
    })
}

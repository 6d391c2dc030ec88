//! Arrays in frames that are created and changed.

mod editing;
mod params;
mod recovering;
mod state;
mod zarr;

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::{Sections, f64s};
use crate::status;
use crate::value;
use alloc::string::String;
use b2nd::sink::Change;
use wasm_bindgen::prelude::wasm_bindgen;

pub(crate) use state::State;

/// Encodes a chunk of an array.
#[wasm_bindgen]
pub fn array_encode(nchunk: f64) -> u32 {
    status(|engine| array_chunk(engine, nchunk as u64))
}

/// Encodes a chunk of a Zarr array in the codec `b2nd`, from its items.
#[wasm_bindgen]
pub fn zarr_encode(big: u32) -> u32 {
    status(|engine| zarr::encode(engine, big != 0))
}

/// Creates a frame with an array.
#[wasm_bindgen]
pub fn create() -> u32 {
    status(editing::create)
}

/// Opens a frame with an array, to change it.
#[wasm_bindgen]
pub fn edit() -> u32 {
    status(editing::edit)
}

/// Replaces a chunk by an encoded one.
#[wasm_bindgen]
pub fn replace(nchunk: f64) -> u32 {
    status(|engine| editing::change(engine, &|input| Change::Chunk(nchunk as u64, input.section())))
}

/// Writes the items of a selection within one chunk.
#[wasm_bindgen]
pub fn set() -> u32 {
    status(|engine| editing::change(engine, &|input| Change::Set(input.selection(), input.section())))
}

/// Changes the shape.
#[wasm_bindgen]
pub fn resize() -> u32 {
    let shape = |input: &mut Sections<'_>| f64s(input.section()).map(|len| len as u64).collect();
    status(|engine| editing::change(engine, &|input| Change::Resize(shape(input))))
}

/// Appends items along an axis.
#[wasm_bindgen]
pub fn append(axis: u32) -> u32 {
    status(|engine| editing::change(engine, &|input| Change::Append(axis as usize, input.section())))
}

/// Sets or removes a metalayer.
#[wasm_bindgen]
pub fn metalayer(variable: u32, remove: u32) -> u32 {
    status(|engine| {
        editing::change(engine, &|input| {
            let name = String::from_utf8_lossy(input.section());
            let content = value::packed(input.section());
            let content = (remove == 0).then_some(content.into());
            if variable == 0 { Change::Metalayer(name, content) } else { Change::Attr(name, content) }
        })
    })
}

/// Makes all changes the content of the frame. With `compact` a new file replaces it, which has no unused space.
#[wasm_bindgen]
pub fn commit(compact: u32) -> u32 {
    status(|engine| editing::commit(engine, compact != 0))
}

/// Goes on with putting a frame together that has no index, or begins with one.
#[wasm_bindgen]
pub fn recover(begins: u32) -> u32 {
    status(|engine| recovering::recover(engine, begins != 0))
}

/// Encodes the chunk of an array from its items.
fn array_chunk(engine: &mut Engine, nchunk: u64) -> Result<(), CallError> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let (encoder, _) = writer.encoder(&mut sections)?;
    output.push(&encoder.encode(nchunk, sections.section())?);
    Ok(())
}

//! The library for JavaScript: functions of numbers, with an input and an output buffer. ABI.md describes them.
//!
//! A module has one `Engine`. Callers free nothing. What it keeps between calls only saves time.

#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

#[cfg(any(feature = "reader", feature = "writer"))]
mod array;
#[cfg(any(feature = "reader", not(feature = "writer")))]
mod chunk;
mod engine;
#[cfg(feature = "reader")]
mod facts;
mod failure;
#[cfg(feature = "reader")]
mod frame;
mod input;
#[cfg(any(feature = "reader", feature = "writer"))]
mod json;
#[cfg(feature = "reader")]
mod merge;
mod output;
#[cfg(feature = "reader")]
mod part;
#[cfg(feature = "reader")]
mod plan;
#[cfg(any(feature = "reader", feature = "encode"))]
mod sections;
#[cfg(feature = "reader")]
mod whole;
#[cfg(feature = "encode")]
mod write;

use engine::{Engine, Stop};
use spin::{Mutex, MutexGuard};
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: rlsf::GlobalTlsf<Allocator> = rlsf::GlobalTlsf::new();

/// Without reallocation in place: buffers are replaced when they grow.
#[cfg(target_arch = "wasm32")]
struct Allocator;

#[cfg(target_arch = "wasm32")]
impl rlsf::GlobalTlsfOptions for Allocator {
    const ENABLE_REALLOCATION: bool = false;
}

/// A panic would be a bug. JavaScript gets a `RuntimeError`, without a message, whose formatting would need much code.
#[cfg(all(target_arch = "wasm32", not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

static ENGINE: Mutex<Option<Engine>> = Mutex::new(None);

/// Not inlined, so that all exports share its code.
#[inline(never)]
fn lock() -> MutexGuard<'static, Option<Engine>> {
    ENGINE.lock()
}

fn with<T>(work: impl FnOnce(&mut Engine) -> T) -> T {
    work(lock().get_or_insert_default())
}

/// Runs a call and returns its status.
fn status(work: impl FnOnce(&mut Engine) -> Result<(), Stop>) -> u32 {
    with(|engine| {
        let answer = work(engine);
        engine.output.conclude(answer)
    })
}

/// Makes the input buffer `len` bytes long and returns its address.
#[wasm_bindgen]
pub fn input(len: usize) -> *const u8 {
    with(|engine| engine.input.reserve(len))
}

/// The address of the output.
#[wasm_bindgen]
pub fn output() -> *const u8 {
    with(|engine| engine.output.bytes().as_ptr())
}

/// The length of the output in bytes.
#[wasm_bindgen]
pub fn output_len() -> usize {
    with(|engine| engine.output.bytes().len())
}

/// Sets the limits for all later calls, in bytes.
#[wasm_bindgen]
pub fn limits(memory: f64, metadata: f64, expansion: f64) {
    with(|engine| engine.limit(memory as u64, metadata as u64, expansion as u64));
}

/// Opens a frame, or a chunk outside of a frame.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn open() -> u32 {
    status(frame::open)
}

/// Loads a frame again, by its recipe.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn load() -> u32 {
    status(frame::load)
}

/// The metalayers in the frame's header.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn metalayers() -> u32 {
    status(frame::metalayers)
}

/// The variable-length metalayers.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn trailer() -> u32 {
    status(frame::trailer)
}

/// The locations of chunks, from chunk `from` on. Fails for references unless `as_stored` is not 0.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn index(from: f64, as_stored: u32) -> u32 {
    status(|engine| frame::index(engine, from as u64, as_stored != 0))
}

/// The chunks that a selection touches, from chunk `from` on.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn plan(items: u32, from: f64) -> u32 {
    status(|engine| plan::plan(engine, items, from as u64))
}

/// An estimate of the bytes of a chunk that a selection needs.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn guess(items: u32, nchunk: f64, piece: i32, extent: f64) -> u32 {
    status(|engine| plan::guess(engine, items, nchunk as u64, piece, extent as u64))
}

/// The bytes of a chunk that a selection needs.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn wanted(items: u32, nchunk: f64, piece: i32) -> u32 {
    status(|engine| whole::in_chunk(nchunk, part::wanted(engine, items, nchunk as u64, piece)))
}

/// Merges ranges of bytes into requests.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn merge(gap: f64, waste: f64) -> u32 {
    status(|engine| {
        merge::requests(engine, gap, waste);
        Ok(())
    })
}

/// Decodes what a selection takes of some chunks.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn decode(items: u32) -> u32 {
    status(|engine| part::decode(engine, items))
}

/// Decodes a whole chunk of the frame.
#[cfg(feature = "reader")]
#[wasm_bindgen]
pub fn chunk(nchunk: f64, location: f64) -> u32 {
    status(|engine| whole::in_chunk(nchunk, whole::of_frame(engine, nchunk as u64, location)))
}

/// The header of a chunk outside of a frame.
#[cfg(any(feature = "reader", not(feature = "writer")))]
#[wasm_bindgen]
pub fn chunk_info() -> u32 {
    status(chunk::info)
}

/// Decodes a chunk outside of a frame.
#[cfg(any(feature = "reader", not(feature = "writer")))]
#[wasm_bindgen]
pub fn chunk_decode() -> u32 {
    status(chunk::decode)
}

/// Encodes a chunk outside of a frame.
#[cfg(feature = "encode")]
#[wasm_bindgen]
pub fn chunk_encode() -> u32 {
    status(write::chunk)
}

/// Encodes a chunk of an array.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn array_encode(nchunk: f64) -> u32 {
    status(|engine| write::array_chunk(engine, nchunk as u64))
}

/// Creates a frame with an array.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn create() -> u32 {
    status(write::create)
}

/// Opens a frame with an array, to change it.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn edit() -> u32 {
    status(write::edit)
}

/// Gives bytes of the frame, from `start` on, that a call needed; it asked for those before `end`.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn answer(start: f64, end: f64) -> u32 {
    status(|engine| write::answer(engine, start as u64..end as u64))
}

/// Replaces a chunk by an encoded one.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn replace(nchunk: f64) -> u32 {
    status(|engine| write::replace(engine, nchunk as u64))
}

/// Writes the items of a selection within one chunk.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn set() -> u32 {
    status(write::set)
}

/// Changes the shape.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn resize() -> u32 {
    status(write::resize)
}

/// Appends items along an axis.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn append(axis: u32) -> u32 {
    status(|engine| write::append(engine, axis as usize))
}

/// Sets or removes a metalayer.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn metalayer(variable: u32, remove: u32) -> u32 {
    status(|engine| write::metalayer(engine, variable != 0, remove != 0))
}

/// Makes all changes the content of the frame.
#[cfg(feature = "writer")]
#[wasm_bindgen]
pub fn commit() -> u32 {
    status(write::commit)
}

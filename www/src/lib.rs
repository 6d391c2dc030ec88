//! The library for JavaScript: functions of numbers, with an input and an output buffer. ABI.md describes them.
//!
//! A module has one `Engine`. Callers free nothing. What it keeps between calls only saves time.

#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

#[cfg(feature = "archive")]
pub mod archive;
#[cfg(any(feature = "expression", feature = "frames"))]
#[allow(dead_code, reason = "expressions have no layouts")]
mod array;
#[cfg(feature = "export")]
pub mod axes;
mod call_error;
#[cfg(feature = "chunks")]
pub mod chunks;
#[cfg(any(feature = "expression", feature = "store"))]
#[allow(dead_code, reason = "expressions have no texts of columns")]
mod columns;
#[cfg(any(feature = "archive", feature = "encode"))]
mod cparams;
#[cfg(feature = "encode")]
pub mod encode;
mod engine;
#[cfg(any(feature = "archive", feature = "reader", feature = "store", feature = "writer"))]
mod exchange;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "expression")]
pub mod expression;
mod failure;
mod input;
#[cfg(any(feature = "archive", feature = "writer"))]
mod journal;
#[cfg(any(feature = "expression", feature = "store"))]
mod layers;
#[cfg(feature = "reader")]
mod msgpack;
#[cfg(any(feature = "archive", feature = "writer"))]
pub mod names;
#[cfg(feature = "archive")]
pub mod objects;
mod output;
#[cfg(feature = "reader")]
pub mod reader;
mod sections;
#[cfg(any(feature = "expression", feature = "frames", feature = "zarr"))]
mod selection;
#[cfg(any(feature = "archive", feature = "writer"))]
mod steps;
#[cfg(feature = "store")]
pub mod store;
#[cfg(all(target_arch = "wasm32", not(test)))]
mod system;
#[cfg(any(
    feature = "archive",
    feature = "export",
    feature = "expression",
    feature = "frames",
    feature = "store"
))]
#[allow(dead_code, reason = "each variant of the module writes some kinds of values")]
mod value;
#[cfg(feature = "writer")]
pub mod writer;
#[cfg(feature = "zarr")]
pub mod zarr;

use call_error::CallError;
use engine::Engine;
use spin::{Mutex, MutexGuard};
use wasm_bindgen::prelude::wasm_bindgen;

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
fn status(work: impl FnOnce(&mut Engine) -> Result<(), CallError>) -> u32 {
    with(|engine| {
        let answer = work(engine);
        call_error::conclude(answer, &mut engine.output)
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

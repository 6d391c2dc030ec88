//! Sequences of objects that are created. Calls return the steps that JavaScript carries out.

mod state;

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::output::Output;
use crate::status;
use crate::steps::put_step;
use crate::value;
use b2nd::wire::Step;
use b2nd::{ArgumentError, Error};
use wasm_bindgen::prelude::wasm_bindgen;

pub(crate) use state::Sequence;

/// Creates a sequence: objects by themselves (0), batches (1) or lists (2), with null among them if `nullable`. A batch has `batch`
/// objects, and a block `block`; 0 is the default.
#[wasm_bindgen]
pub fn objects_create(kind: f64, batch: f64, block: f64, nullable: f64) -> u32 {
    let lens = [batch, block].map(|len| len as usize);
    status(|engine| create(engine, kind as u32, lens, nullable != 0.0))
}

/// Appends an object.
#[wasm_bindgen]
pub fn objects_push() -> u32 {
    status(push)
}

/// Completes the frame.
#[wasm_bindgen]
pub fn objects_end() -> u32 {
    status(end)
}

fn create(engine: &mut Engine, kind: u32, lens: [usize; 2], nullable: bool) -> Result<(), CallError> {
    let Engine { input, output, dparams, objects, .. } = engine;
    *objects = None;
    output.clear();
    *objects = Some(Sequence::create(&mut input.sections(), kind, lens, nullable, &dparams.limits)?);
    Ok(())
}

fn push(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, dparams, objects, .. } = engine;
    let sequence = objects.as_mut().ok_or_else(not_opened)?;
    put(&sequence.push(&value::packed(input.bytes()), &dparams.limits)?, output);
    Ok(())
}

fn end(engine: &mut Engine) -> Result<(), CallError> {
    let sequence = engine.objects.take().ok_or_else(not_opened)?;
    put(&sequence.end()?, &mut engine.output);
    Ok(())
}

fn not_opened() -> Error {
    ArgumentError::NotOpened.into()
}

/// Writes the list of steps.
fn put(steps: &[Step], output: &mut Output) {
    output.clear();
    let mut out = value::Writer(output);
    out.list();
    steps.iter().for_each(|step| put_step(&mut out, step));
    out.end();
}

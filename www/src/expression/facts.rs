//! The array that an expression is.

use crate::array;
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use alloc::string::ToString;

/// Writes its shape, chunks, blocks and dtype: `ArrayFacts` of the API.
pub(super) fn facts(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let computation = engine.expression.computation()?;
    let (chunks, blocks) = computation.division();
    let dtype = computation.dtype();
    let mut out = Writer(&mut engine.output);
    out.record();
    out.name("shape").counts(computation.shape().iter().copied());
    out.name("chunks").counts(chunks);
    out.name("blocks");
    match blocks {
        Some(blocks) => out.counts(blocks.iter().copied().map(u64::from)),
        None => out.nil(),
    }
    out.name("itemsize").count(dtype.itemsize() as u64);
    out.name("dtype").text(&dtype.to_string());
    out.name("type");
    array::dtype(&mut out, dtype);
    out.end();
    Ok(())
}

/// Writes the bytes of an item and of the result, no chunks, and the shape.
pub(super) fn plan(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let computation = engine.expression.computation()?;
    let shape = engine.input.sections().selection().shape(computation.shape())?;
    let itemsize = computation.dtype().itemsize() as u64;
    let nbytes = shape.iter().fold(itemsize as f64, |nbytes, len| nbytes * *len as f64);
    engine.output.numbers(&[itemsize as f64, nbytes, 0.0, f64::NAN]);
    shape.iter().for_each(|len| engine.output.numbers(&[*len as f64]));
    Ok(())
}

//! Sequences of objects.

use super::subject::{self, Subject};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use b2nd::{ArgumentError, Limits};
use core::ops::Range;

/// The number of objects, and the most bytes that a batch may have; nothing if the frame, of `stored` bytes, holds none.
pub(crate) fn objects(engine: &mut Engine, stored: u64) -> Result<(), CallError> {
    engine.output.clear();
    match &engine.subject {
        Some(Subject::Objects(Some(layout))) => {
            let most = engine.dparams.limits.most_of(stored);
            engine.output.numbers(&[layout.len() as f64, most as f64]);
        }
        Some(Subject::Objects(None)) => {}
        _ => return Err(CallError::Failed(ArgumentError::NotOpened.into())),
    }
    Ok(())
}

/// The batches in which some objects are: number, first object, end.
pub(crate) fn batches(engine: &mut Engine, range: Range<u64>) -> Result<(), CallError> {
    engine.output.clear();
    for (nbatch, objects) in subject::batches(&engine.subject)?.batches(range)? {
        engine.output.numbers(&[nbatch, objects.start, objects.end].map(|number| number as f64));
    }
    Ok(())
}

/// All objects of a batch, whose bytes are the input. The file has `stored` bytes of them.
pub(crate) fn batch(engine: &mut Engine, nbatch: u64, stored: u64) -> Result<(), CallError> {
    let limits = engine.dparams.limits;
    let objects =
        subject::batches(&engine.subject)?.objects(nbatch, engine.input.bytes(), stored, &limits, &mut 0)?;
    engine.output.clear();
    let mut out = Writer(&mut engine.output);
    out.list_of(objects.len());
    // Objects are data, not metadata.
    let limits = Limits { metadata: limits.memory, ..limits };
    for object in &objects {
        out.object(object, &limits)?;
    }
    out.end();
    Ok(())
}

//! Frames without an index, put together from their chunks.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::put;
use crate::steps::put_step;
use crate::value;
use b2nd::ArgumentError;
use b2nd::wire::{Exchange, Recovery};

/// Takes the bytes that the last call asked for, unless this is the first one. There may be as many calls as chunks, so that answers are
/// not given again.
pub(crate) fn recover(engine: &mut Engine, begins: bool) -> Result<(), CallError> {
    let Engine { input, output, writer, dparams, .. } = engine;
    output.clear();
    let mut recovery = match writer.recovery.take() {
        _ if begins => Recovery::new(dparams.limits),
        Some(recovery) => recovery,
        None => return Err(b2nd::Error::from(ArgumentError::NotOpened).into()),
    };
    if !begins {
        recovery.give(&[input.sections().section()])?;
    }
    if let [request] = recovery.ask()? {
        put(output, request);
        writer.recovery = Some(recovery);
        return Err(CallError::Need);
    }
    let mut recovered = recovery.finish()?;
    let mut out = value::Writer(output);
    out.record();
    out.name("found").count(recovered.found);
    out.name("chunks").count(recovered.frame.nchunks());
    out.name("isCertain").bool(recovered.is_certain);
    out.name("steps").each(recovered.frame.commit()?, |out, step| put_step(out, &step));
    out.end();
    Ok(())
}

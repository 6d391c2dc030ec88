//! Loading what the following calls are about.

use super::subject::Subject;
use crate::call_error::CallError;
use crate::engine::Engine;

/// Loads it by its recipe, the input.
pub(crate) fn load(engine: &mut Engine) -> Result<(), CallError> {
    engine.subject = None;
    engine.output.clear();
    engine.subject = Some(Subject::read(engine.input.sections(), &engine.dparams.limits)?);
    Ok(())
}

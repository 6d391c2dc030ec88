//! Evaluations of selections, by their numbers.

use super::parts;
use super::state::State;
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use alloc::vec::Vec;
use b2nd::{ArgumentError, Error};

pub(super) fn begin(engine: &mut Engine, number: u32) -> Result<(), CallError> {
    engine.output.clear();
    let state = &mut engine.expression;
    let selection = engine.input.sections().selection();
    let evaluation = state.computation()?.evaluate(&selection, state.reduced.clone())?;
    state.evaluations.insert(number, evaluation);
    Ok(())
}

/// Writes each part: the number of the operand, and a selection of its items. Null if none is needed now.
pub(super) fn ask(engine: &mut Engine, number: u32) -> Result<(), CallError> {
    engine.output.clear();
    let State { evaluations, uniform, .. } = &mut engine.expression;
    let evaluation = evaluations.get_mut(&number).ok_or(Error::from(ArgumentError::NotOpened))?;
    let mut is_uniform = |operand: usize, chunks: core::ops::RangeInclusive<u64>| {
        let runs = uniform.get(operand).map(Vec::as_slice).unwrap_or_default();
        let after = runs.partition_point(|run| run.start <= *chunks.start());
        let run = after.checked_sub(1).map(|at| &runs[at]);
        Ok::<_, Error>(run.is_some_and(|run| run.contains(chunks.end())))
    };
    let mut out = Writer(&mut engine.output);
    match evaluation.ask(&mut is_uniform)? {
        Some(wanted) => out.each(&wanted, parts::write),
        None => out.nil(),
    }
    Ok(())
}

/// Writes the box of the result that is computed now, if one is.
pub(super) fn give(engine: &mut Engine, number: u32) -> Result<(), CallError> {
    engine.output.clear();
    let given: Vec<&[u8]> = engine.input.sections().collect();
    let mut items = core::mem::take(&mut engine.expression.items);
    items.clear();
    let place = engine.expression.evaluation(number)?.give(&given, &mut items)?;
    if let Some(place) = place {
        engine.output.push_box(&place, items.len()).copy_from_slice(&items);
    }
    engine.expression.items = items;
    Ok(())
}

/// Keeps the values of its reductions.
pub(super) fn end(engine: &mut Engine, number: u32) -> Result<(), CallError> {
    engine.output.clear();
    let state = &mut engine.expression;
    if let Some(evaluation) = state.evaluations.remove(&number) {
        state.reduced = evaluation.into_reduced();
    }
    Ok(())
}

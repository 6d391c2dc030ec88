//! Expressions and their operands, as JavaScript gives them.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::layers;
use crate::sections::{Sections, f64s};
use crate::value::Writer;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::Limits;
use b2nd::array::Dtype;
use b2nd::expression::{Computation, Expression, Operand, StoredExpression};

/// The text, then for each operand its dtype and, after the number of axes, its shape, its chunks and its blocks; chunks and blocks of
/// no items are unknown.
pub(super) fn load(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let limits = engine.dparams.limits;
    let mut sections = engine.input.sections();
    let expression = expression(&mut sections)?;
    let mut operands = Vec::new();
    while let Some(dtype) = sections.next() {
        operands.push(operand(dtype, sections.section(), &limits)?);
    }
    let computation = Computation::new(&expression, operands, limits)?;
    engine.expression.computation = Some(Box::leak(Box::new(computation)));
    Ok(())
}

fn operand(dtype: &[u8], lens: &[u8], limits: &Limits) -> b2nd::Result<Operand> {
    let mut lens = f64s(lens);
    let ndim = lens.next().unwrap_or(0.0) as usize;
    let mut part = || lens.by_ref().take(ndim).map(|len| len as u64).collect::<Vec<_>>();
    let short =
        |lens: Vec<u64>| lens.into_iter().map(|len| u32::try_from(len).unwrap_or(0)).collect::<Vec<_>>();
    let (shape, chunks, blocks) = (part(), short(part()), short(part()));
    let dtype = Dtype::parse(&String::from_utf8_lossy(dtype), limits)?;
    Ok(Operand::new(dtype, &shape).with_chunks(&chunks).with_blocks(&blocks))
}

fn expression(sections: &mut Sections<'_>) -> Result<Expression, CallError> {
    Ok(Expression::parse(&String::from_utf8_lossy(sections.section()))?)
}

pub(super) fn names(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let expression = expression(&mut engine.input.sections())?;
    Writer(&mut engine.output).each(expression.names(), |out, name| out.text(name));
    Ok(())
}

/// Null, or the text and the operands of a lazy array of python-blosc2.
pub(super) fn stored(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let attributes = layers::read(engine.input.sections().section());
    let stored = StoredExpression::read(&attributes, &engine.dparams.limits)?;
    let mut out = Writer(&mut engine.output);
    let Some(stored) = stored else {
        out.nil();
        return Ok(());
    };
    out.record();
    out.name("text").text(&stored.text);
    out.name("operands").each(&stored.operands, |out, (name, operand)| {
        out.record();
        out.name("name").text(name);
        out.name("path").text(&operand.path);
        out.name("key").optional(operand.key.as_deref());
        out.end();
    });
    out.end();
    Ok(())
}

/// The first chunk of each run, and the chunk after it, in ascending order.
pub(super) fn uniform(engine: &mut Engine, operand: usize) -> Result<(), CallError> {
    engine.output.clear();
    let runs = engine.input.sections().section().as_chunks::<16>().0.iter().map(|run| {
        let mut ends = f64s(run);
        let mut end = || ends.next().unwrap_or(0.0) as u64;
        end()..end()
    });
    let runs = runs.collect();
    let uniform = &mut engine.expression.uniform;
    uniform.resize_with(uniform.len().max(operand + 1), Vec::new);
    uniform[operand] = runs;
    Ok(())
}

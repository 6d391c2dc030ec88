//! Statistics of items that come in parts.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::f64s;
use crate::value::Writer;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::array::Dtype;
use b2nd::expression::{Summarized, Summary, percentiles};
use b2nd::{ArgumentError, Error};

/// Begins with items of a dtype.
pub(super) fn begin(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let dtype = Dtype::parse(&String::from_utf8_lossy(engine.input.bytes()), &engine.dparams.limits)?;
    engine.expression.summary = Some(Summary::new(&dtype)?);
    Ok(())
}

pub(super) fn add(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let summary = engine.expression.summary.as_mut().ok_or(Error::from(ArgumentError::NotOpened))?;
    Ok(summary.add(engine.input.bytes())?)
}

/// Writes a record: `Stats` of the API, without the histogram.
pub(super) fn finish(engine: &mut Engine) -> Result<(), CallError> {
    engine.output.clear();
    let summary = engine.expression.summary.take().ok_or(Error::from(ArgumentError::NotOpened))?;
    let Summarized { count, nan, infinite, min, max, mean, std, .. } = summary.finish()?;
    let mut out = Writer(&mut engine.output);
    out.record();
    for (name, count) in [("count", count), ("nan", nan), ("infinite", infinite)] {
        out.name(name).count(count);
    }
    for (name, number) in [("min", min), ("max", max), ("mean", mean), ("std", std)] {
        out.name(name).number(number);
    }
    out.end();
    Ok(())
}

/// The percentiles of values.
pub(super) fn of_values(engine: &mut Engine) -> Result<(), CallError> {
    let mut sections = engine.input.sections();
    let (percents, values) = (sections.section(), sections.section());
    let percents: Vec<f64> = f64s(percents).collect();
    let found = percentiles(f64s(values).collect(), &percents);
    engine.output.clear();
    Writer(&mut engine.output).each(found, |out, number| out.number(number));
    Ok(())
}

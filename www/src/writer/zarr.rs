//! Chunks of Zarr arrays in the codec `b2nd`. The sections describe an array of one chunk.

use crate::call_error::CallError;
use crate::engine::Engine;
use alloc::vec::Vec;
use b2nd::array::{ArrayParams, ByteOrder};
use b2nd::chunk::Header;
use b2nd::reading::ChunkReading;
use b2nd::zarr::Configuration;
use b2nd::{Error, FormatError, Malformed};
use core::ops::Range;

pub(super) fn encode(engine: &mut Engine, big: bool) -> Result<(), CallError> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let (encoder, params) = writer.encoder(&mut sections)?;
    configuration(params, big).check_encoding()?;
    output.push(&encoder.encode(0, sections.section())?);
    Ok(())
}

pub(super) fn decode(engine: &mut Engine, big: bool) -> Result<(), CallError> {
    let Engine { scratch, input, output, writer, dparams, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let (encoder, params) = writer.encoder(&mut sections)?;
    let (layout, chunk) = (encoder.layout(), sections.section());
    configuration(params, big).check(layout, &Header::parse(chunk)?)?;
    let plan = layout.plan_of(&[])?;
    let Some(task) = plan.chunks().next() else { return Ok(()) };
    let truncated = |needed| {
        let what = Malformed::Truncated { needed, available: chunk.len() as u64 };
        Error::from(FormatError { what, offset: None, chunk: None, block: None })
    };
    let reading = ChunkReading::open(&plan, &task, layout.context(), chunk)?.map_err(truncated)?;
    let mut get = |range: Range<u32>| {
        chunk.get(range.start as usize..range.end as usize).ok_or_else(|| truncated(range.end.into()))
    };
    let out = output.reserve(dparams.limits.allow_memory(plan.nbytes() as u64)?);
    reading.decode(&mut get, &mut Vec::new(), scratch, out)?;
    Ok(())
}

fn configuration(params: &ArrayParams, big: bool) -> Configuration {
    Configuration::of(params, if big { ByteOrder::Big } else { ByteOrder::Little })
}

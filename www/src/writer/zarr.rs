//! Chunks of Zarr arrays in the codec `b2nd`, encoded. The sections describe an array of one chunk.

use crate::call_error::CallError;
use crate::engine::Engine;
use b2nd::array::ByteOrder;
use b2nd::zarr::Configuration;

pub(super) fn encode(engine: &mut Engine, big: bool) -> Result<(), CallError> {
    let Engine { input, output, writer, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let (encoder, params) = writer.encoder(&mut sections)?;
    Configuration::of(params, if big { ByteOrder::Big } else { ByteOrder::Little }).check_encoding()?;
    output.push(&encoder.encode(0, sections.section())?);
    Ok(())
}

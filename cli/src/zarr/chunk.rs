//! Chunks of frames, as Zarr has them.

use super::metadata::Metadata;
use crate::failure::Failure;
use crate::opened::Opened;
use b2nd::Layout;
use b2nd::array::{ArrayEncoder, ArrayParams};
use b2nd::chunk::SpecialValue;
use b2nd::frame::Location;
use b2nd::plan::Region;

/// The chunk of an array that is only an entry of the frame's index; `None` for zeros, which Zarr leaves out.
pub(super) fn constant(
    opened: &Opened<'_>,
    array: &Layout,
    region: &Region,
) -> Result<Option<Vec<u8>>, Failure> {
    let info = opened.of(opened.reader.chunk_info(region.number))?;
    if matches!(info.location, Location::Special(SpecialValue::Zeros | SpecialValue::Uninit)) {
        return Ok(None);
    }
    let failed = |error| Failure::Blosc(opened.path.into(), error);
    let shape = array.shape().iter().collect::<Vec<_>>();
    let dtype = opened.dtype(None)?.to_string();
    let params = ArrayParams::new(&shape, &dtype)
        .with_chunks(array.chunkshape())
        .with_blocks(array.blockshape().unwrap_or_default());
    let items = opened.of(opened.reader.get(region.selection()))?;
    let chunk = ArrayEncoder::new(&params).and_then(|mut encoder| encoder.encode(region.number, &items));
    chunk.map(Some).map_err(failed)
}

/// Fails for a chunk that the codec would refuse.
pub(super) fn check(
    opened: &Opened<'_>,
    array: &Layout,
    metadata: &Metadata,
    nchunk: u64,
) -> Result<(), Failure> {
    let info = opened.of(opened.reader.chunk_info(nchunk))?;
    let checked = metadata.configuration.check(array, &info.header);
    checked.map_err(|error| Failure::Blosc(opened.path.into(), error))
}

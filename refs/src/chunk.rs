//! Chunks of frames, as Zarr has them.

use b2nd::array::{ArrayEncoder, ArrayParams, Dtype};
use b2nd::chunk::SpecialValue;
use b2nd::frame::Location;
use b2nd::plan::Region;
use b2nd::source::Reader;
use b2nd::{Layout, ReadAt, ReadError};

/// The dtype of the items of an array. Single raw bytes are numbers.
///
/// # Errors
/// Errors of [`Reader::dtype`].
pub fn dtype<S: ReadAt>(reader: &Reader<S>) -> Result<Dtype, ReadError<S::Error>> {
    let dtype = reader.dtype()?;
    Ok(if dtype == Dtype::void(1) { Dtype::of::<u8>() } else { dtype })
}

/// The chunk of an array that is only an entry of the frame's index; `None` for zeros, which Zarr leaves out.
///
/// # Errors
/// Errors of reading the chunk.
pub fn constant<S: ReadAt>(
    reader: &Reader<S>,
    array: &Layout,
    region: &Region,
) -> Result<Option<Vec<u8>>, ReadError<S::Error>> {
    let info = reader.chunk_info(region.number)?;
    if matches!(info.location, Location::Special(SpecialValue::Zeros | SpecialValue::Uninit)) {
        return Ok(None);
    }
    let shape = array.shape().iter().collect::<Vec<_>>();
    let params = ArrayParams::new(&shape, &dtype(reader)?.to_string())
        .with_chunks(array.chunkshape())
        .with_blocks(array.blockshape().unwrap_or_default());
    let items = reader.get(region.selection())?;
    Ok(ArrayEncoder::new(&params)?.encode(region.number, &items).map(Some)?)
}

//! Chunks of frames, as Zarr has them.

use crate::error::Error;
use crate::metadata::Metadata;
use crate::types::item_dtype;
use b2nd::array::{ArrayEncoder, ArrayParams};
use b2nd::chunk::SpecialValue;
use b2nd::frame::{Location, Run};
use b2nd::plan::Region;
use b2nd::source::{ChunkInfo, Reader};
use b2nd::{Layout, ReadAt, ReadError};
use core::ops::Range;

type Visited<E> = Result<(Region, ChunkInfo), Error<E>>;

/// The chunks of an array that Zarr has, in order: those of zeros are left out, and take no time however many there are.
///
/// # Errors
/// Errors of the index; as an item, errors of a chunk's header, and `Corrupt` if it is not as the metadata say.
pub fn chunks<'a, S: ReadAt>(
    reader: &'a Reader<S>,
    array: &Layout,
    metadata: &'a Metadata,
) -> Result<impl Iterator<Item = Visited<S::Error>> + 'a, Error<S::Error>> {
    let index = reader.index()?;
    // The headers of zeros at one place of the index are alike: one is checked for all.
    let visited = index.runs().flat_map(|Run { chunks: Range { start, end }, location, .. }| {
        start..if location.is_ok_and(is_left_out) { start + 1 } else { end }
    });
    // The chunk behind the last is an error if the array has it.
    let visited = visited.chain([index.chunks().end]);
    let (array, mut regions, mut next) = (array.clone(), array.chunks(), 0);
    Ok(visited.filter_map(move |number| {
        let region = regions.nth((number - next) as usize)?;
        next = number + 1;
        let info = reader.chunk_info(number).map_err(Error::from).and_then(|info| {
            metadata.configuration().check(&array, &info.header)?;
            Ok(info)
        });
        match info {
            Ok(info) if is_left_out(info.location) => None,
            info => Some(info.map(|info| (region, info))),
        }
    }))
}

const fn is_left_out(location: Location) -> bool {
    matches!(location, Location::Special(SpecialValue::Zeros | SpecialValue::Uninit))
}

/// A chunk of an array as Zarr has it: as it is stored, or encoded if it is only an entry of the frame's index.
///
/// # Errors
/// Errors of reading the chunk.
pub fn chunk<S: ReadAt>(
    reader: &Reader<S>,
    array: &Layout,
    region: &Region,
) -> Result<Vec<u8>, ReadError<S::Error>> {
    if let Some(stored) = reader.stored_chunk(region.number)? {
        return Ok(stored);
    }
    let shape = array.shape().iter().collect::<Vec<_>>();
    let params = ArrayParams::new(&shape, &item_dtype(reader)?.to_string())
        .with_chunks(array.chunkshape())
        .with_blocks(array.blockshape().unwrap_or_default());
    let items = reader.get(region.selection())?;
    Ok(ArrayEncoder::new(&params)?.encode(region.number, &items)?)
}

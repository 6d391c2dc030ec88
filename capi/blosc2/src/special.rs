//! Chunks of one repeated value.

use crate::codes::{BLOSC2_ERROR_WRITE_BUFFER, Failure, Result};
use b2nd::chunk::{CParams, ChunkEncoder, EXTENDED_HEADER, SpecialValue};

/// The place of the flags that name the value, which are above [`SHIFT`], and the codes.
const FLAGS: usize = 31;
const SHIFT: u8 = 4;
const ZEROS: u8 = 1;
const NAN: u8 = 2;
const REPEAT: u8 = 3;
const UNINIT: u8 = 4;
/// The place and the bit that say that the data are copied.
const COPIED: (usize, u8) = (2, 2);
/// The place of the length of the chunk.
const CBYTES: usize = 12;

/// The header of a chunk of `nbytes` bytes with these parameters, and the bytes of the value, if the header does not name it.
///
/// # Errors
/// For parameters that do not suit the length.
pub(crate) fn special(cparams: &CParams, nbytes: usize, value: SpecialValue, item: &[u8]) -> Result<Vec<u8>> {
    let whole = nbytes.is_multiple_of(cparams.typesize as usize);
    let is_float = matches!(cparams.typesize, 4 | 8);
    if !whole || (value == SpecialValue::Nan && !is_float) {
        let reason = format!("{nbytes} bytes are not whole items of {} bytes", cparams.typesize);
        return Err(Failure::argument(reason));
    }
    // Zeros have the header that the parameters ask for, with the size of blocks.
    let mut chunk = ChunkEncoder::new(cparams.clone()).encode(&vec![0; nbytes])?;
    chunk.truncate(EXTENDED_HEADER);
    chunk.extend(item);
    let code = match value {
        SpecialValue::Zeros => ZEROS,
        SpecialValue::Nan => NAN,
        SpecialValue::Repeat { .. } => REPEAT,
        SpecialValue::Uninit => UNINIT,
    };
    // Few bytes are copied, which this one says as well.
    chunk[COPIED.0] &= !COPIED.1;
    chunk[FLAGS] = chunk[FLAGS] & !(7 << SHIFT) | code << SHIFT;
    let cbytes = chunk.len() as u32;
    chunk[CBYTES..CBYTES + 4].copy_from_slice(&cbytes.to_le_bytes());
    Ok(chunk)
}

/// Copies a special chunk to the start of `dst` and returns its length.
///
/// # Errors
/// If it does not fit; those of [`special`].
pub(crate) fn store(
    cparams: &CParams,
    nbytes: usize,
    (value, item): (SpecialValue, &[u8]),
    dst: &mut [u8],
) -> Result<usize> {
    let chunk = special(cparams, nbytes, value, item)?;
    let to = dst.get_mut(..chunk.len()).ok_or_else(|| {
        Failure::new(BLOSC2_ERROR_WRITE_BUFFER, format!("the chunk takes {} bytes", chunk.len()))
    })?;
    to.copy_from_slice(&chunk);
    Ok(chunk.len())
}

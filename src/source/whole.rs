//! Frames and chunks that other formats contain, which are decoded whole.

use super::Reader;
use crate::base::Result;
use crate::chunk::DParams;
use crate::plan::Selection;

/// Decodes all items of a frame or of a chunk in memory, in C order.
///
/// This reverses the HDF5 filters Blosc (32001) and Blosc2 (32026): `bytes` is a stored chunk of a dataset, and `out` has as many
/// bytes as the dataset's chunk. What Blosc2 stores is a frame with one chunk: an array if the dataset has several dimensions. Frames
/// with more chunks are read as well, and so are the chunks without a frame that its first versions stored.
///
/// ```
/// use b2nd::{DParams, source::decode_into};
/// // Of a dataset of 32-bit integers, in chunks of 32 × 40.
/// let stored = std::fs::read("tests/golden/hdf5/plane-blosc2-zstd-1.stored").unwrap();
/// let mut items = vec![0; 32 * 40 * 4];
/// decode_into(&stored, &mut items, DParams::default())?;
/// # Ok::<(), b2nd::Error>(())
/// ```
///
/// # Errors
/// `Argument` if `out` does not have the length of the items; `Format`, `Unsupported` and `Limit` for what is read. Then `out` holds
/// nothing of use.
pub fn decode_into(bytes: &[u8], out: &mut [u8], dparams: DParams) -> Result<()> {
    let reader = Reader::open(bytes, dparams)?;
    Ok(reader.get_into(&reader.plan(Selection::all())?, out)?)
}

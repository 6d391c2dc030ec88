//! Encoding of streams: an `Encoder`, which allocates its tables, or tables in the caller's memory.

use super::{Codec, PlainStream};
use crate::base::{ArgumentError, Result};
#[cfg(feature = "encoders")]
use alloc::{vec, vec::Vec};

/// The highest compression level: as short as can be, at any expense of time. The formats' highest is 9, and chunks and frames
/// of level 10 say so. BloscLZ, LZ4 and NDLZ do the same at 10 as at 9.
pub const MAX_CLEVEL: u8 = 10;
/// The highest level that the formats have.
pub(crate) const MAX_STORED_CLEVEL: u8 = 9;

/// Encodes streams.
pub(crate) trait Encode: Send {
    /// Whether this encodes with `codec`.
    fn encodes(&self, codec: Codec) -> bool;

    /// Encodes a stream into `dst` and returns the length, or `None` if it does not fit. `dict` is empty unless the codec
    /// takes dictionaries.
    ///
    /// # Errors
    /// `Argument` for levels other than 1 to [`MAX_CLEVEL`], `Unsupported` for codecs that this does not encode and for streams
    /// without what their codec has to know.
    fn encode_stream(
        &mut self,
        codec: Codec,
        stream: &PlainStream<'_>,
        dict: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>>;
}

/// Refuses levels that there are not.
pub(super) fn check_clevel(clevel: u8) -> Result<()> {
    if (1..=MAX_CLEVEL).contains(&clevel) {
        return Ok(());
    }
    Err(ArgumentError::Parameter { name: "clevel", value: clevel.into() }.into())
}

/// The level at which LZ4HC and zlib compare all ways to use the matches that they find.
#[cfg(all(feature = "encoders", any(feature = "lz4", feature = "zlib")))]
pub(super) const BEST: u8 = 10;

/// Whether a level is [`BEST`]. Chunks of Blosc1 do not get that far: without `write` it is the same as the one below.
#[cfg(all(feature = "encoders", any(feature = "lz4", feature = "zlib")))]
pub(super) const fn is_best(clevel: u8) -> bool {
    cfg!(feature = "write") && clevel >= BEST
}

/// The table in `memory`, allocated if it is empty.
#[cfg(feature = "encoders")]
pub(super) fn table<T: Copy + Default, const N: usize>(memory: &mut Vec<T>) -> Option<&mut [T; N]> {
    if memory.is_empty() {
        *memory = vec![T::default(); N];
    }
    memory.first_chunk_mut()
}

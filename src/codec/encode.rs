//! What encodes streams: an `Encoder`, which allocates its tables, or tables in the caller's memory.

use super::{Codec, PlainStream};
use crate::base::{ArgumentError, Result};

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

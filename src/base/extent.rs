//! How long an axis can be.

use super::{Limit, LimitError, Result};

#[cfg(feature = "alloc")]
mod width {
    pub(super) type Unsigned = u64;
    pub(super) type Signed = i64;
}
#[cfg(not(feature = "alloc"))]
mod width {
    pub(super) type Unsigned = u32;
    pub(super) type Signed = i32;
}

/// What counts items along an axis: 64 bits, and without the feature `alloc` 32, as frames are for the memory of a small
/// processor then, which is slow and wordy with longer numbers.
pub type Extent = width::Unsigned;

/// The same with a sign.
pub(crate) type Signed = width::Signed;

/// A length as that of an axis, or of bytes that are counted in one: no more than [`Signed`] holds.
pub(crate) fn extent(len: u64) -> Result<Extent> {
    if len <= Signed::MAX as u64 {
        return Ok(len as Extent);
    }
    Err(LimitError { limit: Limit::Memory, wanted: len, allowed: Signed::MAX as u64 }.into())
}

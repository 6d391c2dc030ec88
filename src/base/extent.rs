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

/// The longest that an axis can be.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const LONGEST: i64 = Signed::MAX as i64;

/// A length as that of an axis, or of bytes that are counted in one.
pub(crate) fn extent(len: u64) -> Result<Extent> {
    if len <= LONGEST as u64 {
        return Ok(len as Extent);
    }
    Err(LimitError { limit: Limit::Memory, wanted: len, allowed: LONGEST as u64 }.into())
}

/// It in 64 bits, whatever it has.
#[allow(clippy::unnecessary_cast, reason = "for some of the builds it is none")]
pub(crate) const fn wide(len: Extent) -> u64 {
    len as u64
}

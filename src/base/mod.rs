//! The foundation of all layers: errors, limits, bounds-checked reads. Uses core and alloc only.

/// Whether to prefer small code to fast code.
pub(crate) const SMALL: bool = cfg!(feature = "small");

mod bytes;
mod details;
mod error;
mod extent;
mod limits;
mod names;
mod reference;
mod words;

#[cfg(feature = "alloc")]
pub(crate) use bytes::text;
pub(crate) use bytes::{array_at, buffer_len, i32_le, slice_at};
pub use error::{ArgumentError, Blame, Error, FormatError, Malformed, Result, Unsupported};
pub(crate) use extent::{Extent, LONGEST, Signed, extent, times, wide};
pub use limits::{Limit, LimitError, Limits};
pub(crate) use names::{codec_id, codec_name, filter_name};
pub use reference::Reference;

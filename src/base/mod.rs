//! What every layer above stands on: errors, limits, little readers. Core and alloc only.

mod bytes;
mod error;
mod limits;

pub(crate) use bytes::{array_at, buffer_len, i32_le, slice_at};
pub use error::{ArgumentError, Error, FormatError, Malformed, Result, Unsupported};
pub use limits::{Limit, LimitError, Limits};

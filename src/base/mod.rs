//! The foundation of all layers: errors, limits, bounds-checked reads. Uses core and alloc only.

/// Whether to prefer small code to fast code.
pub(crate) const SMALL: bool = cfg!(feature = "small");
/// Whether to prefer small encoders to fast ones. Encoders with an allocator are fast in any case.
pub(crate) const SMALL_ENCODERS: bool = SMALL && !cfg!(feature = "encoders");

mod bytes;
mod crc;
#[cfg(feature = "store")]
mod decimal;
#[cfg(feature = "defmt")]
mod defmt;
mod details;
mod error;
mod error_kind;
mod extent;
mod limits;
mod names;
mod plugins;
mod reference;
#[cfg(any(feature = "expression", feature = "store"))]
mod scanner;
#[cfg(feature = "serde")]
pub(crate) mod serial;
#[cfg(feature = "alloc")]
mod typecode;
mod words;

#[cfg(feature = "alloc")]
pub(crate) use bytes::text;
pub(crate) use bytes::{
    array_at, buffer_len, copy, fill_at, i32_le, move_within, put_at, slice_at, slice_mut_at,
};
pub(crate) use crc::Crc;
#[cfg(feature = "store")]
pub(crate) use decimal::decimal;
pub use error::{Error, Result};
pub use error_kind::Changed;
pub use error_kind::{ArgumentError, ErrorKind, FormatError, Limit, LimitError, Malformed, Unsupported};
pub(crate) use extent::saturating_times;
pub(crate) use extent::{Extent, LONGEST, Signed, extent, times, wide};
pub use limits::Limits;
pub use names::UnknownName;
pub(crate) use names::{codec_id, codec_label, codec_name, filter_id, filter_name};
pub(crate) use plugins::Plugins;
pub use reference::Reference;
#[cfg(any(feature = "expression", feature = "store"))]
pub(crate) use scanner::Scanner;
#[cfg(feature = "alloc")]
pub use typecode::TypeCode;

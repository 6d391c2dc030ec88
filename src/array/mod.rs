//! n-dimensional arrays: the `b2nd` and `caterva` metalayers of a frame (FORMAT §8).

#[cfg(feature = "alloc")]
mod axes;
#[cfg(any(feature = "export", feature = "store"))]
mod characters;
#[cfg(feature = "alloc")]
pub mod dtype;
#[cfg(feature = "write")]
mod edit;
#[cfg(feature = "alloc")]
mod element;
#[cfg(feature = "write")]
mod encoder;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod item;
mod metalayer;
#[cfg(feature = "write")]
mod params;
#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "write")]
mod shapes;
#[cfg(feature = "alloc")]
mod values;
pub(crate) mod wire;

#[cfg(feature = "store")]
pub(crate) use self::characters::append_characters;
#[cfg(any(feature = "arrow", feature = "export"))]
pub(crate) use self::characters::characters;
#[cfg(feature = "write")]
pub(crate) use self::params::must_be_free;
#[cfg(feature = "alloc")]
pub use self::{
    axes::{AXIS_NAMES, Axis, Coordinates},
    dtype::{ByteOrder, Dtype, Field, Kind, StructBuilder, TimeStep, TimeUnit},
    element::Element,
    values::Values,
};
#[cfg(feature = "write")]
pub use self::{encoder::ArrayEncoder, params::ArrayParams};
#[cfg(feature = "alloc")]
pub use crate::{
    base::TypeCode,
    plan::{Region, Regions},
};
#[cfg(feature = "derive")]
pub use b2nd_derive::Item;
#[cfg(feature = "write")]
pub(crate) use edit::Axes;
pub use metalayer::Layout;
pub(crate) use wire::{WireArray, WireDtype};

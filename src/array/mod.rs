//! n-dimensional arrays: the `b2nd` and `caterva` metalayers of a frame (FORMAT §8).

#[cfg(feature = "alloc")]
pub mod dtype;
#[cfg(feature = "write")]
mod edit;
#[cfg(feature = "alloc")]
mod element;
#[cfg(feature = "write")]
mod encoder;
mod metalayer;
#[cfg(feature = "write")]
mod params;
#[cfg(feature = "write")]
mod shapes;
#[cfg(feature = "alloc")]
mod values;
pub(crate) mod wire;

#[cfg(feature = "alloc")]
pub use crate::base::TypeCode;
#[cfg(feature = "alloc")]
pub use crate::plan::{Region, Regions};
#[cfg(feature = "alloc")]
pub use dtype::{ByteOrder, Dtype, Field, Kind, StructBuilder, TimeStep, TimeUnit};
#[cfg(feature = "write")]
pub(crate) use edit::Axes;
#[cfg(feature = "alloc")]
pub use element::Element;
#[cfg(feature = "write")]
pub use encoder::ArrayEncoder;
pub use metalayer::Layout;
#[cfg(feature = "write")]
pub use params::ArrayParams;
#[cfg(feature = "alloc")]
pub use values::Values;
#[cfg(feature = "write")]
pub(crate) use wire::{WireArray, WireDtype};

//! n-dimensional arrays: the `b2nd` and `caterva` metalayers of a frame (FORMAT §8).

#[cfg(feature = "alloc")]
pub mod dtype;
mod metalayer;
mod wire;

#[cfg(feature = "alloc")]
pub use dtype::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};
pub use metalayer::Array;
pub use wire::{WireArray, WireDtype};

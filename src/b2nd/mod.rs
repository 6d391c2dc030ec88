//! n-dimensional arrays: what the `b2nd` and `caterva` metalayers make of a frame (FORMAT §8).

mod array;
#[cfg(feature = "alloc")]
pub mod dtype;

pub use array::Array;
#[cfg(feature = "alloc")]
pub use dtype::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};

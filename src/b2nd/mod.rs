//! n-dimensional arrays: what the `b2nd` and `caterva` metalayers make of a frame (FORMAT §8).

mod array;
pub mod dtype;

pub use array::Array;
pub use dtype::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};

//! n-dimensional arrays: what the `b2nd` and `caterva` metalayers make of a frame (FORMAT §8).

mod array;

pub use array::Array;

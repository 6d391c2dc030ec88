//! N-dimensional arrays.

pub mod dtype;

pub use dtype::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};

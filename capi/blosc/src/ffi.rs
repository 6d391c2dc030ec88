//! The functions of `blosc.h`: they make slices of pointers, and errors of panics.
#![expect(unsafe_code, reason = "callers in C pass pointers")]

mod cbuffer;
mod compressors;
mod memory;
mod raw;
mod settings;
#[cfg(test)]
#[expect(clippy::multiple_unsafe_ops_per_block, reason = "one promise covers several calls")]
mod tests;

pub use cbuffer::*;
pub use compressors::*;
pub use memory::*;
pub use settings::*;

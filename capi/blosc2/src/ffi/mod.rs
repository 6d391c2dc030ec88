//! The functions of `blosc2.h` and `b2nd.h`: they make slices of pointers, and errors of panics.
#![expect(unsafe_code, reason = "callers in C pass pointers")]

mod arrays;
mod cbuffer;
mod changes;
mod chunks;
mod compressors;
mod contexts;
mod defaults;
mod indices;
mod meta;
mod metalayers;
mod opening;
mod owned;
mod raw;
mod schunks;
mod slices;
#[cfg(test)]
#[expect(clippy::multiple_unsafe_ops_per_block, reason = "one promise covers several calls")]
mod tests;

pub use arrays::*;
pub use cbuffer::*;
pub use changes::*;
pub use chunks::*;
pub use compressors::*;
pub use contexts::*;
pub use defaults::*;
pub use indices::*;
pub use meta::*;
pub use metalayers::*;
pub use opening::*;
pub use schunks::*;
pub use slices::*;

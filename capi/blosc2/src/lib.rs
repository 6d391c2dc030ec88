//! The functions of `blosc2.h` and `b2nd.h` over the crate `b2nd`: a `libblosc2` without C.
//!
//! `types` has the structs that callers see, `codes` the numbers and names. `chunk`, `special`, `frames`, `files` and `array` say what
//! the functions mean, in safe Rust. `ffi` makes slices of pointers and catches panics; the only `unsafe` is there.

mod array;
mod chunk;
mod codes;
mod context;
mod ffi;
mod files;
mod frames;
mod params;
mod special;
mod types;

pub use codes::*;
pub use ffi::*;
pub use types::*;

//! The functions of Blosc's `blosc.h` over the crate `b2nd`: a `libblosc.so.1` without C.
//!
//! `codes` has the constants of the header, `settings` what the setters and the environment choose, `compress` and `decompress`
//! what the functions mean, in safe Rust. `ffi` makes slices of pointers and catches panics; the only `unsafe` is there.

mod codes;
mod compress;
mod decompress;
mod ffi;
mod header;
mod settings;

pub use codes::*;
pub use ffi::*;

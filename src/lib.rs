#![no_std]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod b2nd;
mod base;
pub mod codec;
pub mod filter;
mod simd;

pub use base::{
    ArgumentError, Error, FormatError, Limit, LimitError, Limits, Malformed, Result, Unsupported,
};

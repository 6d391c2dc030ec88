#![cfg_attr(feature = "nightly", feature(portable_simd))]
#![no_std]
#![doc = include_str!("../README.md")]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod base;
pub mod codec;
pub mod filter;
mod simd;

pub use base::{
    ArgumentError, Error, FormatError, Limit, LimitError, Limits, Malformed, Result, Unsupported,
};

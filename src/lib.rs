#![cfg_attr(feature = "nightly", feature(portable_simd))]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
// Features leave out modules, not each function that only they call.
#![cfg_attr(not(feature = "default"), allow(dead_code, unused_imports, unused_macros, unused_variables))]
// Without `alloc`, `Extent` is the same type as its neighbours.
#![cfg_attr(not(feature = "alloc"), allow(clippy::useless_conversion, clippy::unnecessary_cast))]
#![doc = include_str!("lib.md")]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The code of README.md compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod array;
mod base;
pub mod chunk;
pub mod codec;
pub mod contents;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "expression")]
pub mod expression;
pub mod filter;
pub mod frame;
pub mod msgpack;
#[cfg(feature = "store")]
pub mod objects;
pub mod plan;
pub mod reading;
pub mod schunk;
mod simd;
#[cfg(feature = "encode")]
pub mod sink;
pub mod source;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
pub mod store;
#[cfg(all(feature = "store", target_has_atomic = "ptr"))]
pub mod table;
pub mod wire;
#[cfg(feature = "write")]
pub mod zarr;

/// Internal kernels, exposed for benchmarks.
#[cfg(feature = "benchmarks")]
#[doc(hidden)]
pub mod kernels {
    use crate::simd::{bitshuffle, bitunshuffle, shuffle, unshuffle};

    /// Type size, source, destination.
    pub type Kernel = fn(usize, &[u8], &mut [u8]);

    pub const SHUFFLE: Kernel = shuffle;
    pub const UNSHUFFLE: Kernel = unshuffle;
    pub const BITSHUFFLE: Kernel = bitshuffle;
    pub const BITUNSHUFFLE: Kernel = bitunshuffle;

    /// The instruction set in use.
    pub fn backend() -> &'static str {
        crate::simd::backend()
    }
}

#[cfg(feature = "alloc")]
pub use self::{
    chunk::Scratch,
    plan::{Selection, ToSelection},
    source::{Array, ReadAt, ReadError, Reader},
};
pub use array::Layout;
pub use chunk::DParams;
pub use plan::Index;
pub use schunk::SChunk;
#[cfg(feature = "write")]
pub use sink::Editor;
#[cfg(all(feature = "std", feature = "write"))]
pub use sink::{create, edit, edit_with};
#[cfg(feature = "expression")]
pub use source::LazyArray;
#[cfg(feature = "std")]
pub use source::{open, open_with};

pub use base::Changed;
pub use base::{
    ArgumentError, Error, ErrorKind, FormatError, Limit, LimitError, Limits, Malformed, Result, UnknownName,
    Unsupported,
};

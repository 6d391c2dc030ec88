//! Chunks: the unit of compression, a header and independent blocks (FORMAT §3, §4).
//!
//! [`Chunk`] reads a chunk that lies in memory as a whole. [`Head`] is what a reader of files or URLs needs to
//! fetch just the blocks that it wants.

#[cfg_attr(not(feature = "alloc"), path = "singly.rs")]
mod ahead;
mod area;
mod block;
mod blocks;
mod head;
mod header;
mod memory;
mod params;
mod part;
#[cfg(feature = "alloc")]
mod scratch;
mod view;
#[cfg(feature = "alloc")]
mod whole;
mod wire;

pub use area::{Area, AreaWork, area_len};
pub use block::Context;
pub use blocks::Blocks;
pub use head::Head;
#[cfg(feature = "alloc")]
pub use head::Spans;
pub use header::{Body, Header, MAX_BLOCKSIZE, SpecialValue, is_chunk};
pub use params::DParams;
pub(crate) use part::{Pick, Planes, Way};
#[cfg(feature = "alloc")]
pub use scratch::Scratch;
pub use view::Chunk;
pub use wire::{EXTENDED_HEADER, MIN_HEADER, WireHeader};

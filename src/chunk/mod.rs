//! Chunks: the unit of compression, a header and independent blocks (FORMAT §3, §4).
//!
//! [`Chunk`] reads a chunk that lies in memory as a whole. [`Head`] is what a reader of files or URLs needs to
//! fetch just the blocks that it wants.

mod block;
mod blocks;
mod head;
mod header;
mod part;
mod scratch;
mod view;

pub use block::Context;
pub use blocks::Blocks;
pub use head::{Head, Spans};
pub use header::{Body, EXTENDED_HEADER, Header, MAX_BLOCKSIZE, MIN_HEADER, SpecialValue, is_chunk};
pub(crate) use part::{Pick, Planes, Way};
pub use scratch::{DParams, Scratch};
pub use view::Chunk;

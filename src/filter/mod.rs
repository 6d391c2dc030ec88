//! Filters: reversible transformations of a block that make it easier to compress, and the pipeline of up to six of
//! them that a chunk's header names.
//!
//! A filter transforms one whole block, before the block is split into streams. Buffers come from the caller and have
//! the length of the block. The host adds filters of its own as a [`Plugin`].

mod apply;
mod block;
mod delta;
#[cfg(feature = "encode")]
mod forward;
mod host;
mod hosted;
mod nd;
mod pipeline;
mod slot;
#[cfg(feature = "encode")]
mod trunc;

use crate::base::filter_name;
pub use apply::{backend, bitshuffle, bitunshuffle, bytedelta, bytedelta_undo, shuffle, unshuffle};
pub(crate) use block::BlockInfo;
#[cfg(feature = "encode")]
pub(crate) use forward::FilterNeeds;
pub(crate) use host::HostFilters;
pub use host::{Block, Inapplicable, Plugin};
pub(crate) use pipeline::moves;
pub use pipeline::{MAX_FILTERS, Pipeline};
pub use slot::Filter;

/// No filter: an empty slot.
pub const NOFILTER: u8 = 0;
/// Groups bytes of the same significance.
pub const SHUFFLE: u8 = 1;
/// Groups bits of the same significance.
pub const BITSHUFFLE: u8 = 2;
/// XOR with the first block of the chunk.
pub const DELTA: u8 = 3;
/// Low mantissa bits set to zero; nothing to undo.
pub const TRUNC_PREC: u8 = 4;
/// Items reordered into n-dimensional cells.
pub const NDCELL: u8 = 32;
/// Cells replaced by their mean.
pub const NDMEAN: u8 = 33;
/// [`BYTEDELTA`] as its first release wrote it: the last `len % 16` bytes of each stream restart from zero.
pub const BYTEDELTA_BUGGY: u8 = 34;
/// Differences of adjacent bytes, in each of several streams.
pub const BYTEDELTA: u8 = 35;
/// Low bits of integers set to zero; nothing to undo.
pub const INT_TRUNC: u8 = 36;

/// The reference's name of a filter, or `None` for an unknown id.
///
/// ```
/// assert_eq!(b2nd::filter::name(b2nd::filter::SHUFFLE), Some("shuffle"));
/// ```
pub const fn name(id: u8) -> Option<&'static str> {
    filter_name(id)
}

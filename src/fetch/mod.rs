//! Reading as a conversation: which bytes to bring, in batches, and what is decoded of them.
//!
//! Nothing here waits. [`PlanReading`] reads what a plan wants of a frame: whoever drives it brings a batch of requests,
//! one by one, all at once, or from a cache. [`ChunkReading`] is what it does for each chunk, for those who keep the bytes
//! themselves.

#[cfg(feature = "alloc")]
mod check;
#[cfg(feature = "alloc")]
mod chunk;
#[cfg(feature = "alloc")]
mod lookup;
#[cfg(feature = "alloc")]
mod merge;
#[cfg(feature = "alloc")]
mod reading;
mod scatter;
#[cfg(feature = "alloc")]
mod sizes;
#[cfg(feature = "alloc")]
mod wave;

#[cfg(feature = "alloc")]
pub(crate) use check::ChunkCheck;
#[cfg(feature = "alloc")]
pub use chunk::ChunkReading;
#[cfg(feature = "alloc")]
pub use merge::{Merge, merge};
#[cfg(feature = "alloc")]
pub use reading::{Chunks, FetchMemory, PlanReading};
#[cfg(feature = "alloc")]
pub(crate) use sizes::SizesReading;

pub(crate) use scatter::read_chunk;

#[cfg(feature = "alloc")]
use crate::base::Result;
#[cfg(feature = "alloc")]
use crate::frame::Request;

/// A conversation whose requests come in batches.
#[cfg(feature = "alloc")]
pub trait Batches {
    /// Makes the next [`requests`](Self::requests); false if nothing is left to be read.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for what is known already.
    fn ask(&mut self) -> Result<bool>;

    /// The bytes that are needed now, sorted. Parts that end earlier give what they have. There may be none.
    fn requests(&self) -> &[Request];

    /// Takes what the [`requests`](Self::requests) asked for, in their order.
    ///
    /// # Errors
    /// `Argument` if there are more or fewer answers; `Format`, `Unsupported` and `Limit` for the data. Then the result holds
    /// nothing of use.
    fn give(&mut self, answers: &[&[u8]]) -> Result<()>;
}

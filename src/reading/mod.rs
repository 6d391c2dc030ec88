//! Reading of chunks as an [`Exchange`](crate::wire::Exchange): which bytes to bring, in batches, and what is decoded of them.
//!
//! Nothing here waits. [`PlanReading`] reads what a plan wants of a frame. [`ChunkReading`] is what it does for each chunk, for
//! callers that keep the bytes themselves.

#[cfg(feature = "alloc")]
mod check;
#[cfg(feature = "alloc")]
mod chunk;
#[cfg(feature = "alloc")]
mod lookup;
#[cfg(feature = "alloc")]
mod merge;
#[cfg(feature = "alloc")]
mod plan;
mod scatter;
#[cfg(feature = "alloc")]
mod sizes;
#[cfg(feature = "alloc")]
mod wave;

#[cfg(feature = "alloc")]
pub(crate) use self::{check::ChunkCheck, sizes::SizesReading};
#[cfg(feature = "alloc")]
pub use self::{
    chunk::ChunkReading,
    merge::{Merge, merge},
    plan::{Chunks, PlanReading, ReadingMemory},
};

pub(crate) use scatter::{Scatter, check_task, read_chunk};

//! Selections of n-dimensional data, and plans to read them block by block (FORMAT §8.4).
//!
//! Nothing here reads anything: a [`Plan`] is arithmetic. Super-chunks are planned as arrays of one dimension.

mod axis;
mod grid;
mod place;
mod reading;
mod selection;
#[cfg(test)]
mod tests;

pub(crate) use grid::Grid;
pub(crate) use place::Patch;
pub use reading::{ChunkTask, Plan};
pub use selection::{Index, Selection};

/// Dimensions that an array can have.
pub const MAX_DIM: usize = 16;

/// One number for each axis.
pub(crate) type Dims<T> = heapless::Vec<T, MAX_DIM>;

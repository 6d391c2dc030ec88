//! Selections of n-dimensional data, and plans to read them block by block (FORMAT §8.4).
//!
//! Nothing here reads anything: a [`Plan`] is arithmetic. Super-chunks are planned as arrays of one dimension.

mod axis;
#[cfg(feature = "alloc")]
mod count;
mod cover;
#[cfg(feature = "write")]
mod gather;
mod grid;
#[cfg(feature = "indexing")]
mod joined;
#[cfg_attr(not(feature = "indexing"), path = "layout/natural.rs")]
mod layout;
#[cfg(feature = "alloc")]
mod parse;
#[cfg(feature = "expression")]
mod part;
mod parts;
#[cfg(feature = "alloc")]
mod pieces;
mod place;
#[cfg(feature = "indexing")]
mod points;
mod reading;
#[cfg(feature = "alloc")]
mod regions;
mod selection;
mod shape;
#[cfg(all(test, feature = "indexing"))]
mod tests;
#[cfg(feature = "alloc")]
mod to_selection;
mod touched;
#[cfg(feature = "indexing")]
mod view;

#[cfg(feature = "expression")]
pub(crate) use self::{axis::Axis, selection::resolve};
#[cfg(feature = "alloc")]
pub use self::{
    pieces::Piece,
    regions::{Region, Regions},
    selection::Selection,
    to_selection::ToSelection,
};
#[cfg(feature = "indexing")]
pub use self::{points::Points, view::View};
pub(crate) use grid::Grid;
pub use parts::Parts;
pub(crate) use place::Patch;
pub use reading::{ChunkTask, Plan};
pub use selection::Index;
pub use shape::Shape;
pub(crate) use touched::TouchedChunks;

/// Dimensions that an array can have, by the format.
pub const MAX_DIM: usize = 16;

/// Dimensions for which this build has room: all of them, and without the feature `alloc`, where plans lie on small
/// stacks, 8; 4 with `small` instead. Arrays with more are unsupported.
pub(crate) const ROOM: usize = match (cfg!(feature = "alloc"), cfg!(feature = "small")) {
    (true, _) => MAX_DIM,
    (false, false) => 8,
    (false, true) => 4,
};

/// One number for each axis.
pub(crate) type Dims<T> = heapless::Vec<T, ROOM, u8>;

/// Repeats a number for each of `ndim` axes, at most [`ROOM`].
pub(crate) fn dims<T: Clone>(number: T, ndim: usize) -> Dims<T> {
    let mut dims = Dims::new();
    // It cannot fail: that many fit.
    let _ = dims.resize(ndim.min(ROOM), number);
    dims
}

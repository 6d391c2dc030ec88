//! `b2nd pack`, `b2nd unpack` and `b2nd refs`: arrays of Zarr in the codec `b2nd`, whose chunks are those of frames.

mod chunk;
mod join;
mod metadata;
mod pack;
mod refs;
mod types;
mod unpack;

pub(crate) use pack::pack;
pub(crate) use refs::refs;
pub(crate) use unpack::unpack;

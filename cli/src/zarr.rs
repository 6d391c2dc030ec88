//! `b2nd pack`, `b2nd unpack` and `b2nd refs`: arrays of Zarr in the codec `b2nd`, whose chunks are those of frames.

mod icechunk;
mod new_folder;
mod pack;
#[cfg(feature = "parquet")]
mod parquet;
mod refs;
mod unpack;

pub(crate) use pack::pack;
pub(crate) use refs::refs;
pub(crate) use unpack::unpack;

use crate::error::{CommandError, read_error};
use crate::values::ValueError;
use b2nd_refs::Error;
use std::io;
use std::path::Path;

/// An error with the path of the array.
fn refused(path: &Path, error: Error<io::Error>) -> CommandError {
    match error {
        Error::Read(error) => read_error(path, error),
        Error::Join(what) => ValueError::Refs(format!("{}: {what}", path.display())).into(),
        error => CommandError::Zarr(path.into(), error.to_string()),
    }
}

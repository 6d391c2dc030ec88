//! `b2nd compact`: gives back unused space.

use crate::args::Args;
use crate::failure::Failure;
use crate::target::{edit, written};
use std::path::Path;

/// Writes the frame without the space that nothing uses.
pub(crate) fn run(args: &Args, path: &Path) -> Result<(), Failure> {
    edit(args, path)?.compact().map_err(|error| written(path, error))
}

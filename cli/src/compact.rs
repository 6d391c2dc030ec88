//! `b2nd compact`: frees unused space.

use crate::args::Args;
use crate::failure::Failure;
use crate::target::{edit, written};
use std::path::Path;

/// Rewrites the frame without unused space.
pub(crate) fn run(args: &Args, path: &Path) -> Result<(), Failure> {
    edit(args, path)?.compact().map_err(|error| written(path, error))
}

//! `b2nd compact`: frees unused space.

use crate::args::Args;
use crate::error::CommandError;
use crate::members::names_store;
use crate::target::{edit, edit_store, written};
use std::path::Path;

/// Rewrites the frame or the store without unused space.
pub(crate) fn run(args: &Args, path: &Path) -> Result<(), CommandError> {
    match names_store(path, args) {
        true => edit_store(args, path)?.compact().map_err(|error| written(path, error)),
        false => edit(args, path)?.compact(),
    }
}

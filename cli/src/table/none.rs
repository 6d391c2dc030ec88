//! Without the feature `arrow`: no rows are written as record batches.

use super::chosen::Chosen;
use crate::error::CommandError;
use crate::rows::Rows;
use crate::values::{BatchFormat, ValueError};
use b2nd::ReadAt;
use b2nd::table::Column;
use std::io;
use std::path::Path;

pub(super) fn get<S: ReadAt<Error = io::Error>>(
    _: &Path,
    _: &[Column<'_, S>],
    _: (Rows, Chosen<'_, S>),
    (format, _): (BatchFormat, Option<&Path>),
) -> Result<(), CommandError> {
    Err(ValueError::NotBuilt(format).into())
}

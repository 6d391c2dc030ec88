//! Without the feature `arrow`: every format of record batches is refused.

use crate::error::CommandError;
use crate::values::{BatchFormat, ValueError};
use b2nd::table::{Cells, ColumnSpec};
use std::path::Path;

/// There are none.
pub(crate) enum Batches {}

impl Batches {
    pub(crate) fn open(_: &Path, format: BatchFormat, _: &Path, _: u64) -> Result<Self, CommandError> {
        Err(ValueError::NotBuilt(format).into())
    }

    pub(crate) fn columns(&self) -> Result<Vec<ColumnSpec>, CommandError> {
        match *self {}
    }

    pub(crate) const fn rows(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn has(&self, _: &str) -> bool {
        match *self {}
    }

    pub(crate) fn must_have_only(&self, _: &[ColumnSpec]) -> Result<(), CommandError> {
        match *self {}
    }

    pub(crate) fn copy(
        self,
        _: &[ColumnSpec],
        _: &mut dyn FnMut(&[Cells]) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        match self {}
    }
}

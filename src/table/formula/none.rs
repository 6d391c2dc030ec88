//! Without the feature `expression` there are no values of computed columns.

use super::cells::Cells;
use crate::array::Dtype;
use crate::base::{Result, Unsupported};
use alloc::vec::Vec;

/// There are none.
#[derive(Debug)]
pub(super) enum Formula {}

impl Formula {
    pub(super) fn new(_: &str, _: &str, _: &[Option<Dtype>]) -> Result<Self> {
        Err(Unsupported::ComputedColumn.into())
    }

    pub(super) const fn dtype(&self) -> Dtype {
        match *self {}
    }

    pub(super) const fn cells(&self, _: Vec<Cells>, _: usize) -> Result<Cells> {
        match *self {}
    }
}

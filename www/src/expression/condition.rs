//! A condition on the rows of a table.

use alloc::vec::Vec;
use b2nd::frame::Metalayer;
use b2nd::table::{Filter, Schema};

/// A condition, and the table that it is about.
pub(crate) struct Condition {
    pub(super) filter: Filter,
    pub(super) schema: Schema,
    pub(super) attributes: Vec<Metalayer>,
}

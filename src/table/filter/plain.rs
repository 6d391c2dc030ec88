//! Without the feature `expression` conditions compare columns and constants.

use super::parse::{Parsed, Parser};
use super::values::Values;
use super::{FilterError, Node};

/// There are none.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Computed {}

impl Parser<'_> {
    /// A side of a comparison.
    pub(super) fn value(&mut self) -> Parsed<Node> {
        self.operand()
    }

    /// A call of a function.
    pub(super) const fn call(&self, _: &str) -> Parsed<Node> {
        Err(self.wrong())
    }
}

impl Computed {
    pub(super) const fn is_bool(&self) -> bool {
        match *self {}
    }

    pub(super) const fn values(&self, _: &[Values<'_>], _: usize) -> Result<Values<'static>, FilterError> {
        match *self {}
    }
}

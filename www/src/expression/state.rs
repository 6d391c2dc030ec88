//! The state that is kept between calls.

use super::condition::Condition;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use b2nd::expression::{Computation, Evaluation, Reduced, Summary};
use b2nd::{ArgumentError, Result};
use core::ops::Range;

/// An expression, and what is computed of it.
#[derive(Default)]
pub(crate) struct State {
    /// The instance ends with the expression.
    pub(super) computation: Option<&'static Computation>,
    /// Of each operand, the runs of chunks that have one value each.
    pub(super) uniform: Vec<Vec<Range<u64>>>,
    /// The values of reductions, once an evaluation has them.
    pub(super) reduced: Reduced,
    pub(super) evaluations: BTreeMap<u32, Evaluation<'static>>,
    pub(super) items: Vec<u8>,
    pub(super) summary: Option<Summary>,
    pub(super) condition: Option<Condition>,
}

impl State {
    pub(super) fn computation(&self) -> Result<&'static Computation> {
        Ok(self.computation.ok_or(ArgumentError::NotOpened)?)
    }

    pub(super) fn evaluation(&mut self, number: u32) -> Result<&mut Evaluation<'static>> {
        Ok(self.evaluations.get_mut(&number).ok_or(ArgumentError::NotOpened)?)
    }
}

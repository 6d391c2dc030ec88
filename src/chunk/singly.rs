//! In place of `ahead` where memory is what somebody could spare: streams are decoded one at a time.

use super::memory::{Lent, Memory, Wants};
use crate::base::Result;

/// Nothing ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead;

impl Ahead {
    /// Always.
    pub(super) const NOTHING: Self = Self;

    /// What a block wants.
    pub(super) fn lend<'m>(self, _: u32, wants: Wants, memory: &'m mut dyn Memory) -> Result<Lent<'m>> {
        memory.lend(wants)
    }
}

//! In place of `ahead` where memory is what somebody could spare: streams are decoded one at a time.

use super::memory::{DecodeMemory, LentMemory, MemoryNeeds};
use crate::base::Result;

/// Nothing ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead;

impl Ahead {
    /// Always.
    pub(super) const NOTHING: Self = Self;

    /// What a block wants.
    pub(super) fn lend<'m>(
        self,
        _: u32,
        wants: MemoryNeeds,
        memory: &'m mut dyn DecodeMemory,
    ) -> Result<LentMemory<'m>> {
        memory.lend(wants)
    }
}

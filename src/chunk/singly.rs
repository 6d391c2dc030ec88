//! Stand-in for `ahead` without an allocator: streams are decoded one at a time.

use super::memory::{DecodeMemory, LentMemory, MemoryNeeds};
use crate::base::Result;

/// Nothing ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead;

impl Ahead {
    /// The only value.
    pub(super) const NOTHING: Self = Self;

    /// The memory that a block needs.
    pub(super) fn lend<'m>(
        self,
        _: u32,
        wants: MemoryNeeds,
        memory: &'m mut dyn DecodeMemory,
    ) -> Result<LentMemory<'m>> {
        memory.lend(wants)
    }
}

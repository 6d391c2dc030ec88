//! The order of the starts of a chunk's blocks.

/// Whether the starts are known to ascend, so that the next one can be searched for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order(bool);

impl Order {
    pub(super) const UNKNOWN: Self = Self(false);

    pub(super) fn of(starts: impl Iterator<Item = u32>) -> Self {
        Self(starts.is_sorted())
    }

    pub(super) const fn ascends(self) -> bool {
        self.0
    }
}

//! Plugins in a list that the host keeps, for builds without an allocator.

/// Plugins by id.
pub(crate) struct Plugins<K: 'static, P: ?Sized + 'static> {
    list: &'static [(K, &'static P)],
}

impl<K: Copy, P: ?Sized> Clone for Plugins<K, P> {
    fn clone(&self) -> Self {
        Self { list: self.list }
    }
}

impl<K: Copy + PartialEq, P: ?Sized> Plugins<K, P> {
    /// No plugins.
    pub(crate) const fn new() -> Self {
        Self { list: &[] }
    }

    /// These plugins.
    pub(crate) const fn of(list: &'static [(K, &'static P)]) -> Self {
        Self { list }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &P)> {
        self.list.iter().copied()
    }
}

//! A list in place, for what is short and has a most.

use core::fmt;
use core::ops::{Deref, DerefMut};

/// Up to `N` items, at most 255.
#[derive(Clone, Copy)]
pub(crate) struct List<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    pub(crate) fn new() -> Self {
        Self { items: [T::default(); N], len: 0 }
    }

    /// `len` times the same, or as often as there is room.
    pub(crate) fn of(item: T, len: usize) -> Self {
        Self { items: [item; N], len: len.min(N) as u8 }
    }

    /// Appends an item; false if there is no room for it.
    pub(crate) fn push(&mut self, item: T) -> bool {
        let place = self.items.get_mut(usize::from(self.len));
        let fits = place.is_some();
        if let Some(place) = place {
            *place = item;
            self.len += 1;
        }
        fits
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // So that the compiler sees no way to panic, each of which takes flash wherever a list is looked at.
        &self.items[..usize::from(self.len).min(N)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len).min(N)]
    }
}

/// As many as there is room for.
impl<T: Copy + Default, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        for item in items {
            list.push(item);
        }
        list
    }
}

impl<T: Copy + Default, const N: usize, const M: usize> From<[T; M]> for List<T, N> {
    fn from(items: [T; M]) -> Self {
        items.into_iter().collect()
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_there_is_room_for() {
        let mut list: List<u8, 3> = [1, 2].into();
        assert!(list.push(3) && !list.push(4));
        list[1] = 9;
        assert_eq!(*list, [1, 9, 3]);
        assert_eq!((0..9).collect::<List<u8, 3>>(), [0, 1, 2].into());
        assert_ne!(List::<u8, 3>::of(7, 2), List::of(7, 3), "what is not in the list does not count");
    }
}

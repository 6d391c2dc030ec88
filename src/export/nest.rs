//! The position of an item within a shape.

use alloc::vec;
use alloc::vec::Vec;

/// A shape and its strides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nest {
    shape: Vec<u64>,
    /// Items per entry along each axis: the C strides.
    strides: Vec<u64>,
    len: u64,
}

impl Nest {
    /// `None` if the number of items overflows.
    pub(super) fn new(shape: &[u64]) -> Option<Self> {
        let is_empty = shape.contains(&0);
        let mut len = 1_u64;
        let mut strides = vec![0; shape.len()];
        for (stride, dim) in strides.iter_mut().zip(shape).rev() {
            *stride = len;
            len = if is_empty { 0 } else { len.checked_mul(*dim)? };
        }
        Some(Self { shape: shape.to_vec(), strides, len })
    }

    pub(super) fn shape(&self) -> &[u64] {
        &self.shape
    }

    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    pub(super) const fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The item's index along an axis.
    pub(super) fn index(&self, item: u64, axis: usize) -> u64 {
        item / self.strides[axis] % self.shape[axis]
    }

    /// The first item of entry `index` along an axis, with the outer indices of `item`.
    pub(super) fn entry(&self, item: u64, axis: usize, index: u64) -> u64 {
        let stride = self.strides[axis];
        item - item % (stride * self.shape[axis]) + index * stride
    }

    /// The number of innermost axes that begin with this item.
    pub(super) fn starts(&self, item: u64) -> usize {
        let is_start = |axis: &usize| self.index(item, *axis) == 0;
        (0..self.ndim()).rev().take_while(is_start).count()
    }

    /// The number of innermost axes that end with this item.
    pub(super) fn ends(&self, item: u64) -> usize {
        let is_end = |axis: &usize| self.index(item, *axis) + 1 == self.shape[*axis];
        (0..self.ndim()).rev().take_while(is_end).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_where_items_lie() {
        let nest = Nest::new(&[2, 3, 4]).unwrap();
        assert_eq!((nest.len(), nest.ndim()), (24, 3));
        assert_eq!((0..3).map(|axis| nest.index(17, axis)).collect::<Vec<_>>(), [1, 1, 1]);
        assert_eq!([0, 1, 4, 12, 16].map(|item| nest.starts(item)), [3, 0, 1, 2, 1]);
        assert_eq!([0, 3, 11, 15, 23].map(|item| nest.ends(item)), [0, 1, 2, 1, 3]);
        assert_eq!([nest.entry(17, 0, 0), nest.entry(17, 1, 2), nest.entry(17, 2, 3)], [0, 20, 19]);
        assert_eq!(Nest::new(&[]).unwrap().len(), 1);
        assert_eq!(Nest::new(&[1 << 40, 1 << 40, 0]).unwrap().len(), 0);
        assert_eq!(Nest::new(&[1 << 40, 1 << 40]), None);
    }
}

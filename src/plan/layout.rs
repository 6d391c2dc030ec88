//! The order of a result's axes.

use super::axis::Axis;
use super::{Dims, dims};
use crate::base::{ArgumentError, Extent, Result};
use alloc::vec::Vec;

/// The axes of the array that a result has, from the outermost on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layout(Dims<u8>);

impl Layout {
    /// The axes that were not indexed.
    pub(super) fn new(numbers: impl Iterator<Item = u8>, axes: &[Axis]) -> Self {
        Self(numbers.filter(|number| !axes[usize::from(*number)].single).collect())
    }

    /// Reorders the axes: axis `k` is the one that is now axis `order[k]`.
    pub(super) fn permute(&self, order: &[usize]) -> Result<Self> {
        Ok(Self(permuted(&self.0, order)?.into_iter().collect()))
    }

    /// Without axes of one item.
    pub(super) fn squeeze(&self, axes: &[Axis]) -> Self {
        Self(self.0.iter().copied().filter(|axis| axes[usize::from(*axis)].count != 1).collect())
    }

    /// The shape of the result.
    pub(super) fn shape(&self, axes: &[Axis]) -> Dims<Extent> {
        self.outward(axes.len()).map(|axis| axes[axis].count).collect()
    }

    /// The axes, of `ndim` of the array.
    pub(super) fn outward(&self, _ndim: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.0.iter().map(|axis| usize::from(*axis))
    }

    /// The distances in the result of items of this size.
    pub(super) fn strides(&self, axes: &[Axis], itemsize: Extent) -> Strides {
        let mut strides = dims(0, axes.len());
        let mut stride = itemsize as usize;
        for axis in self.outward(axes.len()).rev() {
            strides[axis] = stride;
            stride = stride.wrapping_mul(axes[axis].count as usize);
        }
        Strides(strides)
    }
}

/// The distance in the result, in bytes, between neighbours along each axis of the array.
#[derive(Debug, Clone)]
pub(super) struct Strides(Dims<usize>);

impl Strides {
    /// Goes along the axes from the innermost on.
    pub(super) fn inward(&self, _: usize) -> Inward<'_> {
        Inward(&self.0)
    }
}

/// The strides that remain.
pub(super) struct Inward<'p>(&'p [usize]);

impl Inward<'_> {
    /// The stride of the next axis, of which `count` items are taken.
    pub(super) fn next(&mut self, _count: usize) -> usize {
        let Some((stride, rest)) = self.0.split_last() else { return 0 };
        self.0 = rest;
        *stride
    }
}

/// The elements `axes[order[0]]`, `axes[order[1]]` and so on; each must be named once.
pub(super) fn permuted<T: Copy>(axes: &[T], order: &[usize]) -> Result<Vec<T>> {
    let ndim = axes.len();
    if order.len() != ndim {
        return Err(ArgumentError::Dimensions { given: order.len(), ndim }.into());
    }
    let twice = |k: usize, axis: usize| order[..k].contains(&axis);
    let take = |(k, &axis): (usize, &usize)| match axes.get(axis) {
        Some(found) if !twice(k, axis) => Ok(*found),
        _ => Err(ArgumentError::Axis { axis, ndim }.into()),
    };
    order.iter().enumerate().map(take).collect()
}

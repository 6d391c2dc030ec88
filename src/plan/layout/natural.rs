//! Stand-ins for the order of a result's axes, for builds where it is always that of the array.

use super::Dims;
use super::axis::Axis;
use crate::base::Extent;
use core::ops::Range;

/// The order of the array.
#[derive(Debug, Clone)]
pub(super) struct Layout;

impl Layout {
    pub(super) const fn new(_: Range<u8>, _: &[Axis]) -> Self {
        Self
    }

    #[allow(clippy::unused_self)]
    pub(super) fn shape(&self, axes: &[Axis]) -> Dims<Extent> {
        let mut shape = Dims::new();
        for axis in axes.iter().filter(|axis| !axis.single) {
            // There is room for all axes.
            let _ = shape.push(axis.count);
        }
        shape
    }

    #[allow(clippy::unused_self)]
    pub(super) const fn outward(&self, ndim: usize) -> Range<usize> {
        0..ndim
    }

    #[allow(clippy::unused_self)]
    pub(super) const fn strides(&self, _: &[Axis], _: Extent) -> Strides {
        Strides
    }
}

/// Each stride is the product of the counts further in, so that none need be kept.
#[derive(Debug, Clone)]
pub(super) struct Strides;

impl Strides {
    /// Goes along the axes from the innermost on.
    #[allow(clippy::unused_self)]
    pub(super) const fn inward(&self, itemsize: usize) -> Inward<'_> {
        Inward(itemsize, core::marker::PhantomData)
    }
}

/// The stride of the next axis.
pub(super) struct Inward<'p>(usize, core::marker::PhantomData<&'p ()>);

impl Inward<'_> {
    /// The stride of the next axis, of which `count` items are taken.
    pub(super) const fn next(&mut self, count: usize) -> usize {
        let stride = self.0;
        self.0 *= count;
        stride
    }
}

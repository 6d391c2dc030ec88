//! Stand-ins for lists of positions, for builds without them.

use super::Axis;
use crate::base::Extent;
use core::marker::PhantomData;
use core::ops::Range;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::plan) struct List;

#[derive(Debug, Clone, Copy, Default)]
pub(in crate::plan) struct Listed<'p>(PhantomData<&'p ()>);

impl<'p> Listed<'p> {
    pub(in crate::plan) const fn new(_: &'p Axis, taken: &Range<Extent>) -> (Self, usize) {
        (Self(PhantomData), taken.start as usize)
    }

    #[allow(clippy::unused_self)]
    pub(in crate::plan) const fn positions(&self) -> Option<&'p [Extent]> {
        None
    }

    #[allow(clippy::unused_self)]
    pub(in crate::plan) const fn order(&self) -> &'p [Extent] {
        &[]
    }
}

impl Axis {
    #[allow(clippy::unused_self)]
    pub(in crate::plan) const fn positions(&self) -> Option<&[Extent]> {
        None
    }

    /// Whether the result has them in another order.
    #[allow(clippy::unused_self)]
    pub(in crate::plan) const fn is_permuted(&self) -> bool {
        false
    }

    /// Takes only these items.
    pub(in crate::plan) fn items(&self, items: Range<Extent>) -> Self {
        Self { start: self.coordinate(items.start), count: items.end - items.start, ..self.clone() }
    }

    /// Takes only what the result has at these places.
    pub(in crate::plan) fn places(&self, places: &Range<Extent>) -> Self {
        self.items(places.clone())
    }

    /// Whether all positions in `lo..hi` are taken.
    pub(in crate::plan) fn takes_all(&self, lo: Extent, hi: Extent) -> bool {
        let items = self.within(lo, hi);
        items.end - items.start == hi - lo
    }
}

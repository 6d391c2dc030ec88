//! Lists of positions along an axis.

use super::axis::{Axis, List};
use crate::base::{Extent, Signed};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

impl Axis {
    /// Takes these positions in this order.
    pub(super) fn of_positions(positions: Vec<Extent>) -> Self {
        if let Some(progression) = Self::progression(&positions) {
            return progression;
        }
        let count = positions.len() as Extent;
        let permuted = !positions.is_sorted();
        let list = if permuted {
            let mut order: Vec<Extent> = (0..count).collect();
            order.sort_unstable_by_key(|&k| (positions[k as usize], k));
            List { positions: order.iter().map(|&k| positions[k as usize]).collect(), order }
        } else {
            List { positions, order: Vec::new() }
        };
        Self { list: Some(Arc::new(list)), permuted, ..Self::new(0, 1, count) }
    }

    /// The same positions as an arithmetic progression, if they are one.
    fn progression(positions: &[Extent]) -> Option<Self> {
        let distance = |a: Extent, b: Extent| (b as Signed).wrapping_sub(a as Signed);
        let (start, step) = match *positions {
            [] => (0, 1),
            [at] => (at, 1),
            [first, second, ..] => (first, distance(first, second)),
        };
        let even = positions.windows(2).all(|pair| distance(pair[0], pair[1]) == step);
        (even && step != 0).then(|| Self::new(start, step, positions.len() as Extent))
    }

    /// Whether the result has the items in another order.
    pub(super) const fn is_permuted(&self) -> bool {
        self.permuted
    }

    /// The positions, if they are a list.
    pub(super) fn positions(&self) -> Option<&[Extent]> {
        self.list.as_ref().map(|list| &list.positions[self.start as usize..][..self.count as usize])
    }

    /// Where the result has each item; empty if in their order.
    pub(super) fn order(&self) -> &[Extent] {
        match &self.list {
            Some(list) if self.permuted => &list.order,
            _ => &[],
        }
    }

    /// The same positions counted from the end of an axis of length `len`.
    pub(super) fn flipped(&self, len: Extent) -> Self {
        let Some(positions) = self.positions() else {
            let start = if self.count == 0 { 0 } else { len - 1 - self.start };
            return Self { start, step: -self.step, ..self.clone() };
        };
        let mut flipped: Vec<_> = positions.iter().map(|at| len - 1 - at).collect();
        for (place, at) in self.order().iter().zip(positions) {
            flipped[*place as usize] = len - 1 - at;
        }
        Self::of_positions(flipped)
    }

    /// Takes only these items. A list's are then in ascending order.
    pub(super) fn items(&self, items: Range<Extent>) -> Self {
        let start = match self.list {
            Some(_) => self.start + items.start,
            None => self.coordinate(items.start),
        };
        Self { start, count: items.end - items.start, permuted: false, ..self.clone() }
    }

    /// Takes only what the result has at these places.
    pub(super) fn places(&self, places: &Range<Extent>) -> Self {
        let Some(positions) = self.positions().filter(|_| self.permuted) else {
            return self.items(places.clone());
        };
        let taken = positions.iter().zip(self.order()).filter(|(_, place)| places.contains(place));
        let mut taken: Vec<_> = taken.map(|(at, place)| (*place, *at)).collect();
        taken.sort_unstable();
        Self::of_positions(taken.into_iter().map(|(_, at)| at).collect())
    }

    /// Whether all positions in `lo..hi` are taken.
    #[cfg(feature = "write")]
    pub(super) fn takes_all(&self, lo: Extent, hi: Extent) -> bool {
        let items = self.within(lo, hi);
        let taken = match self.positions() {
            Some(positions) => distinct(&positions[items.start as usize..items.end as usize], |at| at),
            None => items.end - items.start,
        };
        taken == hi - lo
    }
}

/// How many values these ascending positions are mapped to by a function that ascends, too.
pub(super) fn distinct(positions: &[Extent], map: impl Fn(Extent) -> Extent) -> Extent {
    positions.chunk_by(|a, b| map(*a) == map(*b)).count() as Extent
}

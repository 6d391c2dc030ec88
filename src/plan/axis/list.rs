//! Lists of positions along an axis.

use super::Axis;
use super::distinct;
use crate::base::{Extent, Signed};
#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Arc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// The list of an axis.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::plan) struct List {
    all: Option<Arc<Positions>>,
    /// Whether the result has the positions in the list's order, which is not ascending.
    permuted: bool,
}

/// Positions in ascending order. Some may be equal.
#[derive(Debug, PartialEq, Eq)]
struct Positions {
    ascending: Vec<Extent>,
    /// Where the result has each of them; empty if in this order.
    order: Vec<Extent>,
}

/// The positions of a list that lie in a tile, and where the result has each of them if that is not in their order.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::plan) struct Listed<'p>(Option<(&'p [Extent], &'p [Extent])>);

impl<'p> Listed<'p> {
    /// The positions that an axis takes of a tile, and where the result has the first of them; of a list that is permuted 0, since
    /// [`order`](Self::order) counts from there.
    pub(in crate::plan) fn new(axis: &'p Axis, taken: &Range<Extent>) -> (Self, usize) {
        let first = taken.start as usize;
        let Some(positions) = axis.positions() else { return (Self(None), first) };
        let items = first..taken.end as usize;
        let order = axis.order().get(items.clone()).unwrap_or(&[]);
        let first = match order {
            [] => first,
            [alone] => *alone as usize,
            _ => 0,
        };
        (Self(Some((&positions[items], order))), first)
    }

    pub(in crate::plan) const fn positions(&self) -> Option<&'p [Extent]> {
        match self.0 {
            Some((positions, _)) => Some(positions),
            None => None,
        }
    }

    /// Where the result has each item; empty if in their order.
    pub(in crate::plan) const fn order(&self) -> &'p [Extent] {
        match self.0 {
            Some((_, order)) => order,
            None => &[],
        }
    }
}

impl Axis {
    /// Takes these positions in this order.
    pub(in crate::plan) fn of_positions(positions: Vec<Extent>) -> Self {
        if let Some(progression) = Self::progression(&positions) {
            return progression;
        }
        let count = positions.len() as Extent;
        let permuted = !positions.is_sorted();
        let list = if permuted {
            let mut order: Vec<Extent> = (0..count).collect();
            order.sort_unstable_by_key(|&k| (positions[k as usize], k));
            Positions { ascending: order.iter().map(|&k| positions[k as usize]).collect(), order }
        } else {
            Positions { ascending: positions, order: Vec::new() }
        };
        Self { list: List { all: Some(Arc::new(list)), permuted }, ..Self::new(0, 1, count) }
    }

    /// Converts positions to an arithmetic progression, if they are one.
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
    pub(in crate::plan) const fn is_permuted(&self) -> bool {
        self.list.permuted
    }

    /// The positions, if they are a list.
    pub(in crate::plan) fn positions(&self) -> Option<&[Extent]> {
        self.list.all.as_ref().map(|list| &list.ascending[self.start as usize..][..self.count as usize])
    }

    /// Where the result has each item; empty if in their order.
    pub(in crate::plan) fn order(&self) -> &[Extent] {
        match &self.list.all {
            Some(list) if self.list.permuted => &list.order,
            _ => &[],
        }
    }

    /// Counts the positions from the end of an axis of length `len`.
    pub(in crate::plan) fn flipped(&self, len: Extent) -> Self {
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
    pub(in crate::plan) fn items(&self, items: Range<Extent>) -> Self {
        let start = match self.list.all {
            Some(_) => self.start + items.start,
            None => self.coordinate(items.start),
        };
        Self {
            start,
            count: items.end - items.start,
            list: List { permuted: false, ..self.list.clone() },
            ..self.clone()
        }
    }

    /// Takes only what the result has at these places.
    pub(in crate::plan) fn places(&self, places: &Range<Extent>) -> Self {
        let Some(positions) = self.positions().filter(|_| self.list.permuted) else {
            return self.items(places.clone());
        };
        let taken = positions.iter().zip(self.order()).filter(|(_, place)| places.contains(place));
        let mut taken: Vec<_> = taken.map(|(at, place)| (*place, *at)).collect();
        taken.sort_unstable();
        Self::of_positions(taken.into_iter().map(|(_, at)| at).collect())
    }

    /// Whether all positions in `lo..hi` are taken.
    pub(in crate::plan) fn takes_all(&self, lo: Extent, hi: Extent) -> bool {
        let items = self.within(lo, hi);
        let taken = match self.positions() {
            Some(positions) => distinct(&positions[items.start as usize..items.end as usize], |at| at),
            None => items.end - items.start,
        };
        taken == hi - lo
    }
}

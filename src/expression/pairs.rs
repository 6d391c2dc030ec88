//! Functions of the values of slices.

use alloc::vec::Vec;

pub(super) fn map<A: Copy, B>(values: &[A], function: impl Fn(A) -> B) -> Vec<B> {
    values.iter().map(|value| function(*value)).collect()
}

/// Applies a function to pairs of values. A single value is paired with each of the others.
pub(super) fn zip<A: Copy, B: Copy, C>(left: &[A], right: &[B], function: impl Fn(A, B) -> C) -> Vec<C> {
    match (left, right) {
        (_, &[right]) => map(left, |left| function(left, right)),
        (&[left], _) => map(right, |right| function(left, right)),
        _ => left.iter().zip(right).map(|(left, right)| function(*left, *right)).collect(),
    }
}

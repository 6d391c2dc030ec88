//! Plans decoded by one thread.

use crate::plan::Plan;
use alloc::vec::Vec;

/// The parts of a plan that are decoded at the same time.
pub(super) fn shares(plan: &Plan) -> Vec<Plan> {
    [plan.clone()].into()
}

/// Calls `work` for each of several things.
pub(super) fn each<T, E>(all: &mut [T], work: impl FnMut(&mut T) -> Result<(), E>) -> Result<(), E> {
    all.iter_mut().try_for_each(work)
}

//! Shares of what is read, which as many threads decode as rayon has.
//!
//! rayon and not the threads of an asynchronous runtime: these are of one runtime, and there are more of them than cores.

use super::parallel::WORTH;
use crate::plan::Plan;
use alloc::vec::Vec;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

/// The parts of a plan that are decoded at the same time.
pub(super) fn shares(plan: &Plan) -> Vec<Plan> {
    if plan.nbytes_touched() < WORTH {
        [plan.clone()].into()
    } else {
        plan.shares_of_chunks(rayon::current_num_threads())
    }
}

/// Calls `work` for each of several things.
pub(super) fn each<T: Send, E: Send>(
    all: &mut [T],
    work: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    match all {
        [one] => work(one),
        all => all.par_iter_mut().try_for_each(&work),
    }
}

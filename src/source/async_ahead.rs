//! Several reads at a time: while one is decoded, the bytes of others are on their way.

use crate::plan::Plan;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll};

/// Reads that are under way at a time. They come out of step by themselves, since one thread decodes them one after the other.
pub(super) const AHEAD: usize = 4;

/// The parts of a plan that are read at the same time: one, if that takes a single batch.
pub(super) fn parts(plan: &Plan, batch: u64) -> Vec<Plan> {
    if plan.nbytes_touched() <= batch { [plan.clone()].into() } else { plan.shares_of_chunks(AHEAD) }
}

/// Runs futures, so many of them at a time, and takes what they return, in order; ends with the first error.
pub(super) async fn in_order<F: Future<Output = Result<T, E>>, T, E>(
    ahead: usize,
    futures: impl Iterator<Item = F>,
    mut take: impl FnMut(T),
) -> Result<(), E> {
    let mut futures = futures.fuse();
    let mut under_way = VecDeque::with_capacity(ahead);
    poll_fn(|context| {
        loop {
            while under_way.len() < ahead
                && let Some(future) = futures.next()
            {
                under_way.push_back(Run::Pending(Box::pin(future)));
            }
            for run in &mut under_way {
                run.poll(context)?;
            }
            match under_way.pop_front() {
                None => return Poll::Ready(Ok(())),
                Some(Run::Done(done)) => take(done),
                Some(pending) => {
                    under_way.push_front(pending);
                    return Poll::Pending;
                }
            }
        }
    })
    .await
}

enum Run<F, T> {
    Pending(Pin<Box<F>>),
    Done(T),
}

impl<F: Future<Output = Result<T, E>>, T, E> Run<F, T> {
    fn poll(&mut self, context: &mut Context<'_>) -> Result<(), E> {
        if let Self::Pending(future) = self
            && let Poll::Ready(done) = future.as_mut().poll(context)
        {
            *self = Self::Done(done?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use core::cell::Cell;

    /// Futures that are ready after so many polls; `None` fails then.
    fn run(polls: &[(u32, Option<u32>)]) -> (Result<(), ()>, Vec<u32>, usize) {
        let (alive, mut taken, mut most) = (Cell::new(0_usize), Vec::new(), 0);
        let futures = polls.iter().map(|&(mut polls, answer)| {
            alive.set(alive.get() + 1);
            let alive = &alive;
            poll_fn(move |context| {
                if polls > 0 {
                    polls -= 1;
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                alive.set(alive.get() - 1);
                Poll::Ready(answer.ok_or(()))
            })
        });
        let futures = futures.inspect(|_| most = most.max(alive.get()));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(in_order(AHEAD, futures, |number| taken.push(number)));
        (result, taken, most)
    }

    #[test]
    fn results_come_in_order_whatever_is_ready_first() {
        let polls: Vec<_> = (0..11).map(|number| (11 - number, Some(number))).collect();
        assert_eq!(run(&polls), (Ok(()), (0..11).collect(), AHEAD));
        assert_eq!(run(&[]), (Ok(()), vec![], 0));
    }

    #[test]
    fn the_first_error_ends_all() {
        let polls = [(0, Some(0)), (9, Some(1)), (2, None), (0, Some(3))];
        assert_eq!(run(&polls), (Err(()), vec![0], AHEAD));
    }
}

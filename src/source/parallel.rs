//! Reading by several threads.

use super::reader::Reader;
use super::{ReadAt, ReadError};
use crate::base::buffer_len;
use crate::plan::{Plan, ToSelection};
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use std::sync::{Mutex, PoisonError};

/// From so many bytes of blocks on it pays to use other threads.
pub(super) const WORTH: u64 = 2 << 20;

/// Shares per thread. A thread that is done takes the next share, so that all end at about the same time.
const SHARES: usize = 4;

impl<S> Reader<S>
where
    S: ReadAt + Sync,
    S::Error: Send,
{
    /// [`get`](Self::get) by as many threads as rayon has, the calling one among them; by this one alone where there is
    /// little to decode.
    ///
    /// # Errors
    /// Errors of [`get`](Self::get), for whichever thread fails first. The limits hold for the result and for each
    /// thread's memory.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let selection = "::2, ..., 3";
    /// assert_eq!(reader.get_parallel(selection)?, reader.get(selection)?);
    /// # Ok(()) }
    /// ```
    pub fn get_parallel(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.get_plan_parallel(&self.plan(selection)?)
    }

    /// The items of a plan.
    pub(super) fn get_plan_parallel(&self, plan: &Plan) -> Result<Vec<u8>, ReadError<S::Error>> {
        let mut out = vec![0; self.dparams.limits.allow_memory(plan.nbytes() as u64)?];
        self.get_parallel_into(plan, &mut out)?;
        Ok(out)
    }

    /// Reads into a buffer of [`Plan::nbytes`] bytes.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let (plan, mut plane) = (reader.plan(0)?, [0; 30 * 40 * 4]);
    /// reader.get_parallel_into(&plan, &mut plane)?;
    /// assert_eq!(plane[..], reader.get(0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get_into`](Self::get_into).
    pub fn get_parallel_into(&self, plan: &Plan, out: &mut [u8]) -> Result<(), ReadError<S::Error>> {
        buffer_len(plan.nbytes(), out)?;
        let threads = rayon::current_num_threads();
        if threads < 2 || plan.nbytes_touched() < WORTH {
            return self.get_into(plan, out);
        }
        self.read_shares(plan.shares(SHARES * threads), threads - 1, out)
    }

    /// Reads shares that follow each other in `out`, with the help of so many threads.
    fn read_shares(
        &self,
        shares: Vec<Plan>,
        helpers: usize,
        out: &mut [u8],
    ) -> Result<(), ReadError<S::Error>> {
        let helpers = helpers.min(shares.len() - 1);
        // All threads need the index: it is read once, before they start.
        self.index()?;
        let mut rest = out;
        let shares = shares.into_iter().map(|share| {
            let (part, others) = mem::take(&mut rest).split_at_mut(share.nbytes());
            rest = others;
            (share, part)
        });
        let queue = Queue { shares: Mutex::new(shares), error: Mutex::new(None) };
        // This thread works as well: it does not wait for the others to wake up.
        rayon::in_place_scope(|scope| {
            (0..helpers).for_each(|_| scope.spawn(|_| self.work(&queue)));
            self.work(&queue);
        });
        queue.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Reads shares until none is left, or one cannot be read.
    fn work<'o>(&self, queue: &Queue<impl Iterator<Item = (Plan, &'o mut [u8])>, ReadError<S::Error>>) {
        while let Some((share, part)) = queue.next() {
            if let Err(error) = self.get_into(&share, part) {
                queue.fail(error);
            }
        }
    }
}

/// The shares that threads take their work from.
struct Queue<I, E> {
    shares: Mutex<I>,
    /// The first error.
    error: Mutex<Option<E>>,
}

impl<I: Iterator, E> Queue<I, E> {
    fn next(&self) -> Option<I::Item> {
        if self.error.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return None;
        }
        self.shares.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    fn fail(&self, error: E) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use crate::{DParams, Reader, Selection};
    use alloc::vec;
    use alloc::vec::Vec;

    const SAMPLE: &str = "tests/golden/blosc2-4.14.1/sample.b2nd";

    fn by_three(reader: &Reader<&[u8]>, selection: &Selection) -> Option<Vec<u8>> {
        let plan = reader.plan(selection).unwrap();
        let mut out = vec![0xAA; plan.nbytes()];
        reader.read_shares(plan.shares(7), 2, &mut out).ok().map(|()| out)
    }

    #[test]
    fn shares_make_up_the_whole() {
        let bytes = std::fs::read(SAMPLE).unwrap();
        let reader = Reader::open(&bytes[..], DParams::default()).unwrap();
        for text in ["", "3", "::-1", ":, 5", "..., 7", "2:9, ::3, 11:30", "1, 1, 1", "5:5"] {
            let selection: Selection = text.parse().unwrap();
            assert_eq!(by_three(&reader, &selection), reader.get(&selection).ok(), "[{text}]");
        }
    }

    #[test]
    fn whoever_fails_all_do() {
        let mut bytes = std::fs::read(SAMPLE).unwrap();
        let reader = Reader::open(&bytes[..], DParams::default()).unwrap();
        let crate::frame::Location::Stored { offset, .. } = reader.chunk_info(1).unwrap().location else {
            panic!("a stored chunk")
        };
        bytes[offset as usize] = 0;
        let reader = Reader::open(&bytes[..], DParams::default()).unwrap();
        assert_eq!(by_three(&reader, &Selection::all()), None);
    }
}

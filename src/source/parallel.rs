//! Reading by several threads.

use super::reader::Reader;
use super::{ReadAt, ReadError};
use crate::base::buffer_len;
use crate::plan::{Plan, Selection};
use alloc::vec;
use alloc::vec::Vec;
use rayon::prelude::*;

impl<S> Reader<S>
where
    S: ReadAt + Sync,
    S::Error: Send,
{
    /// [`get`](Self::get) by as many threads as rayon has.
    ///
    /// # Errors
    /// As for [`get`](Self::get), for whichever thread fails first. The limits hold for the result and for each
    /// thread's memory.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let selection = "::2, ..., 3".parse()?;
    /// assert_eq!(reader.get_parallel(&selection)?, reader.get(&selection)?);
    /// # Ok(()) }
    /// ```
    pub fn get_parallel(&self, selection: &Selection) -> Result<Vec<u8>, ReadError<S::Error>> {
        let plan = self.plan(selection)?;
        let mut out = vec![0; self.dparams.limits.allow_memory(plan.nbytes() as u64)?];
        self.get_parallel_into(&plan, &mut out)?;
        Ok(out)
    }

    /// The same, into a buffer of [`Plan::nbytes`] bytes.
    ///
    /// # Errors
    /// As for [`get_into`](Self::get_into).
    pub fn get_parallel_into(&self, plan: &Plan, out: &mut [u8]) -> Result<(), ReadError<S::Error>> {
        /// A thread that is done with a share takes another, so that none waits long for the last one.
        const SHARES: usize = 4;
        buffer_len(plan.nbytes(), out)?;
        let mut rest = out;
        let mut shares = Vec::new();
        for share in plan.shares(SHARES * rayon::current_num_threads()) {
            let (part, others) = rest.split_at_mut(share.nbytes());
            shares.push((share, part));
            rest = others;
        }
        shares.into_par_iter().try_for_each(|(share, part)| self.get_into(&share, part))
    }
}

//! The decoder's memory.

use crate::base::{Error, Limit, LimitError, Limits, Result};
use crate::codec::{self, Registry};
use crate::filter::Buffers;
use alloc::vec;
use alloc::vec::Vec;
use core::{fmt, mem};

/// How to read: what to allow, what else to know. Blosc's word for the parameters of decompression.
///
/// ```
/// use b2nd::{DParams, Limits};
/// let dparams = DParams { limits: Limits { memory: 64 << 20, ..Default::default() }, ..Default::default() };
/// ```
#[derive(Debug, Clone, Default)]
pub struct DParams {
    /// What a file may ask for.
    pub limits: Limits,
    /// Codecs of the host's own.
    pub registry: Registry,
    /// Read chunks of format version 4 as C-Blosc2 wrote them before February 2020, in betas 2 to 4. Where a
    /// frame itself gives that away this need not be set (FORMAT §20).
    pub early_bitshuffle: bool,
}

/// The decoder's only memory, to be used again and again. One per thread.
///
/// It grows to what the largest block needs and stays within [`Limits::memory`].
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) work: Work,
    /// The plain first block of the chunk in hand, for DELTA.
    first: Vec<u8>,
    /// A plain block on its way to its places.
    plain: Vec<u8>,
}

/// What decoding a block needs besides its source and destination.
#[derive(Debug, Default)]
pub(super) struct Work {
    a: Vec<u8>,
    b: Vec<u8>,
    codecs: Codecs,
    budget: Budget,
}

/// The codecs that there are, and what they remember.
#[derive(Default)]
pub(super) struct Codecs {
    pub(super) registry: Registry,
    pub(super) state: codec::State,
}

impl fmt::Debug for Codecs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codecs").field("registry", &self.registry).finish_non_exhaustive()
    }
}

/// The parts of a [`Scratch`], to be borrowed side by side.
pub(super) struct Parts<'a> {
    pub(super) work: &'a mut Work,
    pub(super) first: &'a mut [u8],
    pub(super) plain: &'a mut [u8],
}

impl Scratch {
    /// Empty memory with these limits and codecs.
    pub fn new(dparams: &DParams) -> Self {
        let codecs = Codecs { registry: dparams.registry.clone(), state: codec::State::default() };
        let budget = Budget { used: 0, allowed: dparams.limits.memory };
        Self { work: Work { codecs, budget, ..Work::default() }, ..Self::default() }
    }

    /// `nbytes` zeros for the caller, out of what the limits allow; they count until [`release`](Self::release).
    pub(crate) fn zeros(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        let Work { a, b, budget, .. } = &mut self.work;
        if budget.used.saturating_add(nbytes) > budget.allowed {
            // What can be read must not depend on what has been read before.
            for buffer in [a, b, &mut self.first, &mut self.plain] {
                budget.used -= mem::take(buffer).len() as u64;
            }
        }
        budget.zeros(nbytes)
    }

    /// Gives back what [`zeros`](Self::zeros) took.
    pub(crate) fn release(&mut self, nbytes: u64) {
        self.work.budget.used = self.work.budget.used.saturating_sub(nbytes);
    }

    /// What the blocks to come have as their dictionary is not what those before had.
    pub(super) fn other_dictionary(&mut self) {
        self.work.codecs.state.other_dictionary();
    }

    /// Work memory alone.
    pub(super) const fn work(&mut self) -> &mut Work {
        &mut self.work
    }

    /// Work memory, and room for plain blocks of these lengths.
    pub(super) fn parts(&mut self, first: usize, plain: usize) -> Result<Parts<'_>> {
        let first = self.work.budget.grow(&mut self.first, first)?;
        let plain = self.work.budget.grow(&mut self.plain, plain)?;
        Ok(Parts { work: &mut self.work, first, plain })
    }
}

impl Work {
    /// `count` work buffers of `len` bytes, and the codecs.
    pub(super) fn buffers(&mut self, count: usize, len: usize) -> Result<(Buffers<'_>, &mut Codecs)> {
        let a = self.budget.grow(&mut self.a, if count > 0 { len } else { 0 })?;
        let b = self.budget.grow(&mut self.b, if count > 1 { len } else { 0 })?;
        Ok((Buffers { a, b }, &mut self.codecs))
    }
}

/// Counts what has been allocated.
#[derive(Debug)]
struct Budget {
    used: u64,
    allowed: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { used: 0, allowed: Limits::default().memory }
    }
}

impl Budget {
    /// Zeros that take so many bytes come from the system untouched.
    const UNTOUCHED: u64 = 1 << 20;

    fn zeros(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        let wanted = self.used.saturating_add(nbytes);
        let refused = Error::from(LimitError { limit: Limit::Memory, wanted, allowed: self.allowed });
        let mut zeros = Vec::new();
        if wanted > self.allowed
            || wanted > isize::MAX as u64
            || zeros.try_reserve_exact(nbytes as usize).is_err()
        {
            return Err(refused);
        }
        if nbytes >= Self::UNTOUCHED {
            // There is room, and whoever gives it may know it to be zero already.
            drop(zeros);
            zeros = vec![0; nbytes as usize];
        } else {
            zeros.resize(nbytes as usize, 0);
        }
        self.used = wanted;
        Ok(zeros)
    }

    /// The first `len` bytes of `buffer`, which is replaced by a longer one where it is too short.
    fn grow<'b>(&mut self, buffer: &'b mut Vec<u8>, len: usize) -> Result<&'b mut [u8]> {
        if buffer.len() < len {
            // Freed before the next is allocated: its content is of no use.
            self.used -= mem::take(buffer).len() as u64;
            *buffer = self.zeros(len as u64)?;
        }
        Ok(&mut buffer[..len])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_within_its_limits() {
        let limits = Limits { memory: 100, ..Default::default() };
        let mut scratch = Scratch::new(&DParams { limits, ..Default::default() });
        assert!(scratch.parts(0, 60).is_ok());
        assert!(scratch.parts(0, 90).is_ok(), "the shorter buffer is given back");
        let refused = scratch.parts(11, 90).err();
        assert_eq!(
            refused,
            Some(Error::from(LimitError { limit: Limit::Memory, wanted: 101, allowed: 100 }))
        );
        assert!(scratch.parts(10, 90).is_ok());
        assert_eq!(scratch.zeros(100).map(|zeros| zeros.len()), Ok(100), "buffers give way to results");
        assert!(scratch.parts(0, 1).is_err());
    }
}

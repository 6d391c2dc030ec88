//! The decoder's memory.

use super::kept::{BlockKey, Kept};
use super::memory::{Codecs, DecodeMemory, LentMemory, MemoryNeeds, Work};
use super::params::DParams;
use crate::base::{Error, Limit, LimitError, Limits, Result};
use crate::codec::{Decode, PAIRS, Registry, State};
use alloc::vec;
use alloc::vec::Vec;
use core::{fmt, mem};

/// The decoder's only memory, to be used again and again. One per thread.
///
/// It grows to what the largest block needs and stays within [`Limits::memory`].
#[derive(Default)]
pub struct Scratch {
    registry: Registry,
    state: State,
    budget: Budget,
    limits: Limits,
    /// The plain first block of the chunk in hand, for DELTA.
    first: Vec<u8>,
    /// A plain block on its way to its places.
    plain: Vec<u8>,
    /// Which block that is.
    kept: Kept,
    /// A block between two filters.
    buffer: Vec<u8>,
    /// Streams of blocks whose filters are not undone yet.
    ahead: Vec<u8>,
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Scratch {
    /// Empty memory with these limits and codecs.
    ///
    /// ```
    /// use b2nd::{DParams, Limits, Scratch};
    /// let limits = Limits { memory: 1 << 20, ..Limits::default() };
    /// let scratch = Scratch::new(&DParams { limits, ..DParams::default() });
    /// ```
    pub fn new(dparams: &DParams) -> Self {
        let budget = Budget { used: 0, allowed: dparams.limits.memory };
        Self { registry: dparams.registry.clone(), budget, limits: dparams.limits, ..Self::default() }
    }

    /// `nbytes` zeros for the caller, out of what the limits allow; they count until [`release`](Self::release).
    pub(crate) fn zeros(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        self.make_room(nbytes);
        self.budget.zeros(nbytes)
    }

    /// An empty vector for `nbytes`, out of what the limits allow; they count until [`release`](Self::release).
    pub(crate) fn room(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        self.make_room(nbytes);
        self.budget.room(nbytes)
    }

    /// Gives up buffers if there is no room beside them: whether a result fits must not depend on earlier reads.
    fn make_room(&mut self, nbytes: u64) {
        let Self { first, plain, kept, buffer, ahead, budget, .. } = self;
        if budget.used.saturating_add(nbytes) > budget.allowed {
            kept.clear();
            for buffer in [first, plain, buffer, ahead] {
                budget.used -= mem::take(buffer).len() as u64;
            }
        }
    }

    /// Whether buffers can grow to what is wanted, with all else as it is.
    fn has_room(&self, wants: &MemoryNeeds) -> bool {
        let MemoryNeeds { first, plain, buffer, .. } = *wants;
        let grown = [(&self.first, first), (&self.plain, plain), (&self.buffer, buffer)];
        let grown = grown.iter().map(|(buffer, len)| len.saturating_sub(buffer.len()) as u64).sum::<u64>();
        self.budget.used.saturating_add(grown) <= self.budget.allowed
    }

    /// Gives back what [`zeros`](Self::zeros) or [`room`](Self::room) took.
    pub(crate) fn release(&mut self, nbytes: u64) {
        self.budget.used = self.budget.used.saturating_sub(nbytes);
    }
}

impl DecodeMemory for Scratch {
    fn lend(&mut self, wants: MemoryNeeds) -> Result<LentMemory<'_>> {
        if PAIRS && wants.ahead == 0 && !self.ahead.is_empty() && !self.has_room(&wants) {
            // Whether a block fits must not depend on blocks decoded ahead.
            self.budget.used -= mem::take(&mut self.ahead).len() as u64;
        }
        let MemoryNeeds { first, plain, buffer, ahead } = wants;
        let budget = &mut self.budget;
        if plain > 0 {
            self.kept.clear();
        }
        let first = budget.grow(&mut self.first, first)?;
        let plain = budget.grow(&mut self.plain, plain)?;
        let buffer = budget.grow(&mut self.buffer, buffer)?;
        let ahead = if PAIRS { budget.grow(&mut self.ahead, ahead)? } else { &mut [] };
        let codecs = Codecs { registry: &self.registry, tables: &mut self.state };
        Ok(LentMemory { first, plain, ahead, work: Work { buffer, ready: None, codecs } })
    }

    fn other_dictionary(&mut self) {
        self.state.other_dictionary();
    }

    fn allow_expansion(&self, plain: usize, stored: usize) -> Result<()> {
        self.limits.allow_expansion(plain as u64, stored as u64)
    }

    fn can_keep(&self) -> bool {
        true
    }

    fn keeps(&self, key: &BlockKey<'_>) -> bool {
        self.kept.is(key)
    }

    fn keep(&mut self, key: &BlockKey<'_>) {
        self.kept.set(key);
    }

    fn kept(&self, len: usize) -> &[u8] {
        &self.plain[..len]
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
    /// From this size on the system hands out zeroed pages.
    const UNTOUCHED: u64 = 1 << 20;

    fn room(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        let wanted = self.used.saturating_add(nbytes);
        let refused = Error::from(LimitError { limit: Limit::Memory, wanted, allowed: self.allowed });
        let mut room = Vec::new();
        if wanted > self.allowed
            || wanted > isize::MAX as u64
            || room.try_reserve_exact(nbytes as usize).is_err()
        {
            return Err(refused);
        }
        self.used = wanted;
        Ok(room)
    }

    fn zeros(&mut self, nbytes: u64) -> Result<Vec<u8>> {
        let mut zeros = self.room(nbytes)?;
        if nbytes >= Self::UNTOUCHED {
            // There is room: `vec!` lets the allocator hand out pages that are zero already.
            drop(zeros);
            zeros = vec![0; nbytes as usize];
        } else {
            zeros.resize(nbytes as usize, 0);
        }
        Ok(zeros)
    }

    /// The first `len` bytes of `buffer`, which is replaced by a longer one where it is too short.
    fn grow<'b>(&mut self, buffer: &'b mut Vec<u8>, len: usize) -> Result<&'b mut [u8]> {
        if buffer.len() < len {
            // Frees the old buffer first: its content is not needed.
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
        let mut lend =
            |first, plain| scratch.lend(MemoryNeeds { first, plain, ..MemoryNeeds::default() }).map(drop);
        assert!(lend(0, 60).is_ok());
        assert!(lend(0, 90).is_ok(), "the shorter buffer is given back");
        let refused = lend(11, 90).err();
        assert_eq!(
            refused,
            Some(Error::from(LimitError { limit: Limit::Memory, wanted: 101, allowed: 100 }))
        );
        assert!(lend(10, 90).is_ok());
        assert_eq!(scratch.zeros(100).map(|zeros| zeros.len()), Ok(100), "buffers give way to results");
        assert!(scratch.lend(MemoryNeeds { plain: 1, ..MemoryNeeds::default() }).is_err());
    }

    #[test]
    fn what_is_decoded_ahead_gives_way() {
        let limits = Limits { memory: 100, ..Default::default() };
        let mut scratch = Scratch::new(&DParams { limits, ..Default::default() });
        let mut lend =
            |plain, ahead| scratch.lend(MemoryNeeds { plain, ahead, ..MemoryNeeds::default() }).is_ok();
        assert!(lend(30, 0) && lend(0, 70));
        assert!(!lend(31, 70), "both are wanted");
        assert!(lend(30, 70) && lend(100, 0), "one is not");
    }
}

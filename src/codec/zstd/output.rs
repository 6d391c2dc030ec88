//! The output of a frame, which is also its window and the place where literals wait.

use crate::codec::Corrupt;
use crate::codec::copy::{SHORT, SLACK, exact, short, wide};

/// Literals that are copied without asking how many there are.
const LITERALS: usize = 16;

/// Where a block goes. Its literals lie at the end of the room for it: what is not written yet is never less than
/// the literals that are still to come, so that writing cannot overtake them unless the data is corrupt.
pub(super) struct Output<'a> {
    /// The frame's output up to the end of the literals.
    dst: &'a mut [u8],
    /// What is written.
    at: usize,
    /// Where the next literal lies.
    literals: usize,
    dict: &'a [u8],
}

impl<'a> Output<'a> {
    /// `dst[..at]` is written, and `literals` of them lie at the end of `dst`.
    pub(super) fn new(dst: &'a mut [u8], at: usize, literals: usize, dict: &'a [u8]) -> Result<Self, Corrupt> {
        let literals = dst.len().checked_sub(literals).filter(|&from| from >= at).ok_or(Corrupt)?;
        Ok(Self { dst, at, literals, dict })
    }

    /// Appends `literals` and then `len` bytes from `offset` before.
    #[inline(always)]
    pub(super) fn sequence(&mut self, literals: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
        let (from, to) = (self.literals, self.at + literals);
        let next = from + literals;
        // One question for both copies: neither may reach the literals that are left, nor the end.
        if to + len + SLACK > next || next + LITERALS > self.dst.len() || offset.wrapping_sub(1) >= to {
            return self.narrow(literals, offset, len);
        }
        self.dst.copy_within(from..from + LITERALS, self.at);
        if literals > LITERALS {
            self.dst.copy_within(from + LITERALS..next, self.at + LITERALS);
        }
        if len <= SHORT {
            short(self.dst, to, offset as u32);
        } else {
            wide(self.dst, to, offset, len);
        }
        self.at = to + len;
        self.literals = next;
        Ok(())
    }

    /// The same to the byte, with all that is rare.
    #[cold]
    #[inline(never)]
    fn narrow(&mut self, literals: usize, offset: usize, len: usize) -> Result<(), Corrupt> {
        let next = self.literals + literals;
        let to = self.at + literals;
        if next > self.dst.len() || to + len > next || offset == 0 {
            return Err(Corrupt);
        }
        self.dst.copy_within(self.literals..next, self.at);
        self.literals = next;
        self.at = to + len;
        let back = offset.saturating_sub(to);
        // The dictionary lies before the output.
        let tail = self.dict.len().checked_sub(back).ok_or(Corrupt)?;
        let n = back.min(len);
        self.dst[to..to + n].copy_from_slice(&self.dict[tail..][..n]);
        if n < len {
            exact(self.dst, to + n, offset, len - n);
        }
        Ok(())
    }

    /// Appends the literals that are left; says how much is written in all.
    pub(super) fn finish(self) -> usize {
        let left = self.dst.len() - self.literals;
        self.dst.copy_within(self.literals.., self.at);
        self.at + left
    }
}

//! A bit reader, least significant bit first.

use crate::codec::Corrupt;

/// Buffered bits. Those above `count` are zero or already the bits that follow, so that refilling may overwrite them
/// with the same.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    src: &'a [u8],
    at: usize,
    pub(super) next: u64,
    pub(super) count: u32,
}

impl<'a> Bits<'a> {
    pub(super) const fn new(src: &'a [u8]) -> Self {
        Self { src, at: 0, next: 0, count: 0 }
    }

    /// Whether [`refill`](Self::refill) can be called twice.
    #[inline(always)]
    pub(super) const fn has_two_words(&self) -> bool {
        self.src.len() - self.at >= 16
    }

    /// Refills to at least 56 bits; false near the end of the input.
    #[inline(always)]
    pub(super) fn refill(&mut self) -> bool {
        let Some(word) = self.src.get(self.at..).and_then(|rest| rest.first_chunk()) else { return false };
        self.next |= u64::from_le_bytes(*word) << (self.count & 63);
        self.at += ((63 - self.count as usize) & 63) >> 3;
        self.count |= 56;
        true
    }

    /// Refills up to the end of the input.
    pub(super) fn refill_to_the_end(&mut self) {
        if self.refill() {
            return;
        }
        while self.count < 56
            && let Some(&byte) = self.src.get(self.at)
        {
            self.next |= u64::from(byte) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// Skips bits that are known to be buffered.
    #[inline(always)]
    pub(super) const fn drop(&mut self, count: u32) {
        self.next >>= count & 63;
        self.count = self.count.wrapping_sub(count);
    }

    /// Skips bits, or fails if the input ends before.
    pub(super) fn leave_out(&mut self, count: u32) -> Result<(), Corrupt> {
        if count > self.count {
            return Err(Corrupt);
        }
        self.drop(count);
        Ok(())
    }

    /// Reads a number of up to 16 bits.
    pub(super) fn take(&mut self, count: u32) -> Result<usize, Corrupt> {
        if self.count < count {
            self.refill_to_the_end();
        }
        let value = self.next & !(u64::MAX << count);
        self.leave_out(count)?;
        Ok(value as usize)
    }

    /// The input from the next byte boundary on.
    pub(super) fn bytes(&mut self) -> &'a [u8] {
        self.at -= self.count as usize / 8;
        (self.next, self.count) = (0, 0);
        &self.src[self.at..]
    }

    /// Skips bytes of that input.
    pub(super) const fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

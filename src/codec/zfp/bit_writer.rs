//! The bits of a stream, written from the lowest bit of the first byte on.

/// Bits that are written at once.
const WORD: u32 = u64::BITS;

/// Writes bits, in words of 64 as the reference does.
pub(super) struct BitWriter<'a> {
    dst: &'a mut [[u8; 8]],
    /// Words that are complete, whether they fitted or not.
    at: usize,
    word: u64,
    /// Bits of `word`, less than [`WORD`].
    filled: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) const fn new(dst: &'a mut [u8]) -> Self {
        Self { dst: dst.as_chunks_mut().0, at: 0, word: 0, filled: 0 }
    }

    /// Writes the lowest `count` bits of `bits`, at most 64; the others must be zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.word |= bits << self.filled;
        self.filled += count;
        if self.filled >= WORD {
            self.filled -= WORD;
            self.complete();
            // None are left if there was room for all.
            self.word = bits.checked_shr(count - self.filled).unwrap_or(0);
        }
    }

    /// Writes `count` zeros.
    #[inline(always)]
    pub(super) fn zeros(&mut self, mut count: u32) {
        while self.filled + count >= WORD {
            count -= WORD - self.filled;
            self.complete();
            (self.word, self.filled) = (0, 0);
        }
        self.filled += count;
    }

    #[inline(always)]
    fn complete(&mut self) {
        if let Some(to) = self.dst.get_mut(self.at) {
            *to = self.word.to_le_bytes();
        }
        self.at += 1;
    }

    /// Whether there was room for all complete words.
    #[inline(always)]
    pub(super) const fn fits(&self) -> bool {
        self.at <= self.dst.len()
    }

    /// Completes the last word. Returns the length in bytes, or `None` if there was not enough room.
    pub(super) fn finish(mut self) -> Option<usize> {
        if self.filled > 0 {
            self.complete();
        }
        self.fits().then_some(8 * self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::Bits;
    use super::*;
    use crate::codec::tests::Random;
    use alloc::vec::Vec;

    #[test]
    fn bits_are_read_again() {
        let mut random = Random(64);
        let numbers: Vec<(u64, u32)> = (0..500)
            .map(|_| (random.next() as u64, random.below(58) as u32))
            .map(|(bits, count)| (bits & !(!0 << count), count))
            .collect();
        let mut dst = [0xEE; 500 * 4 * 57 / 8 + 8];
        let mut writer = BitWriter::new(&mut dst);
        for &(bits, count) in &numbers {
            writer.put(bits, count);
            writer.zeros(count * 3);
        }
        let len = writer.finish().unwrap();
        let total: u32 = numbers.iter().map(|(_, count)| 4 * count).sum();
        assert_eq!(len, total.div_ceil(WORD) as usize * 8);
        let mut reader = Bits::new(&dst[..len]);
        for (bits, count) in numbers {
            assert_eq!(reader.read(count), bits);
            reader.skip(count * 3);
        }
        assert!(reader.is_within());
    }

    #[test]
    fn words_are_whole() {
        let written = |room: usize, bits: &[(u64, u32)]| {
            let mut dst = [0xEE; 24];
            let mut writer = BitWriter::new(&mut dst[..room]);
            bits.iter().for_each(|&(bits, count)| writer.put(bits, count));
            (writer.finish(), dst)
        };
        assert_eq!(written(24, &[]).0, Some(0));
        assert_eq!(
            written(8, &[(!0, 64)]),
            (Some(8), [[0xFF; 8], [0xEE; 8], [0xEE; 8]].concat().try_into().unwrap())
        );
        assert_eq!(written(15, &[(!0, 64), (1, 1)]).0, None);
        assert_eq!(written(16, &[(!0, 64), (1, 1)]).0, Some(16));
        assert_eq!(written(7, &[(1, 1)]).0, None);
    }
}

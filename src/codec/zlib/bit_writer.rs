//! Bits from the lowest on, as deflate packs them.

/// Writes bits into a room.
#[derive(Default)]
pub(super) struct BitWriter<'a> {
    dst: &'a mut [u8],
    at: usize,
    /// Bits that are not written yet.
    bits: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) const fn new(dst: &'a mut [u8]) -> Self {
        Self { dst, at: 0, bits: 0, count: 0 }
    }

    /// Appends the lowest `count` bits of `bits`; the others are 0. Between two calls of [`flush`](Self::flush) there are at most
    /// 56 bits.
    #[inline(always)]
    pub(super) const fn put(&mut self, bits: u32, count: u32) {
        self.bits |= (bits as u64) << self.count;
        self.count += count;
    }

    /// Writes whole bytes; `None` if there is no room.
    #[inline(always)]
    pub(super) fn flush(&mut self) -> Option<()> {
        let whole = self.count as usize / 8;
        if let Some(to) = self.dst[self.at..].first_chunk_mut() {
            *to = self.bits.to_le_bytes();
        } else {
            let to = self.dst[self.at..].get_mut(..whole)?;
            to.copy_from_slice(&self.bits.to_le_bytes()[..whole]);
        }
        self.at += whole;
        self.bits >>= 8 * whole;
        self.count %= 8;
        Some(())
    }

    /// Fills up the last byte.
    pub(super) fn align(&mut self) -> Option<()> {
        self.count = self.count.next_multiple_of(8);
        self.flush()
    }

    /// Appends bytes after [`align`](Self::align).
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst[self.at..].get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    /// Bits that still fit.
    pub(super) const fn room(&self) -> u64 {
        8 * (self.dst.len() - self.at) as u64 - self.count as u64
    }

    /// Bytes written.
    pub(super) const fn len(&self) -> usize {
        self.at
    }
}

//! The bits of a stream, from the lowest bit of the first byte on.

/// Bits that [`Bits::peek`] returns at least.
pub(super) const PEEKED: u32 = 57;

/// Reads bits. Behind the end there are zeros; [`is_within`](Self::is_within) tells whether any of them was read.
pub(super) struct Bits<'a> {
    src: &'a [u8],
    at: u64,
}

impl<'a> Bits<'a> {
    pub(super) const fn new(src: &'a [u8]) -> Self {
        Self { src, at: 0 }
    }

    /// The next bits, of which the lowest [`PEEKED`] are valid.
    #[inline(always)]
    pub(super) fn peek(&self) -> u64 {
        let rest = usize::try_from(self.at / 8).ok().and_then(|byte| self.src.get(byte..)).unwrap_or(&[]);
        let bytes = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        });
        u64::from_le_bytes(bytes) >> (self.at % 8)
    }

    #[inline(always)]
    pub(super) const fn skip(&mut self, count: u32) {
        self.at += count as u64;
    }

    /// Reads at most 57 bits.
    #[inline(always)]
    pub(super) fn read(&mut self, count: u32) -> u64 {
        let bits = self.peek() & !(!0 << count);
        self.skip(count);
        bits
    }

    /// Whether all bits that were read or skipped are in the stream.
    pub(super) const fn is_within(&self) -> bool {
        self.at.div_ceil(8) <= self.src.len() as u64
    }
}

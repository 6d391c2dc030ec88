//! Bits, backward as entropy-coded streams are read, and forward as their tables are described.
//!
//! A backward stream is written from its first byte on and read from its last: the highest set bit there only
//! marks the end. The reader wants [`GUARD`] readable bytes before the stream, so that eight bytes can always be
//! loaded at once; headers that must precede every stream are as long as that. What is read beyond the start is
//! garbage and shows in the position, which is looked at once, when the stream should be over.

use crate::codec::Corrupt;

/// Bytes there must be before a backward stream: of a frame's magic number and headers, or of a dictionary's.
pub(super) const GUARD: usize = 8;

/// Bits that are there after [`Backward::refill`]: those of eight bytes but for the part of one that is read.
pub(super) const REFILLED: u32 = 57;

/// The eight bytes at `at`, which may have wrapped around.
#[inline(always)]
pub(super) fn load(src: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*src.get(at..)?.first_chunk()?))
}

/// The number of bits before the mark in the last byte of `src`.
pub(super) fn marked_end(src: &[u8]) -> Result<usize, Corrupt> {
    let (&last, before) = src.split_last().ok_or(Corrupt)?;
    Ok(8 * before.len() + last.checked_ilog2().ok_or(Corrupt)? as usize)
}

/// A stream that is read backward.
pub(super) struct Backward<'a> {
    src: &'a [u8],
    /// What comes next, from the highest bit on.
    bits: u64,
    /// Bits of `src` that are not read yet.
    left: usize,
}

impl<'a> Backward<'a> {
    /// Reads `src` from its end.
    pub(super) fn new(src: &'a [u8]) -> Result<Self, Corrupt> {
        let mut reader = Self { src, bits: 0, left: marked_end(src)? };
        reader.refill()?;
        Ok(reader)
    }

    /// Has [`REFILLED`] bits ready, which may be taken before the next call.
    #[inline(always)]
    pub(super) fn refill(&mut self) -> Result<(), Corrupt> {
        let end = (self.left + 7) / 8;
        let loaded = load(self.src, end.wrapping_sub(8)).ok_or(Corrupt)?;
        self.bits = loaded << (8 * end - self.left);
        Ok(())
    }

    /// The next `n < 64` bits as a number.
    #[inline(always)]
    pub(super) fn take(&mut self, n: u8) -> u32 {
        let value = self.bits >> 1 >> (63 - (n & 63));
        self.bits <<= n & 63;
        self.left -= usize::from(n);
        value as u32
    }

    /// Bits of the slice before the next one to read.
    #[inline(always)]
    pub(super) const fn left(&self) -> usize {
        self.left
    }
}

/// Bits from the lowest of the first byte on; zeros after the end, which [`Forward::bytes`] then objects to.
pub(super) struct Forward<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> Forward<'a> {
    pub(super) const fn new(src: &'a [u8]) -> Self {
        Self { src, at: 0 }
    }

    /// The next 16 bits at least, none of them taken.
    pub(super) fn peek(&self) -> u32 {
        let bytes = self.src.get(self.at / 8..).unwrap_or_default().iter().take(3);
        let value = bytes.rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        value >> (self.at % 8)
    }

    pub(super) const fn skip(&mut self, n: u32) {
        self.at += n as usize;
    }

    /// How many bytes have been touched.
    pub(super) fn bytes(&self) -> Result<usize, Corrupt> {
        let bytes = self.at.div_ceil(8);
        if bytes <= self.src.len() { Ok(bytes) } else { Err(Corrupt) }
    }
}

/// The `N` bytes at `at`.
pub(super) fn bytes_at<const N: usize>(src: &[u8], at: usize) -> Result<[u8; N], Corrupt> {
    src.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or(Corrupt)
}

/// A little-endian number of `n <= 8` bytes at `at`.
pub(super) fn little(src: &[u8], at: usize, n: usize) -> Result<u64, Corrupt> {
    let bytes = src.get(at..).and_then(|rest| rest.get(..n)).ok_or(Corrupt)?;
    Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

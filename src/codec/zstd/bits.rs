//! Bit readers: backward for entropy-coded streams, forward for the descriptions of their tables.
//!
//! A backward stream is written forward and read from its last byte; the highest set bit there marks the end. The
//! reader needs [`GUARD`] readable bytes before the stream, so that it can always load eight bytes; the headers before
//! every stream are at least that long. Reading beyond the start returns garbage and shows in the position, which is
//! checked once, at the end.

use crate::codec::Corrupt;
use crate::simd::{Baseline, Instructions};

/// Bytes needed before a backward stream: those of the frame's magic number and headers, or of a dictionary's.
pub(super) const GUARD: usize = 8;

/// The eight bytes at `at`, which may have wrapped around. As it is narrower than `usize`, `at + 8` cannot wrap, and
/// one comparison is enough.
#[inline(always)]
pub(super) fn load(src: &[u8], at: u32) -> Option<u64> {
    let at = at as usize;
    Some(u64::from_le_bytes(*src.get(at..at.wrapping_add(8))?.first_chunk()?))
}

/// The number of bits before the end mark in `src`.
pub(super) fn marked_end(src: &[u8]) -> Result<u32, Corrupt> {
    let (&last, before) = src.split_last().ok_or(Corrupt)?;
    Ok(8 * before.len() as u32 + last.checked_ilog2().ok_or(Corrupt)?)
}

/// Eight bytes of a backward stream, and how many of their bits are unread. At least [`WINDOW`] bits can be read.
#[derive(Clone, Copy)]
pub(super) struct Window {
    bytes: u64,
    unread: u32,
    /// Bits of the stream before these bytes.
    start: u32,
}

/// Bits that can be read from any window.
pub(super) const WINDOW: u32 = 56;

impl Window {
    /// The window on a stream with `left` unread bits. Fails before the beginning of `src`.
    #[inline(always)]
    pub(super) fn new(src: &[u8], left: u32) -> Result<Self, Corrupt> {
        let at = (left / 8).wrapping_sub(7);
        let bytes = load(src, at).ok_or(Corrupt)?;
        Ok(Self { bytes, unread: left % 8 + 56, start: at.wrapping_mul(8) })
    }

    /// The next `n < 32` bits.
    #[inline(always)]
    pub(super) fn take(&mut self, n: u8) -> u32 {
        self.take_by(n, Baseline)
    }

    /// The next `n < 32` bits, with the current instruction set.
    #[inline(always)]
    pub(super) fn take_by(&mut self, n: u8, by: impl Instructions) -> u32 {
        self.unread = self.unread.wrapping_sub(u32::from(n));
        by.bits(self.bytes, self.unread, n)
    }

    /// Unread bits of the stream.
    #[inline(always)]
    pub(super) const fn left(&self) -> u32 {
        self.start.wrapping_add(self.unread)
    }
}

/// A forward bit reader, least significant bit first. Reads zeros after the end, which [`Forward::bytes`] then
/// reports.
pub(super) struct Forward<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> Forward<'a> {
    pub(super) const fn new(src: &'a [u8]) -> Self {
        Self { src, at: 0 }
    }

    /// The next 16 bits at least, without consuming them.
    pub(super) fn peek(&self) -> u32 {
        let rest = self.src.get(self.at / 8..).unwrap_or_default();
        let value = match rest.first_chunk() {
            Some(bytes) => u32::from_le_bytes(*bytes),
            None => rest.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)),
        };
        value >> (self.at % 8)
    }

    pub(super) const fn skip(&mut self, n: u32) {
        self.at += n as usize;
    }

    /// How many bytes were consumed, in whole or in part.
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

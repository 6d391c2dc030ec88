//! The encoder: what the fast finder finds, as literals and copies.
//!
//! Readers ask for no literals at the end, and take offsets of any size; like other writers, this one keeps to those of 16 bits.
//! The format has no levels: from 1 to 9 the search skips less where nothing repeats. Beside the crate `snap` this takes 1.02 of
//! the size at level 5 and 1.00 at 9 (geometric means of 15 kinds of data, in blocks of 32 and 256 KiB). Speed beside it 0.8 to
//! 1.4 where much repeats, and 0.67 for all kinds at level 5: where next to nothing repeats it gives up later (noise: 11 GB/s
//! instead of 21). A second table, of 16-bit positions for short streams, would save 1 % more.

use crate::codec::matcher::fast;
use crate::codec::matcher::{Rules, Sequences};
use crate::simd::{Instructions, Work, widest};

/// Positions for streams of any length: 32 KiB.
pub(in crate::codec) type Positions = [u32; 1 << 13];
/// The farthest match.
const MAX_DIST: usize = 65_535;
/// The longest copy of one element.
const MAX_COPY: usize = 64;
/// Copies that take two bytes are nearer than this, and have from four to eleven bytes.
const NEAR_DIST: usize = 1 << 11;
const SHORT_COPY: usize = 12;
/// Literals that are copied at once.
const STEP: usize = 32;

/// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
pub(in crate::codec) fn encode(
    src: &[u8],
    dst: &mut [u8],
    table: &mut Positions,
    clevel: u8,
) -> Option<usize> {
    table.fill(0);
    widest(Stream { src, dst, table, acceleration: usize::from(clevel.min(9).abs_diff(9) / 2 + 1) })
}

struct Stream<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    table: &'a mut Positions,
    acceleration: usize,
}

impl Work for Stream<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { src, dst, table, acceleration } = self;
        let mut out = Writer { src, dst, at: 0 };
        out.varint(u32::try_from(src.len()).ok()?)?;
        let anchor = fast::sequences(src, 0, table, acceleration, &mut out)?;
        out.literals(anchor, src.len())?;
        Some(out.at)
    }
}

/// Writes elements.
struct Writer<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    at: usize,
}

impl Sequences for Writer<'_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        Rules::within(MAX_DIST)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, mut len: usize) -> Option<()> {
        self.literals(anchor, start)?;
        // What remains after full ones has at least four bytes, which the short form asks for.
        while len >= MAX_COPY + 4 {
            self.copy(dist, MAX_COPY)?;
            len -= MAX_COPY;
        }
        if len > MAX_COPY {
            self.copy(dist, MAX_COPY - 4)?;
            len -= MAX_COPY - 4;
        }
        self.copy(dist, len)
    }
}

impl Writer<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn literals(&mut self, start: usize, end: usize) -> Option<()> {
        let Some(less_one) = (end - start).checked_sub(1) else { return Some(()) };
        if less_one < 60 {
            self.put([(less_one << 2) as u8])?;
        } else {
            self.long_literals(less_one)?;
        }
        let len = less_one + 1;
        if len <= STEP
            && let Some(from) = self.src[start..].first_chunk::<STEP>()
            && let Some(to) = self.dst[self.at..].first_chunk_mut::<STEP>()
        {
            *to = *from;
        } else {
            self.dst[self.at..].get_mut(..len)?.copy_from_slice(&self.src[start..end]);
        }
        self.at += len;
        Some(())
    }

    /// The number of literals in as few bytes as it takes, which the tag counts.
    #[inline(never)]
    fn long_literals(&mut self, less_one: usize) -> Option<()> {
        let bytes = u32::try_from(less_one).ok()?.to_le_bytes();
        let many = 1 + less_one.ilog2() as usize / 8;
        self.put([((59 + many) << 2) as u8])?;
        self.dst[self.at..].get_mut(..many)?.copy_from_slice(&bytes[..many]);
        self.at += many;
        Some(())
    }

    /// Writes one copy of at most [`MAX_COPY`] bytes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn copy(&mut self, dist: usize, len: usize) -> Option<()> {
        if dist < NEAR_DIST && len < SHORT_COPY {
            return self.put([(dist >> 8 << 5 | (len - 4) << 2 | 1) as u8, dist as u8]);
        }
        self.put([((len - 1) << 2 | 2) as u8, dist as u8, (dist >> 8) as u8])
    }

    fn varint(&mut self, mut value: u32) -> Option<()> {
        while value >= 128 {
            self.put([value as u8 | 128])?;
            value >>= 7;
        }
        self.put([value as u8])
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        *self.dst.get_mut(self.at..)?.first_chunk_mut()? = bytes;
        self.at += N;
        Some(())
    }
}

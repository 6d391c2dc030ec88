//! Streams of Huffman codes: the hot loop of literals.
//!
//! Decodes four streams interleaved, since a single stream mostly waits for its table. What helped, on shuffled floats
//! (literals of 5 bits), relative to libzstd:
//! - Two symbols at a time: 0.60 to 0.73.
//! - Output arrays of constant size, so that a round has no bounds checks: 1 % by itself, and needed for the former.
//! - On a Zen 5, BMI2 and, with single symbols, one counter for all four streams: codes of 7 bits and more 0.83 to
//!   0.89, and to 1.01 if there is nothing else; pairs 0.02 to 0.05.
//!
//! No help: iterators over the four streams, which become calls; prefetching what follows the window, so
//! that no refill waits for a load (0 to 3 % less).

use super::bits::{GUARD, load, marked_end};
use super::huffman::Table;
use super::weights::MAX_BITS;
use crate::codec::Corrupt;
use crate::simd::{Instructions, Work, widest};
use core::mem;
use core::num::NonZero;

/// Symbols that a refilled window, 56 bits, surely holds.
const AT_ONCE: usize = (56 / MAX_BITS) as usize;
/// Bytes that these symbols may fill, rounded up so that the compiler sees no overflow.
const ROOM: usize = 4 * 3 + 2;

/// A backward stream. Its lowest set bit is a mark that moves up as bits are consumed, so that no counter is needed.
#[derive(Clone, Copy)]
struct BitStream {
    bits: u64,
    /// Where the eight bytes in `bits` were loaded.
    at: u32,
}

impl BitStream {
    /// The stream that ends with `src`; [`GUARD`] bytes precede it.
    fn new(src: &[u8]) -> Result<Self, Corrupt> {
        let end = marked_end(src)?;
        let at = src.len().checked_sub(GUARD).ok_or(Corrupt)? as u32;
        let bits = load(src, at).ok_or(Corrupt)?;
        Ok(Self { bits: (bits | 1) << (8 * src.len() as u32 - end), at })
    }

    /// Refills to 56 bits; `None` before the beginning of `src`.
    #[inline(always)]
    fn refill(&mut self, src: &[u8]) -> Option<()> {
        let taken = NonZero::new(self.bits)?.trailing_zeros();
        let at = self.at.wrapping_sub(taken / 8);
        self.bits = (load(src, at)? | 1) << (taken % 8);
        self.at = at;
        Some(())
    }

    /// Decodes one or two symbols to `room[at..]`. Returns their end.
    #[inline(always)]
    fn symbols(&mut self, table: &Table, room: &mut [u8; ROOM], at: usize) -> usize {
        let entry = table.entry(self.bits);
        self.bits <<= entry.bits();
        room[at..at + 2].copy_from_slice(&entry.symbols());
        at + entry.count()
    }

    /// Decodes the only symbol of an entry.
    #[inline(always)]
    fn symbol(&mut self, table: &Table) -> u8 {
        let entry = table.entry(self.bits);
        self.bits <<= entry.bits();
        entry.symbols()[0]
    }

    /// Decodes the last symbols, after which the stream must end: at bit `first`.
    fn finish(mut self, table: &Table, src: &[u8], first: usize, mut dst: &mut [u8]) -> Result<(), Corrupt> {
        while let Some(room) = dst.first_chunk_mut::<ROOM>() {
            self.refill(src).ok_or(Corrupt)?;
            let done = self.round(table, room);
            dst = &mut dst[done..];
        }
        while !dst.is_empty() {
            self.refill(src).ok_or(Corrupt)?;
            let entry = table.entry(self.bits);
            self.bits <<= table.first_bits(entry);
            dst[0] = entry.symbols()[0];
            dst = &mut dst[1..];
        }
        let left = 8 * self.at + 64 - self.bits.trailing_zeros();
        if left as usize == first { Ok(()) } else { Err(Corrupt) }
    }

    #[inline(always)]
    fn round(&mut self, table: &Table, room: &mut [u8; ROOM]) -> usize {
        let mut at = 0;
        for _ in 0..AT_ONCE {
            at = self.symbols(table, room, at);
        }
        at
    }
}

/// Decodes one stream, `src[start..]`.
pub(super) fn one(table: &Table, src: &[u8], start: usize, dst: &mut [u8]) -> Result<(), Corrupt> {
    BitStream::new(src)?.finish(table, src, 8 * start, dst)
}

/// Decodes four consecutive streams in `src[start..]`, after the lengths of the first three. Each fills a quarter of
/// `dst`, rounded up.
pub(super) fn four(table: &Table, src: &[u8], start: usize, dst: &mut [u8]) -> Result<(), Corrupt> {
    let lengths: &[u8; 6] = src.get(start..).and_then(|rest| rest.first_chunk()).ok_or(Corrupt)?;
    let length = |of: usize| usize::from(u16::from_le_bytes([lengths[2 * of], lengths[2 * of + 1]]));
    let mut ends = [start + 6; 5];
    for of in 0..3 {
        ends[of + 1] = ends[of] + length(of);
    }
    ends[4] = src.len();
    let mut streams = [BitStream { bits: 0, at: 0 }; 4];
    for of in 0..4 {
        if ends[of + 1] <= ends[of] {
            return Err(Corrupt);
        }
        streams[of] = BitStream::new(src.get(..ends[of + 1]).ok_or(Corrupt)?)?;
    }
    let quarter = dst.len().div_ceil(4);
    let (a, rest) = dst.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let (b, rest) = rest.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let (c, d) = rest.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let mut quarters = [a, b, c, d];
    if table.pairs() {
        widest(Four::<true> { table, src, streams: &mut streams, dst: &mut quarters });
    } else {
        widest(Four::<false> { table, src, streams: &mut streams, dst: &mut quarters });
    }
    for (of, quarter) in quarters.into_iter().enumerate() {
        streams[of].finish(table, src, 8 * ends[of], quarter)?;
    }
    Ok(())
}

/// Decodes all four streams interleaved until one is near its end. Leaves what is not decoded yet. With `PAIRS` an
/// entry may have two symbols.
struct Four<'a, 'b, const PAIRS: bool> {
    table: &'a Table,
    src: &'a [u8],
    streams: &'a mut [BitStream; 4],
    dst: &'a mut [&'b mut [u8]; 4],
}

impl Work for Four<'_, '_, true> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Instructions) {
        let Self { table, src, streams, dst } = self;
        let [mut s, mut t, mut u, mut v] = *streams;
        let [mut a, mut b, mut c, mut d] = mem::take(dst);
        while let (Some(e), Some(f), Some(g), Some(h)) =
            (a.first_chunk_mut(), b.first_chunk_mut(), c.first_chunk_mut(), d.first_chunk_mut())
        {
            // If one stream cannot be refilled, those refilled before it are unchanged in effect.
            let all = s.refill(src).is_some() && t.refill(src).is_some() && u.refill(src).is_some();
            if !all || v.refill(src).is_none() {
                break;
            }
            let (mut i, mut j, mut k, mut l) = (0, 0, 0, 0);
            for _ in 0..AT_ONCE {
                i = s.symbols(table, e, i);
                j = t.symbols(table, f, j);
                k = u.symbols(table, g, k);
                l = v.symbols(table, h, l);
            }
            (a, b, c, d) = (&mut a[i..], &mut b[j..], &mut c[k..], &mut d[l..]);
        }
        *streams = [s, t, u, v];
        *dst = [a, b, c, d];
    }
}

/// All streams advance in step.
impl Work for Four<'_, '_, false> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Instructions) {
        let Self { table, src, streams, dst } = self;
        let [mut s, mut t, mut u, mut v] = *streams;
        let [a, b, c, d] = dst.each_mut().map(|quarter| quarter.as_chunks_mut::<AT_ONCE>().0);
        let mut done = 0;
        for (((e, f), g), h) in a.iter_mut().zip(b).zip(c).zip(d) {
            // If one stream cannot be refilled, those refilled before it are unchanged in effect.
            let all = s.refill(src).is_some() && t.refill(src).is_some() && u.refill(src).is_some();
            if !all || v.refill(src).is_none() {
                break;
            }
            for at in 0..AT_ONCE {
                e[at] = s.symbol(table);
                f[at] = t.symbol(table);
                g[at] = u.symbol(table);
                h[at] = v.symbol(table);
            }
            done += AT_ONCE;
        }
        *streams = [s, t, u, v];
        for quarter in dst {
            *quarter = &mut mem::take(quarter)[done..];
        }
    }
}

//! Streams of Huffman codes: the hot loop of literals.

use super::bits::{GUARD, load, marked_end};
use super::huffman::{MOST_BITS, Table};
use crate::codec::Corrupt;

/// Symbols that a refilled window is sure to hold: 56 bits.
const AT_ONCE: usize = (56 / MOST_BITS) as usize;

/// A stream being read backward. Its lowest set bit is a mark that moves up as bits are taken, so that nothing
/// else has to be counted.
#[derive(Clone, Copy)]
struct Stream {
    bits: u64,
    /// Where the eight bytes in `bits` were loaded.
    at: usize,
}

impl Stream {
    /// The stream that ends where `src` does, which begins with [`GUARD`] bytes of something.
    fn new(src: &[u8]) -> Result<Self, Corrupt> {
        let end = marked_end(src)?;
        let at = src.len().checked_sub(GUARD).ok_or(Corrupt)?;
        let bits = load(src, at).ok_or(Corrupt)?;
        Ok(Self { bits: (bits | 1) << (8 * src.len() - end), at })
    }

    /// Has 56 bits ready; before the beginning of `src` there are none.
    #[inline(always)]
    fn refill(&mut self, src: &[u8]) -> Option<()> {
        let taken = self.bits.trailing_zeros();
        let at = self.at.wrapping_sub(taken as usize / 8);
        self.bits = (load(src, at)? | 1) << (taken % 8);
        self.at = at;
        Some(())
    }

    #[inline(always)]
    fn symbol(&mut self, table: &Table) -> u8 {
        let entry = table.entry(self.bits);
        self.bits <<= entry & 63;
        (entry >> 8) as u8
    }

    /// Decodes the last symbols, after which the stream must be over: at the bit `first`.
    fn finish(mut self, table: &Table, src: &[u8], first: usize, dst: &mut [u8]) -> Result<(), Corrupt> {
        for few in dst.chunks_mut(AT_ONCE) {
            self.refill(src).ok_or(Corrupt)?;
            few.iter_mut().for_each(|byte| *byte = self.symbol(table));
        }
        let left = 8 * self.at + 64 - self.bits.trailing_zeros() as usize;
        if left == first { Ok(()) } else { Err(Corrupt) }
    }
}

/// Decodes one stream, `src[start..]`.
pub(super) fn one(table: &Table, src: &[u8], start: usize, dst: &mut [u8]) -> Result<(), Corrupt> {
    Stream::new(src)?.finish(table, src, 8 * start, dst)
}

/// Decodes four streams that follow one another in `src[start..]`, after the lengths of the first three. Each
/// fills a quarter of `dst`, rounded up.
pub(super) fn four(table: &Table, src: &[u8], start: usize, dst: &mut [u8]) -> Result<(), Corrupt> {
    let lengths: &[u8; 6] = src.get(start..).and_then(|rest| rest.first_chunk()).ok_or(Corrupt)?;
    let length = |of: usize| usize::from(u16::from_le_bytes([lengths[2 * of], lengths[2 * of + 1]]));
    let mut ends = [start + 6; 5];
    for of in 0..3 {
        ends[of + 1] = ends[of] + length(of);
    }
    ends[4] = src.len();
    let mut streams = [Stream { bits: 0, at: 0 }; 4];
    for of in 0..4 {
        if ends[of + 1] <= ends[of] {
            return Err(Corrupt);
        }
        streams[of] = Stream::new(src.get(..ends[of + 1]).ok_or(Corrupt)?)?;
    }
    let quarter = dst.len().div_ceil(4);
    let (a, rest) = dst.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let (b, rest) = rest.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let (c, d) = rest.split_at_mut_checked(quarter).ok_or(Corrupt)?;
    let mut quarters = [a, b, c, d];
    let done = interleaved(table, src, &mut streams, &mut quarters);
    for (of, quarter) in quarters.into_iter().enumerate() {
        streams[of].finish(table, src, 8 * ends[of], &mut quarter[done..])?;
    }
    Ok(())
}

/// Decodes as much of all four streams as can be done in whole rounds; says how much that is of each.
#[inline(always)]
fn interleaved(table: &Table, src: &[u8], streams: &mut [Stream; 4], dst: &mut [&mut [u8]; 4]) -> usize {
    let [a, b, c, d] = dst;
    let mut s = *streams;
    let mut done = 0;
    let rounds = a.chunks_exact_mut(AT_ONCE).zip(b.chunks_exact_mut(AT_ONCE));
    let rounds = rounds.zip(c.chunks_exact_mut(AT_ONCE)).zip(d.chunks_exact_mut(AT_ONCE));
    for (((a, b), c), d) in rounds {
        let refilled = s[0].refill(src).and(s[1].refill(src)).and(s[2].refill(src)).and(s[3].refill(src));
        if refilled.is_none() {
            // Those that have been refilled are where they were.
            break;
        }
        for i in 0..AT_ONCE {
            a[i] = s[0].symbol(table);
            b[i] = s[1].symbol(table);
            c[i] = s[2].symbol(table);
            d[i] = s[3].symbol(table);
        }
        done += AT_ONCE;
    }
    *streams = s;
    done
}

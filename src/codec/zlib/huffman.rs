//! Tables for the prefix codes of deflate (RFC 1951, 3.2).
//!
//! A table is looked up with as many of the next bits as it has an index; codes that are longer have the rest
//! of their bits looked up in a second one. An entry says all that the decoder wants to know of a symbol:
//!
//! | bits | |
//! |---|---|
//! | 0..8 | bits to drop, extra bits included |
//! | 8..12 | bits of the code alone; of the index, where a second table follows |
//! | 12..15 | what is no length or distance: [`SECOND`], [`END`], [`INVALID`] |
//! | 16..31 | the literal, the least length or distance; where the second table begins |
//! | 31 | [`LITERAL`] |

use crate::codec::Corrupt;

/// A literal byte, one that the first table has by itself or the second.
pub(super) const LITERAL: u32 = 1 << 31;
/// The code goes on in the second table.
pub(super) const SECOND: u32 = 1 << 12;
/// The end of the block.
pub(super) const END: u32 = 1 << 13;
/// No code, or one that nothing may use.
pub(super) const INVALID: u32 = 1 << 14;
/// Any of them.
pub(super) const SPECIAL: u32 = SECOND | END | INVALID;

/// The longest code.
const LONGEST: usize = 15;
/// Symbols of the largest alphabet.
pub(super) const SYMBOLS: usize = 288;

/// Bits to drop for this entry.
#[inline(always)]
pub(super) const fn drops(entry: u32) -> u32 {
    entry & 0xFF
}

/// The literal of this entry.
#[inline(always)]
pub(super) const fn literal(entry: u32) -> u8 {
    (entry >> 16) as u8
}

/// The least length or distance with its extra bits, which `bits` still has behind its code.
#[inline(always)]
pub(super) const fn value(entry: u32, bits: u64) -> usize {
    let taken = bits & !(u64::MAX << (entry & 63));
    (entry >> 16) as usize + (taken >> (entry >> 8 & 15)) as usize
}

/// Fills both tables for a code in which symbol `i` takes `lengths[i]` bits, 0 for none. The first `literals` symbols
/// stand for themselves, the others for `entries`. The lengths of both tables are powers of two, or 0 for a second one
/// that no code needs.
///
/// What zlib takes, this takes: the code must be complete, but for one that has a single symbol of a single
/// bit, or no symbol at all.
pub(super) fn build(
    lengths: &[u8],
    literals: usize,
    entries: &[u32],
    first: &mut [u32],
    second: &mut [u32],
) -> Result<(), Corrupt> {
    let mut counts = [0u16; LONGEST + 1];
    for &len in lengths {
        counts[usize::from(len & 15)] += 1;
    }
    counts[0] = 0;
    let mut sorted = [0u16; SYMBOLS];
    sort(lengths, &counts, &mut sorted);
    let (mut used, mut space) = (0, 0);
    for count in counts {
        used += usize::from(count);
        space = 2 * space + u32::from(count);
    }
    if space != 1 << LONGEST {
        if used > 1 || used != usize::from(counts[1]) {
            return Err(Corrupt);
        }
        first.fill(INVALID);
    }
    let entry = |symbol: usize| match symbol.checked_sub(literals) {
        None => Some(LITERAL | (symbol as u32) << 16),
        Some(at) => entries.get(at).copied(),
    };
    fill(&sorted[..used], lengths, entry, counts, first, second).ok_or(Corrupt)
}

/// Symbols by the length of their codes, and then by their own order.
fn sort(lengths: &[u8], counts: &[u16; LONGEST + 1], sorted: &mut [u16; SYMBOLS]) {
    let mut starts = [0u16; LONGEST + 1];
    for len in 1..LONGEST {
        starts[len + 1] = starts[len] + counts[len];
    }
    for (symbol, &len) in lengths.iter().enumerate() {
        if len > 0 {
            let start = &mut starts[usize::from(len & 15)];
            sorted[usize::from(*start) % SYMBOLS] = symbol as u16;
            *start += 1;
        }
    }
}

/// Codes come in the order of the sorted symbols: each the one before plus one, with zeros behind it where it
/// is longer. Bits come lowest first, so that a code stands in an index in reverse, and is kept so.
///
/// `counts` says of how many codes each length is.
fn fill(
    sorted: &[u16],
    lengths: &[u8],
    entry: impl Fn(usize) -> Option<u32>,
    mut counts: [u16; LONGEST + 1],
    first: &mut [u32],
    second: &mut [u32],
) -> Option<()> {
    let index_bits = first.len().trailing_zeros();
    let mut code = 0;
    // The part of the table that is filled, as long as codes may be: copied behind itself, it serves longer ones.
    let mut done = 0;
    // The part of the second table for codes that begin with the same bits.
    let (mut prefix, mut start, mut end) = (usize::MAX, 0, 0);
    for &symbol in sorted {
        let symbol = usize::from(symbol);
        let (entry, len) = (entry(symbol)?, u32::from(*lengths.get(symbol)?));
        double(first, &mut done, len.min(index_bits));
        let index = code & (first.len() - 1);
        if len <= index_bits {
            *first.get_mut(index)? = entry + len * 0x101;
        } else {
            let rest = len - index_bits;
            if prefix != index {
                prefix = index;
                let bits = shared(&counts, len, rest)?;
                (start, end) = (end, end + (1 << bits));
                *first.get_mut(index)? = SECOND | index_bits | bits << 8 | (start as u32) << 16;
            }
            let mut at = start + (code >> index_bits);
            while at < end {
                *second.get_mut(at)? = entry + rest * 0x101;
                at += 1 << rest;
            }
        }
        *counts.get_mut(len as usize)? -= 1;
        // To add one to a code in reverse: of its bits that are not set the highest is, and those above it no longer.
        let Some(bit) = (!code & ((1 << len) - 1)).checked_ilog2() else { break };
        code = code & ((1 << bit) - 1) | 1 << bit;
    }
    double(first, &mut done, index_bits);
    Some(())
}

/// Goes on from codes of up to `done` bits to those of `len`.
fn double(first: &mut [u32], done: &mut u32, len: u32) {
    while *done < len {
        first.copy_within(..1 << *done, 1 << *done);
        *done += 1;
    }
}

/// How many bits the longest of the codes has that follow, of which the first is `len` bits long, and share all bits
/// but `rest` with it; the shared ones not counted. `counts` are those of the codes that follow.
fn shared(counts: &[u16; LONGEST + 1], mut len: u32, mut rest: u32) -> Option<u32> {
    let mut space = u32::from(*counts.get(len as usize)?);
    while space < 1 << rest {
        (len, rest) = (len + 1, rest + 1);
        space = 2 * space + u32::from(*counts.get(len as usize)?);
    }
    Some(rest)
}

//! Tables for the Huffman codes of deflate (RFC 1951, 3.2).
//!
//! The first table is indexed with the next bits. Longer codes continue in a second table, indexed with their
//! remaining bits. An entry holds everything that the decoder needs for a symbol:
//!
//! | bits | |
//! |---|---|
//! | 0..8 | bits to skip, including extra bits |
//! | 8..12 | bits of the code alone; for a reference to the second table, bits of its index |
//! | 12..15 | kinds other than length or distance: [`SECOND`], [`END`], [`INVALID`] |
//! | 16..31 | the literal; the base length or distance; or the start within the second table |
//! | 31 | [`LITERAL`] |

use crate::codec::Corrupt;

/// A literal byte.
pub(super) const LITERAL: u32 = 1 << 31;
/// The code continues in the second table.
pub(super) const SECOND: u32 = 1 << 12;
/// The end of the block.
pub(super) const END: u32 = 1 << 13;
/// Not a code, or a symbol that is not allowed.
pub(super) const INVALID: u32 = 1 << 14;
/// Any of the three.
pub(super) const SPECIAL: u32 = SECOND | END | INVALID;

/// The longest code.
const LONGEST: usize = 15;
/// Symbols of the largest alphabet.
pub(super) const SYMBOLS: usize = 288;

/// Bits to skip for this entry.
#[inline(always)]
pub(super) const fn drops(entry: u32) -> u32 {
    entry & 0xFF
}

/// The literal of this entry.
#[inline(always)]
pub(super) const fn literal(entry: u32) -> u8 {
    (entry >> 16) as u8
}

/// The length or distance: the base plus the extra bits, which follow the code in `bits`.
#[inline(always)]
pub(super) const fn value(entry: u32, bits: u64) -> usize {
    let taken = bits & !(u64::MAX << (entry & 63));
    (entry >> 16) as usize + (taken >> (entry >> 8 & 15)) as usize
}

/// Fills both tables for a code in which symbol `i` has `lengths[i]` bits, 0 for unused. The first `literals` symbols
/// are literals; the others have `entries`. The lengths of both tables are powers of two, or 0 for a second table that
/// is not needed.
///
/// Accepts what zlib accepts: the code must be complete, except for a single symbol of one bit, or no symbol.
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

/// Sorts symbols by code length, then by symbol.
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

/// Assigns canonical codes in the order of the sorted symbols: each is the previous one plus one, shifted left if
/// longer. Codes are kept bit-reversed, as they appear in the stream.
///
/// `counts` has the number of codes of each length.
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
    // Bits of the filled part of the table. For longer codes the part is doubled.
    let mut done = 0;
    // The part of the second table for the current prefix.
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
        // Increments a reversed code: sets its highest zero bit, clears the bits above.
        let Some(bit) = (!code & ((1 << len) - 1)).checked_ilog2() else { break };
        code = code & ((1 << bit) - 1) | 1 << bit;
    }
    double(first, &mut done, index_bits);
    Some(())
}

/// Doubles the filled part from `done` bits to `len`.
fn double(first: &mut [u32], done: &mut u32, len: u32) {
    while *done < len {
        first.copy_within(..1 << *done, 1 << *done);
        *done += 1;
    }
}

/// The bits that the longest of the following codes has beyond the prefix that they share. The first of these codes is
/// `len` bits long and has `rest` bits beyond the prefix. `counts` are those of the following codes.
fn shared(counts: &[u16; LONGEST + 1], mut len: u32, mut rest: u32) -> Option<u32> {
    let mut space = u32::from(*counts.get(len as usize)?);
    while space < 1 << rest {
        (len, rest) = (len + 1, rest + 1);
        space = 2 * space + u32::from(*counts.get(len as usize)?);
    }
    Some(rest)
}

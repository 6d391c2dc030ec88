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

/// Fills both tables for a code in which symbol `i` takes `lengths[i]` bits, 0 for none, and means `entries[i]`.
/// The lengths of both are powers of two, or 0 for a second one that no code needs.
///
/// What zlib takes, this takes: the code must be complete, but for one that has a single symbol of a single
/// bit, or no symbol at all.
pub(super) fn build(
    lengths: &[u8],
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
    let used: u16 = counts.iter().sum();
    let space: u32 = (1..=LONGEST).map(|len| u32::from(counts[len]) << (LONGEST - len)).sum();
    if space != 1 << LONGEST {
        if used > 1 || used != counts[1] {
            return Err(Corrupt);
        }
        first.fill(INVALID);
    }
    fill(&sorted[..usize::from(used)], lengths, entries, first, second).ok_or(Corrupt)
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
/// is longer. Bits come lowest first, so that a code stands in an index in reverse.
fn fill(
    sorted: &[u16],
    lengths: &[u8],
    entries: &[u32],
    first: &mut [u32],
    second: &mut [u32],
) -> Option<()> {
    let index_bits = first.len().trailing_zeros();
    let mut code = 0;
    let mut last = 0;
    // The part of the table that is filled, as long as codes may be: copied behind itself, it serves longer ones.
    let mut done = 0;
    let mut next_second = 0;
    let mut at = 0;
    while let Some(&symbol) = sorted.get(at) {
        let len = u32::from(*lengths.get(usize::from(symbol))?);
        code <<= len - last;
        last = len;
        if len > index_bits {
            break;
        }
        while done < len {
            first.copy_within(..1 << done, 1 << done);
            done += 1;
        }
        *first.get_mut(reversed(code, len))? = *entries.get(usize::from(symbol))? + len * 0x101;
        code += 1;
        at += 1;
    }
    while done < index_bits {
        first.copy_within(..1 << done, 1 << done);
        done += 1;
    }
    while at < sorted.len() {
        let group = Group { prefix: code >> (last - index_bits), index_bits, code, last };
        let (n, extra) = group.measure(&sorted[at..], lengths)?;
        let room = second.get_mut(next_second..next_second + (1 << extra))?;
        *first.get_mut(reversed(group.prefix, index_bits))? =
            SECOND | index_bits | extra << 8 | (next_second as u32) << 16;
        next_second += room.len();
        (code, last) = group.fill(sorted.get(at..at + n)?, lengths, entries, room)?;
        at += n;
    }
    Some(())
}

/// Codes that share as many first bits as the first table is looked up with.
struct Group {
    prefix: u32,
    index_bits: u32,
    /// The first code of them, and how long it is.
    code: u32,
    last: u32,
}

impl Group {
    /// How many codes there are, and how many bits the longest has besides the shared ones.
    fn measure(&self, sorted: &[u16], lengths: &[u8]) -> Option<(usize, u32)> {
        let Self { mut code, mut last, .. } = *self;
        let mut n = 0;
        for &symbol in sorted {
            let len = u32::from(*lengths.get(usize::from(symbol))?);
            code <<= len - last;
            if code >> (len - self.index_bits) != self.prefix {
                break;
            }
            last = len;
            code += 1;
            n += 1;
        }
        Some((n, last - self.index_bits))
    }

    /// Fills their part of the second table; hands back what comes after their last code, and its length.
    fn fill(&self, sorted: &[u16], lengths: &[u8], entries: &[u32], room: &mut [u32]) -> Option<(u32, u32)> {
        let Self { mut code, mut last, index_bits, .. } = *self;
        for &symbol in sorted {
            let len = u32::from(*lengths.get(usize::from(symbol))?);
            code <<= len - last;
            last = len;
            let rest = len - index_bits;
            let entry = *entries.get(usize::from(symbol))? + rest * 0x101;
            let low = reversed(code & ((1 << rest) - 1), rest);
            for slot in room.get_mut(low..)?.iter_mut().step_by(1 << rest) {
                *slot = entry;
            }
            code += 1;
        }
        Some((code, last))
    }
}

/// The last `len` bits of `code`, from the last to the first.
fn reversed(code: u32, len: u32) -> usize {
    (code.reverse_bits() >> (32 - len)) as usize
}

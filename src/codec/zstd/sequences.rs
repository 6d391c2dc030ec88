//! The sequences of a block: the hot loop of all that is not literals.

use super::bits::{Backward, REFILLED};
use super::fse::Entry;
use super::output::Output;
use crate::codec::Corrupt;

/// Bits that the three next states take at most.
const STATES: u32 = 9 + 9 + 8;

/// The three last offsets, the latest first.
pub(super) type Repeats = [u32; 3];

/// What a sequences section says of itself.
pub(super) struct Header {
    pub(super) count: usize,
    /// How the three tables are described.
    pub(super) modes: u8,
    /// Where the descriptions begin.
    pub(super) end: usize,
}

impl Header {
    /// The header at `at`.
    pub(super) fn parse(src: &[u8], at: usize) -> Result<Self, Corrupt> {
        let byte = |at: usize| src.get(at).map(|&byte| usize::from(byte)).ok_or(Corrupt);
        let (count, end) = match byte(at)? {
            few @ ..128 => (few, at + 1),
            high @ 128..255 => ((high - 128) << 8 | byte(at + 1)?, at + 2),
            _ => ((byte(at + 1)? | byte(at + 2)? << 8) + 0x7F00, at + 3),
        };
        if count == 0 {
            return if end == src.len() { Ok(Self { count, modes: 0, end }) } else { Err(Corrupt) };
        }
        let modes = byte(end)? as u8;
        if modes & 3 == 0 { Ok(Self { count, modes, end: end + 1 }) } else { Err(Corrupt) }
    }
}

/// Decodes and executes `count` sequences, whose bits are `src[start..]`.
pub(super) fn decode(
    src: &[u8],
    start: usize,
    count: usize,
    [literals, offsets, matches]: [&[Entry]; 3],
    repeats: &mut Repeats,
    output: &mut Output<'_>,
) -> Result<(), Corrupt> {
    if start >= src.len() {
        return Err(Corrupt);
    }
    let mut bits = Backward::new(src)?;
    let log = |states: &[Entry]| states.len().ilog2() as u8;
    let mut literal = bits.take(log(literals)) as usize;
    let mut offset = bits.take(log(offsets)) as usize;
    let mut matched = bits.take(log(matches)) as usize;
    let mut end = 0;
    for _ in 0..count {
        let l = *literals.get(literal).ok_or(Corrupt)?;
        let o = *offsets.get(offset).ok_or(Corrupt)?;
        let m = *matches.get(matched).ok_or(Corrupt)?;
        bits.refill()?;
        let distance = o.base + bits.take(o.extra);
        let len = m.base + bits.take(m.extra);
        if u32::from(o.extra) + u32::from(m.extra) + u32::from(l.extra) > REFILLED - STATES {
            bits.refill()?;
        }
        let literal_len = l.base + bits.take(l.extra);
        end = bits.left();
        // After the last sequence these are no states, and are not looked at.
        literal = usize::from(l.next) + bits.take(l.bits) as usize;
        matched = usize::from(m.next) + bits.take(m.bits) as usize;
        offset = usize::from(o.next) + bits.take(o.bits) as usize;
        let distance = if o.extra > 1 {
            *repeats = [distance, repeats[0], repeats[1]];
            distance
        } else {
            repeated(repeats, distance + u32::from(literal_len == 0))
        };
        output.sequence(literal_len as usize, distance as usize, len as usize)?;
    }
    if end == 8 * start { Ok(()) } else { Err(Corrupt) }
}

/// One of the last offsets, or the latest less one; it becomes the latest.
#[inline(always)]
fn repeated(repeats: &mut Repeats, which: u32) -> u32 {
    let [first, second, third] = *repeats;
    match which {
        0 => first,
        1 => {
            *repeats = [second, first, third];
            second
        }
        2 => {
            *repeats = [third, first, second];
            third
        }
        _ => {
            // 0 is no offset, and is refused as one.
            let less = first.wrapping_sub(1);
            *repeats = [less, first, second];
            less
        }
    }
}

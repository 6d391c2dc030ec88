//! The sequences of a block: the hot loop besides literals.
//!
//! Speed relative to libzstd, on streams of Blosc chunks of 24 kinds on x86-64. What helped:
//! - Looking up the next three states before executing a sequence: the compiler would do that after the copies, where
//!   each mispredicted copy delays it. Complex numbers, shuffled: 0.75 to 0.87.
//! - A shift and a mask from a table for each field, instead of two shifts: 5 % of everything. With BMI2, which shifts by any
//!   register and masks without a table: 3 to 5 %.
//! - One jump past the extra bits of both lengths, which most sequences do not have: 6 %.
//! - The three tables in one place, so that one register addresses them: 2 %.
//!
//! No help: decoding 64 sequences before executing them (0.73 instead of 0.76); selecting repeated offsets
//! without jumps; windows that move on from the last one; leaving out the states behind the last sequence.

use super::bits::{WINDOW, Window, marked_end};
use super::codes::REPEATED;
use super::output::{Output, sequence};
use super::tables::Tables;
use crate::codec::Corrupt;
use crate::simd::{Instructions, Work, widest};

/// Maximum number of bits for the next three states. After an offset of 31 extra bits a window may lack one of them: no chunk is that
/// long, so that such an offset is refused whatever follows.
const STATES: u32 = 9 + 9 + 8;

/// The last three offsets, the latest first.
pub(super) type Repeats = [u32; 3];

/// The header of a sequences section.
pub(super) struct Header {
    pub(super) count: usize,
    /// Compression modes of the three tables.
    pub(super) modes: u8,
    /// Start of the table descriptions.
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
    tables: &Tables,
    repeats: &mut Repeats,
    output: &mut Output<'_>,
) -> Result<(), Corrupt> {
    if start >= src.len() {
        return Err(Corrupt);
    }
    let mut window = Window::new(src, marked_end(src)?)?;
    let states = [
        window.take(tables.literals.log()) as usize,
        window.take(tables.offsets.log()) as usize,
        window.take(tables.matches.log()) as usize,
    ];
    let end = execute(Run { count, src, window, tables, states, repeats, output })?;
    if end as usize == 8 * start { Ok(()) } else { Err(Corrupt) }
}

/// In a function of its own, from a struct, the compiler keeps more in registers: 0.88 of the speed of libzstd instead of 0.80. Passing
/// arguments instead costs 1 %, and with SSE2 10 %.
#[cfg_attr(target_family = "wasm", inline(always))]
#[cfg_attr(not(target_family = "wasm"), inline(never))]
fn execute(run: Run<'_, '_>) -> Result<u32, Corrupt> {
    widest(run)
}

/// Decodes and executes sequences, from `states` on. The result is how many bits are unread after the last one.
struct Run<'a, 'b> {
    count: usize,
    src: &'a [u8],
    window: Window,
    tables: &'a Tables,
    states: [usize; 3],
    repeats: &'a mut Repeats,
    output: &'a mut Output<'b>,
}

impl Work for Run<'_, '_> {
    type Output = Result<u32, Corrupt>;

    #[inline(always)]
    fn run(self, by: impl Instructions) -> Self::Output {
        let Self { mut count, src, mut window, tables, states, repeats, output } = self;
        let Tables { literals, offsets, matches, .. } = tables;
        let [literal, offset, matched] = states;
        let (mut l, mut o, mut m) = (literals.get(literal)?, offsets.get(offset)?, matches.get(matched)?);
        let mut latest = *repeats;
        let Output { dst, dict, .. } = output;
        let dst = &mut **dst;
        // From 32 bits: then sums of few positions cannot overflow, which saves checks. 1 to 2 %.
        position(dst.len())?;
        let (mut at, mut from) = (position(output.at)?, position(output.literals)?);
        let mut end = 0;
        while count > 0 {
            count -= 1;
            window = Window::new(src, window.left())?;
            let mut distance = o.base.wrapping_add(window.take_by(o.extra, by));
            let (mut len, mut literal_len) = (m.base, l.base);
            // Most lengths are short: their codes have no extra bits.
            if m.extra | l.extra > 0 {
                len += window.take_by(m.extra, by);
                if u32::from(o.extra) + u32::from(m.extra) + u32::from(l.extra) > WINDOW - STATES {
                    window = Window::new(src, window.left())?;
                }
                literal_len += window.take_by(l.extra, by);
            }
            let is_new = o.extra > 1;
            end = window.left();
            // After the last sequence these are meaningless, but harmless.
            l = literals.get(usize::from(l.next) + window.take_by(l.bits, by) as usize)?;
            m = matches.get(usize::from(m.next) + window.take_by(m.bits, by) as usize)?;
            o = offsets.get(usize::from(o.next) + window.take_by(o.bits, by) as usize)?;
            if is_new {
                latest = [distance, latest[0], latest[1]];
            } else {
                let which = distance.wrapping_add(REPEATED + u32::from(literal_len == 0));
                distance = repeated(&mut latest, which);
            }
            let distance = distance as usize;
            sequence(dst, dict, at as usize, from as usize, literal_len as usize, distance, len as usize)?;
            at = at.wrapping_add(literal_len).wrapping_add(len);
            from = from.wrapping_add(literal_len);
        }
        *repeats = latest;
        (output.at, output.literals) = (at as usize, from as usize);
        Ok(end)
    }
}

/// A position in a frame, as chunks have less than 2 GiB.
fn position(at: usize) -> Result<u32, Corrupt> {
    i32::try_from(at).map(i32::cast_unsigned).map_err(|_| Corrupt)
}

/// Selects a repeated offset and makes it the latest.
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
            // 0 is not a valid offset, and is refused later.
            let less = first.wrapping_sub(1);
            *repeats = [less, first, second];
            less
        }
    }
}

//! The fast loop: symbols that are far from both ends.
//!
//! In one stream each symbol waits for the table entry of the one before, seven cycles of which a processor uses
//! little. So two streams are decoded in turns where there are two.

use super::bits::Bits;
use super::codes::{Codes, DIST_BITS, LITLEN_BITS};
use super::huffman::{LITERAL, SECOND, SPECIAL, drops, literal, value};
use super::inflate::{Place, Stream};
use super::matches;
use crate::codec::Corrupt;
use crate::simd::{Repeat, Work};

/// Decodes as much of a stream as it can be sure of.
pub(super) struct One<'x, 'a, 'b>(pub(super) &'x mut Stream<'a, 'b>);

impl Work for One<'_, '_, '_> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Self::Output {
        let mut one = Fast::of(self.0);
        while one.step()? {}
        self.0.place = one.place;
        Ok(())
    }
}

/// The same of two in turns; true where it is the first that cannot go on.
#[cfg(feature = "alloc")]
pub(super) struct Two<'x, 'a, 'b, 'y, 'c, 'd>(
    pub(super) &'x mut Stream<'a, 'b>,
    pub(super) &'y mut Stream<'c, 'd>,
);

#[cfg(feature = "alloc")]
impl Work for Two<'_, '_, '_, '_, '_, '_> {
    type Output = Result<bool, Corrupt>;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Self::Output {
        let (mut one, mut other) = (Fast::of(self.0), Fast::of(self.1));
        let first = loop {
            if !one.step()? {
                break true;
            }
            if !other.step()? {
                break false;
            }
        };
        (self.0.place, self.1.place) = (one.place, other.place);
        Ok(first)
    }
}

/// A stream in registers.
struct Fast<'a, 'b> {
    codes: &'a Codes,
    dst: &'a mut [u8],
    place: Place<'b>,
    /// Where to stop at the latest.
    until: usize,
    /// What the next bits are, up to the symbol after them.
    entry: u32,
}

impl<'a, 'b> Fast<'a, 'b> {
    #[inline(always)]
    fn of(stream: &'a mut Stream<'_, 'b>) -> Self {
        let until = stream.until();
        let mut place = stream.place;
        place.bits.refill();
        let entry = stream.codes.litlen(place.bits.next);
        Self { codes: stream.codes, dst: stream.dst, place, until, entry }
    }

    /// Up to three literals, and a match where there are less; false, with nothing done, before a symbol that it
    /// cannot be sure of.
    ///
    /// Of 56 bits, two literals leave 36 and a length with its extra bits then 16; a distance takes up to 28, and
    /// leaves as many as it takes to look the next symbol up.
    #[inline(always)]
    fn step(&mut self) -> Result<bool, Corrupt> {
        let Self { codes, dst, place: Place { bits, op }, until, entry } = self;
        if !bits.has_two_words() || *op >= *until {
            return Ok(false);
        }
        let Some(room) = dst.get_mut(*op..).and_then(|rest| rest.first_chunk_mut()) else { return Ok(false) };
        let literals = take_literals(codes, bits, entry, room);
        *op += literals;
        if literals == 3 {
            bits.refill();
            return Ok(true);
        }
        if *entry & SPECIAL != 0 {
            let second = codes.litlen_second(*entry, bits.next >> LITLEN_BITS);
            if *entry & SECOND == 0 || second & SPECIAL != 0 {
                return Ok(false);
            }
            bits.drop(LITLEN_BITS);
            *entry = second;
            if second & LITERAL != 0 {
                bits.drop(drops(second));
                room[literals] = literal(second);
                *op += 1;
                bits.refill();
                *entry = codes.litlen(bits.next);
                return Ok(true);
            }
        }
        let len = value(*entry, bits.next);
        bits.drop(drops(*entry));
        if bits.count < 28 {
            bits.refill();
        }
        let dist = distance(codes, bits)?;
        bits.refill();
        // Looked up now, it is there when the match has been copied.
        *entry = codes.litlen(bits.next);
        matches::copy(dst, *op, dist, len)?;
        *op += len;
        Ok(true)
    }
}

/// Up to three literals; `entry` becomes that of what comes next.
#[inline(always)]
fn take_literals(codes: &Codes, bits: &mut Bits<'_>, entry: &mut u32, room: &mut [u8; 3]) -> usize {
    for (at, byte) in room.iter_mut().enumerate() {
        if *entry & LITERAL == 0 {
            return at;
        }
        bits.drop(drops(*entry));
        *byte = literal(*entry);
        *entry = codes.litlen(bits.next);
    }
    3
}

#[inline(always)]
fn distance(codes: &Codes, bits: &mut Bits<'_>) -> Result<usize, Corrupt> {
    let mut entry = codes.dist(bits.next);
    if entry & SPECIAL != 0 {
        bits.drop(DIST_BITS);
        let in_second = entry & SECOND != 0;
        entry = codes.dist_second(entry, bits.next);
        if !in_second || entry & SPECIAL != 0 {
            return Err(Corrupt);
        }
    }
    let dist = value(entry, bits.next);
    bits.drop(drops(entry));
    Ok(dist)
}

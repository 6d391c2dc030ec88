//! The fast loop: symbols far from both ends.
//!
//! In one stream each symbol waits for the previous table entry: seven cycles, mostly idle. Two streams are therefore
//! decoded interleaved where there are two.

use super::bits::Bits;
use super::codes::{CodeTables, DIST_BITS, LITLEN_BITS};
use super::huffman::{LITERAL, SECOND, SPECIAL, drops, literal, value};
use super::matches;
use super::stream::{Inflate, Position};
use crate::codec::Corrupt;
use crate::simd::{Instructions, Work};

/// Decodes as much of a stream as is safe without end checks.
pub(super) struct One<'x, 'a, 'b>(pub(super) &'x mut Inflate<'a, 'b>);

impl Work for One<'_, '_, '_> {
    type Output = Result<(), Corrupt>;

    #[inline(always)]
    fn run(self, _: impl Instructions) -> Self::Output {
        let mut one = Fast::of(self.0);
        while one.step()? {}
        self.0.position = one.position;
        Ok(())
    }
}

/// Decodes two streams interleaved. Returns true if the first one stopped.
pub(super) struct Two<'x, 'a, 'b, 'y, 'c, 'd>(
    pub(super) &'x mut Inflate<'a, 'b>,
    pub(super) &'y mut Inflate<'c, 'd>,
);

impl Work for Two<'_, '_, '_, '_, '_, '_> {
    type Output = Result<bool, Corrupt>;

    #[inline(always)]
    fn run(self, _: impl Instructions) -> Self::Output {
        let (mut one, mut other) = (Fast::of(self.0), Fast::of(self.1));
        let first = loop {
            if !one.step()? {
                break true;
            }
            if !other.step()? {
                break false;
            }
        };
        (self.0.position, self.1.position) = (one.position, other.position);
        Ok(first)
    }
}

/// A stream, held in registers.
struct Fast<'a, 'b> {
    codes: &'a CodeTables,
    dst: &'a mut [u8],
    position: Position<'b>,
    /// Position at which to stop.
    until: usize,
    /// The table entry of the next symbol.
    entry: u32,
}

impl<'a, 'b> Fast<'a, 'b> {
    #[inline(always)]
    fn of(stream: &'a mut Inflate<'_, 'b>) -> Self {
        let until = stream.until();
        let mut position = stream.position;
        position.bits.refill();
        let entry = stream.codes.litlen(position.bits.next);
        Self { codes: stream.codes, dst: stream.dst, position, until, entry }
    }

    /// Decodes up to three literals, and a match if there are fewer. Returns false, with nothing done, before a symbol
    /// that it cannot safely decode.
    ///
    /// Of 56 bits two literals leave 36; a length with its extra bits leaves 16. A distance takes up to 28, and leaves
    /// enough to look up the next symbol.
    #[inline(always)]
    fn step(&mut self) -> Result<bool, Corrupt> {
        let Self { codes, dst, position: Position { bits, op }, until, entry } = self;
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
        // Looked up early, so that it is there once the match is copied.
        *entry = codes.litlen(bits.next);
        matches::copy(dst, *op, dist, len)?;
        *op += len;
        Ok(true)
    }
}

/// Decodes up to three literals; leaves `entry` at the next symbol.
#[inline(always)]
fn take_literals(codes: &CodeTables, bits: &mut Bits<'_>, entry: &mut u32, room: &mut [u8; 3]) -> usize {
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
fn distance(codes: &CodeTables, bits: &mut Bits<'_>) -> Result<usize, Corrupt> {
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

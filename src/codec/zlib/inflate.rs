//! Raw deflate (RFC 1951), decoded in one call with the whole input and output in memory.
//!
//! Speed relative to the zlib-ng in C-Blosc2 3.3.5 (Zen 5, whole chunks with their filters): 1.27 as the mean of 29
//! kinds; libdeflate's decoder alone has 1.1. What helped:
//! - Two interleaved streams (`fast.rs`): 1.05 to 1.23 on average, literals 1.03 to 1.7. Runs are slower.
//! - Computing the checksum of each 16 KiB while they are in the L1 cache; matches by 64 bytes at a time, and one
//!   branch on their distance before any on their length: runs 0.87 to 0.95, shuffled images 0.95 to 1.15.
//! - The checksum compiled for AVX-512: runs 0.96 to 1.06.
//! - The same code compiled for AVX2 and BMI, with the checksum: runs 0.78 to 0.91, others by 0.05.
//! - A copy of the bit reader local to the fast loop, which stays in registers: others by 0.05.
//! - A table index of 11 bits instead of 10 changed nothing.

use super::bits::Bits;
use super::codes::{DIST_BITS, LITLEN_BITS};
use super::fast::One;
use super::fast::Two;
use super::huffman::{END, LITERAL, SECOND, SPECIAL, drops, literal, value};
use super::matches::careful;
use super::stream::{Inflate, Position};
use crate::codec::Corrupt;
use crate::simd::widest;

/// A decoded stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Done<'b> {
    pub(super) written: usize,
    pub(super) checksum: u32,
    /// The input after it.
    pub(super) rest: &'b [u8],
}

/// Decodes one stream.
pub(super) fn one<'b>(mut stream: Inflate<'_, 'b>) -> Result<Done<'b>, Corrupt> {
    let more = stream.block()?;
    stream.finish(more)
}

/// Decodes two streams, interleaved.
pub(super) fn two<'b, 'd>(
    mut one: Inflate<'_, 'b>,
    mut other: Inflate<'_, 'd>,
) -> Result<(Done<'b>, Done<'d>), Corrupt> {
    let mut more = (one.block()?, other.block()?);
    while let (true, true) = more {
        if widest(Two(&mut one, &mut other))? {
            more.0 = one.go_on()?;
        } else {
            more.1 = other.go_on()?;
        }
    }
    Ok((one.finish(more.0)?, other.finish(more.1)?))
}

impl<'b> Inflate<'_, 'b> {
    /// Decodes the rest if there is `more`.
    fn finish(mut self, mut more: bool) -> Result<Done<'b>, Corrupt> {
        while more {
            widest(One(&mut self))?;
            more = self.go_on()?;
        }
        self.add_up();
        Ok(Done { written: self.summed, checksum: self.sum.value(), rest: self.position.bits.bytes() })
    }

    /// Reads up to the next compressed block; false after the last.
    fn block(&mut self) -> Result<bool, Corrupt> {
        while !self.last {
            let Position { bits, op } = &mut self.position;
            self.last = bits.take(1)? == 1;
            match bits.take(2)? {
                0 => {
                    stored(bits, self.dst, op)?;
                    continue;
                }
                1 => self.codes.make_fixed()?,
                2 => self.codes.read(bits)?,
                _ => return Err(Corrupt),
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Handles whatever stopped the fast loop: an end, the end of a block, an error, a full piece. False after the
    /// last block.
    fn go_on(&mut self) -> Result<bool, Corrupt> {
        if self.position.op >= self.until() {
            self.add_up();
        }
        if self.symbol()? { Ok(true) } else { self.block() }
    }

    /// Decodes one symbol; false if it ends the block.
    fn symbol(&mut self) -> Result<bool, Corrupt> {
        let Self { codes, dst, position: Position { bits, op }, .. } = self;
        bits.refill_to_the_end();
        let mut entry = codes.litlen(bits.next);
        if entry & SECOND != 0 {
            bits.leave_out(LITLEN_BITS)?;
            entry = codes.litlen_second(entry, bits.next);
        }
        let taken = bits.next;
        bits.leave_out(drops(entry))?;
        if entry & LITERAL != 0 {
            *dst.get_mut(*op).ok_or(Corrupt)? = literal(entry);
            *op += 1;
            return Ok(true);
        }
        if entry & SPECIAL != 0 {
            return if entry & END != 0 { Ok(false) } else { Err(Corrupt) };
        }
        let len = value(entry, taken);
        let mut far = codes.dist(bits.next);
        if far & SECOND != 0 {
            bits.leave_out(DIST_BITS)?;
            far = codes.dist_second(far, bits.next);
        }
        if far & SPECIAL != 0 {
            return Err(Corrupt);
        }
        let dist = value(far, bits.next);
        bits.leave_out(drops(far))?;
        careful(dst, *op, dist, len)?;
        *op += len;
        Ok(true)
    }
}

/// Copies a stored block.
fn stored(bits: &mut Bits<'_>, dst: &mut [u8], op: &mut usize) -> Result<(), Corrupt> {
    let (header, rest) = bits.bytes().split_first_chunk::<4>().ok_or(Corrupt)?;
    let len = u16::from_le_bytes([header[0], header[1]]);
    if len != !u16::from_le_bytes([header[2], header[3]]) {
        return Err(Corrupt);
    }
    let len = usize::from(len);
    dst[*op..].get_mut(..len).ok_or(Corrupt)?.copy_from_slice(rest.get(..len).ok_or(Corrupt)?);
    bits.skip(4 + len);
    *op += len;
    Ok(())
}

//! Raw deflate streams (RFC 1951), decoded in one piece: the whole input is there, and the whole output.
//!
//! Measured beside zlib-ng (within C-Blosc2 3.3.5, on a processor with AVX-512; C's time over ours): literals
//! and short matches 1.10 to 1.27, shuffled data with long runs 0.97 to 1.11, nothing but runs 0.95 to 1.01.
//! What moved it:
//! - the same code compiled with AVX2 and BMI, and the checksum with it: runs 0.78 to 0.91, others by 0.05;
//! - a copy of the bit reader on the stack of the fast loop, which stays in registers: others by 0.05;
//! - stores of 32 bytes in runs, and no `memmove` for matches: runs 0.91 to 0.95;
//! - an index of 11 bits instead of 10 changed nothing.

use super::bits::Bits;
use super::codes::{Codes, DIST_BITS, LITLEN_BITS};
use super::huffman::{END, LITERAL, SECOND, SPECIAL, drops, value};
use crate::codec::Corrupt;
use crate::codec::copy::{SHORT, SLACK, exact, short, wide};
use crate::simd::{Work, widest};

/// Decodes blocks up to the last one; hands back how many bytes they gave.
pub(super) fn blocks(codes: &mut Codes, bits: &mut Bits<'_>, dst: &mut [u8]) -> Result<usize, Corrupt> {
    let mut op = 0;
    loop {
        let last = bits.take(1)? == 1;
        let kind = bits.take(2)?;
        match kind {
            0 => {}
            1 => codes.make_fixed()?,
            2 => codes.read(bits)?,
            _ => return Err(Corrupt),
        }
        op = if kind == 0 { stored(bits, dst, op)? } else { widest(Coded { codes, bits, dst, op })? };
        if last {
            return Ok(op);
        }
    }
}

/// A block of codes.
struct Coded<'a, 'b> {
    codes: &'a Codes,
    bits: &'a mut Bits<'b>,
    dst: &'a mut [u8],
    op: usize,
}

impl Work for Coded<'_, '_> {
    type Output = Result<usize, Corrupt>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.symbols()
    }
}

impl Coded<'_, '_> {
    /// Symbols up to the end of the block.
    #[inline(always)]
    fn symbols(mut self) -> Result<usize, Corrupt> {
        loop {
            self.far_from_the_ends()?;
            // Whatever stopped the fast loop: one of the ends, the end of the block, an error.
            if self.symbol()? == END {
                return Ok(self.op);
            }
        }
    }

    /// One symbol; hands back what is special about it.
    fn symbol(&mut self) -> Result<u32, Corrupt> {
        let Self { codes, bits, dst, op } = self;
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
            return Ok(0);
        }
        if entry & SPECIAL != 0 {
            return if entry & END != 0 { Ok(END) } else { Err(Corrupt) };
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
        take_match(dst, *op, dist, len)?;
        *op += len;
        Ok(0)
    }

    /// The fast loop. It stops before a symbol that it cannot be sure of.
    ///
    /// Of 56 bits, two literals leave 36 and a length with its extra bits then 16; a distance takes up to 28, and
    /// leaves as many as it takes to look the next symbol up.
    #[inline(always)]
    fn far_from_the_ends(&mut self) -> Result<(), Corrupt> {
        let (codes, dst) = (self.codes, &mut *self.dst);
        let (mut bits, mut op) = (*self.bits, self.op);
        if !bits.refill() {
            return Ok(());
        }
        let mut entry = codes.litlen(bits.next);
        while bits.has_two_words() {
            let Some(room) = dst.get_mut(op..).and_then(|rest| rest.first_chunk_mut::<3>()) else { break };
            let literals;
            (literals, entry) = take_literals(codes, &mut bits, entry, room);
            op += literals;
            if literals == 3 {
                bits.refill();
                continue;
            }
            if entry & SPECIAL != 0 {
                let second = codes.litlen_second(entry, bits.next >> LITLEN_BITS);
                if entry & SECOND == 0 || second & SPECIAL != 0 {
                    break;
                }
                bits.drop(LITLEN_BITS);
                entry = second;
                if entry & LITERAL != 0 {
                    bits.drop(drops(entry));
                    room[literals] = literal(entry);
                    op += 1;
                    bits.refill();
                    entry = codes.litlen(bits.next);
                    continue;
                }
            }
            let len = value(entry, bits.next);
            bits.drop(drops(entry));
            if bits.count < 28 {
                bits.refill();
            }
            let mut far = codes.dist(bits.next);
            if far & SPECIAL != 0 {
                bits.drop(DIST_BITS);
                let in_second = far & SECOND != 0;
                far = codes.dist_second(far, bits.next);
                if !in_second || far & SPECIAL != 0 {
                    return Err(Corrupt);
                }
            }
            let dist = value(far, bits.next);
            bits.drop(drops(far));
            bits.refill();
            // Looked up now, it is there when the match has been copied.
            entry = codes.litlen(bits.next);
            take_match(dst, op, dist, len)?;
            op += len;
        }
        (*self.bits, self.op) = (bits, op);
        Ok(())
    }
}

/// Up to three literals, and the entry of what comes next.
#[inline(always)]
fn take_literals(codes: &Codes, bits: &mut Bits<'_>, mut entry: u32, room: &mut [u8; 3]) -> (usize, u32) {
    for (at, byte) in room.iter_mut().enumerate() {
        if entry & LITERAL == 0 {
            return (at, entry);
        }
        bits.drop(drops(entry));
        *byte = literal(entry);
        entry = codes.litlen(bits.next);
    }
    (3, entry)
}

const fn literal(entry: u32) -> u8 {
    (entry >> 16) as u8
}

/// Bytes as they are.
fn stored(bits: &mut Bits<'_>, dst: &mut [u8], op: usize) -> Result<usize, Corrupt> {
    let (header, rest) = bits.bytes().split_first_chunk::<4>().ok_or(Corrupt)?;
    let len = u16::from_le_bytes([header[0], header[1]]);
    if len != !u16::from_le_bytes([header[2], header[3]]) {
        return Err(Corrupt);
    }
    let len = usize::from(len);
    dst[op..].get_mut(..len).ok_or(Corrupt)?.copy_from_slice(rest.get(..len).ok_or(Corrupt)?);
    bits.skip(4 + len);
    Ok(op + len)
}

#[inline(always)]
fn take_match(dst: &mut [u8], op: usize, dist: usize, len: usize) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if len <= SHORT && room >= SHORT + SLACK {
        return if short(dst, op, dist as u32) { Ok(()) } else { Err(Corrupt) };
    }
    if dist > op || len > room {
        return Err(Corrupt);
    }
    if room - len >= SLACK {
        wide(dst, op, dist, len);
    } else {
        exact(dst, op, dist, len);
    }
    Ok(())
}

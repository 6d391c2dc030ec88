//! The two codes of a deflate block (RFC 1951, 3.2.5 to 3.2.7): literals and lengths, and distances.

use super::bits::Bits;
use super::huffman::{END, INVALID, SYMBOLS, build, drops};
use crate::codec::Corrupt;

pub(super) const LITLEN_BITS: u32 = 10;
pub(super) const DIST_BITS: u32 = 8;
const MASK: usize = (1 << LITLEN_BITS) - 1;
const DIST_MASK: usize = (1 << DIST_BITS) - 1;
/// Complete codes of 288 and of 32 symbols take at most 310 and 146 entries.
const SECONDS: usize = 512;
const DIST_SECONDS: usize = 256;

/// The tables of the current block.
pub(in crate::codec) struct CodeTables {
    litlen: [u32; MASK + 1],
    litlen_second: [u32; SECONDS],
    dist: [u32; DIST_MASK + 1],
    dist_second: [u32; DIST_SECONDS],
    /// Whether they are those of the fixed codes.
    fixed: bool,
}

impl CodeTables {
    /// Uninitialised tables; every block reads its codes first. All zeros, so that a `static` takes no space in the
    /// program's image.
    pub(in crate::codec) const EMPTY: Self = Self {
        litlen: [0; MASK + 1],
        litlen_second: [0; SECONDS],
        dist: [0; DIST_MASK + 1],
        dist_second: [0; DIST_SECONDS],
        fixed: false,
    };

    #[inline(always)]
    pub(super) const fn litlen(&self, next: u64) -> u32 {
        self.litlen[next as usize & MASK]
    }

    #[inline(always)]
    pub(super) const fn litlen_second(&self, entry: u32, next: u64) -> u32 {
        second(&self.litlen_second, entry, next)
    }

    #[inline(always)]
    pub(super) const fn dist(&self, next: u64) -> u32 {
        self.dist[next as usize & DIST_MASK]
    }

    #[inline(always)]
    pub(super) const fn dist_second(&self, entry: u32, next: u64) -> u32 {
        second(&self.dist_second, entry, next)
    }

    /// Reads the codes of a block with dynamic codes.
    pub(super) fn read(&mut self, bits: &mut Bits<'_>) -> Result<(), Corrupt> {
        self.fixed = false;
        let (litlens, dists, given) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
        if litlens > 286 || dists > 30 {
            return Err(Corrupt);
        }
        let mut lengths = [0; ORDER.len()];
        for &symbol in &ORDER[..given] {
            lengths[usize::from(symbol)] = bits.take(3)? as u8;
        }
        if lengths.iter().filter(|&&len| len > 0).count() < 2 {
            return Err(Corrupt);
        }
        let table = &mut self.dist[..1 << LENGTH_BITS];
        build(&lengths, ORDER.len(), &[], table, &mut [])?;
        let mut lengths = [0; 286 + 30];
        let all = lengths.get_mut(..litlens + dists).ok_or(Corrupt)?;
        read_lengths(table, bits, all)?;
        let (litlen, dist) = all.split_at(litlens);
        if litlen[256] == 0 {
            return Err(Corrupt);
        }
        self.build(litlen, dist)
    }

    /// Makes the tables of the fixed codes.
    pub(super) fn make_fixed(&mut self) -> Result<(), Corrupt> {
        if !self.fixed {
            let mut lengths = [8; SYMBOLS];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            self.build(&lengths, &[5; 32])?;
            self.fixed = true;
        }
        Ok(())
    }

    fn build(&mut self, litlen: &[u8], dist: &[u8]) -> Result<(), Corrupt> {
        build(litlen, 256, &LENGTHS, &mut self.litlen, &mut self.litlen_second)?;
        build(dist, 0, &DISTS, &mut self.dist, &mut self.dist_second)
    }
}

/// Looks up an entry of the second table; unspecified if `entry` does not refer to it.
#[inline(always)]
const fn second<const N: usize>(table: &[u32; N], entry: u32, next: u64) -> u32 {
    let low = next as usize & !(usize::MAX << (entry >> 8 & 15));
    table[((entry >> 16) as usize + low) % N]
}

/// Reads the code lengths of a block, which are Huffman-coded themselves.
fn read_lengths(table: &[u32], bits: &mut Bits<'_>, lengths: &mut [u8]) -> Result<(), Corrupt> {
    let mut at = 0;
    while at < lengths.len() {
        if bits.count < LENGTH_BITS {
            bits.refill_to_the_end();
        }
        let entry = table[bits.next as usize & (table.len() - 1)];
        bits.leave_out(drops(entry))?;
        let (len, times) = match entry >> 16 & 31 {
            _ if entry & INVALID != 0 => return Err(Corrupt),
            16 => (*at.checked_sub(1).and_then(|at| lengths.get(at)).ok_or(Corrupt)?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            len => (len as u8, 1),
        };
        lengths.get_mut(at..at + times).ok_or(Corrupt)?.fill(len);
        at += times;
    }
    Ok(())
}

/// The order in which the lengths of the code length code are stored.
pub(super) const ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BITS: u32 = 7;

/// The end of the block, and lengths.
static LENGTHS: [u32; 32] = {
    let mut entries = [INVALID; 32];
    entries[0] = END;
    let mut at = 0;
    while at < 28 {
        let extra = if at < 8 { 0 } else { at / 4 - 1 };
        let least = if at < 8 { 3 + at } else { 3 + ((4 + at % 4) << extra) };
        entries[1 + at as usize] = least << 16 | extra;
        at += 1;
    }
    entries[29] = 258 << 16;
    entries
};

static DISTS: [u32; 32] = {
    let mut entries = [INVALID; 32];
    let mut at = 0;
    while at < 30 {
        let extra = if at < 4 { 0 } else { at / 2 - 1 };
        let least = if at < 4 { 1 + at } else { 1 + ((2 + at % 2) << extra) };
        entries[at as usize] = least << 16 | extra;
        at += 1;
    }
    entries
};

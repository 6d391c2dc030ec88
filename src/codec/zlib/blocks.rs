//! Sequences become blocks: each with its own codes, with the fixed ones, or stored, whichever is shortest.

use super::bit_writer::BitWriter;
use super::huffman::SYMBOLS;
use super::huffman_codes::{Counts, DISTANCES, Lengths, Stored};
use super::prices::{Pass, Prices};
use super::symbols::{Codes, END, LONGEST, Sequence, count, distance_symbol};
use crate::codec::matcher::{MIN_MATCH, Rules, Sequences, optimal, probe};
use core::mem;

/// The most sequences of a block: 64 KiB of memory.
pub(super) const MAX_SEQUENCES: usize = 1 << 13;
/// The most literals and matches of a block.
const MAX_SYMBOLS: usize = 1 << 15;
/// After so many bytes the block ends if the next ones are unlike its own.
const REGION: usize = 1 << 13;
/// But not before it has so many more literals and matches: long matches take next to nothing.
const MORE: usize = 1 << 10;
/// One of so many pieces of them is looked at.
const SAMPLED: usize = 4;
/// The bits that new codes are about worth.
const NEW_CODES: u32 = 1200;
/// The least price of a literal, in 256ths of a bit.
const LEAST_LITERAL: u32 = 500;
/// The price of a match besides the bits of its distance.
const MATCH: u32 = 12;
/// A distance of few bits is worth so many bytes; a long match has it in each of its parts.
const NEARER: usize = 4;
/// The longest stored block.
const MAX_STORED_BYTES: usize = 65_535;

/// Blocks of a stream.
pub(super) struct Blocks<'a> {
    src: &'a [u8],
    out: BitWriter<'a>,
    sequences: &'a mut [Sequence; MAX_SEQUENCES],
    /// Sequences of the block, and literals and matches.
    len: usize,
    symbols: usize,
    /// The bytes of the block.
    start: usize,
    at: usize,
    /// Where, and from how many symbols on, the next bytes are compared with those of the block.
    region: usize,
    enough: usize,
    /// The bytes before, and what they take.
    before: probe::Counts,
    bits: u32,
    /// The shortest match that gains, by the binary logarithm of its distance.
    least: [u16; 16],
    /// Blocks of fewer literals and matches have fixed codes.
    few: usize,
    codes: &'a mut Codes,
    /// Where the code lengths of the blocks go.
    pass: &'a mut Pass,
    /// Sequences of an earlier pass, of the one whose prices are in use, and of this one.
    earlier: &'a [(usize, Lengths)],
    used: usize,
    prices: Prices,
}

impl Sequences for Blocks<'_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        // A byte nearer than the format allows: the links of the window are a power of two.
        Rules { min_match: 3, max_len: LONGEST, nearer: NEARER, patience: 4, ..Rules::within(32_767) }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn least(&self, dist: usize) -> usize {
        self.least[dist.ilog2() as usize & 15].into()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, mut len: usize) -> Option<()> {
        let literals = self.literals(anchor, start)?;
        let first = part(len);
        self.push(literals, first, dist)?;
        len -= first;
        while len > 0 {
            let more = part(len);
            self.push(0, more, dist)?;
            len -= more;
        }
        if self.at >= self.region && self.symbols >= self.enough {
            self.look_ahead()?;
        }
        Some(())
    }
}

/// The prices of an earlier pass.
impl optimal::Prices for Blocks<'_> {
    fn prepare(&mut self, at: usize) {
        let last = self.earlier.len().saturating_sub(1);
        let used = self.earlier.partition_point(|(end, _)| *end <= at).min(last);
        if used != self.used {
            self.used = used;
            self.prices = Prices::of(&self.earlier[used].1);
        }
    }

    #[inline(always)]
    fn literal(&self, byte: u8, _: u32) -> i32 {
        self.prices.literal(byte) as i32
    }

    #[inline(always)]
    fn length(&self, len: usize) -> u32 {
        self.prices.length(len)
    }

    #[inline(always)]
    fn distance(&self, dist: usize, from: &optimal::Node) -> (u32, optimal::State) {
        (self.prices.distance(dist), from.state)
    }
}

/// The first part of a long match; the others are no shorter than a match may be.
const fn part(len: usize) -> usize {
    if len <= LONGEST {
        len
    } else if len < LONGEST + MIN_MATCH {
        len - MIN_MATCH
    } else {
        LONGEST
    }
}

impl<'a> Blocks<'a> {
    /// The blocks of `src`, after `head`; those of less than `few` literals and matches have fixed codes. The lengths of other codes go
    /// to `pass`; `earlier` are those of an earlier pass, or none.
    pub(super) fn new(
        src: &'a [u8],
        (head, few): ([u8; 2], usize),
        dst: &'a mut [u8],
        sequences: &'a mut [Sequence; MAX_SEQUENCES],
        codes: &'a mut Codes,
        pass: &'a mut Pass,
        earlier: &'a [(usize, Lengths)],
    ) -> Option<Self> {
        pass.clear();
        let mut out = BitWriter::new(dst);
        out.bytes(&head)?;
        let mut blocks = Self {
            src,
            out,
            sequences,
            len: 0,
            symbols: 0,
            start: 0,
            at: 0,
            region: 0,
            enough: 0,
            before: [0; 256],
            bits: 0,
            least: [0; 16],
            few,
            codes,
            pass,
            earlier,
            used: 0,
            prices: Prices::of(earlier.first().map_or(&Lengths::FIXED, |(_, lengths)| lengths)),
        };
        blocks.look_ahead()?;
        Some(blocks)
    }

    /// Writes the last literals and a checksum, and returns the length of the stream.
    pub(super) fn last(mut self, anchor: usize, sum: u32) -> Option<usize> {
        let literals = self.literals(anchor, self.src.len())?;
        self.push(literals, 0, 0)?;
        self.block(true)?;
        self.out.align()?;
        self.out.bytes(&sum.to_be_bytes())?;
        Some(self.out.len())
    }

    /// Takes literals, and returns how many of them are left for the next sequence.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn literals(&mut self, mut start: usize, end: usize) -> Option<usize> {
        while end - start >= REGION {
            self.push(REGION, 0, 0)?;
            self.look_ahead()?;
            start += REGION;
        }
        Some(end - start)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn push(&mut self, literals: usize, len: usize, dist: usize) -> Option<()> {
        self.sequences[self.len] = Sequence { literals: literals as u32, len: len as u16, dist: dist as u16 };
        self.len += 1;
        self.symbols += literals + usize::from(len > 0);
        self.at += literals + len;
        if self.len == MAX_SEQUENCES || self.symbols >= MAX_SYMBOLS {
            self.block(false)?;
        }
        Some(())
    }

    /// Looks at the bytes to come: ends the block if they are unlike its own, and tells which matches are worth it.
    #[inline(never)]
    fn look_ahead(&mut self) -> Option<()> {
        let mut ahead = [0; 256];
        let bytes = &self.src[self.at..];
        let bytes = &bytes[..bytes.len().min(REGION)];
        probe::count(bytes, SAMPLED, &mut ahead);
        ahead.iter_mut().for_each(|count| *count *= SAMPLED as u32);
        let alone = probe::bits(&ahead);
        let (mut both, mut bits) = (ahead, alone);
        if self.at > self.start {
            both.iter_mut().zip(&self.before).for_each(|(sum, count)| *sum += count);
            bits = probe::bits(&both);
            if bits > self.bits + alone + NEW_CODES {
                self.block(false)?;
                (both, bits) = (ahead, alone);
            }
        }
        (self.before, self.bits) = (both, bits);
        (self.region, self.enough) = (self.at + REGION, self.symbols + MORE);
        if !self.earlier.is_empty() {
            // Prices tell it.
            return Some(());
        }
        let counted: u32 = ahead.iter().sum();
        let literal = (256 * alone / counted.max(1)).max(LEAST_LITERAL);
        self.least = core::array::from_fn(|log| (256 * (MATCH + log as u32) / literal) as u16);
        Some(())
    }

    /// Writes the block.
    #[inline(never)]
    fn block(&mut self, last: bool) -> Option<()> {
        let sequences = &self.sequences[..self.len];
        let plain = &self.src[self.start..self.at];
        let mut counts = Counts { literals: [0; SYMBOLS], distances: [0; DISTANCES] };
        let more = count(sequences, plain, &mut counts);
        let fixed = Lengths::FIXED.bits(&counts) + more;
        let stored = 8 * plain.len() as u64 + 40 * plain.len().div_ceil(MAX_STORED_BYTES) as u64;
        // Long matches take little in any codes, literals do not.
        let few = self.symbols < self.few.min(plain.len() / 16);
        let own = if few { None } else { Some(Lengths::of(&counts)) };
        let own = own.map(|lengths| (Stored::of(&lengths), lengths));
        let dynamic = own.as_ref().map_or(u64::MAX, |(codes, own)| codes.bits + own.bits(&counts) + more);
        if dynamic.min(fixed).min(stored) > self.out.room() {
            return None;
        }
        if stored <= dynamic.min(fixed) && !plain.is_empty() {
            store(&mut self.out, plain, last)?;
        } else {
            match own.as_ref().filter(|_| dynamic < fixed) {
                Some((stored, lengths)) => {
                    self.out.put(u32::from(last) | 2 << 1, 3);
                    stored.write(&mut self.out)?;
                    self.codes.set(lengths);
                }
                None => {
                    self.out.put(u32::from(last) | 1 << 1, 3);
                    self.codes.set_fixed();
                }
            }
            self.out = write(mem::take(&mut self.out), sequences, plain, self.codes)?;
        }
        if let Some((_, lengths)) = own {
            self.pass.push((self.at, lengths));
        }
        (self.len, self.symbols, self.start, self.enough) = (0, 0, self.at, 0);
        Some(())
    }
}

/// Writes stored blocks.
fn store(out: &mut BitWriter<'_>, plain: &[u8], last: bool) -> Option<()> {
    let mut parts = plain.chunks(MAX_STORED_BYTES).peekable();
    while let Some(part) = parts.next() {
        out.put(u32::from(last && parts.peek().is_none()), 3);
        out.align()?;
        out.bytes(&(part.len() as u16).to_le_bytes())?;
        out.bytes(&(!part.len() as u16).to_le_bytes())?;
        out.bytes(part)?;
    }
    Some(())
}

/// Writes the symbols of a block. The writer is moved, because the bytes that it writes could else be its own fields, as far as the
/// compiler knows.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn write<'a>(
    mut out: BitWriter<'a>,
    sequences: &[Sequence],
    plain: &[u8],
    codes: &Codes,
) -> Option<BitWriter<'a>> {
    let mut at = 0;
    for sequence in sequences {
        let literals = &plain[at..][..sequence.literals as usize];
        let (fours, rest) = literals.as_chunks::<4>();
        for four in fours {
            for byte in four {
                let code = codes.literals[usize::from(*byte)];
                out.put(code.bits, code.len);
            }
            out.flush()?;
        }
        for byte in rest {
            let code = codes.literals[usize::from(*byte)];
            out.put(code.bits, code.len);
        }
        out.flush()?;
        at += literals.len() + usize::from(sequence.len);
        if sequence.len > 0 {
            let code = codes.lengths[usize::from(sequence.len)];
            out.put(code.bits, code.len);
            let (symbol, bits) = distance_symbol(sequence.dist.into());
            let code = codes.distances[symbol];
            out.put(code.bits, code.len);
            out.put((u32::from(sequence.dist) - 1) & ((1 << bits) - 1), bits);
            out.flush()?;
        }
    }
    let end = codes.literals[END];
    out.put(end.bits, end.len);
    out.flush()?;
    Some(out)
}

//! The sequences of a block: three tables, each as cheap as can be, and the bits.

use super::bits::BitWriter;
use super::codes::{MIN_MATCH, literals_code, match_code, offset_code};
use super::fse::{BIT, Counts, FseEncoder, cost, describe, normalized};
use super::store::Sequence;
use crate::codec::zstd::codes::{Alphabet, LITERALS, MATCHES, OFFSETS};
use crate::codec::zstd::fse::{Distribution, MAX_SYMBOLS};
use crate::simd::{Instructions, Work, widest};
use alloc::vec::Vec;

/// The three alphabets, in the order of the tables.
static ALPHABETS: [&Alphabet; 3] = [&LITERALS, &OFFSETS, &MATCHES];

/// The codes of a sequence, in the same order.
type Codes = [u8; 3];

/// Tables that the sequences of a block leave for the next.
pub(super) struct SequenceEncoder {
    tables: [Table; 3],
    codes: Vec<Codes>,
}

/// The table of one alphabet.
struct Table {
    encoder: FseEncoder,
    /// The distribution that it was made of; `None` if the next block cannot use it.
    distribution: Option<Distribution>,
}

impl SequenceEncoder {
    pub(super) const fn new() -> Self {
        let tables = [const { Table { encoder: FseEncoder::EMPTY, distribution: None } }; 3];
        Self { tables, codes: Vec::new() }
    }

    /// Makes the next block use none of the tables.
    pub(super) fn forget(&mut self) {
        self.tables.iter_mut().for_each(|table| table.distribution = None);
    }

    /// Writes the section and returns its length; `None` if it does not fit.
    pub(super) fn write(&mut self, sequences: &[Sequence], dst: &mut [u8]) -> Option<usize> {
        let count = sequences.len();
        let (head, len) = match count {
            0..128 => ([count as u8, 0, 0], 1),
            128..0x7F00 => ([(count >> 8) as u8 | 0x80, count as u8, 0], 2),
            _ => ([255, (count - 0x7F00) as u8, ((count - 0x7F00) >> 8) as u8], 3),
        };
        dst.get_mut(..len)?.copy_from_slice(&head[..len]);
        if count == 0 {
            return Some(len);
        }
        let counts = self.count(sequences);
        let mut at = len + 1;
        let mut modes = 0;
        for ((table, alphabet), counts) in self.tables.iter_mut().zip(ALPHABETS).zip(&counts) {
            let (mode, described) = table.choose(alphabet, counts, dst.get_mut(at..)?)?;
            modes = modes << 2 | mode << 2;
            at += described;
        }
        *dst.get_mut(len)? = modes;
        let tables = self.tables.each_ref().map(|table| &table.encoder);
        let bits = Bits { sequences, codes: &self.codes, tables, dst: dst.get_mut(at..)? };
        Some(at + widest(bits)?)
    }

    /// Finds the codes of all sequences and how often each occurs.
    fn count(&mut self, sequences: &[Sequence]) -> [Counts; 3] {
        let mut counts = [[0; MAX_SYMBOLS]; 3];
        self.codes.clear();
        self.codes.extend(sequences.iter().map(|sequence| {
            let codes =
                [literals_code(sequence.literals), offset_code(sequence.offset), match_code(sequence.len)];
            for (counts, code) in counts.iter_mut().zip(codes) {
                counts[usize::from(code) & (MAX_SYMBOLS - 1)] += 1;
            }
            codes
        }));
        counts
    }
}

impl Table {
    /// Makes this the cheapest table for `counts`. Writes its description and returns the mode and the length.
    fn choose(&mut self, alphabet: &Alphabet, counts: &Counts, dst: &mut [u8]) -> Option<(u8, usize)> {
        let used = counts.iter().filter(|count| **count > 0).count();
        let last = counts.iter().rposition(|count| *count > 0)?;
        let predefined = Distribution::new(alphabet.predefined);
        let cost_predefined = cost(&predefined, counts);
        let cost_repeated = self.distribution.as_ref().and_then(|before| cost(before, counts));
        // One code alone: a byte tells which.
        if used == 1 && cost_predefined.min(cost_repeated).is_none_or(|cost| cost > 8 * BIT) {
            let mut only = Distribution { counts: [0; MAX_SYMBOLS], log: 0 };
            only.counts[last] = 1;
            *dst.first_mut()? = last as u8;
            self.set(only);
            self.distribution = None;
            return Some((1, 1));
        }
        let best = cost_predefined.unwrap_or(u32::MAX).min(cost_repeated.unwrap_or(u32::MAX));
        if used > 1 {
            let own = normalized(counts, alphabet.most);
            let described = describe(&own, dst)?;
            if cost(&own, counts).is_some_and(|cost| cost + 8 * BIT * (described as u32) < best) {
                self.set(own);
                return Some((2, described));
            }
        }
        if cost_repeated == Some(best) {
            return Some((3, 0));
        }
        self.set(predefined);
        Some((0, 0))
    }

    fn set(&mut self, distribution: Distribution) {
        self.encoder.fill(&distribution);
        self.distribution = Some(distribution);
    }
}

/// Writes the bits of sequences, last to first.
struct Bits<'a> {
    sequences: &'a [Sequence],
    codes: &'a [Codes],
    tables: [&'a FseEncoder; 3],
    dst: &'a mut [u8],
}

impl Work for Bits<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { sequences, codes, tables: [literals, offsets, matches], dst } = self;
        let mut writer = BitWriter::new(dst);
        let mut all = sequences.iter().zip(codes).rev();
        let (sequence, &[l, o, m]) = all.next()?;
        let (mut l_state, mut o_state, mut m_state) = (literals.first(l), offsets.first(o), matches.first(m));
        extra(sequence, &[l, o, m], &mut writer)?;
        for (sequence, &[l, o, m]) in all {
            o_state = offsets.add(o_state, o, &mut writer);
            m_state = matches.add(m_state, m, &mut writer);
            l_state = literals.add(l_state, l, &mut writer);
            extra(sequence, &[l, o, m], &mut writer)?;
        }
        matches.add_state(m_state, &mut writer);
        offsets.add_state(o_state, &mut writer);
        literals.add_state(l_state, &mut writer);
        writer.finish_marked()
    }
}

/// Extra bits of each code, of literals and of matches.
pub(super) static EXTRA: [[u8; MAX_SYMBOLS]; 2] = [extra_bits(&LITERALS), extra_bits(&MATCHES)];

const fn extra_bits(alphabet: &Alphabet) -> [u8; MAX_SYMBOLS] {
    let (mut table, mut code) = ([0; MAX_SYMBOLS], 0);
    while code < alphabet.codes.extra.len() {
        table[code] = alphabet.codes.extra[code];
        code += 1;
    }
    table
}

/// Adds the extra bits of a sequence. Those of lengths are the lowest bits of the lengths, where a code has many values; that
/// both have 16 of them is impossible in one block. Three states, these and what a flush leaves are at most 64 bits.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn extra(sequence: &Sequence, codes: &Codes, writer: &mut BitWriter<'_>) -> Option<()> {
    let [l, o, m] = codes.map(|code| usize::from(code) & (MAX_SYMBOLS - 1));
    let (l, m) = (u32::from(EXTRA[0][l]), u32::from(EXTRA[1][m]));
    writer.add(lowest(sequence.literals, l), l);
    writer.add(lowest(sequence.len - MIN_MATCH, m), m);
    writer.flush()?;
    writer.add(lowest(sequence.offset, o as u32), o as u32);
    writer.flush()
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn lowest(value: u32, bits: u32) -> u64 {
    u64::from(value) & ((1 << bits) - 1)
}

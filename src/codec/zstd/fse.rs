//! Finite State Entropy: from the description of a distribution to its decoding table.

use super::bits::Forward;
use crate::codec::Corrupt;

/// States of the largest table: the maximum accuracy is 9.
pub(super) const MAX_STATES: usize = 512;
/// States that are set to a symbol at a time.
const AT_ONCE: usize = 8;
/// Upper bound of the symbols of an alphabet.
pub(super) const MAX_SYMBOLS: usize = 64;

/// The values of the codes of an alphabet: consecutive ranges.
#[derive(Clone, Copy)]
pub(super) struct CodeRanges {
    /// Start of the first code's range.
    pub(super) first: u32,
    /// Extra bits of each code.
    pub(super) extra: &'static [u8],
}

impl CodeRanges {
    /// The start of a code's range, and its extra bits.
    pub(super) fn get(&self, code: u8) -> Option<(u32, u8)> {
        let (before, rest) = self.extra.split_at_checked(code.into())?;
        let base = before.iter().fold(self.first, |base, &extra| base.wrapping_add(1 << extra));
        Some((base, *rest.first()?))
    }
}

/// A state: the value that it decodes to, and how to find the next state.
#[derive(Clone, Copy)]
pub(super) struct FseEntry {
    /// Base value of the symbol.
    pub(super) base: u32,
    /// Base of the next state.
    pub(super) next: u16,
    /// Number of bits to add to `next`.
    pub(super) bits: u8,
    /// Number of bits to add to `base`.
    pub(super) extra: u8,
}

impl FseEntry {
    pub(super) const ZERO: Self = Self { base: 0, next: 0, bits: 0, extra: 0 };
}

/// The frequency of each symbol among `1 << log` states; -1 for less than one.
pub(super) struct Distribution {
    pub(super) counts: [i16; MAX_SYMBOLS],
    pub(super) log: u32,
}

impl Distribution {
    /// A predefined distribution.
    pub(super) const fn new((given, log): (&[i8], u32)) -> Self {
        let mut counts = [0; MAX_SYMBOLS];
        let mut symbol = 0;
        while symbol < given.len() {
            counts[symbol] = given[symbol] as i16;
            symbol += 1;
        }
        Self { counts, log }
    }

    /// Reads a description of at most `symbols` symbols and an accuracy of at most `most`. Returns the bytes that it
    /// takes.
    pub(super) fn read(src: &[u8], symbols: usize, most: u32) -> Result<(Self, usize), Corrupt> {
        let mut reader = Forward::new(src);
        let log = (reader.peek() & 15) + 5;
        reader.skip(4);
        if log > most {
            return Err(Corrupt);
        }
        let mut counts = [0; MAX_SYMBOLS];
        let (mut symbol, mut left) = (0, 1 << log);
        while left > 0 {
            let count = counts.get_mut(..symbols).and_then(|counts| counts.get_mut(symbol)).ok_or(Corrupt)?;
            *count = read_count(&mut reader, left) as i16;
            left -= u32::from(count.unsigned_abs());
            symbol += 1;
            if *count == 0 {
                symbol += read_zeros(&mut reader, symbols)?;
            }
        }
        Ok((Self { counts, log }, reader.bytes()?))
    }

    /// States of the table.
    pub(super) const fn states(&self) -> usize {
        1 << self.log
    }

    /// Fills `table`, which has one entry per state.
    pub(super) const fn fill(&self, codes: &CodeRanges, table: &mut [FseEntry]) {
        let (mut symbols, mut next) = ([0u8; MAX_STATES], [0u16; MAX_SYMBOLS]);
        let used = self.place(&mut symbols, &mut next);
        let mut values = [FseEntry::ZERO; MAX_SYMBOLS];
        let (mut symbol, mut base) = (0, codes.first);
        while symbol < used && symbol < codes.extra.len() {
            let extra = codes.extra[symbol];
            values[symbol] = FseEntry { base, extra, ..FseEntry::ZERO };
            base = base.wrapping_add(1 << extra);
            symbol += 1;
        }
        let (size, mut state) = (self.states(), 0);
        while state < size {
            let symbol = symbols[state & (MAX_STATES - 1)] as usize & (MAX_SYMBOLS - 1);
            let from = next[symbol];
            next[symbol] = from + 1;
            let bits = self.log - from.ilog2();
            let next = (from << bits).wrapping_sub(size as u16);
            table[state] = FseEntry { next, bits: bits as u8, ..values[symbol] };
            state += 1;
        }
    }

    /// The symbol of each state, and the number of states of each symbol. Returns the number of symbols up to the last one with
    /// a state.
    pub(super) const fn place(&self, symbols: &mut [u8; MAX_STATES], next: &mut [u16; MAX_SYMBOLS]) -> usize {
        // In their order first, several at a time: loops of few steps each are often mispredicted.
        let mut order = [0u8; MAX_STATES + AT_ONCE];
        // Symbols with a frequency below one get one state each, from the last downward.
        let (mut symbol, mut end, mut left) = (0, 0, self.states());
        while end < left && symbol < MAX_SYMBOLS {
            let count = self.counts[symbol];
            next[symbol] = count.unsigned_abs();
            if count < 0 {
                left -= 1;
                symbols[left] = symbol as u8;
            }
            let mut at = end;
            if count > 0 {
                end += count as usize;
            }
            while at < end {
                if let Some(room) = order.split_at_mut(at).1.first_chunk_mut() {
                    *room = [symbol as u8; AT_ONCE];
                }
                at += AT_ONCE;
            }
            symbol += 1;
        }
        self.spread(&order, symbols, left);
        symbol
    }

    /// Spreads the first `left` states with a step that visits every state once.
    const fn spread(&self, order: &[u8; MAX_STATES + AT_ONCE], symbols: &mut [u8; MAX_STATES], left: usize) {
        let size = self.states();
        let step = (size >> 1) + (size >> 3) + 3;
        let (mut from, mut at) = (0, 0);
        while from < left {
            symbols[at & (MAX_STATES - 1)] = order[from];
            at = (at + step) & (size - 1);
            while at >= left {
                at = (at + step) & (size - 1);
            }
            from += 1;
        }
    }
}

/// Reads a frequency where `left` states remain: -1 to `left`, in a truncated binary code.
fn read_count(reader: &mut Forward<'_>, left: u32) -> i32 {
    // Of the values 0 to left + 1, the first ones take one bit less, to use up a power of two.
    let bits = (left + 1).ilog2() + 1;
    let short = (1 << bits) - (left + 2);
    let value = reader.peek() & ((1 << bits) - 1);
    let low = value & ((1 << (bits - 1)) - 1);
    let value = if low < short {
        reader.skip(bits - 1);
        low
    } else {
        reader.skip(bits);
        if value == low { value } else { value - short }
    };
    value as i32 - 1
}

/// Reads how many further symbols have frequency 0: two bits at a time, while they are 3.
fn read_zeros(reader: &mut Forward<'_>, most: usize) -> Result<usize, Corrupt> {
    let mut zeros = 0;
    loop {
        let more = reader.peek() as usize & 3;
        reader.skip(2);
        zeros += more;
        if more < 3 {
            return Ok(zeros);
        }
        if zeros > most {
            return Err(Corrupt);
        }
    }
}

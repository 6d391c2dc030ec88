//! Finite State Entropy: from counts to a distribution, its description and its encoding table.

use super::bits::BitWriter;
use crate::codec::matcher::probe::log2;
use crate::codec::zstd::fse::{Distribution, MAX_STATES, MAX_SYMBOLS};

/// Counts of the symbols of an alphabet.
pub(super) type Counts = [u32; MAX_SYMBOLS];

/// Costs are in bits times this.
pub(super) const BIT: u32 = 256;

/// A distribution for `counts`, with an accuracy of at most `most`.
pub(super) fn normalized(counts: &Counts, most: u32) -> Distribution {
    let total: u32 = counts.iter().sum();
    let used = counts.iter().filter(|count| **count > 0).count() as u32;
    let finest = total.max(2).ilog2().saturating_sub(1);
    let log = finest.max(used.max(2).ilog2() + 1).clamp(5, most);
    let mut distribution = Distribution { counts: [0; MAX_SYMBOLS], log };
    let mut left = 1i32 << log;
    for (share, &count) in distribution.counts.iter_mut().zip(counts).filter(|(_, count)| **count > 0) {
        let exact = (u64::from(count) << (log + 1)) / u64::from(total);
        *share = exact.div_ceil(2).max(1) as i16;
        left -= i32::from(*share);
    }
    balance(&mut distribution.counts, counts, left);
    distribution
}

/// Gives or takes states, one at a time where that changes the costs most or least, until none are left.
fn balance(shares: &mut [i16; MAX_SYMBOLS], counts: &Counts, mut left: i32) {
    while left != 0 {
        let step = left.signum();
        let worth = |symbol: usize| {
            let states = 2 * i32::from(shares[symbol]) + step;
            (u64::from(counts[symbol]) << 32) / states as u64
        };
        let possible = (0..MAX_SYMBOLS).filter(|&at| shares[at] > i16::from(step < 0));
        let worths = possible.map(|at| (worth(at), at));
        let better = |best: (u64, usize), other| if (other > best) == (step > 0) { other } else { best };
        let Some((_, chosen)) = worths.reduce(better) else { return };
        shares[chosen] += step as i16;
        left -= step;
    }
}

/// Bits times [`BIT`] that symbols of these counts take; `None` if a symbol has no states.
pub(super) fn cost(distribution: &Distribution, counts: &Counts) -> Option<u32> {
    let mut sum = 0;
    for (&count, &share) in counts.iter().zip(&distribution.counts).filter(|(count, _)| **count > 0) {
        if share == 0 {
            return None;
        }
        let bits = distribution.log * BIT - log2(share.unsigned_abs().into());
        sum += count * bits;
    }
    Some(sum)
}

/// Writes the description that `Distribution::read` reads, and returns its length.
pub(super) fn describe(distribution: &Distribution, dst: &mut [u8]) -> Option<usize> {
    let mut writer = BitWriter::new(dst);
    writer.add(u64::from(distribution.log - 5), 4);
    let mut left = 1u32 << distribution.log;
    let mut counts = distribution.counts.iter();
    while left > 0 {
        let count = *counts.next()?;
        add_count(&mut writer, left, count);
        left -= u32::from(count.unsigned_abs());
        if count == 0 {
            let zeros = counts.as_slice().iter().take_while(|count| **count == 0).count();
            (0..zeros).for_each(|_| _ = counts.next());
            for _ in 0..zeros / 3 {
                writer.add(3, 2);
                writer.flush()?;
            }
            writer.add(zeros as u64 % 3, 2);
        }
        writer.flush()?;
    }
    writer.finish()
}

/// Adds a count, -1 to `left`, in a truncated binary code.
fn add_count(writer: &mut BitWriter<'_>, left: u32, count: i16) {
    let value = (count + 1) as u32;
    let bits = (left + 1).ilog2() + 1;
    let short = (1 << bits) - (left + 2);
    let (value, bits) = match value {
        _ if value < short => (value, bits - 1),
        _ if value < 1 << (bits - 1) => (value, bits),
        _ => (value + short, bits),
    };
    writer.add(value.into(), bits);
}

/// How a symbol changes the state.
#[derive(Clone, Copy, Default)]
struct Transition {
    /// Added to a state, the number of bits to write is in the upper half.
    bits: u32,
    /// Added to what is left of the state, where in the table the next one is.
    next: i16,
    /// The state to begin with at the last symbol.
    first: u16,
}

/// An encoding table.
#[derive(Clone)]
pub(super) struct FseEncoder {
    log: u32,
    next: [u16; MAX_STATES],
    transitions: [Transition; MAX_SYMBOLS],
}

impl FseEncoder {
    pub(super) const EMPTY: Self = Self {
        log: 0,
        next: [0; MAX_STATES],
        transitions: [Transition { bits: 0, next: 0, first: 0 }; MAX_SYMBOLS],
    };

    /// Fills the table.
    pub(super) fn fill(&mut self, distribution: &Distribution) {
        let (log, size) = (distribution.log, distribution.states());
        let (mut symbols, mut shares) = ([0; MAX_STATES], [0; MAX_SYMBOLS]);
        distribution.place(&mut symbols, &mut shares);
        let (mut places, mut start) = ([0u16; MAX_SYMBOLS], 0);
        for (place, &share) in places.iter_mut().zip(&shares) {
            *place = start;
            start += share;
        }
        let starts = places;
        for (state, &symbol) in symbols[..size].iter().enumerate() {
            let place = &mut places[usize::from(symbol) & (MAX_SYMBOLS - 1)];
            self.next[usize::from(*place)] = (size + state) as u16;
            *place += 1;
        }
        for (symbol, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0) {
            let share = u32::from(share);
            // States from `share << most` on give up `most` bits, others one bit less.
            let most = if share == 1 { log } else { log - (share - 1).ilog2() };
            self.transitions[symbol] = Transition {
                bits: (most << 16).wrapping_sub(share << most),
                next: (i32::from(starts[symbol]) - share as i32) as i16,
                first: self.next[usize::from(starts[symbol])],
            };
        }
        self.log = log;
    }

    /// The state to begin with.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first(&self, symbol: u8) -> u32 {
        self.transitions[usize::from(symbol) & (MAX_SYMBOLS - 1)].first.into()
    }

    /// Adds a symbol and returns the new state.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add(&self, state: u32, symbol: u8, writer: &mut BitWriter<'_>) -> u32 {
        let Transition { bits, next, .. } = self.transitions[usize::from(symbol) & (MAX_SYMBOLS - 1)];
        let n = state.wrapping_add(bits) >> 16;
        writer.add(u64::from(state & ((1 << n) - 1)), n);
        let place = (state >> n) as usize;
        self.next[place.wrapping_add_signed(next.into()) & (MAX_STATES - 1)].into()
    }

    /// Adds the state that a reader begins with.
    pub(super) fn add_state(&self, state: u32, writer: &mut BitWriter<'_>) {
        writer.add(u64::from(state & ((1 << self.log) - 1)), self.log);
    }
}

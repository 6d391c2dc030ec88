//! The table of Huffman codes, indexed with as many bits as the longest code may have.
//!
//! An entry has one symbol, or two if both codes fit. Pairs make literals of 5 bits on average 1.4 times as fast,
//! those of 7 bits 0.8 times. With BMI2 single symbols gained more, so pairs pay up to 5 bits (doubles with truncated
//! bits, on a Zen 5: 0.90 of libzstd's speed with pairs up to 6 bits, 0.94 up to 5). The average decides which table
//! to build.

use super::weights::{HuffmanCodes, MAX_BITS};
use crate::codec::Corrupt;

const ENTRIES: usize = 1 << MAX_BITS;
/// Whether entries can have two symbols at all: WebAssembly is as fast without.
const PAIRS: bool = !cfg!(target_family = "wasm");

/// For the next bits of a stream, one symbol or two.
pub(super) struct Table {
    entries: [HuffmanEntry; ENTRIES],
    /// The code length of each symbol.
    lengths: [u8; 256],
    /// Whether some entries have two symbols.
    pairs: bool,
}

/// From the lowest byte: total code length, two symbols, number of symbols.
#[derive(Clone, Copy)]
pub(super) struct HuffmanEntry(u32);

impl HuffmanEntry {
    const fn new(symbol: u8, bits: u32) -> Self {
        Self(bits | (symbol as u32) << 8 | 1 << 30)
    }

    /// Adds a second symbol.
    const fn and(self, symbol: u8, bits: u32) -> Self {
        Self(self.0 + (bits | (symbol as u32) << 16 | 1 << 30))
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0 & 63
    }

    /// The symbols; if there is only one, the second is unspecified.
    #[inline(always)]
    pub(super) const fn symbols(self) -> [u8; 2] {
        ((self.0 >> 8) as u16).to_le_bytes()
    }

    #[inline(always)]
    pub(super) const fn count(self) -> usize {
        (self.0 >> 30) as usize
    }
}

impl Table {
    pub(super) const EMPTY: Self =
        Self { entries: [HuffmanEntry(0); ENTRIES], lengths: [0; 256], pairs: false };

    /// Looks up the highest bits of `bits`.
    #[inline(always)]
    pub(super) const fn entry(&self, bits: u64) -> HuffmanEntry {
        self.entries[(bits >> (64 - MAX_BITS)) as usize]
    }

    /// The code length of the first symbol of `entry`.
    pub(super) const fn first_bits(&self, entry: HuffmanEntry) -> u32 {
        self.lengths[entry.symbols()[0] as usize] as u32
    }

    /// Whether some entries have two symbols.
    pub(super) const fn pairs(&self) -> bool {
        PAIRS && self.pairs
    }

    /// Reads the description at `at`, which at least eight bytes precede, and returns its end. Builds entries of two
    /// symbols if `pairs`.
    pub(super) fn read(&mut self, src: &[u8], at: usize, pairs: bool) -> Result<usize, Corrupt> {
        let (codes, end) = HuffmanCodes::read(src, at)?;
        self.pairs = PAIRS && pairs;
        for (length, weight) in self.lengths.iter_mut().zip(codes.weights) {
            *length = (codes.longest as u8 + 1).wrapping_sub(weight);
        }
        self.fill(&codes)?;
        Ok(end)
    }

    /// Fills the entries, longest codes first.
    fn fill(&mut self, codes: &HuffmanCodes) -> Result<(), Corrupt> {
        let mut rest = &mut self.entries[..];
        for weight in 1..=codes.longest {
            let bits = (codes.longest + 1 - weight) as u32;
            let span = 1 << (MAX_BITS - bits);
            let Some((&first, others)) = codes.symbols(weight).split_first() else { continue };
            let (block, more) = rest.split_at_mut_checked(span).ok_or(Corrupt)?;
            rest = more;
            let alone = HuffmanEntry::new(first, bits);
            let left = if PAIRS && self.pairs { second_symbols(codes, alone, block)? } else { span };
            block.get_mut(..left).ok_or(Corrupt)?.fill(alone);
            // All symbols of one length share the same second symbols.
            for &other in others {
                let (same, more) = rest.split_at_mut_checked(span).ok_or(Corrupt)?;
                rest = more;
                let change = HuffmanEntry::new(other, bits).0.wrapping_sub(alone.0);
                for (to, from) in same.iter_mut().zip(&*block) {
                    *to = HuffmanEntry(from.0.wrapping_add(change));
                }
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(Corrupt) }
    }
}

/// Adds second symbols to `block`, whose entries all begin with `first`, as far as both codes fit: from the shortest
/// second codes on, which are at the end. Returns the number of entries left.
fn second_symbols(
    codes: &HuffmanCodes,
    first: HuffmanEntry,
    block: &mut [HuffmanEntry],
) -> Result<usize, Corrupt> {
    let mut end = block.len();
    for weight in (1..=codes.longest).rev() {
        let bits = (codes.longest + 1 - weight) as u32;
        let Some(spare) = MAX_BITS.checked_sub(first.bits() + bits) else { break };
        for &second in codes.symbols(weight).iter().rev() {
            let start = end.checked_sub(1 << spare).ok_or(Corrupt)?;
            block[start..end].fill(first.and(second, bits));
            end = start;
        }
    }
    Ok(end)
}

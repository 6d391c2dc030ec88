//! Huffman codes of literals.

use super::bits::{Code, CodeWriter};
use super::weights;
use crate::codec::huffman_lengths::huffman_lengths;
use crate::codec::matcher::probe::{self, Counts};
use crate::codec::zstd::weights::MAX_BITS;
use crate::simd::{Instructions, Work, widest};

/// How often each byte of `bytes` occurs.
pub(super) fn histogram(bytes: &[u8]) -> Counts {
    let mut counts = [0; 256];
    probe::count(bytes, 1, &mut counts);
    counts
}

/// The code of each symbol.
#[derive(Clone)]
pub(super) struct Huffman {
    /// Packed.
    codes: [u64; 256],
    lengths: [u8; 256],
}

/// Codes and their description.
pub(super) struct Described {
    pub(super) huffman: Huffman,
    pub(super) description: [u8; weights::MAX_DESCRIPTION_BYTES],
    pub(super) len: usize,
}

impl Described {
    /// The best codes for a histogram of at least two symbols; `None` if they cannot be described.
    pub(super) fn new(histogram: &Counts) -> Option<Self> {
        let mut huffman = Huffman { codes: [0; 256], lengths: [0; 256] };
        huffman_lengths(histogram, MAX_BITS, &mut huffman.lengths);
        let longest = *huffman.lengths.iter().max()?;
        let weights = huffman.lengths.map(|length| if length == 0 { 0 } else { longest + 1 - length });
        let last = weights.iter().rposition(|weight| *weight > 0)?;
        let mut description = [0; weights::MAX_DESCRIPTION_BYTES];
        let len = weights::write(&weights[..last], &mut description)?;
        huffman.number(&weights, longest.into());
        Some(Self { huffman, description, len })
    }
}

impl Huffman {
    pub(super) const EMPTY: Self = Self { codes: [0; 256], lengths: [0; 256] };

    /// Numbers the codes: longest first, by symbol where they are equally long.
    fn number(&mut self, weights: &[u8; 256], longest: u32) {
        let mut starts = [0u32; MAX_BITS as usize + 2];
        for weight in weights.iter().filter(|weight| **weight > 0) {
            starts[(usize::from(*weight) + 1) & 15] += 1 << (weight - 1);
        }
        for weight in 1..starts.len() {
            starts[weight] += starts[weight - 1];
        }
        for ((code, &length), &weight) in self.codes.iter_mut().zip(&self.lengths).zip(weights) {
            if weight > 0 {
                let start = &mut starts[usize::from(weight)];
                *code = Code::new(*start >> (longest - u32::from(length)), length).packed();
                *start += 1 << (weight - 1);
            }
        }
    }

    /// Bytes that symbols of this histogram take; `None` if there is no code for one of them.
    pub(super) fn cost(&self, histogram: &Counts) -> Option<usize> {
        let mut sum = 0;
        let mut missing = 0;
        for (&count, &length) in histogram.iter().zip(&self.lengths) {
            sum += count * u32::from(length);
            missing |= u32::from(length == 0) * count;
        }
        (missing == 0).then_some(sum.div_ceil(8) as usize)
    }

    /// Writes one stream, or four behind the lengths of the first three. Returns their length.
    pub(super) fn write(&self, literals: &[u8], streams: usize, dst: &mut [u8]) -> Option<usize> {
        if streams == 1 {
            return widest(Stream { codes: &self.codes, literals, dst });
        }
        let mut at = 6;
        let mut parts = literals.chunks(literals.len().div_ceil(4));
        for part in 0..4 {
            let literals = parts.next()?;
            let len = widest(Stream { codes: &self.codes, literals, dst: dst.get_mut(at..)? })?;
            if part < 3 {
                let len = u16::try_from(len).ok()?;
                dst.get_mut(2 * part..2 * part + 2)?.copy_from_slice(&len.to_le_bytes());
            }
            at += len;
        }
        Some(at)
    }
}

/// Writes literals, last to first.
struct Stream<'a> {
    codes: &'a [u64; 256],
    literals: &'a [u8],
    dst: &'a mut [u8],
}

impl Work for Stream<'_> {
    type Output = Option<usize>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Self::Output {
        let Self { codes, literals, dst } = self;
        let mut writer = CodeWriter::new(dst);
        let code = |literal: u8| Code::unpacked(codes[usize::from(literal)]);
        let (rest, groups) = literals.as_rchunks::<4>();
        for &[d, c, b, a] in groups.iter().rev() {
            writer.write([code(a), code(b), code(c), code(d)])?;
        }
        for literal in rest.iter().rev() {
            writer.write_one(code(*literal))?;
        }
        writer.finish_marked()
    }
}

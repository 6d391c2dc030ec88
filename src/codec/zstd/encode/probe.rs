//! A look at a sample of a stream, which tells what is worth trying. Half of the streams of shuffled numbers have skewed bytes or
//! noise, and no matches.
//!
//! Every [`STRIDE`] bytes a position is entered into a table. In each of [`PART`] bytes, as many consecutive positions are
//! looked up: so all distances are possible.

use super::fse::{BIT, log2};
use crate::codec::matcher::read;
use crate::simd::{Repeat, Work, widest};

/// Bytes between positions that are entered; as many are looked up in a row.
const STRIDE: usize = 16;
/// Bytes of which so many in a row are looked up.
const PART: usize = 256;
/// Shorter streams are not looked at.
const LEAST: usize = 2048;
/// Bytes that tell the entropy.
const SAMPLE: usize = 4096;
/// Matches are worth looking for if one of so many positions begins one.
const RARE: usize = 32;

/// What a stream is like.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    /// The entropy of its bytes, in bits times [`BIT`].
    pub(super) entropy: u32,
    /// Whether there seem to be matches.
    pub(super) matches: bool,
}

/// Bytes of at least this entropy are stored as they are: Huffman codes would save less than they have to.
const NOISE: u32 = 8 * BIT - BIT / 10;

/// A stream to look at.
struct Look<'a> {
    src: &'a [u8],
    start: usize,
    table: &'a mut [u32],
}

impl Work for Look<'_> {
    type Output = Probe;

    #[inline(always)]
    fn run(self, _: impl Repeat) -> Probe {
        let Self { src, start, table } = self;
        look(src, start, table)
    }
}

impl Probe {
    /// Looks at `src[start..]`, which follows on a dictionary. `table` need not be empty.
    pub(super) fn new(src: &[u8], start: usize, table: &mut [u32]) -> Self {
        widest(Look { src, start, table })
    }

    /// Whether nothing will make the stream shorter.
    pub(super) const fn is_noise(&self) -> bool {
        !self.matches && self.entropy >= NOISE
    }
}

#[inline(always)]
fn look(src: &[u8], start: usize, table: &mut [u32]) -> Probe {
    let len = src.len() - start;
    if len < LEAST {
        return Probe { entropy: 0, matches: true };
    }
    let entropy = entropy(&src[start..]);
    // What is shorter takes fewer bits as literals.
    let worth = (30 * BIT).div_ceil(entropy.max(1)).clamp(4, 8);
    let bits = (src.len() / STRIDE).ilog2().min(table.len().ilog2());
    let table = &mut table[..1 << bits];
    table.fill(0);
    let slot = |at: usize| {
        let bytes = u64::from_le_bytes(read(src, at));
        let hash = (bytes << 24).wrapping_mul(889_523_592_379) >> (64 - bits);
        (bytes, hash as usize & (table_mask(bits)))
    };
    let enough = len / (STRIDE * RARE * PART / STRIDE) + 1;
    let (mut hits, mut at) = (0, 0);
    while at + PART + 8 <= src.len() && hits < enough {
        if at >= start {
            let first = at + (at / PART * 7 * STRIDE) % PART;
            for at in first..first + STRIDE {
                let (bytes, slot) = slot(at);
                let candidate = table[slot] as usize;
                let same = (bytes ^ u64::from_le_bytes(read(src, candidate))).trailing_zeros() / 8;
                hits += usize::from(same >= worth && candidate < at);
            }
        }
        for near in (at..at + PART).step_by(STRIDE) {
            let (_, slot) = slot(near);
            table[slot] = near as u32;
        }
        at += PART;
    }
    Probe { entropy, matches: hits >= enough }
}

const fn table_mask(bits: u32) -> usize {
    (1 << bits) - 1
}

/// The entropy of a sample of the bytes, in bits times [`BIT`].
fn entropy(bytes: &[u8]) -> u32 {
    let mut counts = [[0u16; 256]; 2];
    let mut total = 0;
    for part in bytes.chunks_exact(PART) {
        let (part, _) = part.as_chunks::<{ 2 * STRIDE }>();
        let sample = &part[total / (2 * STRIDE) * 5 % part.len()];
        for two in sample.as_chunks::<2>().0 {
            let [first, second] = &mut counts;
            first[usize::from(two[0])] += 1;
            second[usize::from(two[1])] += 1;
        }
        total += sample.len();
        if total >= SAMPLE {
            break;
        }
    }
    let [first, second] = counts;
    let counts = first.iter().zip(second).map(|(a, b)| u32::from(*a) + u32::from(b)).filter(|n| *n > 0);
    let sum: u64 = counts.map(|count| u64::from(count) * u64::from(log2(count))).sum();
    log2(total as u32) - (sum / total as u64) as u32
}

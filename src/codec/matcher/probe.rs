//! What can be told of a stream at little cost: whether anything in it can become shorter.

use super::{MIN_MATCH, read};
use crate::codec::matcher::fast::Positions;

/// How often each byte occurs.
pub(in crate::codec) type Counts = [u32; 256];

/// Shorter streams are not probed.
const LEAST: usize = 2048;
/// Slices whose bytes are counted.
const SLICES: usize = 4;
/// Bytes of a slice.
const SLICE: usize = 1024;
/// Bytes that take more than this in such slices, in 256ths of a bit, are noise: it takes 7.95 bits.
const NOISE: u32 = 7 * 256 + 230;
/// One position in so many is looked up, as a power of two. Those of the same bytes are either all looked up, or none.
const SAMPLED: u32 = 3;
/// Fewer matches are chance.
const CHANCE: usize = 4;

/// Whether `src[start..]`, which follows a dictionary, has no matches to speak of within `farthest`.
pub(in crate::codec) fn matchless(
    src: &[u8],
    start: usize,
    farthest: usize,
    table: &mut impl Positions,
) -> bool {
    if src.len() - start < LEAST {
        return false;
    }
    table.clear();
    let mut found = 0;
    for (at, four) in src[..src.len() - 7].windows(MIN_MATCH).enumerate() {
        let bytes = u32::from_le_bytes(read(four, 0));
        if bytes.wrapping_mul(0x85EB_CA6B) >> (32 - SAMPLED) == 0 {
            let candidate = table.replace(src, at);
            if at >= start && at - candidate <= farthest && read::<MIN_MATCH>(src, candidate) == *four {
                found += usize::from(at != candidate);
                if found >= CHANCE {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether all bytes of `src` are about as frequent.
pub(in crate::codec) fn is_even(src: &[u8]) -> bool {
    if src.len() < LEAST {
        return false;
    }
    let (mut counts, slice) = ([0; 256], SLICE.min(src.len() / SLICES));
    for at in 0..SLICES {
        count(&src[at * (src.len() - slice) / (SLICES - 1)..][..slice], &mut counts);
    }
    bits(&counts) > NOISE * (SLICES * slice) as u32 / 256
}

/// Adds the bytes of `src`.
pub(in crate::codec) fn count(src: &[u8], counts: &mut Counts) {
    // Several tables: a run of one byte would wait for each addition.
    let mut others = [[0_u16; 256]; 3];
    for part in src.chunks(1 << 16) {
        let (fours, rest) = part.as_chunks::<4>();
        for four in fours {
            counts[usize::from(four[0])] += 1;
            for (other, byte) in others.iter_mut().zip(&four[1..]) {
                other[usize::from(*byte)] += 1;
            }
        }
        rest.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        for other in &mut others {
            for (sum, count) in counts.iter_mut().zip(other) {
                *sum += u32::from(core::mem::take(count));
            }
        }
    }
}

/// How many bits the bytes would take together if each took what is ideal for its frequency. The sum of the counts is less
/// than 2^20.
pub(in crate::codec) fn bits(counts: &Counts) -> u32 {
    let total = counts.iter().sum();
    let each = counts.iter().map(|&count| u64::from(count) * u64::from(log2(count)));
    ((u64::from(total) * u64::from(log2(total)) - each.sum::<u64>()) >> 8) as u32
}

/// The binary logarithm in 256ths; 0 of 0.
pub(in crate::codec) fn log2(value: u32) -> u32 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    let part = (u64::from(value) << 8 >> whole) as u32 & 255;
    // A parabola through both ends, at most a sixtieth off.
    256 * whole + part + (part * (256 - part) * 89 >> 16)
}

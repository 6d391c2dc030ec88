//! Cheap predictions about a stream: whether anything in it can become shorter.
//!
//! Their gain, measured on the 23 kinds of data of the bench: noise at zlib's level 9 takes a tenth of the time, at level 7
//! 0.8 of it, unfiltered floats at LZ4HC's levels 5 and 9 0.4 and 0.08, in the mean of all unfiltered kinds 0.96 and 0.9. They
//! cost: shuffled data at LZ4HC's level 5 takes 2 % longer in the mean, of some kinds 20 %, at level 9 1 %. No size changes. The
//! levels 1 to 3 of zlib do without: there 4 to 7 % would be lost, and noise would take twice the time.
//!
//! The probe of zstd (`zstd/encode/probe.rs`) is another one, since its questions differ: zstd writes streams without matches as
//! Huffman codes, and finds matches at any distance.

use super::{MIN_MATCH, read};
use crate::codec::matcher::fast::{HASHED, Positions};

/// How often each byte occurs.
pub(in crate::codec) type Counts = [u32; 256];

/// Shorter streams are not probed.
const LEAST: usize = SLICES * SLICE;
/// Slices whose bytes are counted.
const SLICES: usize = 4;
/// Bytes of a slice.
const SLICE: usize = 1024;
/// Bytes of a piece, of which some may be counted.
const PIECE: usize = 64;
/// Bytes that take more than this in such slices, in 256ths of a bit, are noise: it takes 7.95 bits.
const NOISE: u32 = 7 * 256 + 230;
/// If fewer slices take no more than this, all take less than noise: one of it takes 7.8 bits.
const FAR: u32 = 7 * 256;
/// One position in so many is looked up, as a power of two. Those of the same bytes are either all looked up, or none.
const SAMPLED: u32 = 3;
/// Fewer matches are chance.
const CHANCE: usize = 4;
/// Bytes that tell whether matches are rare, of which one position in 2^[`SAMPLED`] is looked up.
const SAMPLE: usize = 32 << 10;
/// Matches are rare in between: from one in so many positions to one in so few.
const FEW: usize = 128;
const MANY: usize = 10;

/// Whether few of the first positions have matches of four bytes within `farthest`, though more than by chance: then shorter ones
/// are worth a search.
pub(in crate::codec) fn is_sparse(src: &[u8], farthest: usize, table: &mut impl Positions) -> bool {
    let src = &src[..src.len().min(SAMPLE)];
    if src.len() < LEAST {
        return false;
    }
    let positions = src.len() >> SAMPLED;
    let (few, many) = (positions / FEW, positions / MANY);
    (few..many).contains(&found(src, 0, farthest, many, table).0)
}

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
    let (found, looked_up) = found(src, start, farthest, CHANCE, table);
    // Of bytes that repeat all the time none may have been looked up.
    found < CHANCE && looked_up > src.len() >> (SAMPLED + 1)
}

/// How many positions of `src[start..]` have a match of four bytes, and how many were looked up, until there are `enough` matches.
fn found(
    src: &[u8],
    start: usize,
    farthest: usize,
    enough: usize,
    table: &mut impl Positions,
) -> (usize, usize) {
    table.clear();
    let (mut found, mut looked_up) = (0, 0);
    for (at, four) in src[..src.len() - 7].windows(MIN_MATCH).enumerate() {
        let bytes = u32::from_le_bytes(read(four, 0));
        if bytes.wrapping_mul(0x85EB_CA6B) >> (32 - SAMPLED) == 0 {
            looked_up += 1;
            let candidate = table.replace(u64::from_le_bytes(read(src, at)), HASHED, at);
            if at >= start && at - candidate <= farthest && read::<MIN_MATCH>(src, candidate) == *four {
                found += usize::from(at != candidate);
                if found >= enough {
                    break;
                }
            }
        }
    }
    (found, looked_up)
}

/// Whether all bytes of `src` are about as frequent.
pub(in crate::codec) fn is_even(src: &[u8]) -> bool {
    if src.len() < LEAST {
        return false;
    }
    let mut counts = [0; 256];
    (1..=SLICES).all(|slices| {
        count(&src[(slices - 1) * (src.len() - SLICE) / (SLICES - 1)..][..SLICE], 1, &mut counts);
        let least = if slices < SLICES { FAR } else { NOISE };
        bits(&counts) > least * (slices * SLICE) as u32 / 256
    })
}

/// Adds the bytes of one of `every` pieces of `src`.
pub(in crate::codec) fn count(src: &[u8], every: usize, counts: &mut Counts) {
    // Four tables, because a count that was just changed takes time to be read again.
    let mut tables = [[0; 256]; 4];
    for pieces in src.chunks(every * PIECE) {
        let (words, rest) = pieces[..pieces.len().min(PIECE)].as_chunks::<8>();
        for word in words {
            let mut word = u64::from_le_bytes(*word);
            if cfg!(target_family = "wasm") {
                // Nothing is unrolled there, and the steps below are calls. Natively this takes 1.6 times as long.
                for table in &mut tables {
                    table[usize::from(word as u8)] += 1;
                    table[usize::from((word >> 8) as u8)] += 1;
                    word >>= 16;
                }
                continue;
            }
            for (at, table) in (0..8).step_by(2).zip(&mut tables) {
                table[usize::from((word >> (8 * at)) as u8)] += 1;
                table[usize::from((word >> (8 * at + 8)) as u8)] += 1;
            }
        }
        rest.iter().for_each(|byte| tables[0][usize::from(*byte)] += 1);
    }
    for table in &tables {
        counts.iter_mut().zip(table).for_each(|(sum, count)| *sum += count);
    }
}

/// How many bits the bytes would take together if each took what is ideal for its frequency. The sum of the counts is less
/// than 2^20.
pub(in crate::codec) fn bits(counts: &Counts) -> u32 {
    let total = counts.iter().sum();
    let used = counts.iter().filter(|count| **count > 0);
    let each = used.map(|&count| u64::from(count) * u64::from(log2(count)));
    ((u64::from(total) * u64::from(log2(total)) - each.sum::<u64>()) >> 8) as u32
}

/// The binary logarithm in 256ths, at most one and a half of these off; 0 of 0.
pub(in crate::codec) fn log2(value: u32) -> u32 {
    let Some(whole) = value.checked_ilog2() else { return 0 };
    let part = (u64::from(value) << 8 >> whole) as u32 & 255;
    // A polynomial through both ends.
    256 * whole + part + ((part * (256 - part) * (27_787 - 41 * part) + (1 << 23)) >> 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::Random;
    use alloc::vec::Vec;

    #[test]
    fn noise_has_neither_matches_nor_frequent_bytes() {
        let mut random = Random(61);
        let mut noise = |len| (0..len).map(|_| random.next() as u8).collect::<Vec<u8>>();
        let mut table = [0_u32; 1 << 12];
        for len in [LEAST, 5000, 300_000] {
            let mut src = noise(len);
            assert!(is_even(&src) && matchless(&src, 0, 65_535, &mut table), "{len}");
            // What repeats, far away.
            let dist = (len / 2).min(60_000);
            src.copy_within(len - 600 - dist..len - 100 - dist, len - 600);
            assert!(is_even(&src) && !matchless(&src, 0, 65_535, &mut table), "{len}");
            // Beyond the farthest distance.
            assert!(matchless(&src, 0, 400, &mut table), "{len}");
            assert!(!is_even(&src.iter().map(|byte| byte & 0x7F).collect::<Vec<u8>>()), "{len}");
        }
        let dict = noise(4000);
        let src = [&dict[..], &noise(3000), &dict[1000..1500], &noise(2000)].concat();
        assert!(!matchless(&src, dict.len(), 65_535, &mut table));
        assert!(!is_even(&noise(LEAST - 1)) && !matchless(&noise(LEAST - 1), 0, 65_535, &mut table));
    }

    #[test]
    fn few_different_bytes_have_matches() {
        let mut table = [0_u32; 1 << 12];
        for (value, period) in (0..=255).flat_map(|value| [1, 2, 3, 8].map(|period| (value, period))) {
            let src: Vec<u8> = (0..LEAST).map(|at| value ^ (at % period) as u8).collect();
            assert!(!matchless(&src, 0, 65_535, &mut table), "{value}, {period}");
        }
    }

    #[test]
    fn logarithms_are_close() {
        for (value, expected) in [(0, 0), (1, 0), (2, 256), (3, 406), (1000, 2551), (1 << 20, 20 * 256)] {
            assert!(log2(value).abs_diff(expected) <= 1, "{value}: {}", log2(value));
        }
    }

    #[test]
    fn counts_are_those_of_all_bytes() {
        let mut random = Random(62);
        let src = random.data(70_003);
        let (mut counts, mut expected) = ([1; 256], [1; 256]);
        count(&src, 1, &mut counts);
        src.iter().for_each(|byte| expected[usize::from(*byte)] += 1);
        assert_eq!(counts, expected);
        assert_eq!(bits(&[4; 256]), 8 * 4 * 256);
    }
}

//! The cost of a choice.

use super::super::params::CParams;
use super::Size;
use crate::codec::Codec;
use crate::filter::{BITSHUFFLE, BYTEDELTA, NDCELL, SHUFFLE};

/// The quantity that an automatic choice minimizes.
///
/// The time is that of data which is encoded once, decoded four times, and transferred each time. It is estimated from tables
/// of one thread of a desktop processor, so that the choice is the same on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Goal {
    /// The size of chunks.
    Ratio,
    /// The time, with transfers at 200 MB/s, as over a network or from a hard disk, times the square of the size.
    #[default]
    Balanced,
    /// The time, with transfers at 1 GB/s, as from a solid-state disk.
    Speed,
}

/// How often data is decoded.
const READS: u64 = 4;
/// How much faster runs and noise are than other data.
const EASY: u64 = 8;

impl Goal {
    /// The cost of a candidate if a sample is encoded so: a number without unit, to be compared for the same sample.
    pub(super) fn cost(self, candidate: &CParams, size: &Size) -> u64 {
        let [nbytes, cbytes, dense] = [size.nbytes, size.cbytes, size.dense].map(|len| len as u64);
        // Times are in picoseconds for a byte.
        let time = |transfer: u64| {
            let typesize = u64::from(candidate.typesize.max(1));
            let filters: u64 = candidate.filters.iter().map(|filter| self::filter(filter.id, typesize)).sum();
            let [encode, decode] = codec(candidate.codec, candidate.clevel);
            let codec = dense + (nbytes - dense) / EASY;
            let work = codec * (encode + READS * decode) + nbytes * (1 + READS) * filters;
            work + cbytes * (1 + READS) * transfer
        };
        match self {
            Self::Ratio => cbytes,
            Self::Balanced => high(cbytes * cbytes, time(5000)),
            Self::Speed => time(1000),
        }
    }
}

/// The product divided by 2³². A 128-bit product would be a call of the library, which WebAssembly does not have here.
fn high(a: u64, b: u64) -> u64 {
    let [[a_high, a_low], [b_high, b_low]] =
        [a, b].map(|number| [number >> 32, number & u64::from(u32::MAX)]);
    let whole = (a_high.wrapping_mul(b_high) << 32).wrapping_add(a_high * b_low).wrapping_add(a_low * b_high);
    whole.wrapping_add((a_low * b_low) >> 32)
}

/// For encoding and decoding a byte.
fn codec(codec: Codec, clevel: u8) -> [u64; 2] {
    let clevel = u64::from(clevel);
    match codec {
        Codec::LZ4 => [800 + 50 * clevel, 200],
        Codec::LZ4HC => [2000 * clevel, 200],
        Codec::ZSTD if clevel >= 9 => [200_000, 800],
        Codec::ZSTD => [1500 + 1500 * clevel, 800],
        Codec::ZLIB => [5000 + 4000 * clevel, 2500],
        _ => [1000 + 100 * clevel, 400],
    }
}

/// For applying a filter to a byte, or undoing it.
fn filter(id: u8, typesize: u64) -> u64 {
    match id {
        SHUFFLE => 50,
        BITSHUFFLE => 80,
        BYTEDELTA => 60,
        // It copies a few items at a time.
        NDCELL => 200 + 2000 / typesize,
        _ => 200,
    }
}

#[cfg(test)]
mod tests {
    use super::high;

    #[test]
    fn products_are_those_of_wider_numbers() {
        let numbers = [0, 1, 7, 1 << 31, u64::from(u32::MAX), 1 << 32, (1 << 40) + 12_345, 1 << 62, u64::MAX];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            assert_eq!(high(a, b), ((u128::from(a) * u128::from(b)) >> 32) as u64, "{a} * {b}");
        }
    }
}

//! What a choice costs.

use super::super::params::CParams;
use super::Size;
use crate::codec::Codec;
use crate::filter::{BITSHUFFLE, BYTEDELTA, NDCELL, SHUFFLE};

/// What an automatic choice minimizes.
///
/// The time is that of data which is encoded once, decoded four times, and transferred each time. It is estimated from tables
/// of one thread of a desktop processor, so that the choice is the same on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// What a candidate costs if a sample is encoded so: a number without unit, to be compared for the same sample.
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
            Self::Balanced => ((u128::from(cbytes * cbytes) * u128::from(time(5000))) >> 32) as u64,
            Self::Speed => time(1000),
        }
    }
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

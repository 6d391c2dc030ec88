//! Match finders, for every format whose sequences are literals and a match in what precedes: LZ4, zlib, zstd.
//!
//! There are three, from fast to thorough: [`fast`] looks up one position by a hash, [`double`] one by a hash of many bytes
//! and one by a hash of few, [`chains`] goes through all earlier positions of a hash. The caller lends them their tables, as
//! arrays whose lengths are powers of two.

#[cfg(feature = "write")]
pub(super) mod chains;
mod common;
#[cfg(feature = "write")]
pub(super) mod double;
pub(super) mod fast;
#[cfg(feature = "write")]
mod found;
#[cfg(all(feature = "write", any(feature = "lz4", feature = "zlib", feature = "zstd")))]
pub(super) mod optimal;
#[cfg(all(feature = "write", any(feature = "lz4", feature = "zlib", feature = "zstd")))]
pub(super) mod probe;
#[cfg(all(test, feature = "write"))]
mod tests;

pub(super) use common::{common, read};

/// A format's rules for matches, and what takes its sequences.
pub(super) trait Sequences {
    /// The shortest match: 4, or 3 for chains with a table for such.
    const MIN_MATCH: usize = MIN_MATCH;
    /// The farthest match.
    const MAX_DIST: usize;
    /// The longest match that the chains look for; the other finders leave it to the format to divide longer ones.
    const MAX_LEN: usize = usize::MAX >> 1;
    /// No match begins in so many last bytes: at least 8, which the finders read at once.
    const MATCH_LIMIT: usize;
    /// No match ends in so many last bytes: less than 5 before [`MATCH_LIMIT`](Self::MATCH_LIMIT).
    const LAST_LITERALS: usize;
    /// Whether the format writes the last distances shorter than others, so that they are worth a try.
    const RECENT: bool = false;

    /// The last two distances, last one first. Only asked for if they are worth a try.
    fn recent(&self) -> [usize; 2] {
        [0; 2]
    }

    /// Whether a match takes less space than its bytes as literals.
    #[inline(always)]
    fn gains(&self, dist: usize, len: usize) -> bool {
        _ = (dist, len);
        true
    }

    /// Takes the literals from `anchor` to `start` and the match of `len` bytes that begins there, `dist` bytes after what it
    /// repeats. `None` ends the search: there is no room.
    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, len: usize) -> Option<()>;
}

/// The shortest match that all finders look for.
pub(super) const MIN_MATCH: usize = 4;

/// Whether the bytes at `at` match those `dist` bytes before.
#[inline(always)]
fn repeats(src: &[u8], dist: usize, at: usize) -> bool {
    dist <= at && read::<MIN_MATCH>(src, at - dist) == read::<MIN_MATCH>(src, at)
}

/// Whether the bytes at `candidate` match those at `at`, which is not too far from it.
#[inline(always)]
fn matches<S: Sequences>(src: &[u8], candidate: usize, at: usize) -> bool {
    at - candidate <= S::MAX_DIST && read::<MIN_MATCH>(src, candidate) == read::<MIN_MATCH>(src, at)
}

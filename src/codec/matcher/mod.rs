//! Match finders, for every format whose sequences are literals and a match in what precedes: LZ4, zlib, zstd.
//!
//! There are three, from fast to thorough: [`fast`] looks up one position by a hash, [`double`] one by a hash of many bytes
//! and one by a hash of few, [`chains`] goes through all earlier positions of a hash. The caller lends them their tables, as
//! arrays whose lengths are powers of two. WebAssembly has one copy of each for all formats (`lend.rs`).

#[cfg(feature = "encoders")]
mod alike;
#[cfg(feature = "encoders")]
pub(super) mod chains;
mod common;
#[cfg(feature = "encoders")]
pub(super) mod double;
pub(super) mod fast;
#[cfg(feature = "encoders")]
mod found;
mod lend;
#[cfg(all(feature = "encoders", any(feature = "lz4", feature = "zlib", feature = "zstd")))]
pub(super) mod optimal;
#[cfg(all(feature = "encoders", any(feature = "lz4", feature = "zlib", feature = "zstd")))]
pub(super) mod probe;
#[cfg(all(test, feature = "encoders"))]
mod tests;

pub(super) use common::{common, read};
#[cfg(feature = "encoders")]
use found::Match;

/// A format's rules for matches.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The shortest match: 4, or 3 for chains with a table for such.
    pub(super) min_match: usize,
    /// The farthest match.
    pub(super) max_dist: usize,
    /// The longest match that the chains look for; the other finders leave it to the format to divide longer ones.
    pub(super) max_len: usize,
    /// No match begins in so many last bytes: at least 8, which the finders read at once.
    pub(super) match_limit: usize,
    /// No match ends in so many last bytes: less than 5 before `match_limit`.
    pub(super) last_literals: usize,
    /// A long row of items is taken if it is shorter than a farther match by less than so many bytes.
    pub(super) nearer: usize,
    /// Whether the format writes the last distances shorter than others, so that they are worth a try.
    pub(super) recent: bool,
    /// Bytes whose hash the fast finder takes where positions have 32 bits; of others it takes four.
    pub(super) hashed: u32,
    /// After so many positions without a match, as a power of two, the fast finder steps further. With 4 instead of 6, 72 kinds of
    /// chunks take zlib 7 % less time, of categories half of it, and 0.3 % more space; zstd gains half as much.
    pub(super) patience: u32,
}

impl Rules {
    /// Matches of at least four bytes within `max_dist`, of any length.
    pub(super) const fn within(max_dist: usize) -> Self {
        Self {
            min_match: MIN_MATCH,
            max_dist,
            max_len: usize::MAX >> 1,
            match_limit: 8,
            last_literals: 0,
            nearer: 0,
            recent: false,
            hashed: fast::HASHED,
            patience: 6,
        }
    }
}

/// The longest item of which rows are told from other matches.
#[cfg(feature = "encoders")]
const ITEM: usize = 16;

/// The first of two matches, unless the second one gains more, which repeats what is likely to go on: the item before, or the row
/// above. A long row of items may be shorter by less than `nearer` bytes.
#[cfg(feature = "encoders")]
#[inline(always)]
fn likelier(
    first: Option<Match>,
    second: Option<Match>,
    nearer: usize,
    out: &(impl Sequences + ?Sized),
) -> Option<Match> {
    let Some(other) = second.filter(|other| out.gains(other.dist, other.len)) else { return first };
    let nearer = if other.dist <= ITEM && other.len >= 2 * ITEM { nearer } else { 0 };
    let less = first.is_some_and(|first| other.len + nearer <= first.len + 2 * (other.start - first.start));
    if less { first } else { second }
}

/// Takes the sequences of a format.
pub(super) trait Sequences {
    /// The rules for its matches: the same for each call.
    fn rules(&self) -> Rules;

    /// The last two distances, last one first, which change with sequences. Only asked for if they are worth a try.
    fn recent(&self) -> [usize; 2] {
        [0; 2]
    }

    /// The shortest match of a distance that takes less space than its bytes as literals. A farther one is no shorter.
    #[inline(always)]
    fn least(&self, dist: usize) -> usize {
        _ = dist;
        0
    }

    /// Whether a match takes less space than its bytes as literals.
    #[inline(always)]
    fn gains(&self, dist: usize, len: usize) -> bool {
        len >= self.least(dist)
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

/// The most positions behind one of which [`repeats_soon`] tells.
#[cfg(feature = "encoders")]
const SOON: usize = 8 - MIN_MATCH;

/// The first of the `count` positions behind `at`, at most [`SOON`], whose bytes match those `dist` bytes before. Eight bytes lie at
/// `at`: all positions are compared at once.
#[cfg(feature = "encoders")]
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn repeats_soon(src: &[u8], dist: usize, at: usize, count: usize) -> Option<usize> {
    let before = at.checked_sub(dist)?;
    let different = u64::from_le_bytes(read(src, at)) ^ u64::from_le_bytes(read(src, before));
    (1..=count.min(SOON)).find(|next| (different >> (8 * next)) as u32 == 0).map(|next| at + next)
}

/// Whether the bytes at `candidate` match those at `at`, which is not too far from it.
#[inline(always)]
fn matches(src: &[u8], candidate: usize, at: usize, max_dist: usize) -> bool {
    at - candidate <= max_dist && read::<MIN_MATCH>(src, candidate) == read::<MIN_MATCH>(src, at)
}

//! The alphabets of sequences: what their codes stand for, and the distributions to begin with.

use super::fse::{Distribution, Entry};

/// The values that a code stands for: from `base` on, as many as `extra` bits tell apart.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) base: u32,
    pub(super) extra: u8,
}

/// One of the three alphabets.
pub(super) struct Alphabet {
    pub(super) codes: &'static [Code],
    /// The greatest accuracy that a table may have.
    pub(super) most: u32,
    /// The table of the distribution that needs no description.
    pub(super) predefined: &'static [Entry],
}

/// Lengths of literals.
pub(super) static LITERALS: Alphabet =
    Alphabet { codes: &LITERAL_CODES, most: 9, predefined: &PREDEFINED_LITERALS };
/// Lengths of matches.
pub(super) static MATCHES: Alphabet =
    Alphabet { codes: &MATCH_CODES, most: 9, predefined: &PREDEFINED_MATCHES };
/// Offsets.
pub(super) static OFFSETS: Alphabet =
    Alphabet { codes: &OFFSET_CODES, most: 8, predefined: &PREDEFINED_OFFSETS };
/// Weights of Huffman codes, which stand for themselves.
pub(super) static WEIGHTS: [Code; 13] = consecutive(0, [0; 13]);

const LITERAL_CODES: [Code; 36] = consecutive(
    0,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
);

const MATCH_CODES: [Code; 53] = consecutive(
    3,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
);

const OFFSET_CODES: [Code; 32] = offsets();

/// Codes for ranges that follow one another.
const fn consecutive<const N: usize>(mut base: u32, extra: [u8; N]) -> [Code; N] {
    let mut codes = [Code { base: 0, extra: 0 }; N];
    let mut at = 0;
    while at < N {
        codes[at] = Code { base, extra: extra[at] };
        base += 1 << extra[at];
        at += 1;
    }
    codes
}

/// From code 2 on, the offset itself. Before, the number of an offset that was there before, from 0 on.
const fn offsets() -> [Code; 32] {
    let mut codes = [Code { base: 0, extra: 0 }; 32];
    codes[1] = Code { base: 1, extra: 1 };
    let mut at = 2;
    while at < 32 {
        codes[at] = Code { base: (1 << at) - 3, extra: at as u8 };
        at += 1;
    }
    codes
}

static PREDEFINED_LITERALS: [Entry; 64] = table(
    &LITERAL_CODES,
    &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1,
        -1, -1, -1,
    ],
);

static PREDEFINED_MATCHES: [Entry; 64] = table(
    &MATCH_CODES,
    &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
);

static PREDEFINED_OFFSETS: [Entry; 32] = table(
    &OFFSET_CODES,
    &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
);

const fn table<const N: usize>(codes: &[Code], counts: &[i16]) -> [Entry; N] {
    let mut all = [0; 64];
    let mut at = 0;
    while at < counts.len() {
        all[at] = counts[at];
        at += 1;
    }
    let mut table = [Entry::ZERO; N];
    Distribution::new(all, N.ilog2()).fill(codes, &mut table);
    table
}

//! The alphabets of sequences: values of their codes, and predefined distributions.

use super::fse::{CodeRanges, Distribution, FseEntry};

/// Whether the predefined tables are computed at compile time. WebAssembly computes them at run time, for a smaller
/// download.
pub(super) const READY: bool = !cfg!(target_family = "wasm");

/// One of the three alphabets.
pub(super) struct Alphabet {
    pub(super) codes: CodeRanges,
    /// The maximum accuracy of a table.
    pub(super) most: u32,
    /// The predefined distribution, and its accuracy.
    pub(super) predefined: (&'static [i8], u32),
    /// Its table, if [`READY`].
    pub(super) table: &'static [FseEntry],
}

/// Literal lengths.
pub(super) static LITERALS: Alphabet =
    Alphabet { codes: LITERAL_CODES, most: 9, predefined: LITERAL_COUNTS, table: &LITERAL_TABLE };
/// Match lengths.
pub(super) static MATCHES: Alphabet =
    Alphabet { codes: MATCH_CODES, most: 9, predefined: MATCH_COUNTS, table: &MATCH_TABLE };
/// Offsets.
pub(super) static OFFSETS: Alphabet =
    Alphabet { codes: OFFSET_CODES, most: 8, predefined: OFFSET_COUNTS, table: &OFFSET_TABLE };
/// Weights of Huffman codes, which are their own values.
pub(super) const WEIGHTS: CodeRanges = CodeRanges { first: 0, extra: &[0; 13] };

/// Added to the values of the first two offset codes, to number the repeated offset.
pub(super) const REPEATED: u32 = 2;

const LITERAL_CODES: CodeRanges = CodeRanges {
    first: 0,
    extra: &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
};

const MATCH_CODES: CodeRanges = CodeRanges {
    first: 3,
    extra: &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
};

/// From code 2 on the values are offsets, starting with 1; earlier ones wrap around.
const OFFSET_CODES: CodeRanges = CodeRanges {
    first: 0u32.wrapping_sub(REPEATED),
    extra: &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
        28, 29, 30, 31,
    ],
};

const LITERAL_COUNTS: (&[i8], u32) = (
    &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1,
        -1, -1, -1,
    ],
    6,
);

const MATCH_COUNTS: (&[i8], u32) = (
    &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    6,
);

const OFFSET_COUNTS: (&[i8], u32) =
    (&[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5);

static LITERAL_TABLE: [FseEntry; ready(LITERAL_COUNTS)] = table(&LITERAL_CODES, LITERAL_COUNTS);
static MATCH_TABLE: [FseEntry; ready(MATCH_COUNTS)] = table(&MATCH_CODES, MATCH_COUNTS);
static OFFSET_TABLE: [FseEntry; ready(OFFSET_COUNTS)] = table(&OFFSET_CODES, OFFSET_COUNTS);

/// Entries of a table computed at compile time.
const fn ready((_, log): (&[i8], u32)) -> usize {
    if READY { 1 << log } else { 0 }
}

const fn table<const N: usize>(codes: &CodeRanges, counts: (&[i8], u32)) -> [FseEntry; N] {
    let mut table = [FseEntry::ZERO; N];
    if READY {
        Distribution::new(counts).fill(codes, &mut table);
    }
    table
}

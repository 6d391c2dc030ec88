//! The alphabets of sequences: what their codes stand for, and the distributions to begin with.

use super::fse::{Distribution, Entry};

/// Whether the tables of these distributions are there from the start. WebAssembly, which is loaded, makes them.
pub(super) const READY: bool = !cfg!(target_family = "wasm");

/// What the codes of an alphabet stand for: ranges that follow one another.
#[derive(Clone, Copy)]
pub(super) struct Codes {
    /// Where the range of the first code begins.
    pub(super) first: u32,
    /// How many bits tell the values of each range apart.
    pub(super) extra: &'static [u8],
}

impl Codes {
    /// Where the range of a code begins, and its bits.
    pub(super) fn get(&self, code: u8) -> Option<(u32, u8)> {
        let (before, rest) = self.extra.split_at_checked(code.into())?;
        let base = before.iter().fold(self.first, |base, &extra| base.wrapping_add(1 << extra));
        Some((base, *rest.first()?))
    }
}

/// One of the three alphabets.
pub(super) struct Alphabet {
    pub(super) codes: Codes,
    /// The greatest accuracy that a table may have.
    pub(super) most: u32,
    /// The distribution that needs no description, and its accuracy.
    pub(super) predefined: (&'static [i8], u32),
    /// Its table, if that is [`READY`].
    pub(super) table: &'static [Entry],
}

/// Lengths of literals.
pub(super) static LITERALS: Alphabet =
    Alphabet { codes: LITERAL_CODES, most: 9, predefined: LITERAL_COUNTS, table: &LITERAL_TABLE };
/// Lengths of matches.
pub(super) static MATCHES: Alphabet =
    Alphabet { codes: MATCH_CODES, most: 9, predefined: MATCH_COUNTS, table: &MATCH_TABLE };
/// Offsets.
pub(super) static OFFSETS: Alphabet =
    Alphabet { codes: OFFSET_CODES, most: 8, predefined: OFFSET_COUNTS, table: &OFFSET_TABLE };
/// Weights of Huffman codes, which stand for themselves.
pub(super) const WEIGHTS: Codes = Codes { first: 0, extra: &[0; 13] };

/// What is to be added to the value of the first two offset codes to number the offset that is repeated.
pub(super) const REPEATED: u32 = 2;

const LITERAL_CODES: Codes = Codes {
    first: 0,
    extra: &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
};

const MATCH_CODES: Codes = Codes {
    first: 3,
    extra: &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
};

/// From code 2 on the values are offsets, from 1 on; those before wrap around.
const OFFSET_CODES: Codes = Codes {
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

static LITERAL_TABLE: [Entry; ready(LITERAL_COUNTS)] = table(&LITERAL_CODES, LITERAL_COUNTS);
static MATCH_TABLE: [Entry; ready(MATCH_COUNTS)] = table(&MATCH_CODES, MATCH_COUNTS);
static OFFSET_TABLE: [Entry; ready(OFFSET_COUNTS)] = table(&OFFSET_CODES, OFFSET_COUNTS);

/// Entries of a table that is there from the start.
const fn ready((_, log): (&[i8], u32)) -> usize {
    if READY { 1 << log } else { 0 }
}

const fn table<const N: usize>(codes: &Codes, counts: (&[i8], u32)) -> [Entry; N] {
    let mut table = [Entry::ZERO; N];
    if READY {
        Distribution::new(counts).fill(codes, &mut table);
    }
    table
}

//! Codes of lengths and offsets, by the decoder's alphabets.

use crate::codec::zstd::codes::{Alphabet, LITERALS, MATCHES};

/// Codes of the lengths for which a code has few values.
static SHORT_LITERALS: [u8; 64] = short(&LITERALS);
static SHORT_MATCHES: [u8; 128] = short(&MATCHES);

/// The shortest match that has a code.
pub(super) const MIN_MATCH: u32 = 3;

const fn short<const N: usize>(alphabet: &Alphabet) -> [u8; N] {
    let mut table = [0; N];
    let (mut code, mut at) = (0, 0);
    while at < N {
        let mut values = 1 << alphabet.codes.extra[code];
        while values > 0 && at < N {
            table[at] = code as u8;
            at += 1;
            values -= 1;
        }
        code += 1;
    }
    table
}

/// The code of a number of literals.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn literals_code(len: u32) -> u8 {
    match SHORT_LITERALS.get(len as usize) {
        Some(code) => *code,
        None => len.ilog2() as u8 + 19,
    }
}

/// The code of the length of a match.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn match_code(len: u32) -> u8 {
    let more = len - MIN_MATCH;
    match SHORT_MATCHES.get(more as usize) {
        Some(code) => *code,
        None => more.ilog2() as u8 + 36,
    }
}

/// The code of an offset, or of a repeated one.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn offset_code(offset: u32) -> u8 {
    offset.ilog2() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic")]
    fn the_decoder_knows_them() {
        let check = |alphabet: &Alphabet, code: u8, len: u32| {
            let (base, extra) = alphabet.codes.get(code).unwrap();
            assert!(base <= len && len - base < 1 << extra, "{len}: code {code}");
        };
        for len in (0..3000).chain((0..16).flat_map(|bit| [(1 << bit) - 1, 1 << bit])).chain([131_071]) {
            check(&LITERALS, literals_code(len), len);
            check(&MATCHES, match_code(len + MIN_MATCH), len + MIN_MATCH);
        }
    }
}

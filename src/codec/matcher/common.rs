//! Bytes that are the same.

use crate::base::SMALL_ENCODERS;

/// The `N` bytes at `at`.
#[inline(always)]
pub(in crate::codec) fn read<const N: usize>(src: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&src[at..][..N]);
    bytes
}

/// How many bytes from `at` on, and before `end`, are those from `candidate` on, which lies before `at`.
#[inline(always)]
pub(in crate::codec) fn common(src: &[u8], candidate: usize, at: usize, end: usize) -> usize {
    let ahead = &src[at..end];
    let behind = &src[candidate..][..ahead.len()];
    if SMALL_ENCODERS {
        return ahead.iter().zip(behind).take_while(|(a, b)| a == b).count();
    }
    let mut len = 0;
    // Most matches are short.
    if ahead.len() >= 8 {
        match differing(ahead, behind, 0) {
            8 => len = 8,
            short => return short,
        }
    }
    // Finding the difference in these 32 bytes without a branch took a fifth more time in all: the comparison was no
    // longer one of vectors.
    while len + 32 <= ahead.len() && read::<32>(ahead, len) == read::<32>(behind, len) {
        len += 32;
    }
    while len + 8 <= ahead.len() {
        match differing(ahead, behind, len) {
            8 => len += 8,
            rest => return len + rest,
        }
    }
    while len < ahead.len() && ahead[len] == behind[len] {
        len += 1;
    }
    len
}

/// How many of the eight bytes at `at` are the same, up to the first that is not.
#[inline(always)]
fn differing(a: &[u8], b: &[u8], at: usize) -> usize {
    let difference = u64::from_le_bytes(read(a, at)) ^ u64::from_le_bytes(read(b, at));
    difference.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_up_to_the_first_difference_and_the_end() {
        for len in 0..150 {
            let mut src = [7; 300];
            src[100 + len] = 8;
            assert_eq!(common(&src, 90, 100, 290), len, "a difference");
            assert_eq!(common(&[7; 300], 90, 100, 100 + len), len, "the end");
        }
    }
}

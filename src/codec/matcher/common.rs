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
    let ahead = src.get(at..end).unwrap_or_default();
    let behind = src.get(candidate..).and_then(|src| src.get(..ahead.len())).unwrap_or_default();
    if SMALL_ENCODERS {
        return ahead.iter().zip(behind).take_while(|(a, b)| a == b).count();
    }
    // Most matches are short.
    let first = differing(ahead, behind);
    if first < 8 {
        return first;
    }
    long(ahead, behind)
}

/// Length of a long match. WebAssembly has one copy of this function.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn long(ahead: &[u8], behind: &[u8]) -> usize {
    // In WebAssembly `==` is a call that compares byte by byte.
    let whole = ahead
        .as_chunks::<32>()
        .0
        .iter()
        .zip(behind.as_chunks().0)
        .take_while(|(a, b)| if cfg!(target_family = "wasm") { different(a, b) == 32 } else { a == b })
        .count();
    let (ahead, behind) = (&ahead[32 * whole..], &behind[32 * whole..]);
    let more = match (ahead.first_chunk(), behind.first_chunk()) {
        (Some(ahead), Some(behind)) => different(ahead, behind),
        _ => ahead.iter().zip(behind).take_while(|(a, b)| a == b).count(),
    };
    32 * whole + more
}

/// How many of the first eight bytes are the same, up to the first that is not; 8 if there are fewer.
#[inline(always)]
fn differing(a: &[u8], b: &[u8]) -> usize {
    match (a.first_chunk(), b.first_chunk()) {
        (Some(a), Some(b)) => (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)).trailing_zeros() as usize / 8,
        _ => 8,
    }
}

/// The first of these bytes that is not the same.
#[inline(always)]
fn different(a: &[u8; 32], b: &[u8; 32]) -> usize {
    let word = |at: usize| u64::from_le_bytes(read(a, at)) ^ u64::from_le_bytes(read(b, at));
    let (first, second, third, fourth) = (word(0), word(8), word(16), word(24));
    let low = if first != 0 { first.trailing_zeros() } else { 64 + second.trailing_zeros() };
    let high = if third != 0 { 128 + third.trailing_zeros() } else { 192 + fourth.trailing_zeros() };
    (if first | second != 0 { low } else { high }) as usize / 8
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

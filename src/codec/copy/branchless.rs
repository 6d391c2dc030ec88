//! Copies of matches without a question about them that could be guessed wrong.

#[cfg(doc)]
use super::short;
use super::{SHORT, SLACK, block, window};

/// The longest match that [`tiny_any`] copies.
pub(in crate::codec) const TINY: usize = 8;

/// The longest match that [`middle`] copies.
pub(in crate::codec) const MIDDLE: usize = 64;

/// Copies a match as [`short`] does, in one way for all distances: it takes longer and cannot be guessed wrong.
///
/// What is stored first is the pattern that a near match repeats, or the bytes themselves. What is stored next begins
/// after whole patterns, and is those bytes again.
#[inline(always)]
pub(in crate::codec) fn short_any(dst: &mut [u8], at: usize, dist: usize) -> bool {
    let (back, period) = (dist.max(8), dist.min(8));
    let Some(window) = window(dst, at, back, SHORT + SLACK) else { return false };
    // The mask shows that there is room.
    let whole = usize::from(WHOLE[period] & 15);
    let first = repeated(window, period);
    window[back..][..8].copy_from_slice(&first);
    let second = eight(window, 8);
    window[back..][whole..][..8].copy_from_slice(&second);
    let third = eight(window, 8 + (period & 8));
    window[back..][2 * whole..][..8].copy_from_slice(&third);
    dist != 0
}

/// Copies a match of up to 8 bytes in the same way.
#[inline(always)]
pub(in crate::codec) fn tiny_any(dst: &mut [u8], at: usize, dist: usize) -> bool {
    let (back, period) = (dist.max(8), dist.min(8));
    let Some(window) = window(dst, at, back, TINY) else { return false };
    let pattern = repeated(window, period);
    window[back..][..TINY].copy_from_slice(&pattern);
    dist != 0
}

/// The last `period` of the first 8 bytes, again and again.
#[inline(always)]
fn repeated(window: &[u8], period: usize) -> [u8; 8] {
    let last = u64::from_le_bytes(eight(window, 0));
    (last >> ((64 - 8 * period) & 63)).wrapping_mul(TIMES[period]).to_le_bytes()
}

#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> [u8; 8] {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    eight
}

/// Copies a match for `len <= MIDDLE` and `dist >= 32`. False where there is nothing at that
/// distance, or no room.
#[inline(always)]
pub(in crate::codec) fn middle(dst: &mut [u8], at: usize, dist: usize) -> bool {
    let Some(window) = window(dst, at, dist, MIDDLE) else { return false };
    block::<32>(window, 0, dist);
    block::<32>(window, 32, dist + 32);
    true
}

/// Multiplies a pattern of so many bytes into 8.
const TIMES: [u64; 9] = {
    let mut table = [1; 9];
    let mut dist = 1;
    while dist < 8 {
        let mut at = dist;
        while at < 8 {
            table[dist] |= 1 << (8 * at);
            at += dist;
        }
        dist += 1;
    }
    table
};

/// Bytes in as many whole patterns of so many bytes as 8 hold.
const WHOLE: [u8; 9] = [8, 8, 8, 6, 8, 5, 6, 7, 8];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::copy::exact;
    use alloc::vec::Vec;

    #[test]
    fn equals_the_exact_copy() {
        for (dist, len) in (1..70).flat_map(|dist| (1..=MIDDLE).map(move |len| (dist, len))) {
            let start: Vec<u8> = (0..200).map(|i| (i * 7 + 3) as u8).collect();
            let (mut a, mut b) = (start.clone(), start);
            exact(&mut a, 70, dist, len);
            if len <= TINY {
                let mut c = b.clone();
                assert!(tiny_any(&mut c, 70, dist));
                assert_eq!(a[..70 + len], c[..70 + len], "tiny, distance {dist}, length {len}");
            }
            if len <= SHORT {
                assert!(short_any(&mut b, 70, dist));
                assert_eq!(a[..70 + len], b[..70 + len], "short, distance {dist}, length {len}");
            } else if dist >= 32 {
                assert!(middle(&mut b, 70, dist));
                assert_eq!(a[..70 + len], b[..70 + len], "middle, distance {dist}, length {len}");
            }
        }
    }

    #[test]
    fn refuses_what_is_not_there() {
        for len in [0, 7, 8, 40, 71, 200] {
            for (at, dist) in [(0, 1), (0, 0), (7, 8), (20, 0), (20, 21), (20, 65535), (70, 71), (len, 1)] {
                let mut dst = alloc::vec![7; len];
                assert!(!short_any(&mut dst, at, dist));
                assert!(!tiny_any(&mut dst, at, dist));
                assert!(dist < 32 || !middle(&mut dst, at, dist));
            }
        }
    }
}

//! Copies of matches without unpredictable branches.

#[cfg(doc)]
use super::short;
use super::{MANY, SHORT, SLACK, block, wide, window};
use crate::simd::Instructions;

/// The longest match that [`tiny_any`] copies.
pub(in crate::codec) const TINY: usize = 8;

/// The longest match that [`middle`] copies.
pub(in crate::codec) const MIDDLE: usize = 64;

/// Copies a match like [`short`], but without a branch on the distance: 16 bytes of the pattern that a near match
/// repeats, or of the match itself, then two more.
#[inline(always)]
pub(in crate::codec) fn short_any(dst: &mut [u8], at: usize, dist: usize, repeat: impl Instructions) -> bool {
    let Some(from) = at.checked_sub(dist) else { return false };
    let Some(&start) = chunk(dst, from) else { return false };
    let Some(to) = chunk_mut::<SHORT>(dst, at) else { return false };
    to[..16].copy_from_slice(&repeat.repeat(start, dist));
    let Some(written) = chunk::<SHORT>(dst, from) else { return false };
    // At a distance of 1 there is only one of them.
    let next = (dist + 14).min(16);
    let next = [written[next], written[next + 1]];
    let Some(to) = chunk_mut::<SHORT>(dst, at) else { return false };
    to[16..].copy_from_slice(&next);
    dist != 0
}

/// Copies a match of up to 8 bytes in the same way.
#[inline(always)]
pub(in crate::codec) fn tiny_any(dst: &mut [u8], at: usize, dist: usize, repeat: impl Instructions) -> bool {
    let Some(from) = at.checked_sub(dist) else { return false };
    let Some(start) = chunk::<TINY>(dst, from) else { return false };
    let mut bytes = [0; 16];
    bytes[..TINY].copy_from_slice(start);
    let repeated = repeat.repeat(bytes, dist);
    let Some(to) = chunk_mut::<16>(dst, at) else { return false };
    to[..TINY].copy_from_slice(&repeated[..TINY]);
    dist != 0
}

#[inline(always)]
fn chunk<const N: usize>(dst: &[u8], at: usize) -> Option<&[u8; N]> {
    dst.get(at..)?.first_chunk()
}

#[inline(always)]
fn chunk_mut<const N: usize>(dst: &mut [u8], at: usize) -> Option<&mut [u8; N]> {
    dst.get_mut(at..)?.first_chunk_mut()
}

/// Copies a match with `len <= MIDDLE` and `dist >= 32`. Returns false if the distance is invalid or there is no room.
#[inline(always)]
pub(in crate::codec) fn middle(dst: &mut [u8], at: usize, dist: usize) -> bool {
    let Some(window) = window(dst, at, dist, MIDDLE) else { return false };
    block::<32>(window, 0, dist);
    block::<32>(window, 32, dist + 32);
    true
}

/// Copies a match of any length, with an overrun of up to [`SLACK`] bytes.
///
/// `0 < dist <= at` and `at + len + SLACK <= dst.len()`.
#[inline(always)]
pub(in crate::codec) fn long(dst: &mut [u8], at: usize, dist: usize, len: usize, repeat: impl Instructions) {
    if MANY && dist < 16 {
        near(dst, at, dist, len, repeat);
    } else {
        wide(dst, at, dist, len);
    }
}

/// Copies a match that repeats less than 16 bytes, with an overrun of up to [`SLACK`] bytes.
///
/// `0 < dist < 16`, `dist <= at` and `at + len + SLACK <= dst.len()`.
#[inline(always)]
fn near(dst: &mut [u8], at: usize, dist: usize, len: usize, repeat: impl Instructions) {
    // A vector: the compiler stores a pattern from a product 8 bytes at a time.
    let window = &mut dst[at - dist..][..dist + len + SLACK];
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&window[..16]);
    let repeated = repeat.repeat(bytes, dist);
    let (room, whole) = (&mut window[dist..], usize::from(WHOLE[dist & 15]));
    if whole == 16 {
        let mut twice = [0; 32];
        twice[..16].copy_from_slice(&repeated);
        twice[16..].copy_from_slice(&repeated);
        for two in room.as_chunks_mut().0.iter_mut().take(len.div_ceil(32)) {
            *two = twice;
        }
        return;
    }
    for to in (0..len).step_by(whole) {
        room[to..to + 16].copy_from_slice(&repeated);
    }
}

/// Bytes in the whole repetitions that fit in 16 bytes, by the length of the pattern.
const WHOLE: [u8; 16] = [16, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::copy::exact;
    use crate::simd::{Work, widest};
    use alloc::vec::Vec;

    /// A match to copy with the instructions that repeat patterns here.
    struct Match<'a, const TINY: bool> {
        dst: &'a mut [u8],
        at: usize,
        dist: usize,
    }

    impl<const TINY: bool> Work for Match<'_, TINY> {
        type Output = bool;

        #[inline(always)]
        fn run(self, repeat: impl Instructions) -> bool {
            let Self { dst, at, dist } = self;
            if TINY { tiny_any(dst, at, dist, repeat) } else { short_any(dst, at, dist, repeat) }
        }
    }

    fn tiny(dst: &mut [u8], at: usize, dist: usize) -> bool {
        widest(Match::<true> { dst, at, dist })
    }

    fn short(dst: &mut [u8], at: usize, dist: usize) -> bool {
        widest(Match::<false> { dst, at, dist })
    }

    #[test]
    fn equals_the_exact_copy() {
        for (dist, len) in (1..70).flat_map(|dist| (1..=MIDDLE).map(move |len| (dist, len))) {
            let start: Vec<u8> = (0..200).map(|i| (i * 7 + 3) as u8).collect();
            let (mut a, mut b) = (start.clone(), start);
            exact(&mut a, 70, dist, len);
            if len <= TINY {
                let mut c = b.clone();
                assert!(tiny(&mut c, 70, dist));
                assert_eq!(a[..70 + len], c[..70 + len], "tiny, distance {dist}, length {len}");
            }
            if len <= SHORT {
                assert!(short(&mut b, 70, dist));
                assert_eq!(a[..70 + len], b[..70 + len], "short, distance {dist}, length {len}");
            } else if dist >= 32 {
                assert!(middle(&mut b, 70, dist));
                assert_eq!(a[..70 + len], b[..70 + len], "middle, distance {dist}, length {len}");
            }
        }
    }

    struct Long<'a> {
        dst: &'a mut [u8],
        dist: usize,
        len: usize,
    }

    impl Work for Long<'_> {
        type Output = ();

        #[inline(always)]
        fn run(self, repeat: impl Instructions) {
            long(self.dst, 70, self.dist, self.len, repeat);
        }
    }

    #[test]
    fn long_matches_equal_the_exact_copy() {
        for (dist, len) in (1..20).flat_map(|dist| [19, 64, 65, 272, 1025, 3000].map(|len| (dist, len))) {
            let start: Vec<u8> = (0..70 + len + SLACK).map(|i| (i * 7 + 3) as u8).collect();
            let (mut a, mut b) = (start.clone(), start);
            exact(&mut a, 70, dist, len);
            widest(Long { dst: &mut b, dist, len });
            assert_eq!(a[..70 + len], b[..70 + len], "distance {dist}, length {len}");
        }
    }

    #[test]
    fn refuses_what_is_not_there() {
        for len in [0, 7, 8, 40, 71, 200] {
            for (at, dist) in [(0, 1), (0, 0), (7, 8), (20, 0), (20, 21), (20, 65535), (70, 71), (len, 1)] {
                let mut dst = alloc::vec![7; len];
                assert!(!short(&mut dst, at, dist));
                assert!(!tiny(&mut dst, at, dist));
                assert!(dist < 32 || !middle(&mut dst, at, dist));
            }
        }
    }
}

//! Copies within the output: what every LZ77 decoder spends its time on.
//!
//! A match copies `len` bytes from `dist` bytes before. Where it overlaps itself it repeats a pattern of
//! `dist` bytes, and shuffled data has mostly such matches.

/// Bytes that [`wide`] may write beyond the end of its match.
pub(super) const SLACK: usize = 32;

/// Matches longer than this are left to the library's `memmove` and `memset`.
const LONG: usize = 128;

/// Copies the match `dst[at - dist..][..len]` to `dst[at..]` and not a byte more.
///
/// `0 < dist <= at` and `at + len <= dst.len()`.
pub(super) fn exact(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let from = at - dist;
    if dist == 1 {
        let byte = dst[from];
        return dst[at..at + len].fill(byte);
    }
    // What has been copied continues the pattern, so that each copy may be as long as all before it.
    let mut done = 0;
    while done < len {
        let n = (dist + done).min(len - done);
        dst.copy_within(from..from + n, at + done);
        done += n;
    }
}

/// Copies the match as [`exact`] does and leaves up to [`SLACK`] bytes of anything behind it.
///
/// `0 < dist <= at` and `at + len + SLACK <= dst.len()`.
#[inline(always)]
pub(super) fn wide(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    if len > LONG {
        exact(dst, at, dist, len);
    } else if dist >= 32 {
        steps::<32>(dst, at, dist, len);
    } else if dist >= 16 {
        steps::<16>(dst, at, dist, len);
    } else {
        pattern(dst, at, dist, len);
    }
}

/// Copies `N` bytes at a time; no step reads what it writes, as `dist >= N`.
#[inline(always)]
fn steps<const N: usize>(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let mut to = at;
    loop {
        dst.copy_within(to - dist..to - dist + N, to);
        to += N;
        if to >= at + len {
            break;
        }
    }
}

/// Repeats a pattern of less than 16 bytes from a register: memory that was just written, by stores of
/// other sizes, is slow to read back.
#[inline(always)]
fn pattern(dst: &mut [u8], at: usize, dist: usize, len: usize) {
    let Some(bytes) = dst[at - dist..].first_chunk::<16>() else { return };
    let (repeated, step) = if dist > 8 { (*bytes, dist) } else { repeat(bytes, dist) };
    let mut to = at;
    loop {
        dst[to..to + 16].copy_from_slice(&repeated);
        to += step;
        if to >= at + len {
            break;
        }
    }
}

/// The first `dist <= 8` bytes again and again, and how many of the 16 are whole patterns.
#[inline(always)]
fn repeat(bytes: &[u8; 16], dist: usize) -> ([u8; 16], usize) {
    let Period { mask, times, step } = PERIODS[dist & 15];
    let low = u128::from_le_bytes(*bytes) & mask;
    (low.wrapping_mul(times).to_le_bytes(), usize::from(step))
}

#[derive(Clone, Copy)]
struct Period {
    /// Selects the pattern.
    mask: u128,
    /// Multiplies the pattern into its copies.
    times: u128,
    /// Bytes in as many whole patterns as 16 bytes hold.
    step: u8,
}

const PERIODS: [Period; 16] = periods();

const fn periods() -> [Period; 16] {
    let mut table = [Period { mask: u128::MAX, times: 1, step: 16 }; 16];
    let mut dist = 1;
    while dist < 16 {
        let mut times = 0;
        let mut at = 0;
        while at < 16 {
            times |= 1 << (8 * at);
            at += dist;
        }
        table[dist] = Period { mask: (1 << (8 * dist)) - 1, times, step: (16 - 16 % dist) as u8 };
        dist += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn bytewise(dst: &mut [u8], at: usize, dist: usize, len: usize) {
        for i in at..at + len {
            dst[i] = dst[i - dist];
        }
    }

    #[test]
    fn equals_the_bytewise_copy() {
        for dist in 1..70 {
            for len in (1..300).step_by(1 + dist % 3) {
                let start: Vec<u8> = (0..70 + len + SLACK).map(|i| (i * 7 + 3) as u8).collect();
                let (mut a, mut b, mut c) = (start.clone(), start.clone(), start.clone());
                bytewise(&mut a, 70, dist, len);
                exact(&mut b, 70, dist, len);
                wide(&mut c, 70, dist, len);
                assert_eq!(a, b, "exact, distance {dist}, length {len}");
                assert_eq!(a[..70 + len], c[..70 + len], "wide, distance {dist}, length {len}");
            }
        }
    }
}

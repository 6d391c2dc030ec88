//! Copies of matches, which have at most 258 bytes in deflate.

use crate::codec::Corrupt;
use crate::codec::copy::{block, exact, wide};

/// Bytes copied at once.
const STEP: usize = 64;

/// Copies a match, with an overrun of up to [`STEP`] bytes.
///
/// Branches on the distance before the length: most matches are far enough, and a misprediction on each costs more
/// than the bytes copied in vain.
#[inline(always)]
pub(super) fn copy(dst: &mut [u8], at: usize, dist: usize, len: usize) -> Result<(), Corrupt> {
    // Too large a distance wraps around to an index out of bounds.
    let rest = dst.get_mut(at.wrapping_sub(dist)..);
    let Some(window) = rest.and_then(|rest| rest.get_mut(..dist + len + STEP)) else {
        return careful(dst, at, dist, len);
    };
    if dist >= 16 {
        steps(window, dist, len);
    } else if dist.is_power_of_two() {
        repeat(window, dist, len);
    } else {
        wide(dst, at, dist, len);
    }
    Ok(())
}

#[inline(always)]
fn steps(window: &mut [u8], dist: usize, len: usize) {
    let mut from = 0;
    while from < len {
        let step = &mut window[from..from + dist + STEP];
        for part in (0..STEP).step_by(16) {
            block::<16>(step, part, part + dist);
        }
        from += STEP;
    }
}

/// Repeats 1, 2, 4 or 8 bytes, multiplied in a register.
#[inline(always)]
fn repeat(window: &mut [u8], dist: usize, len: usize) {
    let Some((first, _)) = window.split_first_chunk() else { return };
    let (mask, times) = [
        (0xFF, 0x0101_0101_0101_0101),
        (0xFFFF, 0x0001_0001_0001_0001),
        (0xFFFF_FFFF, 0x0000_0001_0000_0001),
        (u64::MAX, 1),
    ][dist.trailing_zeros() as usize & 3];
    let all = [((u64::from_le_bytes(*first) & mask).wrapping_mul(times)).to_le_bytes(); STEP / 8];
    for step in window[dist..].as_chunks_mut::<STEP>().0.iter_mut().take(len.div_ceil(STEP)) {
        step.copy_from_slice(all.as_flattened());
    }
}

/// Copies a match near the end, or fails if the distance is invalid.
#[inline(never)]
pub(super) fn careful(dst: &mut [u8], at: usize, dist: usize, len: usize) -> Result<(), Corrupt> {
    if dist > at || len > dst.len() - at {
        return Err(Corrupt);
    }
    exact(dst, at, dist, len);
    Ok(())
}

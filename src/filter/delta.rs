//! DELTA and BYTEDELTA, undone.

use super::{BYTEDELTA_BUGGY, Block};
use crate::simd;

/// Undoes DELTA (FORMAT §5.3). The first block of a chunk is a running XOR; every other one was XORed with the
/// plain bytes of the first. Bytes past the last whole unit were never encoded.
pub(super) fn delta_backward(block: &Block<'_>, bytes: &mut [u8]) {
    let unit = match block.typesize {
        ts @ (1 | 2 | 4 | 8) => ts,
        ts if ts.is_multiple_of(8) => 8,
        _ => 1,
    };
    let whole = bytes.len() / unit * unit;
    match block.first {
        None => simd::prefix_xor(unit, &mut bytes[..whole]),
        Some(first) => {
            let whole = whole.min(first.len());
            simd::xor_with(&mut bytes[..whole], &first[..whole]);
        }
    }
}

/// Undoes BYTEDELTA (FORMAT §5.6) and its buggy predecessor (§5.7): running sums over `streams` equal parts. What
/// is left after them was never encoded.
pub(super) fn bytedelta_backward(id: u8, streams: usize, src: &[u8], dst: &mut [u8]) {
    let len = src.len() / streams.max(1);
    let rest = len * streams;
    dst[rest..].copy_from_slice(&src[rest..]);
    if len == 0 {
        return;
    }
    // The first release worked on 16 bytes at a time and forgot its accumulator before the rest.
    let restart = if id == BYTEDELTA_BUGGY { len / 16 * 16 } else { len };
    for (src, dst) in src[..rest].chunks_exact(len).zip(dst[..rest].chunks_exact_mut(len)) {
        simd::bytedelta_decode(&src[..restart], &mut dst[..restart]);
        simd::bytedelta_decode(&src[restart..], &mut dst[restart..]);
    }
}

//! DELTA and BYTEDELTA, and their inverses.

use super::{BYTEDELTA_BUGGY, BlockInfo};
use crate::simd;

/// Undoes DELTA (FORMAT §5.3). The first block of a chunk is a running XOR; every other block is XORed with the
/// decoded first block. Bytes after the last whole unit are not encoded.
pub(super) fn delta_backward(block: &BlockInfo<'_>, bytes: &mut [u8]) {
    let unit = delta_unit(block.typesize);
    let whole = bytes.len() / unit * unit;
    match block.first {
        None => simd::prefix_xor(unit, &mut bytes[..whole]),
        Some(first) => {
            let whole = whole.min(first.len());
            simd::xor_with(&mut bytes[..whole], &first[..whole]);
        }
    }
}

/// Bytes that DELTA treats as one unit.
pub(super) const fn delta_unit(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        ts if ts.is_multiple_of(8) => 8,
        _ => 1,
    }
}

/// Applies DELTA, the inverse of [`delta_backward`].
pub(super) fn delta_forward(block: &BlockInfo<'_>, bytes: &mut [u8]) {
    let unit = delta_unit(block.typesize);
    let whole = bytes.len() / unit * unit;
    match block.first {
        None => {
            for at in (unit..whole).rev() {
                bytes[at] ^= bytes[at - unit];
            }
        }
        Some(first) => {
            let whole = whole.min(first.len());
            simd::xor_with(&mut bytes[..whole], &first[..whole]);
        }
    }
}

/// Applies BYTEDELTA: differences within each of `streams` equal parts. Bytes after them are copied.
pub(super) fn bytedelta_forward(streams: usize, src: &[u8], dst: &mut [u8]) {
    let len = src.len() / streams.max(1);
    let rest = len * streams;
    dst[rest..].copy_from_slice(&src[rest..]);
    if len > 0 {
        let parts = src[..rest].chunks_exact(len).zip(dst[..rest].chunks_exact_mut(len));
        parts.for_each(|(src, dst)| simd::bytedelta_encode(src, dst));
    }
}

/// Undoes BYTEDELTA (FORMAT §5.6) and its buggy predecessor (§5.7): prefix sums of `streams` equal parts. Bytes after
/// them are not encoded.
pub(super) fn bytedelta_backward(id: u8, streams: usize, src: &[u8], dst: &mut [u8]) {
    let len = src.len() / streams.max(1);
    let rest = len * streams;
    dst[rest..].copy_from_slice(&src[rest..]);
    if len == 0 {
        return;
    }
    // The first release worked on 16 bytes at a time and lost its accumulator before the remainder.
    let restart = if id == BYTEDELTA_BUGGY { len / 16 * 16 } else { len };
    for (src, dst) in src[..rest].chunks_exact(len).zip(dst[..rest].chunks_exact_mut(len)) {
        simd::bytedelta_decode(&src[..restart], &mut dst[..restart]);
        simd::bytedelta_decode(&src[restart..], &mut dst[restart..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::BYTEDELTA;
    use crate::filter::HostFilters;

    const fn block(typesize: usize, first: Option<&[u8]>) -> BlockInfo<'_> {
        BlockInfo {
            typesize,
            itemsize: typesize,
            first,
            blockshape: &[],
            early_bitshuffle: false,
            host: HostFilters::NONE,
        }
    }

    #[test]
    fn delta_leaves_the_last_part_of_a_unit_alone() {
        let mut bytes = [1, 2, 3, 4, 5];
        delta_backward(&block(2, None), &mut bytes);
        assert_eq!(bytes, [1, 2, 2, 6, 5]);
        let mut bytes = [1, 2, 3, 4, 5];
        delta_backward(&block(2, Some(&[1; 8])), &mut bytes);
        assert_eq!(bytes, [0, 3, 2, 5, 5]);
        let mut bytes = [1, 2, 3];
        delta_backward(&block(3, None), &mut bytes);
        assert_eq!(bytes, [1, 3, 0], "three bytes are no unit");
    }

    #[test]
    fn the_buggy_bytedelta_restarts() {
        let (src, mut dst) = ([1; 20], [0; 20]);
        bytedelta_backward(BYTEDELTA, 1, &src, &mut dst);
        assert_eq!(dst[15..], [16, 17, 18, 19, 20]);
        bytedelta_backward(BYTEDELTA_BUGGY, 1, &src, &mut dst);
        assert_eq!(dst[15..], [16, 1, 2, 3, 4]);
        bytedelta_backward(BYTEDELTA, 3, &src, &mut dst);
        assert_eq!(dst[5..8], [6, 1, 2]);
        assert_eq!(dst[18..], [1, 1], "what is left over was never encoded");
        bytedelta_backward(BYTEDELTA, 30, &src, &mut dst);
        assert_eq!(dst, [1; 20], "more streams than bytes");
    }
}

//! Operations without vectors: where there are none, and for the remainders at the ends.
//!
//! The loops take the element size as a constant, so that the compiler can vectorise them. For some sizes that is the
//! fastest way.

use super::byte::Byte;
use super::shape::PlaneLayout;
use crate::base::SMALL;

/// Elements `from..count` to planes.
#[inline(always)]
pub(super) fn shuffle_from(from: usize, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let PlaneLayout { count, stride, width, pitch } = layout;
    for j in 0..width {
        let mut at = from * stride + j;
        for byte in dst.get_mut(j * pitch + from..j * pitch + count).unwrap_or_default() {
            if let Some(value) = src.get(at) {
                *byte = *value;
            }
            at += stride;
        }
    }
}

/// Elements `from..count` from planes.
#[inline(always)]
pub(super) fn unshuffle_from(from: usize, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let PlaneLayout { count, stride, width, pitch } = layout;
    for j in 0..width {
        let mut at = from * stride + j;
        for value in src.get(j * pitch + from..j * pitch + count).unwrap_or_default() {
            if let Some(byte) = dst.get_mut(at) {
                *byte = *value;
            }
            at += stride;
        }
    }
}

/// All elements of `T` bytes to planes. Returns how many there are, or 0 if `dst` has no room.
#[inline(always)]
pub(super) fn shuffle_packed<const T: usize>(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    let elements = src.as_chunks::<T>().0;
    for j in 0..T {
        let plane = dst.get_mut(j * layout.pitch..).and_then(|dst| dst.get_mut(..layout.count));
        let Some(plane) = plane else { return 0 };
        for (byte, element) in plane.iter_mut().zip(elements) {
            *byte = element[j];
        }
    }
    layout.count
}

/// All elements of `T` bytes from planes. Returns their number.
#[inline(always)]
pub(super) fn unshuffle_packed<const T: usize>(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    let planes: [&[u8]; T] = core::array::from_fn(|j| &src[j * layout.pitch..][..layout.count]);
    join(planes, &mut dst[..layout.count * T]);
    layout.count
}

/// Elements of `T` bytes, as many as `dst` has room for, from planes that lie anywhere.
#[inline(always)]
pub(super) fn join<B: Byte, const T: usize>(planes: [&[u8]; T], dst: &mut [B]) {
    for (i, element) in dst.as_chunks_mut::<T>().0.iter_mut().enumerate() {
        for j in 0..T {
            element[j] = B::new(planes[j][i]);
        }
    }
}

/// Elements to planes.
pub(super) fn shuffle(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    match layout.stride {
        2 => _ = shuffle_packed::<2>(layout, src, dst),
        4 => _ = shuffle_packed::<4>(layout, src, dst),
        8 => _ = shuffle_packed::<8>(layout, src, dst),
        _ => shuffle_from(0, layout, src, dst),
    }
}

/// Planes to elements.
pub(super) fn unshuffle(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    match layout.stride {
        _ if SMALL => unshuffle_from(0, layout, src, dst),
        2 => _ = unshuffle_packed::<2>(layout, src, dst),
        4 => _ = unshuffle_packed::<4>(layout, src, dst),
        8 => _ = unshuffle_packed::<8>(layout, src, dst),
        _ => unshuffle_from(0, layout, src, dst),
    }
}

/// Elements to rows of bits, eight elements at a time; `layout.pitch` is the distance between the planes of 8 rows.
pub(super) fn bitshuffle(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let row = layout.count / 8;
    for plane in 0..layout.width {
        for group in 0..row {
            let bytes = core::array::from_fn(|e| src[(8 * group + e) * layout.stride + plane]);
            for (k, byte) in transpose_bits(bytes).into_iter().enumerate() {
                dst[plane * layout.pitch + k * row + group] = byte;
            }
        }
    }
}

/// Rows of bits to elements.
pub(super) fn bitunshuffle(layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let row = layout.count / 8;
    for group in 0..row {
        for plane in 0..layout.width {
            let bytes = core::array::from_fn(|k| src[plane * layout.pitch + k * row + group]);
            for (e, byte) in transpose_bits(bytes).into_iter().enumerate() {
                dst[(8 * group + e) * layout.stride + plane] = byte;
            }
        }
    }
}

/// Bit `i` of byte `j` to bit `j` of byte `i`: exchanges halves, then quarters within the halves, then bits.
#[inline(always)]
fn transpose_bits(bytes: [u8; 8]) -> [u8; 8] {
    let swap = |x: u64, shift: u32, mask: u64| {
        let differ = (x ^ (x >> shift)) & mask;
        x ^ differ ^ (differ << shift)
    };
    let x = u64::from_le_bytes(bytes);
    let x = swap(x, 28, 0x0000_0000_f0f0_f0f0);
    let x = swap(x, 14, 0x0000_cccc_0000_cccc);
    swap(x, 7, 0x00aa_00aa_00aa_00aa).to_le_bytes()
}

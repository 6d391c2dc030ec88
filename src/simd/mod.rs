//! Byte and bit transpositions with SIMD; the only `unsafe` code of the crate.
//!
//! Every function here is safe, gives the same result on every machine, and takes any lengths; different lengths of
//! source and destination are a debug assertion. `README.md` tells what else was tried.
#![cfg_attr(
    not(any(
        feature = "nightly",
        all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    )),
    allow(dead_code, reason = "without vectors only the plain loops run")
)]

#[cfg(feature = "alloc")]
mod append;
mod byte;
mod delta;
mod dispatch;
mod kernels;

mod network;
mod opaque;
mod prefetch;
mod scalar;
mod shape;
mod vector;
mod widest;
mod work;

#[cfg(all(
    not(feature = "nightly"),
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(feature = "nightly")]
mod portable;
#[cfg(all(not(feature = "nightly"), target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod x86;

#[cfg(all(not(feature = "nightly"), target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod probe;
#[cfg(all(not(feature = "nightly"), target_arch = "x86_64", target_feature = "sse2"))]
mod threes;
#[cfg(all(not(feature = "nightly"), target_arch = "x86_64", target_feature = "sse2"))]
mod zmm;

#[cfg(test)]
mod tests;

#[cfg(feature = "alloc")]
pub(crate) use append::append_joined;
pub(crate) use delta::{bytedelta_encode, prefix_xor, xor_with};
pub(crate) use opaque::opaque;
pub(crate) use prefetch::prefetch;
pub(crate) use widest::widest;
pub(crate) use work::{Baseline, Instructions, Work};

use kernels::{Bitshuffle, Bitunshuffle, Join, Shuffle, Unshuffle};

/// The instruction set in use: "avx512", "avx2", "sse2", "neon", "simd128", "portable" or "scalar".
pub(crate) fn backend() -> &'static str {
    dispatch::backend()
}

/// Byte `j` of element `i` goes from `i * typesize + j` to `j * n + i`. Bytes after the `n` whole elements are copied;
/// with a typesize of 0 or 1, everything is.
pub(crate) fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    transpose(dispatch::run::<Shuffle>, typesize, 1, src, dst);
}

/// Undoes [`shuffle`].
pub(crate) fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    transpose(dispatch::run::<Unshuffle>, typesize, 1, src, dst);
}

/// Undoes [`shuffle`] where the planes, of 2, 4 or 8, need not lie one after the other. All have one length.
pub(crate) fn join(planes: &[&[u8]], dst: &mut [u8]) {
    debug_assert!(matches!(planes.len(), 2 | 4 | 8));
    debug_assert!(planes.iter().all(|plane| plane.len() * planes.len() == dst.len()));
    dispatch::run::<Join<u8>>(planes.len(), planes, dst);
}

/// Bit `k` of byte `b` of element `i` goes to bit `i` of row `8 * b + k`, for `n` elements and rows of `n / 8` bytes.
/// `n` is a multiple of 8; bytes after so many elements are copied.
pub(crate) fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    transpose(dispatch::run::<Bitshuffle>, typesize, 8, src, dst);
}

/// Undoes [`bitshuffle`].
pub(crate) fn bitunshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    transpose(dispatch::run::<Bitunshuffle>, typesize, 8, src, dst);
}

/// Undoes [`bytedelta_encode`]: a prefix sum of one stream, starting at 0.
pub(crate) fn bytedelta_decode(src: &[u8], dst: &mut [u8]) {
    debug_assert_eq!(src.len(), dst.len());
    let len = src.len().min(dst.len());
    dispatch::run::<delta::Undelta>(1, &src[..len], &mut dst[..len]);
}

/// Runs a kernel on all whole groups of elements, and copies the rest.
fn transpose(
    run: impl Fn(usize, &[u8], &mut [u8]),
    typesize: usize,
    group: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    debug_assert_eq!(src.len(), dst.len());
    let len = src.len().min(dst.len());
    let body = whole_groups(len, typesize, group);
    let (body_in, rest_in) = src[..len].split_at(body);
    let (body_out, rest_out) = dst[..len].split_at_mut(body);
    rest_out.copy_from_slice(rest_in);
    if body > 0 {
        run(typesize, body_in, body_out);
    }
}

/// Bytes of all whole groups; 0 if a group is a single byte, which stays in place.
fn whole_groups(len: usize, typesize: usize, group: usize) -> usize {
    match typesize.checked_mul(group) {
        Some(bytes @ 2..) => len - len % bytes,
        _ => 0,
    }
}

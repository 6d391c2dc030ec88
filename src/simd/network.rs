//! Transpositions as networks of `zip`, for any instruction set.
//!
//! Sixteen elements of `T = 2^k` bytes fill `T` tiles. The address of a byte in them has the bits `eeee b…b`: the
//! element's number, then the position within the element. Shuffling turns that into `b…b eeee`, a *rotation* of the
//! address. `zip`, applied to registers `j` and `j + T/2` for all `j`, rotates it by one bit: the top bit moves to the
//! bottom. So `k` rounds of `zip` unshuffle; `k` rounds of `unzip` shuffle, and so do four rounds of `zip`, since a
//! full turn takes `4 + k`.
//!
//! Elements of other sizes are matrices of 16 rows and 16 columns, one or more per element: the network for 16.
//!
//! All of this must be inlined to stay in registers, except in debug builds: without optimization each inlined copy
//! keeps all of its temporaries, and kernels for AVX-512 took 4 MB of stack, more than the 2 MB of a thread.

use super::byte::Byte;
use super::scalar;
use super::shape::{PlaneLayout, unroll};
use super::vector::{Vector, to_elements, to_planes};

/// Starts of steps of length `step` that cover `count`: the last may overlap the one before. None if `count` is
/// shorter than a step.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn steps(count: usize, step: usize) -> impl Iterator<Item = usize> {
    steps_led(count, step, 0)
}

/// Like [`steps`], but all steps except the first and the last begin `lead` earlier, which is less than a step.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn steps_led(count: usize, step: usize, lead: usize) -> impl Iterator<Item = usize> {
    let (steps, last) = if count < step { (0, 0) } else { ((count + lead).div_ceil(step), count - step) };
    (0..steps).map(move |k| (k * step).saturating_sub(lead).min(last))
}

/// How much earlier to begin so that planes are accessed at multiples of `step` bytes: accesses across two cache lines
/// cost twice, and there are many planes. Elements, which are contiguous, gain nothing from it.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn lead(plane: &[u8], step: usize) -> usize {
    plane.as_ptr().addr() % step
}

/// Loads registers: the first tile of each from `T` consecutive tiles, the second from the next `T`, and so on.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn load_runs<V: Vector, const T: usize>(proof: V::Proof, src: &[u8]) -> [V; T] {
    let mut x = [V::load(proof, src, 0, V::TILE); T];
    unroll!(j < T / 2 =>
        (x[2 * j], x[2 * j + 1]) = V::load_pair(proof, src, 2 * V::TILE * j, V::TILE * T));
    x
}

/// The inverse of [`load_runs`].
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn store_runs<V: Vector, B: Byte, const T: usize>(x: [V; T], dst: &mut [B]) {
    unroll!(j < T / 2 => x[2 * j].store_pair(x[2 * j + 1], dst, 2 * V::TILE * j, V::TILE * T));
}

/// The planes; missing ones repeat the first. All have one length that the compiler can see, so that an access at the
/// same position of each is checked once.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn planes<const T: usize>(layout: PlaneLayout, src: &[u8]) -> [&[u8]; T] {
    let mut planes = [&src[..layout.count]; T];
    unroll!(j < T => if j < layout.width { planes[j] = &src[j * layout.pitch..][..layout.count] });
    planes
}

/// The planes; missing ones are empty.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn planes_mut<const T: usize>(layout: PlaneLayout, dst: &mut [u8]) -> [&mut [u8]; T] {
    let mut planes: [&mut [u8]; T] = core::array::from_fn(|_| <&mut [u8]>::default());
    let mut rest = dst.chunks_mut(layout.pitch);
    unroll!(j < T => if j < layout.width {
        planes[j] = &mut rest.next().expect("room for all planes")[..layout.count];
    });
    planes
}

/// Where code is downloaded, one loop serves all sizes except 2, 4 and 8.
const SMALL: bool = cfg!(target_family = "wasm");

/// Elements to planes.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
pub(super) fn shuffle<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let done = match V::shuffle_own(proof, layout, src, dst) {
        Some(done) => done,
        None => shuffle_zipping::<V>(proof, layout, src, dst),
    };
    scalar::shuffle_from(done, layout, src, dst);
}

/// Elements to planes, in whole registers. Returns the number of elements done.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn shuffle_zipping<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    match layout.stride {
        2 => shuffle_packed::<V, 2>(proof, PlaneLayout { width: 2, ..layout }, src, dst),
        4 => shuffle_packed::<V, 4>(proof, PlaneLayout { width: 4, ..layout }, src, dst),
        8 => shuffle_packed::<V, 8>(proof, PlaneLayout { width: 8, ..layout }, src, dst),
        16 if !SMALL => shuffle_packed::<V, 16>(proof, PlaneLayout { width: 16, ..layout }, src, dst),
        // With a constant width the unused columns cost nothing.
        3 if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { stride: 3, width: 3, ..layout }, src, dst),
        6 if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { stride: 6, width: 6, ..layout }, src, dst),
        12 if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { stride: 12, width: 12, ..layout }, src, dst),
        24 if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { stride: 24, width: 16, ..layout }, src, dst),
        32 if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { stride: 32, width: 16, ..layout }, src, dst),
        17.. if !SMALL => shuffle_rows::<V>(proof, PlaneLayout { width: 16, ..layout }, src, dst),
        _ => shuffle_rows::<V>(proof, layout, src, dst),
    }
}

/// Elements of `T` bytes, `T` a power of two, in whole registers. Returns the number of elements done.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn shuffle_packed<V: Vector, const T: usize>(
    proof: V::Proof,
    layout: PlaneLayout,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    let step = V::BYTES;
    let lead = lead(dst, step);
    let planes = planes_mut::<T>(layout, dst);
    for first in steps_led(layout.count, step, lead) {
        let elements = &src[first * T..][..step * T];
        let x = load_runs::<V, T>(proof, elements);
        let x = to_planes(x);
        unroll!(j < T => x[j].store(planes[j], first));
    }
    if layout.count < step { 0 } else { layout.count }
}

/// Elements of any size as rows of 16 bytes, of which `width` are used. Returns the number of elements done.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn shuffle_rows<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    let PlaneLayout { stride, width, .. } = layout;
    let step = V::BYTES;
    let count = whole_rows(layout, src.len());
    let planes = planes_mut::<16>(layout, dst);
    for first in steps(count, step) {
        let elements = &src[first * stride..][..(step - 1) * stride + 16];
        let mut x = [V::load_rows(proof, elements, 0, stride); 16];
        unroll!(j < 16 => x[j] = V::load_rows(proof, elements, j, stride));
        let x = to_planes(x);
        unroll!(j < width => x[j].store(planes[j], first));
    }
    if count < step { 0 } else { count }
}

/// Planes to elements.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
pub(super) fn unshuffle<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) {
    let done = match V::unshuffle_own(proof, layout, src, dst) {
        Some(done) => done,
        None => unshuffle_zipping::<V>(proof, layout, src, dst),
    };
    scalar::unshuffle_from(done, layout, src, dst);
}

/// Planes to elements, in whole registers. Returns the number of elements done.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unshuffle_zipping<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    match layout.stride {
        2 => unshuffle_packed::<V, 2>(proof, PlaneLayout { width: 2, ..layout }, src, dst),
        4 => unshuffle_packed::<V, 4>(proof, PlaneLayout { width: 4, ..layout }, src, dst),
        8 => unshuffle_packed::<V, 8>(proof, PlaneLayout { width: 8, ..layout }, src, dst),
        16 if !SMALL => unshuffle_packed::<V, 16>(proof, PlaneLayout { width: 16, ..layout }, src, dst),
        // Rows of 16 bytes would be mostly waste; the compiler does better with a plain loop.
        3 if !SMALL => scalar::unshuffle_packed::<3>(layout, src, dst),
        5 if !SMALL => scalar::unshuffle_packed::<5>(layout, src, dst),
        6 if !SMALL => scalar::unshuffle_packed::<6>(layout, src, dst),
        7 if !SMALL => scalar::unshuffle_packed::<7>(layout, src, dst),
        12 if !SMALL => unshuffle_rows::<V>(proof, PlaneLayout { stride: 12, width: 12, ..layout }, src, dst),
        24 if !SMALL => unshuffle_rows::<V>(proof, PlaneLayout { stride: 24, width: 16, ..layout }, src, dst),
        32 if !SMALL => unshuffle_rows::<V>(proof, PlaneLayout { stride: 32, width: 16, ..layout }, src, dst),
        17.. if !SMALL => unshuffle_rows::<V>(proof, PlaneLayout { width: 16, ..layout }, src, dst),
        _ => unshuffle_rows::<V>(proof, layout, src, dst),
    }
}

/// Reads planes at multiples of a register: a cache line read in two parts may be evicted in between if many planes
/// lie a power of two apart. Both ends are outside the loop, so that it only counts: computing a minimum in each step,
/// on the stack, made the processor wait for its stores.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unshuffle_packed<V: Vector, const T: usize>(
    proof: V::Proof,
    layout: PlaneLayout,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    unshuffle_planes::<V, u8, T>(proof, planes(layout, src), dst)
}

/// Elements of `T` bytes from planes that lie anywhere.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn join<V: Vector, B: Byte, const T: usize>(proof: V::Proof, planes: [&[u8]; T], dst: &mut [B]) {
    if unshuffle_planes::<V, B, T>(proof, planes, dst) == 0 {
        scalar::join(planes, dst);
    }
}

/// Elements of `T` bytes from planes of one length, in whole registers. Returns the number of elements done.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unshuffle_planes<V: Vector, B: Byte, const T: usize>(
    proof: V::Proof,
    planes: [&[u8]; T],
    dst: &mut [B],
) -> usize {
    let (step, count) = (V::BYTES, planes[0].len());
    let Some(last) = count.checked_sub(step) else { return 0 };
    if SMALL {
        for first in steps(count, step) {
            join_planes::<V, B, T>(proof, planes, first, &mut dst[first * T..][..step * T]);
        }
        return count;
    }
    let start = ((step - lead(planes[0], step)) % step).min(last);
    let whole = &mut dst[start * T..count * T];
    for (number, elements) in whole.chunks_exact_mut(step * T).enumerate() {
        join_planes::<V, B, T>(proof, planes, start + number * step, elements);
    }
    for end in [0, last] {
        if (end + step - start) % step > 0 {
            join_planes::<V, B, T>(proof, planes, end, &mut dst[end * T..][..step * T]);
        }
    }
    count
}

/// One step of [`unshuffle_planes`].
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn join_planes<V: Vector, B: Byte, const T: usize>(
    proof: V::Proof,
    planes: [&[u8]; T],
    first: usize,
    elements: &mut [B],
) {
    let mut x = [V::load(proof, planes[0], first, V::TILE); T];
    unroll!(j < T => x[j] = V::load(proof, planes[j], first, V::TILE));
    store_runs(to_elements(x), elements);
}

/// Writes rows of 16 bytes in order, so that the excess of a row is overwritten by the next ones.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn unshuffle_rows<V: Vector>(proof: V::Proof, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    let PlaneLayout { stride, width, .. } = layout;
    let step = V::BYTES;
    let count = whole_rows(layout, dst.len());
    let planes = planes::<16>(layout, src);
    for first in steps(count, step) {
        let mut x = [V::load(proof, planes[0], first, V::TILE); 16];
        unroll!(j < width => x[j] = V::load(proof, planes[j], first, V::TILE));
        let x = to_elements(x);
        let elements = &mut dst[first * stride..][..(step - 1) * stride + 16];
        unroll!(tile < V::TILES =>
            unroll!(j < 16 => x[j].store_rows(tile, elements, j, stride)));
    }
    if count < step { 0 } else { count }
}

/// The number of elements with at least 16 bytes from their start to the end of `len`.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn whole_rows(layout: PlaneLayout, len: usize) -> usize {
    len.checked_sub(16).map_or(0, |room| (room / layout.stride + 1).min(layout.count))
}

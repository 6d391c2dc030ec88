//! Kernels that transpose whole blocks, built from the networks; [`dispatch`](super::dispatch) runs them.
//!
//! Both slices have the same length: a multiple of the typesize and, for bits, of 8 elements.

use super::byte::Byte;
use super::network::{self, load_runs, steps, store_runs};
use super::scalar;
use super::shape::{PlaneLayout, unroll};
use super::vector::Vector;
use crate::base::SMALL;
use core::marker::PhantomData;

/// A computation that exists for every instruction set.
pub(super) trait Kernel {
    /// Whether it gains from registers of 64 bytes.
    #[allow(dead_code, reason = "only AVX-512 has them")]
    const GAINS_BY_64: bool = true;

    /// The type of its input.
    type Source<'a>: Copy;

    /// The bytes that it writes.
    type Target: Byte;

    /// With vectors. If code is to be small, those that undo a filter are [`scalar`](Self::scalar).
    fn vector<V: Vector>(proof: V::Proof, typesize: usize, src: Self::Source<'_>, dst: &mut [Self::Target]);

    /// Without vectors.
    fn scalar(typesize: usize, src: Self::Source<'_>, dst: &mut [Self::Target]);
}

/// Elements to planes.
pub(super) struct Shuffle;
/// Planes to elements.
pub(super) struct Unshuffle;
/// Planes, each in a place of its own, to elements of 2, 4 or 8 bytes.
pub(super) struct Join<B>(PhantomData<B>);
/// Elements to rows of bits.
pub(super) struct Bitshuffle;
/// Rows of bits to elements.
pub(super) struct Bitunshuffle;

impl Kernel for Shuffle {
    type Source<'a> = &'a [u8];
    type Target = u8;

    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let count = src.len() / typesize;
        for (column, width) in columns::<V>(typesize) {
            let layout = PlaneLayout { count, stride: typesize, width, pitch: count };
            network::shuffle::<V>(proof, layout, &src[column..], &mut dst[column * count..]);
        }
    }

    fn scalar(typesize: usize, src: &[u8], dst: &mut [u8]) {
        scalar::shuffle(whole(typesize, src), src, dst);
    }
}

impl Kernel for Unshuffle {
    type Source<'a> = &'a [u8];
    type Target = u8;

    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, typesize: usize, src: &[u8], dst: &mut [u8]) {
        if SMALL {
            return Self::scalar(typesize, src, dst);
        }
        let count = src.len() / typesize;
        for (column, width) in columns::<V>(typesize) {
            let layout = PlaneLayout { count, stride: typesize, width, pitch: count };
            network::unshuffle::<V>(proof, layout, &src[column * count..], &mut dst[column..]);
        }
    }

    fn scalar(typesize: usize, src: &[u8], dst: &mut [u8]) {
        scalar::unshuffle(whole(typesize, src), src, dst);
    }
}

impl<B: Byte> Kernel for Join<B> {
    type Source<'a> = &'a [&'a [u8]];
    type Target = B;

    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, _: usize, planes: &[&[u8]], dst: &mut [B]) {
        match planes.len() {
            2 => network::join::<V, B, 2>(proof, all(planes, dst), dst),
            4 => network::join::<V, B, 4>(proof, all(planes, dst), dst),
            _ => network::join::<V, B, 8>(proof, all(planes, dst), dst),
        }
    }

    fn scalar(_: usize, planes: &[&[u8]], dst: &mut [B]) {
        match planes.len() {
            2 => scalar::join::<B, 2>(all(planes, dst), dst),
            4 => scalar::join::<B, 4>(all(planes, dst), dst),
            _ => scalar::join::<B, 8>(all(planes, dst), dst),
        }
    }
}

/// The planes of the elements in `dst`, of one length that the compiler can see.
#[inline(always)]
fn all<'a, B, const T: usize>(planes: &[&'a [u8]], dst: &[B]) -> [&'a [u8]; T] {
    core::array::from_fn(|j| &planes[j][..dst.len() / T])
}

/// Size of the stack buffer for planes, between elements and rows of bits. The fewer the planes, the more elements at
/// a time, and the longer each write to a row: rows often lie a power of two apart and evict each other from the
/// cache, and each access has a fixed cost.
const ROOM: usize = 16 << 10;

/// Aligned, so that no store crosses a cache line.
#[repr(align(64))]
struct Room([u8; ROOM]);

/// The distance between buffered planes, and the number of elements to take at a time. Groups are about equal, so that
/// the last one, which overlaps the one before, repeats little work; but a group has at least the elements of one step
/// of bits.
#[inline(always)]
fn groups<V: Vector>(count: usize, typesize: usize) -> (usize, usize) {
    let pitch = ROOM / column::<V>(typesize) / 256 * 256;
    let octets = count / 8;
    (pitch, (octets.div_ceil(count.div_ceil(pitch)) * 8).max(8 * V::BYTES))
}

impl Kernel for Bitshuffle {
    type Source<'a> = &'a [u8];
    type Target = u8;

    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let count = src.len() / typesize;
        if count < 8 * V::BYTES {
            return Self::scalar(typesize, src, dst);
        }
        if typesize == 1 {
            return bits_of_plane::<V>(proof, src, dst, count / 8);
        }
        let (pitch, group) = groups::<V>(count, typesize);
        let Room(planes) = &mut Room([0; ROOM]);
        for first in steps(count, group) {
            let elements = &src[first * typesize..];
            for (column, width) in columns::<V>(typesize) {
                let layout = PlaneLayout { count: group, stride: typesize, width, pitch };
                network::shuffle::<V>(proof, layout, &elements[column..], planes);
                for j in 0..width {
                    let rows = &mut dst[(column + j) * count + first / 8..];
                    bits_of_plane::<V>(proof, &planes[j * pitch..][..group], rows, count / 8);
                }
            }
        }
    }

    fn scalar(typesize: usize, src: &[u8], dst: &mut [u8]) {
        scalar::bitshuffle(whole(typesize, src), src, dst);
    }
}

impl Kernel for Bitunshuffle {
    type Source<'a> = &'a [u8];
    type Target = u8;

    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let count = src.len() / typesize;
        if SMALL || count < 8 * V::BYTES {
            return Self::scalar(typesize, src, dst);
        }
        if typesize == 1 {
            return plane_of_bits::<V>(proof, src, count / 8, dst);
        }
        let (pitch, group) = groups::<V>(count, typesize);
        let Room(planes) = &mut Room([0; ROOM]);
        for first in steps(count, group) {
            let elements = &mut dst[first * typesize..];
            for (column, width) in columns::<V>(typesize) {
                for j in 0..width {
                    let rows = &src[(column + j) * count + first / 8..];
                    plane_of_bits::<V>(proof, rows, count / 8, &mut planes[j * pitch..][..group]);
                }
                let layout = PlaneLayout { count: group, stride: typesize, width, pitch };
                network::unshuffle::<V>(proof, layout, planes, &mut elements[column..]);
            }
        }
    }

    fn scalar(typesize: usize, src: &[u8], dst: &mut [u8]) {
        scalar::bitunshuffle(whole(typesize, src), src, dst);
    }
}

/// The width of columns: 16 bytes, or an element if that is shorter, unless the instruction set has a better way.
#[inline(always)]
fn column<V: Vector>(typesize: usize) -> usize {
    if V::OWN.contains(&typesize) { typesize } else { typesize.min(16) }
}

/// The columns that cover an element, as start and width. The last may overlap the one before.
#[inline(always)]
fn columns<V: Vector>(typesize: usize) -> impl Iterator<Item = (usize, usize)> {
    let width = column::<V>(typesize);
    steps(typesize, width).map(move |column| (column, width))
}

/// The whole element as one column.
fn whole(typesize: usize, bytes: &[u8]) -> PlaneLayout {
    let count = bytes.len() / typesize.max(1);
    PlaneLayout { count, stride: typesize, width: typesize, pitch: count }
}

/// Shuffled as if they were elements of 8 bytes, the first of each 8 bytes go to one register, the second to the next,
/// and so on: bits are then exchanged between registers.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
fn bits_of_plane<V: Vector>(proof: V::Proof, plane: &[u8], rows: &mut [u8], pitch: usize) {
    let step = 8 * V::BYTES;
    for first in steps(plane.len(), step) {
        let x = V::split_bits(load_runs(proof, &plane[first..][..step]));
        unroll!(j < 8 => x[j].store(rows, j * pitch + first / 8));
    }
}

/// The inverse.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[cfg_attr(target_family = "wasm", inline(never))]
fn plane_of_bits<V: Vector>(proof: V::Proof, rows: &[u8], pitch: usize, plane: &mut [u8]) {
    let step = 8 * V::BYTES;
    for first in steps(plane.len(), step) {
        let mut x = [V::load(proof, rows, first / 8, V::TILE); 8];
        unroll!(j < 8 => x[j] = V::load(proof, rows, j * pitch + first / 8, V::TILE));
        store_runs(V::join_bits(x), &mut plane[first..][..step]);
    }
}

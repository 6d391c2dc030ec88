//! Elements of 3, 6, 12 and 24 bytes on AVX-512.
//!
//! Such an element has three parts of a power of two bytes. The network turns each third of the planes into a stream
//! of parts, and permutes alone merge three registers of such streams into three of elements: two permutes per
//! register, and every byte loaded or stored is used. Rows of 16 bytes, the network's general way, would be half
//! waste.

use super::network::{lead, planes, planes_mut, steps_led};
use super::probe::HasAvx512;
use super::shape::{PlaneLayout, unroll};
use super::vector::{Vector, to_elements, to_planes};
use super::zmm::{Avx512, Permutation};

/// The typesizes handled here.
pub(super) const SIZES: &[usize] = &[3, 6, 12, 24];

/// Elements to planes. Returns the number of elements done.
#[inline(always)]
pub(super) fn shuffle(proof: HasAvx512, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    match (layout.stride, layout.width) {
        (3, 3) => Some(shuffle_by::<1>(proof, layout, src, dst)),
        (6, 6) => Some(shuffle_by::<2>(proof, layout, src, dst)),
        (12, 12) => Some(shuffle_by::<4>(proof, layout, src, dst)),
        (24, 24) => Some(shuffle_by::<8>(proof, layout, src, dst)),
        _ => None,
    }
}

/// Planes to elements. Returns the number of elements done.
#[inline(always)]
pub(super) fn unshuffle(proof: HasAvx512, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    match (layout.stride, layout.width) {
        (3, 3) => Some(unshuffle_by::<1>(proof, layout, src, dst)),
        (6, 6) => Some(unshuffle_by::<2>(proof, layout, src, dst)),
        (12, 12) => Some(unshuffle_by::<4>(proof, layout, src, dst)),
        (24, 24) => Some(unshuffle_by::<8>(proof, layout, src, dst)),
        _ => None,
    }
}

#[inline(always)]
fn shuffle_by<const PART: usize>(proof: HasAvx512, layout: PlaneLayout, src: &[u8], dst: &mut [u8]) -> usize {
    let third = PlaneLayout { width: PART, ..layout };
    let lead = lead(dst, 64);
    let (first_third, rest) = dst.split_at_mut(PART * layout.pitch);
    let (second_third, last_third) = rest.split_at_mut(PART * layout.pitch);
    let a_planes = planes_mut::<PART>(third, first_third);
    let b_planes = planes_mut::<PART>(third, second_third);
    let c_planes = planes_mut::<PART>(third, last_third);
    for first in steps_led(layout.count, 64, lead) {
        let elements = &src[first * 3 * PART..][..64 * 3 * PART];
        let load = |at| Avx512::load(proof, elements, at, 64);
        let (mut a, mut b, mut c) = ([load(0); PART], [load(0); PART], [load(0); PART]);
        unroll!(j < PART => {
            let x = [load(192 * j), load(192 * j + 64), load(192 * j + 128)];
            [a[j], b[j], c[j]] = three_of_three(x, &Parts::<PART>::UNZIP);
        });
        let (a, b, c) = (to_planes(a), to_planes(b), to_planes(c));
        unroll!(j < PART => {
            a[j].store(a_planes[j], first);
            b[j].store(b_planes[j], first);
            c[j].store(c_planes[j], first);
        });
    }
    if layout.count < 64 { 0 } else { layout.count }
}

#[inline(always)]
fn unshuffle_by<const PART: usize>(
    proof: HasAvx512,
    layout: PlaneLayout,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    let third = PlaneLayout { width: PART, ..layout };
    let a_planes = planes::<PART>(third, src);
    let b_planes = planes::<PART>(third, &src[PART * layout.pitch..]);
    let c_planes = planes::<PART>(third, &src[2 * PART * layout.pitch..]);
    let Some(last) = layout.count.checked_sub(64) else { return 0 };
    let dst = &mut dst[..layout.count * 3 * PART];
    for (number, elements) in dst.chunks_exact_mut(64 * 3 * PART).enumerate() {
        join_thirds(proof, [a_planes, b_planes, c_planes], 64 * number, elements);
    }
    if !layout.count.is_multiple_of(64) {
        join_thirds(proof, [a_planes, b_planes, c_planes], last, &mut dst[last * 3 * PART..]);
    }
    layout.count
}

/// One step of [`unshuffle`].
#[inline(always)]
fn join_thirds<const PART: usize>(
    proof: HasAvx512,
    [a, b, c]: [[&[u8]; PART]; 3],
    first: usize,
    elements: &mut [u8],
) {
    let a = to_elements(load_all(proof, a, first));
    let b = to_elements(load_all(proof, b, first));
    let c = to_elements(load_all(proof, c, first));
    unroll!(j < PART => {
        let y = three_of_three([a[j], b[j], c[j]], &Parts::<PART>::ZIP);
        unroll!(k < 3 => y[k].store(elements, 192 * j + 64 * k));
    });
}

#[inline(always)]
fn load_all<const N: usize>(proof: HasAvx512, planes: [&[u8]; N], at: usize) -> [Avx512; N] {
    let mut x = [Avx512::load(proof, planes[0], at, 64); N];
    unroll!(j < N => x[j] = Avx512::load(proof, planes[j], at, 64));
    x
}

/// Permutes the bytes of three registers.
#[inline(always)]
fn three_of_three([a, b, c]: [Avx512; 3], places: &[[Permutation; 2]; 3]) -> [Avx512; 3] {
    let mut y = [a; 3];
    unroll!(k < 3 => y[k] = a.choose(b, &places[k][0]).choose(c, &places[k][1]));
    y
}

/// Permutations for parts of `PART` bytes.
struct Parts<const PART: usize>;

impl<const PART: usize> Parts<PART> {
    /// Takes a part of each register in turn.
    const ZIP: [[Permutation; 2]; 3] = {
        let mut from = [0; 192];
        let mut at = 0;
        while at < 192 {
            let (part, byte) = (at / PART, at % PART);
            from[at] = part % 3 * 64 + part / 3 * PART + byte;
            at += 1;
        }
        in_two_steps(from)
    };

    /// The inverse.
    const UNZIP: [[Permutation; 2]; 3] = {
        let mut from = [0; 192];
        let mut at = 0;
        while at < 192 {
            let (part, byte) = (at / PART, at % PART);
            from[part % 3 * 64 + part / 3 * PART + byte] = at;
            at += 1;
        }
        in_two_steps(from)
    };
}

/// First selects bytes of the first two registers, then adds those of the third.
const fn in_two_steps(from: [usize; 192]) -> [[Permutation; 2]; 3] {
    let mut places = [[[0; 64]; 2]; 3];
    let mut at = 0;
    while at < 192 {
        let (register, i) = (at / 64, at % 64);
        if from[at] < 128 {
            places[register][0][i] = from[at] as u8;
            places[register][1][i] = i as u8;
        } else {
            places[register][1][i] = (from[at] - 64) as u8;
        }
        at += 1;
    }
    places
}

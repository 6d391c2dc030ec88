//! Differences of adjacent bytes or units, and their inverse.

use super::kernels::Kernel;
use super::network::steps;
use super::shape::unroll;
use super::vector::Vector;
use crate::base::SMALL;

/// Each byte minus the previous one; the first stays.
pub(crate) fn bytedelta_encode(src: &[u8], dst: &mut [u8]) {
    debug_assert_eq!(src.len(), dst.len());
    if let ([first, next @ ..], [out, outs @ ..]) = (src, dst) {
        *out = *first;
        for ((out, byte), before) in outs.iter_mut().zip(next).zip(src) {
            *out = byte.wrapping_sub(*before);
        }
    }
}

/// `dst ^= reference`, up to the shorter length. Uses words, since not every build vectorises a byte loop.
pub(crate) fn xor_with(dst: &mut [u8], reference: &[u8]) {
    let len = dst.len().min(reference.len());
    let (words, rest) = dst[..len].as_chunks_mut::<8>();
    let (others, other_rest) = reference[..len].as_chunks::<8>();
    for (word, other) in words.iter_mut().zip(others) {
        *word = (u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other)).to_le_bytes();
    }
    for (byte, other) in rest.iter_mut().zip(other_rest) {
        *byte ^= other;
    }
}

/// XORs each unit of 1, 2, 4 or 8 bytes with all units before it. Bytes after the last whole unit stay.
pub(crate) fn prefix_xor(unit: usize, buf: &mut [u8]) {
    match unit {
        1 => prefix_xor_by::<1>(buf),
        2 => prefix_xor_by::<2>(buf),
        4 => prefix_xor_by::<4>(buf),
        8 => prefix_xor_by::<8>(buf),
        _ => debug_assert!(false, "no delta over units of {unit} bytes"),
    }
}

/// One word at a time. `carry` holds the XOR of all units so far, repeated across the word; it is the only dependency
/// between words.
fn prefix_xor_by<const UNIT: usize>(buf: &mut [u8]) {
    let ones = u64::MAX / (u64::MAX >> (64 - 8 * UNIT));
    let mut carry = 0;
    let whole = buf.len() - buf.len() % UNIT;
    let (words, rest) = buf[..whole].as_chunks_mut::<8>();
    for word in words {
        let mut x = u64::from_le_bytes(*word);
        for bytes in [4, 2, 1] {
            x ^= if bytes < UNIT { 0 } else { x << (8 * bytes) };
        }
        *word = (x ^ carry).to_le_bytes();
        carry ^= (x >> (64 - 8 * UNIT)).wrapping_mul(ones);
    }
    let mut carry = carry.to_le_bytes();
    for (i, byte) in rest.iter_mut().enumerate() {
        *byte ^= carry[i % UNIT];
        carry[i % UNIT] = *byte;
    }
}

/// Undoes `bytedelta_encode` on one stream; ignores the typesize.
pub(super) struct Undelta;

impl Kernel for Undelta {
    type Source<'a> = &'a [u8];
    type Target = u8;

    /// Prefix sums take longer in wider registers, whose bytes come from farther away.
    const GAINS_BY_64: bool = false;

    /// Decodes as many parts of the stream at once as a register has tiles. A part starts with the sum of the parts
    /// before it; computing these sums takes negligible time.
    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, _: usize, src: &[u8], dst: &mut [u8]) {
        if SMALL {
            return Self::scalar(1, src, dst);
        }
        let part = src.len() / V::BYTES * V::TILE;
        let mut sums = [0; 64];
        for tile in 1..V::TILES {
            let sum = sum(&src[(tile - 1) * part..][..part]).wrapping_add(sums[V::TILE * (tile - 1)]);
            sums[V::TILE * tile..][..V::TILE].fill(sum);
        }
        let mut carry = V::load(proof, &sums, 0, V::TILE);
        for at in steps(part, V::TILE) {
            let x = V::load(proof, src, at, part).running_sum();
            let y = x.add(carry);
            unroll!(tile < V::TILES => y.store_tile(tile, dst, at + tile * part));
            // Not `y.spread_last()`: this way a round depends only on one addition of the previous round.
            carry = carry.add(x.spread_last());
        }
        let done = part * V::TILES;
        let last = if done == 0 { 0 } else { dst[done - 1] };
        undelta(last, &src[done..], &mut dst[done..]);
    }

    fn scalar(_: usize, src: &[u8], dst: &mut [u8]) {
        undelta(0, src, dst);
    }
}

fn undelta(mut sum: u8, src: &[u8], dst: &mut [u8]) {
    for (out, byte) in dst.iter_mut().zip(src) {
        sum = sum.wrapping_add(*byte);
        *out = sum;
    }
}

#[inline(always)]
fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte))
}

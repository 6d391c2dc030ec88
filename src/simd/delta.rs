//! Differences between neighbours and their undoing.

use super::kernels::Kernel;
use super::network::{steps, unroll};
use super::vector::Vector;

/// Each byte minus the one before; the first stays.
pub(crate) fn bytedelta_encode(src: &[u8], dst: &mut [u8]) {
    debug_assert_eq!(src.len(), dst.len());
    if let ([first, next @ ..], [out, outs @ ..]) = (src, dst) {
        *out = *first;
        for ((out, byte), before) in outs.iter_mut().zip(next).zip(src) {
            *out = byte.wrapping_sub(*before);
        }
    }
}

/// `dst ^= reference`, as far as the shorter of them goes.
pub(crate) fn xor_with(dst: &mut [u8], reference: &[u8]) {
    for (byte, other) in dst.iter_mut().zip(reference) {
        *byte ^= other;
    }
}

/// Each unit of 1, 2, 4 or 8 bytes is XORed with all those before it. Bytes after the last whole unit stay.
pub(crate) fn prefix_xor(unit: usize, buf: &mut [u8]) {
    debug_assert!(matches!(unit, 1 | 2 | 4 | 8), "no delta over units of {unit} bytes");
    let whole = buf.len() - buf.len() % unit;
    let (words, rest) = buf[..whole].as_chunks_mut::<8>();
    // The first units of a word are the lowest bits. `carry` is all units so far, in every place of the word.
    let mut carry = 0;
    for word in words {
        let mut x = u64::from_le_bytes(*word);
        for bytes in [4, 2, 1].into_iter().filter(|bytes| *bytes >= unit) {
            x ^= x << (8 * bytes);
        }
        *word = (x ^ carry).to_le_bytes();
        carry ^= spread(x >> (64 - 8 * unit), unit);
    }
    for (i, byte) in rest.iter_mut().enumerate() {
        let mut carries = carry.to_le_bytes();
        carries[i % unit] ^= *byte;
        *byte = carries[i % unit];
        carry = u64::from_le_bytes(carries);
    }
}

/// The lowest `unit` bytes, in all places of a word.
fn spread(x: u64, unit: usize) -> u64 {
    let ones = match unit {
        1 => 0x0101_0101_0101_0101,
        2 => 0x0001_0001_0001_0001,
        4 => 0x0000_0001_0000_0001,
        _ => 1,
    };
    x.wrapping_mul(ones)
}

/// Undoes `bytedelta_encode` on one stream; the typesize means nothing to it.
pub(super) struct Undelta;

impl Kernel for Undelta {
    /// A tile for each part of the stream. Where a part starts is the sum of the parts before, and to sum takes no
    /// time next to the rest.
    #[inline(always)]
    fn vector<V: Vector>(proof: V::Proof, _: usize, src: &[u8], dst: &mut [u8]) {
        let part = src.len() / V::TILES / 16 * 16;
        let mut sums = [0; 64];
        for tile in 1..V::TILES {
            let sum = sum(&src[(tile - 1) * part..][..part]).wrapping_add(sums[16 * (tile - 1)]);
            sums[16 * tile..][..16].fill(sum);
        }
        let mut carry = V::load(proof, &sums, 0, 16);
        for at in steps(part, 16) {
            let x = V::load(proof, src, at, part).running_sum();
            let y = x.add(carry);
            unroll!(tile < V::TILES => y.store_tile(tile, dst, at + tile * part));
            // Not `y.spread_last()`: this way a round waits for nothing but one addition of the round before.
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

use super::*;
use crate::codec::tests::Random;
use alloc::vec;
use alloc::vec::Vec;

const CODECS: [Codec; 3] = [Codec::ZFP_ACC, Codec::ZFP_PREC, Codec::ZFP_RATE];

fn stream<'a>(src: &'a [u8], meta: u8, typesize: usize, blockshape: &'a [u32]) -> Stream<'a> {
    Stream { src, dict: &[], meta, typesize, blockshape, shuffled: false }
}

#[test]
fn exponents_of_tolerances() {
    let of = |n: i8| log2_of_power_of_10(n);
    assert_eq!([-128, -3, -1, 0, 1, 2, 3, 127].map(of), [-426, -10, -4, 0, 3, 6, 9, 421]);
}

#[test]
fn cells_of_zeros_are_a_bit_each() {
    for codec in [Codec::ZFP_ACC, Codec::ZFP_PREC] {
        let mut block = [1; 4 * 5 * 9];
        decode(codec, &stream(&[0], 1, 4, &[5, 9]), &mut block).unwrap();
        assert_eq!(block, [0; 180]);
    }
    // At 8 bits a value, 32 bits a cell: the second cell would need bytes 4 to 7.
    let mut block = [1; 8 * 4];
    let rate = |src| decode(Codec::ZFP_RATE, &stream(src, 25, 4, &[8]), &mut block);
    assert_eq!([&[0; 8][..], &[0; 7]].map(rate), [Ok(()), Err(Corrupt)]);
}

#[test]
fn one_in_each_value() {
    // A value other than zero, the exponent of 1, and the first coefficient alone: its bit 30 in negabinary.
    let bits: u64 = 1 | 127 << 1 | 1 << 9 | 1 << 10;
    let mut block = [0; 16];
    decode(Codec::ZFP_PREC, &stream(&bits.to_le_bytes(), 3, 4, &[4]), &mut block).unwrap();
    let values: Vec<f32> = block.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    assert!(values.iter().all(|value| *value == values[0] && *value != 0.0), "{values:?}");
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    for (shape, len) in [(&[4, 4][..], 63), (&[], 4), (&[1; 5], 4), (&[u32::MAX; 4], 64)] {
        assert_eq!(decode(Codec::ZFP_ACC, &stream(&[0; 99], 0, 4, shape), &mut vec![0; len]), Err(Corrupt));
    }
    assert_eq!(decode(Codec::ZFP_ACC, &stream(&[0; 9], 0, 2, &[4]), &mut [0; 8]), Err(Corrupt));
}

#[test]
fn any_bytes_decode_or_are_refused() {
    let mut random = Random(0x2F9);
    for _ in 0..if cfg!(miri) { 20 } else { 3000 } {
        let ndim = 1 + random.below(4);
        let shape: Vec<u32> = (0..ndim).map(|_| 1 + random.below(9) as u32).collect();
        let typesize = [4, 8][random.below(2)];
        let mut block = vec![0; shape.iter().product::<u32>() as usize * typesize];
        let src: Vec<u8> = (0..random.below(block.len() + 9)).map(|_| random.next() as u8).collect();
        let codec = CODECS[random.below(3)];
        let _ = decode(codec, &stream(&src, random.next() as u8, typesize, &shape), &mut block);
    }
}

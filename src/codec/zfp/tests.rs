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

#[cfg(all(feature = "encoders", feature = "write"))]
mod encoding {
    use super::*;
    use crate::codec::PlainStream;

    /// Bytes that suffice for any parameter.
    fn room(blockshape: &[u32]) -> usize {
        let cells: u32 = blockshape.iter().map(|len| len.div_ceil(4)).product();
        cells as usize * 256 * 8 * 3
    }

    fn encoded(codec: Codec, meta: u8, typesize: usize, blockshape: &[u32], src: &[u8]) -> Vec<u8> {
        let stream = PlainStream { src, clevel: 5, meta, typesize, blockshape };
        let mut dst = vec![0xEE; room(blockshape)];
        let len = encode(codec, &stream, &mut dst).unwrap();
        // A word less does not suffice.
        assert_eq!(encode(codec, &stream, &mut vec![0; len - 1]), None);
        dst.truncate(len);
        assert_eq!(encode(codec, &stream, &mut vec![0; len]), Some(len));
        dst
    }

    fn plain(values: impl Iterator<Item = f64>, typesize: usize) -> Vec<u8> {
        if typesize == 4 {
            values.flat_map(|value| (value as f32).to_le_bytes()).collect()
        } else {
            values.flat_map(f64::to_le_bytes).collect()
        }
    }

    fn values(bytes: &[u8], typesize: usize) -> Vec<f64> {
        if typesize == 4 {
            bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes).into()).collect()
        } else {
            bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
        }
    }

    #[test]
    fn streams_are_those_of_the_reference() {
        let row = [1.5, -2.25, 3.125, 0.1, 7.0, 8.5, -1e-3];
        let src = plain(row.into_iter().cycle().take(56), 4);
        for (codec, meta, stream) in [
            (
                Codec::ZFP_ACC,
                254,
                &[
                    0x0034_4D11_0050_0903,
                    0x4011_4051_3048_0244,
                    0x3449_1140_4B41_D114,
                    0x0000_0024_0911_4441,
                    0x4024_0D11_4000_0000,
                    0x2009_1000_D134_4401,
                    0x0744_5100_4501_44C1,
                    0x4511_04D1_2445_012D,
                    0x0000_0000_0000_9024,
                    0x0000_0000_0004_4500,
                ][..],
            ),
            (
                Codec::ZFP_PREC,
                9,
                &[
                    0x0034_4D11_0050_0903,
                    0x4011_4051_3048_0244,
                    0x2445_012D_0740_5114,
                    0x0000_9024_4511_04D1,
                    0x4024_0D00_0000_0000,
                    0x2009_1000_D134_4401,
                    0x0144_5100_4501_44C1,
                    0x4413_4491_1404_B41D,
                    0x0000_0000_0240_9114,
                    0x0000_0000_0004_0000,
                ][..],
            ),
            (
                Codec::ZFP_RATE,
                12,
                &[0xE034_4D11_0050_0903, 0x0E20_9A24_88A0_25A0, 0x8380_D134_4401_4024, 0x0008_8268_9222_8096]
                    [..],
            ),
        ] {
            let words: Vec<u64> = encoded(codec, meta, 4, &[8, 7], &src)
                .as_chunks()
                .0
                .iter()
                .map(|word| u64::from_le_bytes(*word))
                .collect();
            assert_eq!(words, stream, "{codec}");
        }
    }

    /// Random walks in blocks of any shape.
    #[test]
    fn errors_are_as_small_as_the_mode_says() {
        let mut random = Random(0x2F9);
        for n in 0..if cfg!(miri) { 12 } else { 400 } {
            let ndim = 1 + random.below(4);
            let shape: Vec<u32> = (0..ndim).map(|_| 1 + random.below(11) as u32).collect();
            let (typesize, codec) = ([4, 8][random.below(2)], CODECS[n % 3]);
            let len = shape.iter().product::<u32>() as usize;
            let mut at = 0.0;
            let steps = core::iter::repeat_with(|| random.below(2001) as f64 / 1000.0 - 1.0);
            let src = plain(
                steps
                    .map(|step| {
                        at += step;
                        at
                    })
                    .take(len),
                typesize,
            );
            let (meta, most) = match codec {
                Codec::ZFP_ACC => (-3_i8 as u8, 1e-3),
                Codec::ZFP_PREC => (24, 1e-3),
                _ => (100, 0.5),
            };
            let encoded = encoded(codec, meta, typesize, &shape, &src);
            if codec == Codec::ZFP_RATE {
                let cells: u32 = shape.iter().map(|len| len.div_ceil(4)).product();
                let bits = cells as usize * 4_usize.pow(ndim as u32) * typesize * 8;
                assert_eq!(encoded.len(), bits.div_ceil(64) * 8);
            }
            let mut dst = vec![0xEE; src.len()];
            decode(codec, &stream(&encoded, meta, typesize, &shape), &mut dst).unwrap();
            for (found, wanted) in values(&dst, typesize).iter().zip(values(&src, typesize)) {
                assert!((found - wanted).abs() <= most, "{found} {wanted} {codec} {shape:?} {typesize}");
            }
        }
    }

    #[test]
    fn zeros_and_nan_are_a_bit_for_each_cell() {
        for value in [0.0, -0.0, f64::NAN] {
            let src = plain([value].into_iter().cycle().take(45), 8);
            assert_eq!(encoded(Codec::ZFP_PREC, 20, 8, &[5, 9], &src), [0; 8]);
        }
    }

    #[test]
    fn any_bits_are_encoded_and_decoded() {
        let mut random = Random(0x2FA);
        for n in 0..if cfg!(miri) { 20 } else { 2000 } {
            let shape: Vec<u32> = (0..1 + random.below(4)).map(|_| 1 + random.below(6) as u32).collect();
            let (typesize, meta) = ([4, 8][random.below(2)], random.next() as u8);
            let src: Vec<u8> = (0..shape.iter().product::<u32>() as usize * typesize)
                .map(|_| [0, 0xFF, random.next() as u8][random.below(3)])
                .collect();
            let codec = CODECS[n % 3];
            let plain = PlainStream { src: &src, clevel: 5, meta, typesize, blockshape: &shape };
            let mut encoded = vec![0; room(&shape)];
            let len = encode(codec, &plain, &mut encoded).unwrap();
            decode(codec, &stream(&encoded[..len], meta, typesize, &shape), &mut vec![0; src.len()]).unwrap();
        }
    }

    #[test]
    fn other_streams_are_left_as_they_are() {
        for (typesize, shape, len) in [(4, &[4, 4][..], 60), (2, &[4], 8), (4, &[], 4), (4, &[1; 5], 4)] {
            let stream = PlainStream { src: &vec![7; len], clevel: 5, meta: 0, typesize, blockshape: shape };
            assert_eq!(encode(Codec::ZFP_ACC, &stream, &mut [0; 999]), None);
        }
    }
}

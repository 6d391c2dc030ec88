use super::bits::Bits;
use super::{Codes, decode, inflate};
use crate::codec::Corrupt;
use crate::codec::tests::Random;
use alloc::vec;
use alloc::vec::Vec;
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// A stored block of four bytes.
const STORED: [u8; 15] = [0x78, 1, 1, 4, 0, 251, 255, 1, 2, 3, 4, 0, 24, 0, 11];

#[test]
fn the_length_and_the_checksum_must_be_right() {
    let mut codes = Codes::EMPTY;
    let mut dst = [0; 4];
    assert_eq!(decode(&mut codes, &STORED, &mut dst), Ok(()));
    assert_eq!(dst, [1, 2, 3, 4]);
    assert_eq!(decode(&mut codes, &STORED, &mut [0; 3]), Err(Corrupt));
    assert_eq!(decode(&mut codes, &STORED, &mut [0; 5]), Err(Corrupt));
    assert_eq!(decode(&mut codes, &[], &mut dst), Err(Corrupt));
    for at in 0..STORED.len() {
        assert_eq!(decode(&mut codes, &STORED[..at], &mut dst), Err(Corrupt));
        let mut wrong = STORED;
        wrong[at] ^= 1;
        assert_eq!(decode(&mut codes, &wrong, &mut dst), Err(Corrupt), "byte {at}");
    }
    assert_eq!(decode(&mut codes, &STORED, &mut dst), Ok(()));
}

/// A dictionary, another method, a window of 64 KiB: each with the header's own check in order.
#[test]
fn headers_of_other_streams_are_refused() {
    let mut codes = Codes::EMPTY;
    for method in 0..=255 {
        for flags in 0..=255 {
            let src = [&[method, flags], &STORED[2..]].concat();
            let deflate = method & 15 == 8 && method >> 4 <= 7;
            let fine = deflate && flags & 32 == 0 && u16::from_be_bytes([method, flags]) % 31 == 0;
            assert_eq!(decode(&mut codes, &src, &mut [0; 4]).is_ok(), fine, "{method} {flags}");
        }
    }
}

/// Bytes of which each value is half as frequent as the one before, so that codes of all lengths come up.
fn skewed(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| (random.next() as u32 | 1 << 20).trailing_zeros() as u8 * 11).collect()
}

#[test]
fn undoes_every_level() {
    let mut random = Random(5);
    let mut codes = Codes::EMPTY;
    let data = [random.data(200_000), skewed(&mut random, 200_000), vec![7; 100_000]];
    for data in &data {
        for level in 0..=10 {
            let encoded = compress_to_vec_zlib(data, level);
            let mut dst = vec![0; data.len()];
            assert_eq!(decode(&mut codes, &encoded, &mut dst), Ok(()), "level {level}");
            assert!(dst == *data, "level {level}");
        }
    }
}

#[test]
fn every_prefix_is_refused() {
    let mut random = Random(6);
    let mut codes = Codes::EMPTY;
    for (len, level) in [(40, 1), (3000, 6), (3000, 0), (9000, 9)] {
        let data = [random.data(len), skewed(&mut random, len)].concat();
        let encoded = compress_to_vec_zlib(&data, level);
        let mut dst = vec![0; data.len()];
        for end in 0..encoded.len() {
            assert_eq!(decode(&mut codes, &encoded[..end], &mut dst), Err(Corrupt), "{end} bytes");
        }
        // What comes behind does not matter.
        let longer = [&encoded[..], &[1, 2, 3]].concat();
        assert_eq!(decode(&mut codes, &longer, &mut dst), Ok(()));
    }
}

/// Without the checksum, so that much of what is flipped still decodes.
#[test]
fn damage_gives_what_another_decoder_makes_of_it() {
    const ROOM: usize = 40_000;
    let mut random = Random(7);
    let mut codes = Codes::EMPTY;
    let mut dst = vec![0; ROOM];
    let (mut fine, mut wrong) = (0, 0);
    for round in 0..6000_usize {
        let len = 1 + random.next() % 2000;
        let data = if round % 3 == 0 { skewed(&mut random, len) } else { random.data(len) };
        let mut encoded = compress_to_vec(&data, 1 + (round % 9) as u8);
        for _ in 0..1 + random.next() % 2 {
            // Half of them in the codes, where there are any.
            let at = random.next() % if round % 2 == 0 { encoded.len() } else { encoded.len().min(60) };
            encoded[at] ^= 1 << (random.next() % 8);
        }
        dst.fill(round as u8);
        let ours = inflate::blocks(&mut codes, &mut Bits::new(&encoded), &mut dst);
        match decompress_to_vec_with_limit(&encoded, ROOM) {
            Ok(theirs) => {
                fine += 1;
                assert_eq!(ours, Ok(theirs.len()), "round {round}");
                assert!(dst[..theirs.len()] == theirs, "round {round}");
            }
            Err(_) => {
                wrong += 1;
                assert_eq!(ours, Err(Corrupt), "round {round}");
            }
        }
    }
    assert!(fine > 500 && wrong > 500, "{fine} fine, {wrong} wrong");
}

/// A block with a code of one bit for a single distance, which is the one incomplete code there may be.
#[test]
fn a_single_distance_may_have_an_incomplete_code() {
    // All of one byte: every match has distance 1.
    let data = vec![9; 5000];
    let encoded = compress_to_vec_zlib(&data, 9);
    let mut dst = vec![0; data.len()];
    let mut codes = Codes::EMPTY;
    assert_eq!(decode(&mut codes, &encoded, &mut dst), Ok(()));
    assert!(dst == data);
}

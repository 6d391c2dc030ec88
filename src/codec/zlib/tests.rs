#[cfg(feature = "encoders")]
mod encoder;

use super::inflate::one;
use super::stream::Inflate;
use super::{CodeTables, decode, decode_two, matches};
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
    let mut codes = CodeTables::EMPTY;
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

/// A dictionary, another method, a window of 64 KiB: each with a valid header checksum.
#[test]
fn headers_of_other_streams_are_refused() {
    let mut codes = CodeTables::EMPTY;
    for method in 0..=255 {
        for flags in 0..=255 {
            let src = [&[method, flags], &STORED[2..]].concat();
            let deflate = method & 15 == 8 && method >> 4 <= 7;
            let fine = deflate && flags & 32 == 0 && u16::from_be_bytes([method, flags]) % 31 == 0;
            assert_eq!(decode(&mut codes, &src, &mut [0; 4]).is_ok(), fine, "{method} {flags}");
        }
    }
}

/// Bytes with exponentially decreasing frequencies, so that codes of all lengths occur.
fn skewed(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| (random.next() as u32 | 1 << 20).trailing_zeros() as u8 * 11).collect()
}

#[test]
fn undoes_every_level() {
    let mut random = Random(5);
    let mut codes = CodeTables::EMPTY;
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
    let mut codes = CodeTables::EMPTY;
    for (len, level) in [(40, 1), (3000, 6), (3000, 0), (9000, 9)] {
        let data = [random.data(len), skewed(&mut random, len)].concat();
        let encoded = compress_to_vec_zlib(&data, level);
        let mut dst = vec![0; data.len()];
        for end in 0..encoded.len() {
            assert_eq!(decode(&mut codes, &encoded[..end], &mut dst), Err(Corrupt), "{end} bytes");
        }
        // Trailing bytes are ignored.
        let longer = [&encoded[..], &[1, 2, 3]].concat();
        assert_eq!(decode(&mut codes, &longer, &mut dst), Ok(()));
    }
}

/// Raw deflate without the checksum, so that much damaged data still decodes.
#[test]
fn damage_gives_what_another_decoder_makes_of_it() {
    const ROOM: usize = 40_000;
    let mut random = Random(7);
    let mut codes = CodeTables::EMPTY;
    let mut dst = vec![0; ROOM];
    let (mut fine, mut wrong) = (0, 0);
    for round in 0..6000_usize {
        let len = 1 + random.next() % 2000;
        let data = if round % 3 == 0 { skewed(&mut random, len) } else { random.data(len) };
        let mut encoded = compress_to_vec(&data, 1 + (round % 9) as u8);
        for _ in 0..1 + random.next() % 2 {
            // Half of the damage hits the code lengths, if there are any.
            let at = random.next() % if round % 2 == 0 { encoded.len() } else { encoded.len().min(60) };
            encoded[at] ^= 1 << (random.next() % 8);
        }
        dst.fill(round as u8);
        let ours = one(Inflate::new(&mut codes, &encoded, &mut dst)).map(|done| done.written);
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

/// A one-bit code for a single distance is the only incomplete code that is valid.
#[test]
fn a_single_distance_may_have_an_incomplete_code() {
    // All bytes are equal: every match has distance 1.
    let data = vec![9; 5000];
    let encoded = compress_to_vec_zlib(&data, 9);
    let mut dst = vec![0; data.len()];
    let mut codes = CodeTables::EMPTY;
    assert_eq!(decode(&mut codes, &encoded, &mut dst), Ok(()));
    assert!(dst == data);
}

/// Data of all kinds, and its compressed form.
fn streams(random: &mut Random) -> Vec<(Vec<u8>, Vec<u8>)> {
    let data = [
        vec![],
        vec![1, 2, 3],
        random.data(100),
        random.data(70_000),
        skewed(random, 50_000),
        vec![7; 40_000],
        [random.data(5000), vec![0; 9000], skewed(random, 3000)].concat(),
    ];
    let levels = [0, 1, 4, 9];
    let all =
        data.iter().flat_map(|data| levels.map(|level| (data.clone(), compress_to_vec_zlib(data, level))));
    all.collect()
}

#[test]
fn two_at_once_are_what_each_is_alone() {
    let streams = streams(&mut Random(8));
    let (mut codes, mut other_codes) = (CodeTables::EMPTY, CodeTables::EMPTY);
    for (data, encoded) in &streams {
        for (other_data, other_encoded) in &streams {
            let (mut dst, mut other) = (vec![1; data.len()], vec![2; other_data.len()]);
            let codes = [&mut codes, &mut other_codes];
            let decoded = decode_two(codes, [encoded, other_encoded], [&mut dst, &mut other]);
            assert_eq!(decoded, Ok(()));
            assert!(dst == *data && other == *other_data);
        }
    }
}

/// Damage anywhere in either stream, except in the padding bits before the checksum.
#[test]
fn damage_in_one_of_two_is_seen() {
    let mut random = Random(9);
    let (mut codes, mut other_codes) = (CodeTables::EMPTY, CodeTables::EMPTY);
    let data = random.data(1200);
    let (sound, damaged) = (compress_to_vec_zlib(&data, 6), compress_to_vec_zlib(&data, 9));
    let mut fails = |src: [&[u8]; 2]| {
        let (mut dst, mut other) = (vec![1; data.len()], vec![2; data.len()]);
        let codes = [&mut codes, &mut other_codes];
        decode_two(codes, src, [&mut dst, &mut other]).is_err() || (dst == data && other == data)
    };
    for end in 0..damaged.len() {
        let cut = &damaged[..end];
        assert!(fails([&sound, cut]) && fails([cut, &sound]), "{end} bytes");
    }
    for bit in 0..8 * damaged.len() {
        let mut wrong = damaged.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(fails([&sound, &wrong]) && fails([&wrong, &sound]), "bit {bit}");
    }
}

#[test]
fn matches_are_what_bytes_one_by_one_give() {
    let step = if cfg!(miri) { 37 } else { 1 };
    for dist in (1..80).step_by(step / 4 + 1) {
        for len in (3..=258).step_by(step) {
            for room in [len, len + 63, len + 64, len + 100] {
                let mut dst: Vec<u8> = (0..80 + room).map(|i| (i * 7 + 3) as u8).collect();
                let mut slow = dst.clone();
                for at in 80..80 + len {
                    slow[at] = slow[at - dist];
                }
                assert_eq!(matches::copy(&mut dst, 80, dist, len), Ok(()));
                assert_eq!(dst[..80 + len], slow[..80 + len], "distance {dist}, length {len}");
                let far = matches::copy(&mut dst, dist - 1, dist, len);
                assert_eq!(far, Err(Corrupt), "distance {dist}, length {len}");
            }
        }
    }
}

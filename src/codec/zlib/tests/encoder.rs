//! Output of the encoder is decoded by our decoder and by another one, and fits its room.

use super::super::Encoder;
use super::*;
use miniz_oxide::inflate::decompress_to_vec_zlib;

/// Encodes, checks what two decoders make of it, and returns the length.
fn encoded(encoder: &mut Encoder, plain: &[u8], level: u8) -> usize {
    let mut src = vec![0xEE; plain.len() + plain.len() / 1000 + 30];
    let len = encoder.encode(plain, &mut src, level).expect("there is room");
    check(&src[..len], plain);
    len
}

fn check(src: &[u8], plain: &[u8]) {
    let mut dst = vec![0xEE; plain.len()];
    assert_eq!(decode(&mut { CodeTables::EMPTY }, src, &mut dst), Ok(()));
    assert!(dst == plain);
    assert!(decompress_to_vec_zlib(src).is_ok_and(|other| other == plain));
    assert_eq!(u16::from_be_bytes([src[0], src[1]]) % 31, 0);
}

const LEVELS: [u8; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

#[test]
fn all_short_lengths() {
    let mut random = Random(51);
    let mut encoder = Encoder::default();
    for len in (0..300).step_by(if cfg!(miri) { 41 } else { 1 }) {
        for plain in [random.data(len.max(1)), vec![3; len], skewed(&mut random, len)] {
            let level = LEVELS[len % LEVELS.len()];
            encoded(&mut encoder, &plain, level);
        }
    }
}

/// Counts that are Fibonacci numbers make the longest codes that there are: longer than the format allows.
#[test]
fn codes_have_a_longest_length() {
    let mut random = Random(52);
    let mut encoder = Encoder::default();
    for symbols in [15, 20, 22] {
        let (mut plain, mut counts) = (vec![], [1, 1]);
        for symbol in 0..symbols {
            plain.extend(core::iter::repeat_n(symbol * 11, counts[0]));
            counts = [counts[1], counts[0] + counts[1]];
        }
        for at in (1..plain.len()).rev() {
            plain.swap(at, random.below(at + 1));
        }
        for level in LEVELS {
            let len = encoded(&mut encoder, &plain, level);
            assert!(len < plain.len() / 2, "{symbols} {level}");
        }
    }
}

/// Long series of the longest matches, which the quick levels do not search for one by one.
#[test]
fn repeated_rows() {
    let mut random = Random(53);
    let mut encoder = Encoder::default();
    let rows: Vec<u8> = (0..20).flat_map(|_| random.data(2048).repeat(8)).collect();
    let wave: Vec<u8> = (0..rows.len()).map(|at| (at % 2048 % 97) as u8).collect();
    for plain in [rows, wave] {
        let all = encoded(&mut encoder, &plain, 9);
        for level in 4..=6 {
            assert!(encoded(&mut encoder, &plain, level) < 2 * all, "{level}");
        }
    }
}

#[test]
fn runs_and_the_longest_matches() {
    let mut encoder = Encoder::default();
    for run in (1..20).chain(250..280).chain([515, 516, 517, 518, 519, 520, 521, 774, 5000, 100_000]) {
        let plain = [&vec![1; run][..], b"abcdefgh", &vec![1; run], b"stop"].concat();
        for level in [1, 2, 3, 9, 10] {
            let len = encoded(&mut encoder, &plain, level);
            // Level 1 has fixed codes here.
            let each = if level == 1 { 70 } else { 100 };
            assert!(len < 80 + run / each, "{run} {level}: {len}");
        }
    }
}

/// The chains find what lies as far back as the window reaches, and nothing farther.
#[test]
fn matches_at_the_end_of_the_window() {
    let mut random = Random(53);
    let mut encoder = Encoder::default();
    let text: Vec<u8> = (0..500).map(|_| random.next() as u8).collect();
    let mut len = |dist: usize, level| {
        let plain = [&text[..], &vec![0; dist - text.len()], &text].concat();
        encoded(&mut encoder, &plain, level)
    };
    for level in [1, 2, 3, 9, 10] {
        let lens = [32_766, 32_767, 32_768, 32_769].map(|dist| len(dist, level));
        assert!(lens[0] < 800 && lens[1] < 800 && lens[2] > 1000 && lens[3] > 1000, "{level}: {lens:?}");
    }
}

/// Without matches there are no distances; what is even is stored, in several blocks where it is long.
#[test]
fn literals_alone() {
    let mut random = Random(54);
    let mut encoder = Encoder::default();
    let noise: Vec<u8> = (0..140_000).map(|_| random.next() as u8).collect();
    for level in LEVELS {
        for len in [1, 2, 3, 100, 65_535, 65_536, 140_000] {
            let plain = &noise[..len];
            let needed = encoded(&mut encoder, plain, level);
            assert!(needed <= len + 5 * (len / 8192 + 1) + 6, "{len}: {needed}");
            assert_eq!(encoder.encode(plain, &mut vec![0; len - 1], level), None, "{len}");
        }
        // Each byte once, in any order: no bytes repeat.
        let once: Vec<u8> = (0..=255_u8).map(|byte| byte.wrapping_mul(77)).collect();
        encoded(&mut encoder, &once, level);
    }
}

/// Half of a stream is noise: that half is stored, and the rest is as short as by itself.
#[test]
fn blocks_end_where_the_bytes_change() {
    let mut random = Random(55);
    let mut encoder = Encoder::default();
    let noise: Vec<u8> = (0..65_536).map(|_| random.next() as u8).collect();
    let few: Vec<u8> = (0..65_536).map(|_| random.below(4) as u8).collect();
    let other: Vec<u8> = (0..65_536).map(|_| 100 + random.below(4) as u8).collect();
    for level in [1, 3, 6] {
        let alone = encoded(&mut encoder, &few, level) + encoded(&mut encoder, &other, level);
        let all = encoded(&mut encoder, &[&noise[..], &few, &other].concat(), level);
        assert!(all < noise.len() + alone + 1200, "{level}: {all} {alone}");
    }
}

#[test]
fn any_room_is_enough_or_too_little() {
    let mut random = Random(56);
    let mut encoder = Encoder::default();
    for len in [1, 5, 40, 300, 1500] {
        for plain in
            [random.data(len), skewed(&mut random, len), (0..len).map(|_| random.next() as u8).collect()]
        {
            for level in [1, 2, 4, 9, 10] {
                let needed = encoded(&mut encoder, &plain, level);
                for room in (0..needed + 20).step_by(if cfg!(miri) { 97 } else { 1 }) {
                    let mut dst = vec![0xEE; room];
                    let fits = encoder.encode(&plain, &mut dst, level);
                    assert!(fits.is_some() || room < needed || room < len, "{room} of {needed}");
                    if let Some(len) = fits {
                        check(&dst[..len], &plain);
                    }
                }
            }
        }
    }
}

/// More effort takes less space.
#[test]
fn levels_matter() {
    let mut random = Random(57);
    let mut encoder = Encoder::default();
    let words: Vec<Vec<u8>> = (0..3000)
        .map(|_| {
            let len = 3 + random.below(9);
            random.data(len)
        })
        .collect();
    let plain: Vec<u8> =
        (0..20_000).flat_map(|_| words[random.below(60) * random.below(50)].clone()).collect();
    let lens = [1, 2, 4, 6, 9, 10].map(|level| encoded(&mut encoder, &plain, level));
    assert!(
        lens.is_sorted_by(|a, b| a + a / 500 >= *b) && lens[0] > lens[2] && lens[2] > lens[4],
        "{lens:?}"
    );
}

/// Each row of labels repeats the one above, in which the same label has often come before.
#[test]
fn rows_of_labels_repeat_those_above() {
    let label = |at: usize| (at % 1024 / 37 + 31 * (at / 1024 / 23)) as u64;
    let labels: Vec<u8> = (0..1 << 16)
        .map(|at| (label(at).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 500)
        .flat_map(i32::to_le_bytes)
        .collect();
    let len = encoded(&mut Encoder::default(), &labels, 5);
    assert!(len < 3000, "{len} bytes");
}

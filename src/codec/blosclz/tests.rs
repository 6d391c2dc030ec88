use super::*;
use crate::base::SMALL_ENCODERS;
use crate::codec::tests::Random;
use alloc::vec;
use alloc::vec::Vec;

fn decoded<const N: usize>(src: &[u8]) -> Result<[u8; N], Corrupt> {
    let mut dst = [0xEE; N];
    decode(src, &mut dst).map(|()| dst)
}

#[test]
fn literals_and_matches() {
    assert_eq!(decoded(&[0x22, 1, 2, 3]), Ok([1, 2, 3]));
    // A match of three at distance 2, then a literal.
    assert_eq!(decoded(&[0x21, 1, 2, 0x20, 1, 0, 9]), Ok([1, 2, 1, 2, 1, 9]));
    // A long match: 9 + 255 + 34, at distance 1.
    assert_eq!(decoded::<300>(&[0x20, 7, 0xE0, 255, 34, 0, 0, 7]), Ok([7; 300]));
}

#[test]
fn far_matches_have_two_more_bytes() {
    // 1 and 8194 times 2, then a match of three from the start, 8195 back, and a literal.
    let mut src = alloc::vec![0x21, 1, 2, 0xE0];
    src.extend([255; 32]);
    src.extend([24, 0, 0x3F, 255, 0, 3, 0, 9]);
    let dst = decoded::<8199>(&src).unwrap();
    assert_eq!(dst[..3], [1, 2, 2]);
    assert_eq!(dst[8193..], [2, 2, 1, 2, 2, 9]);
}

/// Much input, but less output than copies of fixed lengths take.
#[test]
fn a_near_match_shortly_before_the_end() {
    let mut src = alloc::vec![0x2B];
    src.extend(1..=12);
    src.extend([0x20, 1]);
    src.extend((16..=40).flat_map(|literal| [0, literal]));
    let expected: [u8; 40] = core::array::from_fn(|at| match at {
        12 | 14 => 11,
        13 => 12,
        _ => at as u8 + 1,
    });
    assert_eq!(decoded(&src), Ok(expected));
}

#[test]
fn refuses_what_is_malformed() {
    let malformed: [(&str, &[u8]); 9] = [
        ("nothing", &[]),
        ("literals cut short", &[0x27, 1, 2, 3]),
        ("output too short", &[0x22, 1, 2, 3]),
        ("output too long", &[0x28, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("distance before the start", &[0x20, 1, 0xA0, 1, 0]),
        ("match beyond the output", &[0x20, 1, 0xE0, 0, 0]),
        ("distance cut short", &[0x20, 1, 0xA0]),
        ("length cut short", &[0x20, 1, 0xE0, 255, 255]),
        ("far distance cut short", &[0x20, 1, 0x3F, 255, 0]),
    ];
    for (what, src) in malformed {
        assert_eq!(decoded::<8>(src), Err(Corrupt), "{what}");
    }
}

#[test]
fn a_length_beyond_the_output_is_refused() {
    let mut src = alloc::vec![255; 1 << 20];
    src[..3].copy_from_slice(&[0x20, 1, 0xE0]);
    src.extend([0, 0, 0]);
    assert_eq!(decoded::<64>(&src), Err(Corrupt));
}

/// A byte-by-byte decoder, straight from the format.
fn bytewise(src: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut ip) = (Vec::new(), 0);
    let mut token = *src.first()? & 31;
    loop {
        ip += 1;
        if token < 32 {
            let literals = usize::from(token) + 1;
            out.extend_from_slice(src[ip..].get(..literals)?);
            ip += literals;
        } else {
            let (dist, matched) = read_match(src, &mut ip, token).ok()?;
            if dist > out.len() || out.len() + matched > len {
                return None;
            }
            for at in out.len()..out.len() + matched {
                out.push(out[at - dist]);
            }
        }
        let Some(&next) = src.get(ip) else { return (out.len() == len).then_some(out) };
        token = next;
    }
}

/// A stream of literals, then `count` tokens; and its decoded length.
fn stream(random: &mut Random, count: usize) -> (Vec<u8>, usize) {
    let (mut src, mut len) = (Vec::new(), 0);
    for i in 0..count {
        if i == 0 || random.below(3) == 0 {
            let literals = 1 + random.length(31);
            src.push((literals as u8 - 1) | u8::from(i == 0) << 5);
            src.extend((0..literals).map(|_| random.below(256) as u8));
            len += literals;
        } else {
            let matched = 3 + random.length(900);
            put_match(&mut src, random.length((len - 1).min(FAR + 65535)), matched);
            len += matched;
        }
    }
    (src, len)
}

fn put_match(src: &mut Vec<u8>, dist: usize, len: usize) {
    let near = dist.min(FAR);
    src.push((len - 2).min(7) as u8 * 32 + (near >> 8) as u8);
    if len >= 9 {
        src.extend(core::iter::repeat_n(255, (len - 9) / 255));
        src.push(((len - 9) % 255) as u8);
    }
    src.push(near as u8);
    if near == FAR {
        src.extend(((dist - FAR) as u16).to_be_bytes());
    }
}

/// Checks that the decoder agrees with [`bytewise`].
fn same(src: &[u8], len: usize) {
    let mut dst = alloc::vec![0xEE; len];
    let decoded = decode(src, &mut dst).map(|()| dst);
    assert_eq!(decoded, bytewise(src, len).ok_or(Corrupt), "{len} bytes, {src:?}");
}

#[test]
fn all_ways_decode_the_same() {
    let mut random = Random(1);
    for round in 0..if cfg!(miri) { 8 } else { 600 } {
        let (src, len) = stream(&mut random, 1 + round);
        let whole = bytewise(&src, len).unwrap();
        same(&src, len);
        let start = random.below(len + 1);
        let mut dst = alloc::vec![0xEE; start];
        assert_eq!(decode_start(&src, &mut dst), Ok(()));
        assert_eq!(dst, whole[..start]);
    }
}

#[test]
fn what_lies_is_refused_in_all_ways() {
    let mut random = Random(2);
    for round in 0..if cfg!(miri) { 2 } else { 40 } {
        let (src, len) = stream(&mut random, 2 + round);
        for end in (0..src.len()).step_by(if cfg!(miri) { 37 } else { 1 }) {
            same(&src[..end], len);
        }
        for _ in 0..if cfg!(miri) { 20 } else { 500 } {
            let mut src = src.clone();
            let at = random.below(src.len());
            src[at] = [0, 255, random.below(256) as u8][random.below(3)];
            same(&src, len);
            same(&src, len.saturating_sub(random.length(200)));
            same(&src, len + random.length(200));
        }
    }
}

/// Only what precedes a run tells how long it is: periods are cut short by the ends of rows.
#[test]
fn what_follows_a_run_is_found() {
    let src: Vec<u8> = (0..1_usize << 17).map(|at| u8::from(at % 2048 % 97 < 30)).collect();
    let (mut table, mut dst): (Positions, _) = ([0; 1 << 14], vec![0; src.len()]);
    let len = encode(&src, &mut dst, &mut table, 5).unwrap();
    assert!(SMALL_ENCODERS || len < 700, "{len} bytes");
    let mut decoded = vec![0; src.len()];
    assert_eq!(decode(&dst[..len], &mut decoded), Ok(()));
    assert!(decoded == src);
}

/// Rows of 32 bytes of which the first `noise` are random.
fn half_noise(noise: usize) -> Vec<u8> {
    let mut random = Random(7);
    (0..1_usize << 15).map(|at| if at % 32 < noise { random.next() as u8 } else { 9 }).collect()
}

#[test]
fn level_1_stores_what_does_not_become_half_as_long() {
    let (mut table, mut dst): (Positions, _) = ([0; 1 << 14], vec![0; 1 << 16]);
    let (much, little) = (half_noise(18), half_noise(8));
    assert!(encode(&much, &mut dst, &mut table, 2).is_some_and(|len| len < much.len() * 3 / 4));
    assert_eq!(encode(&much, &mut dst, &mut table, 1).is_none(), !SMALL_ENCODERS);
    assert!(encode(&little, &mut dst, &mut table, 1).is_some_and(|len| len < little.len() / 2));
    assert!(encode(&much[..8000], &mut dst, &mut table, 1).is_some(), "a short stream is not probed");
}

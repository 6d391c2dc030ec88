use super::*;
use crate::codec::tests::Random;
use alloc::vec::Vec;

fn decoded<const N: usize>(src: &[u8], dict: &[u8]) -> Result<[u8; N], Corrupt> {
    let mut dst = [0xEE; N];
    decode(src, dict, &mut dst, false).map(|()| dst)
}

#[test]
fn literals_and_matches() {
    assert_eq!(decoded(&[0], &[]), Ok([]));
    assert_eq!(decoded(&[0x30, 1, 2, 3], &[]), Ok([1, 2, 3]));
    assert_eq!(decoded(&[0x12, 0, 1, 0, 0x10, 9], &[]), Ok([0, 0, 0, 0, 0, 0, 0, 9]));
    assert_eq!(decoded(&[0x20, 1, 2, 2, 0, 0], &[]), Ok([1, 2, 1, 2, 1, 2]));
    assert_eq!(decoded::<300>(&[0x1F, 7, 1, 0, 255, 25, 0], &[]), Ok([7; 300]));
}

#[test]
fn matches_reach_into_the_dictionary() {
    let dict = [1, 2, 3, 4, 5];
    assert_eq!(decoded(&[0x00, 5, 0, 0], &dict), Ok([1, 2, 3, 4]));
    // The match begins in the dictionary and continues in the output.
    assert_eq!(decoded(&[0x12, 9, 3, 0, 0], &dict), Ok([9, 4, 5, 9, 4, 5, 9]));
    assert_eq!(decoded::<4>(&[0x00, 6, 0, 0], &dict), Err(Corrupt));
    assert_eq!(decoded::<5>(&[0x10, 9, 7, 0, 0], &dict), Err(Corrupt));
}

#[test]
fn refuses_what_is_malformed() {
    let malformed: [(&str, &[u8]); 11] = [
        ("nothing", &[]),
        ("literals cut short", &[0x80, 1, 2, 3]),
        ("output too short", &[0x30, 1, 2, 3]),
        ("output too long", &[0x90, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("offset 0", &[0x13, 0, 0, 0, 0]),
        ("offset before the start", &[0x13, 0, 2, 0, 0]),
        ("offset cut short", &[0x13, 0, 1]),
        ("no last literals", &[0x13, 0, 1, 0]),
        ("match beyond the output", &[0x14, 0, 1, 0, 0]),
        ("length cut short", &[0x1F, 0, 1, 0, 255]),
        ("length of literals cut short", &[0xF0, 255, 255]),
    ];
    for (what, src) in malformed {
        assert_eq!(decoded::<8>(src, &[]), Err(Corrupt), "{what}");
    }
}

/// A byte-by-byte decoder, straight from the format.
fn bytewise(src: &[u8], dict: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut ip) = (dict.to_vec(), 0);
    let end = dict.len() + len;
    loop {
        let token = *src.get(ip)?;
        ip += 1;
        let literals = length(src, &mut ip, token >> 4)?;
        out.extend_from_slice(src.get(ip..)?.get(..literals)?);
        ip += literals;
        if ip == src.len() {
            return (out.len() == end).then(|| out.split_off(dict.len()));
        }
        let dist = usize::from(read_offset(src, &mut ip)?);
        let len = length(src, &mut ip, token & 15)? + 4;
        if dist == 0 || dist > out.len() || out.len() + len > end {
            return None;
        }
        for at in out.len()..out.len() + len {
            out.push(out[at - dist]);
        }
    }
}

/// Appends the length bytes that follow the token, and returns the token's bits.
fn put_length(bytes: &mut Vec<u8>, len: usize) -> u8 {
    if len < 15 {
        return len as u8;
    }
    bytes.extend(core::iter::repeat_n(255, (len - 15) / 255));
    bytes.push(((len - 15) % 255) as u8);
    15
}

/// A stream of `count` sequences, and its decoded length.
fn stream(random: &mut Random, count: usize, dict: &[u8]) -> (Vec<u8>, usize) {
    let (mut src, mut len) = (Vec::new(), 0);
    for last in (0..count).map(|i| i + 1 == count) {
        let (mut more, mut rest) = (Vec::new(), Vec::new());
        let literals = random.length(300).max(usize::from(len + dict.len() == 0));
        let mut token = put_length(&mut more, literals) << 4;
        more.extend((0..literals).map(|_| random.below(256) as u8));
        len += literals;
        if !last {
            let matched = random.length(900);
            let dist = 1 + random.length((len + dict.len() - 1).min(65534));
            rest.extend((dist as u16).to_le_bytes());
            token |= put_length(&mut rest, matched);
            len += matched + 4;
        }
        src.push(token);
        src.extend(more);
        src.extend(rest);
    }
    (src, len)
}

/// Checks that all variants of the decoder agree with [`bytewise`].
fn same(src: &[u8], dict: &[u8], len: usize) {
    let expected = bytewise(src, dict, len).ok_or(Corrupt);
    for mixed in [false, true] {
        let mut dst = alloc::vec![0xEE; len];
        let decoded = decode(src, dict, &mut dst, mixed).map(|()| dst);
        assert_eq!(decoded, expected, "mixed {mixed}, {len} bytes, {src:?}");
    }
}

#[test]
fn all_ways_decode_the_same() {
    let mut random = Random(1);
    let dict: Vec<u8> = (0..700).map(|_| random.below(256) as u8).collect();
    for round in 0..if cfg!(miri) { 8 } else { 600 } {
        let dict = if round % 3 == 0 { &dict[..] } else { &[] };
        let (src, len) = stream(&mut random, 1 + round % 60, dict);
        assert!(bytewise(&src, dict, len).is_some());
        same(&src, dict, len);
        let whole = bytewise(&src, dict, len).unwrap_or_default();
        for mixed in [false, true] {
            let start = random.below(len + 1);
            let mut dst = alloc::vec![0xEE; start];
            assert_eq!(decode_start(&src, dict, &mut dst, mixed), Ok(()));
            assert_eq!(dst, whole[..start]);
        }
    }
}

#[test]
fn what_lies_is_refused_in_all_ways() {
    let mut random = Random(2);
    for round in 0..if cfg!(miri) { 2 } else { 40 } {
        let (src, len) = stream(&mut random, 2 + round, &[]);
        for end in (0..src.len()).step_by(if cfg!(miri) { 37 } else { 1 }) {
            same(&src[..end], &[], len);
        }
        for _ in 0..if cfg!(miri) { 20 } else { 500 } {
            let mut src = src.clone();
            let at = random.below(src.len());
            src[at] = [0, 255, random.below(256) as u8][random.below(3)];
            same(&src, &[], len);
            same(&src, &[], len.saturating_sub(random.length(200)));
            same(&src, &[], len + random.length(200));
        }
    }
}

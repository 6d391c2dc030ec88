//! Output of the encoders is decoded by our decoders and by the original libraries, liblz4, zlib, libzstd and snap; it fits its room,
//! and keeps to the format's rules about ends.

use super::*;
use crate::ArgumentError;
use crate::codec::tests::Random;
use crate::codec::{Registry, State, Stream, decode};
use alloc::vec;

const CODECS: &[Codec] = &[
    Codec::BLOSCLZ,
    #[cfg(feature = "lz4")]
    Codec::LZ4,
    #[cfg(feature = "lz4")]
    Codec::LZ4HC,
    #[cfg(feature = "zlib")]
    Codec::ZLIB,
    #[cfg(feature = "snappy")]
    Codec::SNAPPY,
    #[cfg(any(feature = "zstd", feature = "zstd-safe"))]
    Codec::ZSTD,
];

fn encoded(encoder: &mut Encoder, codec: Codec, clevel: u8, plain: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0xEE; room];
    let len = encoder.encode(codec, clevel, plain, &mut dst).unwrap()?;
    dst.truncate(len);
    Some(dst)
}

fn decoded(codec: Codec, src: &[u8], len: usize) -> Vec<u8> {
    let mut dst = vec![0xEE; len];
    let stream = Stream { src, dict: &[], meta: 0, typesize: 1, blockshape: &[], shuffled: false };
    decode(codec, &stream, &mut dst, &mut State::default(), &Registry::new()).unwrap();
    dst
}

/// Kinds of data.
const KINDS: usize = 10;

/// Bytes of every kind: runs, repeats, noise, counters, planes of noise and of runs; and what is hard for encoders: the longest
/// Huffman codes, matches as far as the formats allow and one byte farther, and many short matches that overlap.
fn data(random: &mut Random, kind: usize, len: usize) -> Vec<u8> {
    match kind {
        0 => random.data(len),
        1 => vec![random.next() as u8; len],
        2 => (0..len).map(|_| random.next() as u8).collect(),
        3 => (0..len).map(|i| ((i / 4) >> (8 * (i % 4))) as u8).collect(),
        4 => {
            let mut data = vec![];
            while data.len() < len {
                let (byte, run) = (random.below(3) as u8, 1 + random.length(300));
                data.extend((0..run).map(|_| byte));
            }
            data.truncate(len);
            data
        }
        5 => {
            let row: Vec<u8> = random.data(97);
            (0..len).map(|i| if i % 1009 == 0 { random.next() as u8 } else { row[i % 97] }).collect()
        }
        6 => (0..len).map(|i| if i < len / 2 { random.next() as u8 } else { (i * i / 5000) as u8 }).collect(),
        7 => (0..len).map(|_| (random.next().trailing_zeros() as u8).wrapping_mul(37)).collect(),
        8 => {
            let mut data: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
            for dist in [65_536, 65_535, 32_769, 32_768, 32_767, 8191, 8192] {
                let n = 4 + random.below(40);
                let at = dist + random.below(len.saturating_sub(dist + n).max(1));
                if at + n <= len {
                    data.copy_within(at - dist..at - dist + n, at);
                }
            }
            data
        }
        _ => {
            let words: [Vec<u8>; 6] =
                core::array::from_fn(|_| random.data(3).repeat(3)[..3 + random.below(6)].to_vec());
            let mut data = vec![];
            while data.len() < len {
                data.extend_from_slice(&words[random.below(6)]);
            }
            data.truncate(len);
            data
        }
    }
}

#[test]
fn decoders_undo_it() {
    let mut random = Random(11);
    let mut encoder = Encoder::new();
    let mut written = 0;
    for &codec in CODECS {
        for len in (0..40).chain([63, 64, 65, 100, 255, 1000, 4096, 65_535, 65_536, 65_547, 140_001]) {
            for kind in 0..KINDS {
                let plain = data(&mut random, kind, len);
                let levels: &[u8] = if len < 5000 { &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } else { &[1, 5, 9] };
                let slow = codec == Codec::ZSTD && cfg!(feature = "zstd-safe");
                for &clevel in levels.iter().filter(|level| !slow || **level < 9) {
                    let Some(src) = encoded(&mut encoder, codec, clevel, &plain, len + len / 8 + 40) else {
                        let stored = len < 16 || clevel == 1 && len >= 16 << 10;
                        assert!(codec == Codec::BLOSCLZ && stored, "{codec:?}, {len} bytes of kind {kind}");
                        continue;
                    };
                    written += 1;
                    let what = (codec, clevel, len, kind);
                    assert!(decoded(codec, &src, len) == plain, "{what:?}");
                    theirs(codec, &src, &plain);
                }
            }
        }
    }
    assert!(written > 5000 * CODECS.len() / 5, "{written}");
}

/// The original libraries, and what they do not check.
fn theirs(codec: Codec, src: &[u8], plain: &[u8]) {
    let mut other = vec![0xEE; plain.len()];
    match codec {
        Codec::LZ4 | Codec::LZ4HC => {
            // liblz4 refuses no room, even for nothing.
            other.push(0);
            let read = lz4::block::decompress_to_buffer(src, Some(plain.len() as i32), &mut other);
            assert!(read.is_ok_and(|len| other[..len] == *plain), "liblz4");
            let (last_match, literals) = ends(src, plain.len());
            assert!(last_match.is_none_or(|start| start + 12 <= plain.len()), "a match begins late");
            assert!(last_match.is_none() || literals >= 5, "few literals at the end");
        }
        Codec::ZLIB => {
            let mut zlib = flate2::Decompress::new(true);
            let status = zlib.decompress(src, &mut other, flate2::FlushDecompress::Finish);
            // One that has not ended lacks room for what comes.
            assert!(status.is_ok_and(|status| status == flate2::Status::StreamEnd) && other == plain, "zlib");
        }
        Codec::ZSTD => {
            let read = zstd_safe::decompress(&mut other[..], src);
            assert!(read == Ok(plain.len()) && other == plain, "libzstd");
        }
        Codec::SNAPPY => {
            let read = snap::raw::Decoder::new().decompress(src, &mut other);
            assert!(read == Ok(plain.len()) && other == plain, "snap");
        }
        Codec::BLOSCLZ => {
            assert!(src[0] & 0xE0 == 0x20, "the mark of the first token");
        }
        _ => {}
    }
}

/// Where the last match of an LZ4 block begins, and how many literals follow it.
fn ends(src: &[u8], len: usize) -> (Option<usize>, usize) {
    let (mut ip, mut op, mut last) = (0, 0, None);
    let length = |ip: &mut usize, mut len: usize| {
        if len == 15 {
            loop {
                let byte = usize::from(src[*ip]);
                (len, *ip) = (len + byte, *ip + 1);
                if byte != 255 {
                    break;
                }
            }
        }
        len
    };
    loop {
        let token = usize::from(src[ip]);
        ip += 1;
        let literals = length(&mut ip, token >> 4);
        (ip, op) = (ip + literals, op + literals);
        if ip == src.len() {
            assert_eq!(op, len);
            return (last, literals);
        }
        ip += 2;
        last = Some(op);
        op += 4 + length(&mut ip, token & 15);
    }
}

#[test]
fn fits_its_room_or_says_so() {
    let mut random = Random(12);
    let mut encoder = Encoder::new();
    for &codec in CODECS {
        for len in [40, 300, 2000] {
            let plain = data(&mut random, 0, len);
            for clevel in [1, 5] {
                let whole = encoded(&mut encoder, codec, clevel, &plain, 2 * len + 99).unwrap();
                for room in 0..whole.len() {
                    assert_eq!(encoded(&mut encoder, codec, clevel, &plain, room), None, "{codec:?}, {room}");
                }
                let exact = encoded(&mut encoder, codec, clevel, &plain, whole.len());
                assert!(exact.is_none_or(|exact| exact == whole), "{codec:?}");
                if matches!(codec, Codec::BLOSCLZ | Codec::LZ4 | Codec::LZ4HC | Codec::SNAPPY) {
                    assert!(encoded(&mut encoder, codec, clevel, &plain, whole.len()).is_some(), "{codec:?}");
                }
            }
        }
    }
}

/// A stream does not depend on what was encoded before.
#[test]
fn remembers_nothing() {
    let mut random = Random(13);
    let mut encoder = Encoder::new();
    for &codec in CODECS {
        for len in [500, 70_000] {
            let plain = data(&mut random, 0, len);
            let first = encoded(&mut Encoder::new(), codec, 5, &plain, 2 * len);
            for kind in 0..4 {
                let other = data(&mut random, kind, len + 17);
                encoded(&mut encoder, codec, 7, &other, 2 * len);
                assert_eq!(encoded(&mut encoder, codec, 5, &plain, 2 * len), first, "{codec:?}");
            }
        }
    }
}

/// Matches in the dictionary and across its end are found, by both tables and on all levels.
#[test]
fn dictionaries_precede_streams() {
    let mut random = Random(15);
    let mut encoder = Encoder::new();
    for &codec in CODECS.iter().filter(|codec| Encoder::takes_dict(**codec)) {
        for (dict_len, len) in
            [(1, 30), (300, 12), (300, 13), (300, 2000), (32_768, 4096), (32_768, 32_768), (9000, 70_000)]
        {
            for kind in 0..7 {
                let whole = data(&mut random, kind, dict_len + len);
                let noise: Vec<u8> = (0..dict_len).map(|_| random.next() as u8).collect();
                let again = [&noise[dict_len / 2..], &whole[..len], &noise].concat();
                for (dict, src) in [whole.split_at(dict_len), (&noise, &again)] {
                    for clevel in [1, 2, 3, 5, 8, 10] {
                        let mut dst = vec![0; src.len() * 9 / 8 + 40];
                        let stream = PlainStream { src, clevel, meta: 0, typesize: 1, blockshape: &[] };
                        let end = encoder.encode_stream(codec, &stream, dict, &mut dst).unwrap().unwrap();
                        let what = (codec, clevel, dict_len, len, kind);
                        let mut plain = vec![0xEE; src.len()];
                        let encoded = Stream {
                            src: &dst[..end],
                            dict,
                            meta: 0,
                            typesize: 1,
                            blockshape: &[],
                            shuffled: false,
                        };
                        decode(codec, &encoded, &mut plain, &mut State::default(), &Registry::new()).unwrap();
                        assert!(plain == src, "{what:?}");
                        if codec != Codec::ZSTD {
                            let other = lz4_flex::block::decompress_with_dict(&dst[..end], src.len(), dict);
                            assert!(other.is_ok_and(|other| other == src), "{what:?}");
                            let (last_match, literals) = ends(&dst[..end], src.len());
                            assert!(last_match.is_none_or(|start| start + 12 <= src.len() && literals >= 5));
                        }
                        // What of the noise is in the dictionary takes next to nothing.
                        let found = src == again && (dict_len, len) == (300, 2000);
                        assert!(!found || end < len + 60, "{what:?}: {end}");
                    }
                }
            }
        }
    }
}

#[test]
fn compresses() {
    let mut random = Random(14);
    let mut encoder = Encoder::new();
    let constant = vec![7; 100_000];
    let rows = data(&mut random, 5, 100_000);
    let runs = data(&mut random, 4, 100_000);
    for &codec in CODECS {
        let mut len =
            |clevel, plain: &[u8]| encoded(&mut encoder, codec, clevel, plain, plain.len()).unwrap().len();
        // A copy of snappy has at most 64 bytes.
        let least = if codec == Codec::SNAPPY { 3 * 100_000 / 64 } else { 0 };
        assert!(len(1, &constant) < least + 1000, "{codec:?}");
        assert!(len(5, &rows) < least + 4000 && len(9, &rows) < least + 4000, "{codec:?}");
        assert!(len(5, &runs) < 15_000, "{codec:?}");
    }
    #[cfg(feature = "lz4")]
    for plain in [rows, runs, random.data(200_000)] {
        let mut len =
            |codec, clevel| encoded(&mut encoder, codec, clevel, &plain, plain.len()).unwrap().len();
        let fast = len(Codec::LZ4, 9);
        let slow = [1, 3, 5, 9, 10].map(|clevel| len(Codec::LZ4HC, clevel));
        assert!(slow[3] <= slow[0] && slow[1] < fast && slow[4] * 99 <= slow[3] * 100, "{fast} {slow:?}");
    }
}

#[test]
fn refuses_what_it_does_not_know() {
    let mut encoder = Encoder::new();
    for clevel in [0, 11] {
        let error = encoder.encode(Codec::BLOSCLZ, clevel, &[0; 99], &mut [0; 99]).unwrap_err();
        assert_eq!(error, ArgumentError::Parameter { name: "clevel", value: clevel.into() }.into());
    }
    // These two encode blocks of arrays.
    for codec in (0..40).map(Codec).filter(|codec| *codec != Codec::NDLZ && !codec.is_zfp()) {
        let known = encoder.encode(codec, 5, &[0; 99], &mut [0; 99]).is_ok();
        assert_eq!((known, known), (CODECS.contains(&codec), Encoder::knows(codec)), "{codec:?}");
    }
}

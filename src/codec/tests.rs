//! Properties of all decoders: they invert other implementations' encoders, and survive corrupt input.

use super::*;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// Marsaglia's xorshift: deterministic pseudo-random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.next() % bound
    }

    /// A length: mostly small, sometimes any.
    pub(super) fn length(&mut self, most: usize) -> usize {
        let bits = self.below(usize::BITS as usize - most.leading_zeros() as usize + 1);
        self.below(1 << bits).min(most)
    }

    /// A mix of runs, repeats at many distances, and noise.
    pub(super) fn data(&mut self, len: usize) -> Vec<u8> {
        let mut data = vec![self.next() as u8];
        while data.len() < len {
            let (kind, n) = (self.next() % 4, self.next() % 50 + 1);
            let dist = self.next() % data.len().min(if kind == 0 { 20 } else { 70_000 }) + 1;
            for _ in 0..n * (1 + self.next() % 8) {
                let byte = if kind < 3 { data[data.len() - dist] } else { self.next() as u8 };
                data.push(byte);
            }
        }
        data.truncate(len);
        data
    }
}

fn stream<'a>(src: &'a [u8], dict: &'a [u8]) -> Stream<'a> {
    Stream { src, dict, meta: 0, typesize: 4, blockshape: &[], shuffled: false }
}

fn decoded(codec: Codec, src: &[u8], dict: &[u8], len: usize, state: &mut State) -> Result<Vec<u8>> {
    let mut dst = vec![0xEE; len];
    state.other_dictionary();
    decode(codec, &stream(src, dict), &mut dst, state, &Registry::new()).map(|()| dst)
}

type Encoder = fn(&[u8]) -> Vec<u8>;

/// Literals in tokens of up to 32, and a match wherever three bytes repeat.
fn blosclz_encode(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < data.len() {
        let matches = at >= 3 && at + 3 < data.len() && data[at..at + 3] == data[at - 3..at];
        if matches || at - start == 32 {
            out.push((at - start - 1) as u8);
            out.extend(&data[start..at]);
            start = at;
        }
        if matches {
            out.extend([0x20, 2]);
            start += 3;
            at += 3;
        }
        at += 1;
    }
    out.push((at - start - 1) as u8);
    out.extend(&data[start..]);
    out
}

const ENCODERS: &[(Codec, Encoder)] = &[
    (Codec::BLOSCLZ, blosclz_encode),
    #[cfg(feature = "lz4")]
    (Codec::LZ4, lz4_flex::block::compress),
    (Codec::SNAPPY, |data| snap::raw::Encoder::new().compress_vec(data).unwrap()),
    #[cfg(feature = "zlib")]
    (Codec::ZLIB, |data| miniz_oxide::deflate::compress_to_vec_zlib(data, 6)),
    #[cfg(any(feature = "zstd", feature = "zstd-safe"))]
    (Codec::ZSTD, |data| zstd_encode(data, &[])),
];

#[cfg(any(feature = "zstd", feature = "zstd-safe"))]
fn zstd_encode(data: &[u8], dict: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(::zstd_safe::compress_bound(data.len()));
    ::zstd_safe::CCtx::create().compress_using_dict(&mut out, data, dict, 3).unwrap();
    out
}

#[test]
fn undoes_what_encoders_do() {
    let mut random = Random(1);
    let mut state = State::default();
    for &(codec, encode) in ENCODERS {
        for len in (1..150).chain([1000, 4095, 65_536, 300_001]) {
            let data = random.data(len);
            let encoded = encode(&data);
            assert!(decoded(codec, &encoded, &[], len, &mut state) == Ok(data), "{codec:?}, {len} bytes");
            assert!(decoded(codec, &encoded, &[], len - 1, &mut state).is_err(), "{codec:?}, {len} bytes");
            assert!(decoded(codec, &encoded, &[], len + 1, &mut state).is_err(), "{codec:?}, {len} bytes");
        }
    }
}

/// A truncated output is a prefix of the whole.
#[test]
fn starts_are_those_of_the_whole() {
    let mut random = Random(7);
    for &(codec, encode) in ENCODERS {
        for len in [1, 40, 150, 1000, 65_536] {
            let data = random.data(len);
            let encoded = encode(&data);
            for needed in (0..40).map(|k| 1 + k * (len - 1) / 39) {
                let mut dst = vec![0xEE; len];
                let (stream, registry) = (stream(&encoded, &[]), Registry::new());
                let Some(decoded) = decode_start(codec, &stream, &mut dst[..needed], &registry) else {
                    continue;
                };
                decoded.unwrap();
                assert!(dst[..needed] == data[..needed], "{codec:?}, {needed} of {len} bytes");
            }
        }
    }
}

/// Decoding is deterministic: the same result twice, whatever the output held before.
#[test]
fn corrupt_bytes_do_no_harm() {
    let mut random = Random(2);
    let mut state = State::default();
    for &(codec, encode) in ENCODERS {
        for round in 0..2000 {
            let len = 1 + random.next() % 700;
            let data = random.data(len);
            let mut encoded = encode(&data);
            for _ in 0..1 + random.next() % 3 {
                let at = random.next() % encoded.len();
                match round % 4 {
                    0 => encoded.truncate(at.max(1)),
                    1 => encoded[at] ^= 1 << (random.next() % 8),
                    2 => encoded[at] = 255,
                    _ => encoded[at] = random.next() as u8,
                }
            }
            let (mut a, mut b) = (vec![0; data.len()], vec![0xFF; data.len()]);
            let registry = Registry::new();
            let first = decode(codec, &stream(&encoded, &[]), &mut a, &mut state, &registry);
            let again = decode(codec, &stream(&encoded, &[]), &mut b, &mut State::default(), &registry);
            assert_eq!(first, again, "{codec:?}");
            match first {
                Ok(()) => assert!(a == b, "{codec:?}: old bytes of the output show"),
                Err(error) => {
                    let codec = codec.name().unwrap();
                    assert_eq!(error, Error::format(Malformed::Stream { codec }));
                }
            }
        }
    }
}

#[test]
#[cfg(feature = "lz4")]
fn lz4_block_of_the_reference() {
    let mut src = vec![0x12, 0, 1, 0, 0x12, 1, 1, 0, 0x12, 2, 1, 0, 0x12, 3, 1, 0];
    src.extend([0x40, 3, 3, 3, 3]);
    let expected: Vec<u8> = (0..32).map(|i| [i / 7, 3][usize::from(i >= 28)]).collect();
    assert_eq!(decoded(Codec::LZ4HC, &src, &[], 32, &mut State::default()), Ok(expected));
}

#[test]
#[cfg(feature = "lz4")]
fn lz4_with_dictionary() {
    let mut random = Random(3);
    let mut state = State::default();
    for len in [5, 40, 3000, 30_000] {
        let dict = random.data(len);
        let mut data = dict[len / 3..].to_vec();
        data.extend(random.data(len));
        data.extend(&dict[..len / 2]);
        let encoded = lz4_flex::block::compress_with_dict(&data, &dict);
        let len = data.len();
        assert!(decoded(Codec::LZ4, &encoded, &dict, len, &mut state) == Ok(data), "{len} bytes");
    }
}

/// Matches within the dictionary, which other tests of damage do not reach.
#[test]
#[cfg(feature = "lz4")]
fn lz4_damage_with_dictionary() {
    let mut random = Random(8);
    let mut state = State::default();
    let dict = random.data(5000);
    let data =
        [&dict[1000..1700], &random.data(500), &dict[..900], &random.data(300), &dict[4000..]].concat();
    let clean = lz4_flex::block::compress_with_dict(&data, &dict);
    let mut fine = 0;
    for _ in 0..3000 {
        let mut encoded = clean.clone();
        let at = random.next() % encoded.len();
        encoded[at] ^= 1 << (random.next() % 8);
        let (mut a, mut b) = (vec![0; data.len()], vec![0xFF; data.len()]);
        let registry = Registry::new();
        let first = decode(Codec::LZ4, &stream(&encoded, &dict), &mut a, &mut state, &registry);
        let again = decode(Codec::LZ4, &stream(&encoded, &dict), &mut b, &mut state, &registry);
        assert_eq!(first, again);
        if first.is_ok() {
            fine += 1;
            assert!(a == b, "old bytes of the output show");
            let theirs = lz4_flex::block::decompress_with_dict(&encoded, data.len(), &dict);
            assert!(theirs.is_ok_and(|theirs| theirs == a));
        }
    }
    assert!(fine > 100, "{fine}");
}

#[test]
#[cfg(any(feature = "zstd", feature = "zstd-safe"))]
fn zstd_with_dictionaries() {
    let mut random = Random(4);
    let samples: Vec<Vec<u8>> =
        (0..300).map(|i| [&[i as u8; 9], &random.data(30)[..], &SAMPLE].concat()).collect();
    let sizes: Vec<usize> = samples.iter().map(Vec::len).collect();
    let mut trained = Vec::with_capacity(4096);
    ::zstd_safe::train_from_buffer(&mut trained, &samples.concat(), &sizes).unwrap();
    let raw = samples[..8].concat();

    let mut state = State::default();
    for sample in &samples[..20] {
        for dict in [&trained, &raw] {
            let encoded = zstd_encode(sample, dict);
            let result = decoded(Codec::ZSTD, &encoded, dict, sample.len(), &mut state);
            assert_eq!(result.as_ref(), Ok(sample));
        }
        let encoded = zstd_encode(sample, &trained);
        assert!(decoded(Codec::ZSTD, &encoded, &[], sample.len(), &mut state).is_err());
    }
    let broken = &trained[..20];
    assert!(decoded(Codec::ZSTD, &zstd_encode(&samples[0], &[]), broken, 9, &mut state).is_err());
}

#[cfg(any(feature = "zstd", feature = "zstd-safe"))]
const SAMPLE: [u8; 24] = *b"one sample of a sentence";

#[test]
#[cfg(any(feature = "zstd", feature = "zstd-safe"))]
fn zstd_frames_in_a_row() {
    let mut state = State::default();
    let two = [zstd_encode(b"one ", &[]), zstd_encode(b"two", &[])].concat();
    assert_eq!(decoded(Codec::ZSTD, &two, &[], 7, &mut state), Ok(b"one two".to_vec()));
    assert!(decoded(Codec::ZSTD, &two, &[], 4, &mut state).is_err());
}

/// Frames that claim a window of 2 GiB and a content of 2⁶³ bytes, or no size.
#[test]
#[cfg(any(feature = "zstd", feature = "zstd-safe"))]
fn zstd_claims_are_not_believed() {
    let mut state = State::default();
    let claim = [0x28, 0xB5, 0x2F, 0xFD, 0xC0, 0xA8, 0, 0, 0, 0, 0, 0, 0, 0x80, 3, 0, 0, 7];
    assert!(decoded(Codec::ZSTD, &claim, &[], 100, &mut state).is_err());
    // A block that repeats one byte 0x1FFFF times.
    let unsized_frame = [0x28, 0xB5, 0x2F, 0xFD, 0, 0xA8, 0xFB, 0xFF, 0x0F, 7];
    assert!(decoded(Codec::ZSTD, &unsized_frame, &[], 100, &mut state).is_err());
}

struct Inverted;

impl Plugin for Inverted {
    fn name(&self) -> &'static str {
        "inverted"
    }

    fn needs_shape(&self) -> bool {
        true
    }

    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
        if stream.src.len() != dst.len() || stream.meta != 3 || stream.blockshape != [2, 1] {
            return Err(Corrupt);
        }
        dst.iter_mut().zip(stream.src).for_each(|(to, from)| *to = !from);
        Ok(())
    }
}

#[test]
fn plugins_decode_what_is_not_built_in() {
    let codec = Codec(200);
    let mut registry = Registry::new();
    let mut state = State::default();
    let mut dst = [0; 2];
    let mut stream = Stream { meta: 3, blockshape: &[2, 1], ..stream(&[0, 1], &[]) };
    let unsupported = decode(codec, &stream, &mut dst, &mut state, &registry);
    assert_eq!(unsupported, Err(Unsupported::Codec(200).into()));

    registry.insert(codec, &Inverted);
    assert_eq!(decode(codec, &stream, &mut dst, &mut state, &registry), Ok(()));
    assert_eq!(dst, [255, 254]);
    // Replaced by another, and dropped with its last reference.
    let plugin = Arc::new(Inverted);
    registry.insert_shared(codec, plugin.clone());
    assert_eq!(Arc::strong_count(&plugin), 2);
    assert_eq!(decode(codec, &stream, &mut dst, &mut state, &registry), Ok(()));
    registry.insert(codec, &Inverted);
    assert_eq!(Arc::strong_count(&plugin), 1);
    let short = decode(codec, &stream, &mut dst[..1], &mut state, &registry);
    assert_eq!(short, Err(Error::format(Malformed::Stream { codec: "inverted" })));
    stream.blockshape = &[];
    let shapeless = decode(codec, &stream, &mut dst, &mut state, &registry);
    assert_eq!(shapeless, Err(Unsupported::Shapeless(200).into()));
}

#[test]
fn codecs_left_out_are_named() {
    for (codec, built_in) in [
        (Codec::LZ4, cfg!(feature = "lz4")),
        (Codec::ZLIB, cfg!(feature = "zlib")),
        (Codec::ZSTD, cfg!(any(feature = "zstd", feature = "zstd-safe"))),
        (Codec(6), false),
    ] {
        let unsupported = Err(Unsupported::Codec(codec.0).into());
        assert_eq!(decoded(codec, &[1, 2, 3], &[], 9, &mut State::default()) == unsupported, !built_in);
    }
}

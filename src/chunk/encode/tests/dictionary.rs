//! Dictionaries.

use super::*;

fn with_dict() -> Vec<Codec> {
    codecs().into_iter().filter(|codec| Encoder::takes_dict(*codec)).collect()
}

fn uses_dict(bytes: &[u8]) -> bool {
    Header::parse(bytes).unwrap().uses_dict
}

#[test]
fn chunks_of_small_blocks_shrink() {
    let plain = Random(71).records(1 << 20);
    for codec in with_dict() {
        for clevel in [1, 5, if codec == Codec::ZSTD { 7 } else { 9 }] {
            // The dictionary of a large chunk is made of a sample.
            for len in [100_000, if clevel == 5 { plain.len() } else { 300_000 }] {
                let without = CParams {
                    codec,
                    clevel,
                    typesize: 80,
                    filters: pipeline(&[]),
                    blocksize: 4096,
                    ..CParams::default()
                };
                let cparams = CParams { use_dict: true, ..without.clone() };
                let (with, without) = (written(&cparams, &plain[..len]), written(&without, &plain[..len]));
                assert!(uses_dict(&with) && !uses_dict(&without), "{codec:?}, level {clevel}");
                assert!(decoded(&with, &cparams) == plain[..len], "{codec:?}, level {clevel}");
                let share = with.len() as f64 / without.len() as f64;
                assert!(share <= 0.92, "{codec:?}, level {clevel}, {len} bytes: {share}");
                let (chunk, mut scratch) = (Chunk::new(&with).unwrap(), Scratch::default());
                assert!(*chunk.block(7, &mut scratch).unwrap() == plain[7 * 4080..][..4080]);
            }
        }
    }
}

#[test]
fn is_read_whatever_the_parameters() {
    let mut random = Random(72);
    let mut encoder = ChunkEncoder::default();
    let mut count = 0;
    let mut pipelines: Vec<&[(u8, i8)]> = vec![&[], &[(SHUFFLE, 0)]];
    if cfg!(feature = "filters") {
        pipelines.extend([
            &[(BITSHUFFLE, 0)][..],
            &[(DELTA, 0), (SHUFFLE, 0)],
            &[(INT_TRUNC, -3), (DELTA, 0)],
        ]);
    }
    for codec in with_dict() {
        for filters in &pipelines {
            for (typesize, blocksize) in [(1, 300), (4, 1000), (8, 4096), (1, 20_000), (8, 70_000)] {
                let large = if filters.len() == 1 && blocksize == 4096 { 400_000 } else { 8000 };
                for most in [2000, 40_000, 80_000, large] {
                    let len = (most / 2 + random.next() % (most / 2)) / 8 * 8;
                    let (clevel, filters) = (random.pick(&[1, 3, 5, 6]), pipeline(filters));
                    let cparams =
                        CParams { codec, clevel, typesize, filters, blocksize, ..CParams::default() };
                    let plain = match random.next() % 3 {
                        0 => random.items(typesize as usize, len),
                        _ => random.records(len),
                    };
                    encoder.cparams = CParams { use_dict: true, ..cparams.clone() };
                    let with = encoder.encode(&plain).unwrap();
                    let without = written(&cparams, &plain);
                    let mut expected = decoded(&without, &cparams);
                    // A copied chunk keeps the bits that INT_TRUNC removes.
                    if uses_dict(&with) && Header::parse(&without).unwrap().body == Body::Memcpyed {
                        assert!(expected == plain, "{cparams:?}");
                        if cparams.filters.slots[0].id == INT_TRUNC {
                            expected.iter_mut().step_by(typesize as usize).for_each(|byte| *byte &= !7);
                        }
                    }
                    assert!(decoded(&with, &cparams) == expected, "{cparams:?}");
                    count += usize::from(uses_dict(&with));
                    if uses_dict(&with) {
                        // The dictionary of a large chunk is tried on a sample.
                        assert!(with.len() < without.len() || plain.len() > 256 << 10, "{cparams:?}");
                    } else {
                        assert!(with == without, "{cparams:?}");
                    }
                }
            }
        }
    }
    assert!(count > 15 * with_dict().len(), "{count}");
}

/// The reference marks what it copies (FORMAT §11 B3), and what is short it calls copied (B2).
#[test]
fn only_blocks_have_one() {
    let noise: Vec<u8> = (0..40_000).scan(Random(73), |random, _| Some(random.next() as u8)).collect();
    let text = Random(74).records(40_000);
    for codec in codecs() {
        let cparams = CParams { codec, use_dict: true, typesize: 1, blocksize: 2000, ..CParams::default() };
        let mut encoder = ChunkEncoder::new(cparams.clone());
        let mut none = |plain: &[u8]| {
            let bytes = encoder.encode(plain).unwrap();
            assert_eq!(bytes[31] & 1, 0, "{codec:?}, {} bytes", plain.len());
            Header::parse(&bytes).unwrap().body
        };
        (9..32).for_each(|len| assert_eq!(none(&text[8..8 + len]), Body::Memcpyed));
        assert_eq!(none(&noise), Body::Memcpyed);
        assert_eq!(none(&[7; 40_000]), Body::Special(SpecialValue::Repeat { width: 1 }));
        none(&text[..2000]);
        let blosc1 = CParams { format: ChunkFormat::Blosc1, ..cparams.clone() };
        assert!(!uses_dict(&ChunkEncoder::new(blosc1).encode(&text).unwrap()));
        let blocks: Vec<&[u8]> = text.chunks(2000).collect();
        assert!(!uses_dict(&encoder.encode_blocks(&blocks).unwrap()));
        // Nor is one left over from the last chunk.
        assert_eq!(uses_dict(&encoder.encode(&text).unwrap()), Encoder::takes_dict(codec));
        encoder.cparams.use_dict = false;
        assert_eq!(encoder.encode(&text), ChunkEncoder::new(encoder.cparams.clone()).encode(&text));
    }
}

//! Chunks decode to what was encoded, for all parameters; and the bugs of the reference's writers are avoided.

use super::*;
use crate::Unsupported;
use crate::chunk::{Body, Chunk, Context, Header, Scratch, SpecialValue, SplitMode};
use crate::codec::{Codec, Encoder, Zfp};
use crate::filter::{BYTEDELTA, BYTEDELTA_BUGGY, Filter, INT_TRUNC, NDCELL, NDMEAN, Pipeline, TRUNC_PREC};
use alloc::vec;
use alloc::vec::Vec;

mod dictionary;
mod fixed;
mod plugins;
mod variable;

/// Marsaglia's xorshift.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }

    fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.next() % options.len()]
    }

    /// Items of several kinds: counters, noise, walks, few values, one value but for the last byte.
    pub(super) fn items(&mut self, typesize: usize, len: usize) -> Vec<u8> {
        let kind = self.next() % 6;
        let mut walk = 1_000_000_u64;
        let mut data = Vec::new();
        for i in 0..len.div_ceil(typesize) {
            walk = walk.wrapping_add(self.next() as u64 % 7).wrapping_sub(3);
            let value = match kind {
                0 => i as u64,
                1 => (self.next() as u64).wrapping_mul(0x1_0001),
                2 => walk,
                3 => [0, 3, u64::MAX][i / 50 % 3],
                4 => 0,
                _ => (i as f64 / 50.0).sin().to_bits(),
            };
            data.extend(value.to_le_bytes().iter().cycle().take(typesize));
        }
        data.truncate(len);
        if kind == 4 && self.next().is_multiple_of(2) {
            data.iter_mut().next_back().into_iter().for_each(|last| *last = 1);
        }
        data
    }

    /// Records of 80 bytes, which have few parts in common with those beside them.
    pub(super) fn records(&mut self, len: usize) -> Vec<u8> {
        let part = |random: &mut Self| (0..20).map(|_| random.next() as u8 % 64 + 32).collect();
        let parts: Vec<Vec<u8>> = (0..120).map(|_| part(self)).collect();
        let mut records = Vec::new();
        for i in 0..len / 80 {
            records.extend(alloc::format!("{i:09};{:09};", self.next() % 1_000_000_000).bytes());
            (0..3).for_each(|_| records.extend(&parts[self.next() % parts.len()]));
        }
        records
    }
}

const CODECS: [Codec; 5] = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];

pub(super) fn codecs() -> Vec<Codec> {
    CODECS.into_iter().filter(|codec| Encoder::knows(*codec)).collect()
}

pub(super) fn pipeline(filters: &[(u8, i8)]) -> Pipeline {
    let mut pipeline = Pipeline::default();
    for (slot, &(id, meta)) in pipeline.slots.iter_mut().zip(filters) {
        *slot = Filter { id, meta: meta.cast_unsigned() };
    }
    pipeline
}

fn decoded(bytes: &[u8], cparams: &CParams) -> Vec<u8> {
    let context =
        Context { itemsize: cparams.typesize, blockshape: &cparams.blockshape, early_bitshuffle: false };
    Chunk::with_context(bytes, context).unwrap().decode(&mut Scratch::default()).unwrap()
}

fn written(cparams: &CParams, plain: &[u8]) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(cparams.clone());
    let bytes = encoder.encode(plain).unwrap();
    assert!(bytes.len() <= plain.len() + 32, "{cparams:?}");
    let mut in_place = vec![0; encoder.max_len(plain.len())];
    let len = encoder.encode_into(plain, &mut in_place).unwrap();
    assert!(in_place[..len] == bytes, "{cparams:?}");
    bytes
}

#[test]
#[cfg(feature = "filters")]
fn is_read_whatever_the_parameters() {
    let lossless: [&[(u8, i8)]; 12] = [
        &[],
        &[(SHUFFLE, 0)],
        &[(0, 0), (SHUFFLE, 0)],
        &[(BITSHUFFLE, 0)],
        &[(SHUFFLE, 2)],
        &[(SHUFFLE, 0), (BYTEDELTA, 0)],
        &[(BYTEDELTA, 3)],
        &[(DELTA, 0)],
        &[(DELTA, 0), (SHUFFLE, 0)],
        &[(SHUFFLE, 0), (0, 0), (DELTA, 0)],
        &[(DELTA, 0), (SHUFFLE, 0), (BYTEDELTA, 0)],
        &[(DELTA, 0), (BITSHUFFLE, 0), (DELTA, 0), (SHUFFLE, 0), (BYTEDELTA, 0), (BITSHUFFLE, 0)],
    ];
    let mut random = Random(41);
    let mut encoder = ChunkEncoder::default();
    let mut bodies = [0; 3];
    for codec in codecs() {
        for clevel in [1, 5, 9] {
            for filters in lossless {
                for typesize in [1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 255, 300] {
                    let delta = filters.contains(&(DELTA, 0));
                    let most = random.pick(&[10, 40, 200, 5000, 5000, 40_000]);
                    let len = random.next() % most / if delta { 24 } else { 1 } * if delta { 24 } else { 1 };
                    encoder.cparams = CParams {
                        codec,
                        clevel,
                        typesize,
                        filters: pipeline(filters),
                        blocksize: random.pick(&[0, 0, 1, 100, 1000, 4096]),
                        splitmode: random.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]),
                        ..CParams::default()
                    };
                    let plain = random.items(typesize as usize, len);
                    let bytes = encoder.encode(&plain).unwrap();
                    let what = (len, &encoder.cparams);
                    assert!(bytes.len() <= len + 32, "{what:?}");
                    assert!(decoded(&bytes, &encoder.cparams) == plain, "{what:?}");
                    let header = Header::parse(&bytes).unwrap();
                    assert_eq!((header.version, header.cbytes as usize), (5, bytes.len()), "{what:?}");
                    match header.body {
                        Body::Memcpyed => bodies[0] += 1,
                        Body::Special(_) => bodies[1] += 1,
                        _ => bodies[2] += 1,
                    }
                }
            }
        }
    }
    assert!(bodies.iter().all(|count| *count > 100), "{bodies:?}");
}

#[test]
fn planes_are_stored_packed_or_as_one_byte() {
    let mut random = Random(7);
    for typesize in [2, 4, 8] {
        let item = |at: usize| {
            let planes = [random.next() as u8, (at / 100) as u8, 9, random.next() as u8];
            (0..typesize).map(|j| planes[j % 4]).collect::<Vec<_>>()
        };
        let plain: Vec<u8> = (0..3000).flat_map(item).collect();
        let cparams = CParams {
            typesize: typesize as u32,
            codec: Codec::LZ4,
            filters: pipeline(&[(SHUFFLE, 0)]),
            blocksize: 1000 * typesize as u32,
            splitmode: SplitMode::Always,
            ..CParams::default()
        };
        let bytes = written(&cparams, &plain);
        let noise = plain.len() / 2;
        assert!((noise..noise + noise / 8).contains(&bytes.len()), "{typesize}: {} bytes", bytes.len());
        assert_eq!(decoded(&bytes, &cparams), plain);
    }
}

#[test]
fn chunks_of_one_value_are_that_value() {
    let kind = |plain: &[u8], typesize| {
        let cparams = CParams { typesize, ..CParams::default() };
        let bytes = written(&cparams, plain);
        assert_eq!(decoded(&bytes, &cparams), plain);
        (Header::parse(&bytes).unwrap().body, bytes.len())
    };
    assert_eq!(kind(&[0; 4000], 4), (Body::Special(SpecialValue::Zeros), 32));
    assert_eq!(kind(&[0; 8], 4), (Body::Special(SpecialValue::Zeros), 32));
    assert_eq!(kind(&f64::NAN.to_le_bytes().repeat(99), 8), (Body::Special(SpecialValue::Nan), 32));
    assert_eq!(kind(&f32::NAN.to_le_bytes().repeat(99), 4), (Body::Special(SpecialValue::Nan), 32));
    let repeat = |width| Body::Special(SpecialValue::Repeat { width });
    assert_eq!(kind(&f32::NAN.to_le_bytes().repeat(100), 8), (repeat(8), 40), "no NaN of 8 bytes");
    let wide: Vec<u8> = (0..300).map(|i| i as u8).collect();
    assert_eq!(kind(&wide.repeat(7), 300), (repeat(300), 332));
    assert_eq!(kind(&[], 4), (Body::Memcpyed, 32));
    assert_eq!(kind(&wide[..20], 20), (Body::Memcpyed, 52), "a single item");
}

/// Old readers take zeros for a special chunk only where they are whole items (B13).
#[test]
fn zeros_that_are_no_whole_items_are_blocks() {
    let cparams = CParams { typesize: 8, ..CParams::default() };
    let bytes = written(&cparams, &[0; 1001]);
    assert_eq!(Header::parse(&bytes).unwrap().body, Body::Blocks);
    assert_eq!(
        bytes.len(),
        32 + 2 * 4 + 8 * 4 + 4,
        "a stream for each byte of an item, and one for the last byte"
    );
    assert_eq!(decoded(&bytes, &cparams), [0; 1001]);
}

#[test]
fn what_does_not_compress_is_copied() {
    let mut random = Random(42);
    let noise: Vec<u8> = (0..50_000).map(|_| random.next() as u8).collect();
    for codec in codecs() {
        for clevel in 0..=8 {
            let cparams = CParams { codec, clevel, ..CParams::default() };
            let bytes = written(&cparams, &noise);
            assert_eq!(Header::parse(&bytes).unwrap().body, Body::Memcpyed);
            assert!(bytes.len() == noise.len() + 32 && bytes[32..] == noise);
        }
    }
    let mut encoder = ChunkEncoder::default();
    let mut dst = vec![0; noise.len() + 31];
    let error = encoder.encode_into(&noise, &mut dst).unwrap_err();
    assert_eq!(error, ArgumentError::BufferLen { expected: 50_032, actual: 50_031 }.into());
}

#[test]
fn memory_serves_other_parameters() {
    let mut random = Random(45);
    let mut encoder = ChunkEncoder::default();
    for clevel in [9, 1, 5, 3, 7] {
        for codec in codecs() {
            let typesize = random.pick(&[1, 4, 8]);
            let blocksize = random.pick(&[0, 1000, 20_000]);
            let filters = pipeline(&[(random.pick(&[0, SHUFFLE]), 0)]);
            let cparams = CParams { codec, clevel, typesize, blocksize, filters, ..CParams::default() };
            let plain = random.items(typesize as usize, 50_000);
            encoder.set_cparams(cparams.clone());
            let expected = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
            assert!(encoder.encode(&plain).unwrap() == expected, "{cparams:?}");
        }
    }
}

/// The reference uses its input as a buffer where there are three filters, and so damages what it copies, and all that
/// DELTA refers to (B1).
#[test]
#[cfg(feature = "filters")]
fn three_filters_and_more_keep_the_data() {
    let mut random = Random(43);
    for len in [4096, 400_000] {
        let plain: Vec<u8> = (0..len / 8).flat_map(|_| (random.next() as u64 % 1000).to_le_bytes()).collect();
        let filters = pipeline(&[(DELTA, 0), (SHUFFLE, 0), (BYTEDELTA, 0)]);
        let cparams = CParams { typesize: 8, filters, blocksize: 1024, ..CParams::default() };
        let bytes = written(&cparams, &plain);
        assert_eq!(Header::parse(&bytes).unwrap().body, Body::Blocks);
        assert!(decoded(&bytes, &cparams) == plain);
    }
}

/// Bytes cut off before DELTA are not in the block that readers refer to; the reference's writer has it there (B7).
#[test]
#[cfg(feature = "filters")]
fn delta_after_a_lossy_filter_is_right() {
    let plain: Vec<u8> = (0..5000).flat_map(|i| (1.0 + (f64::from(i) / 300.0).sin()).to_le_bytes()).collect();
    let mask = u64::MAX << 32;
    let cut = |bytes: &[u8; 8]| (u64::from_le_bytes(*bytes) & mask).to_le_bytes();
    let expected: Vec<u8> = plain.as_chunks().0.iter().flat_map(cut).collect();
    for filters in [
        pipeline(&[(TRUNC_PREC, 20), (DELTA, 0), (SHUFFLE, 0)]),
        pipeline(&[(INT_TRUNC, -32), (SHUFFLE, 0), (DELTA, 0)]),
        pipeline(&[(DELTA, 0), (TRUNC_PREC, 20)]),
    ] {
        let cparams = CParams { filters, blocksize: 4096, ..CParams::default() };
        let bytes = written(&cparams, &plain);
        assert_eq!(Header::parse(&bytes).unwrap().body, Body::Blocks);
        assert!(decoded(&bytes, &cparams) == expected, "{filters:?}");
    }
}

/// The reference loses the last bytes (B6), and names the block size that was asked for (B18).
#[test]
#[cfg(feature = "filters")]
fn units_are_whole() {
    let cparams = |filters| CParams { typesize: 8, filters, ..CParams::default() };
    let with_delta = cparams(pipeline(&[(DELTA, 0)]));
    let refused = ChunkEncoder::new(with_delta.clone()).encode(&[1; 1001]).unwrap_err();
    assert_eq!(refused, ArgumentError::Inapplicable(DELTA).into());
    assert!(ChunkEncoder::new(with_delta).encode(&[1; 1008]).is_ok());
    // Nor does BYTEDELTA lose what is left of its streams.
    let plain: Vec<u8> = (0..1001).map(|i| (i / 100) as u8).collect();
    let with_bytedelta = cparams(pipeline(&[(BYTEDELTA, 8)]));
    assert_eq!(decoded(&written(&with_bytedelta, &plain), &with_bytedelta), plain);
    let odd = CParams { typesize: 4, blocksize: 18, ..CParams::default() };
    let bytes = written(&odd, &[7, 7, 7, 7, 7, 7, 7, 7, 7, 9].repeat(60));
    assert_eq!(bytes[8..12], [16, 0, 0, 0]);
}

#[test]
#[cfg(feature = "filters")]
fn cells_of_arrays() {
    let blockshape = vec![6, 8];
    let plain: Vec<u8> = (0..3 * 48).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let cparams = |filter, meta| CParams {
        typesize: 4,
        blocksize: 6 * 8 * 4,
        blockshape: blockshape.clone(),
        filters: pipeline(&[(filter, meta), (SHUFFLE, 0)]),
        ..CParams::default()
    };
    let cells = cparams(NDCELL, 4);
    assert_eq!(decoded(&written(&cells, &plain), &cells), plain);
    let means = cparams(NDMEAN, 2);
    let averaged = decoded(&written(&means, &plain), &means);
    let items: Vec<f32> = averaged.as_chunks().0.iter().map(|item| f32::from_le_bytes(*item)).collect();
    assert_eq!(items[..4], [4.5, 4.5, 6.5, 6.5]);
    assert_eq!((items[8], items[16], items[48]), (4.5, 20.5, 52.5));
    for (wrong, id) in [
        (CParams { blocksize: 0, ..cells.clone() }, NDCELL),
        (CParams { blockshape: vec![], ..cells.clone() }, NDCELL),
        (cparams(NDCELL, 0), NDCELL),
        (cparams(NDMEAN, 7), NDMEAN),
    ] {
        let error = ChunkEncoder::new(wrong).encode(&plain).unwrap_err();
        assert_eq!(error, ArgumentError::Inapplicable(id).into());
    }
}

/// C-Blosc2 reads cells that are longer than an axis, but not cells of more items than a block has.
#[test]
#[cfg(feature = "filters")]
fn blocks_hold_a_cell() {
    for (blockshape, is_read) in [
        (vec![8, 2], true),
        (vec![7, 2], false),
        (vec![32, 2, 1], true),
        (vec![31, 2, 1], false),
        (vec![16, 1], true),
        (vec![4], true),
        (vec![3], false),
    ] {
        let blocksize = 4 * blockshape.iter().product::<u32>();
        let plain: Vec<u8> = (0..10 * blocksize).map(|at| (at / 99) as u8).collect();
        let filters = pipeline(&[(NDCELL, 4), (SHUFFLE, 0)]);
        let cparams = CParams { typesize: 4, blocksize, blockshape, filters, ..CParams::default() };
        let chunk = ChunkEncoder::new(cparams.clone()).encode(&plain);
        assert_eq!(chunk.is_ok(), is_read, "{:?}", cparams.blockshape);
        match chunk {
            Ok(chunk) => assert_eq!(decoded(&chunk, &cparams), plain),
            Err(error) => assert_eq!(error, ArgumentError::Inapplicable(NDCELL).into()),
        }
    }
}

/// Planes of bytes, as they are or from shuffled items.
#[test]
#[cfg(feature = "ndlz")]
fn planes_of_arrays() {
    let plain: Vec<u8> =
        (0..40 * 48_usize).flat_map(|i| [(i / 48 / 5 * 3) as u8, (i % 48 / 9) as u8]).collect();
    for (typesize, splitmode, blockshape) in
        [(1, SplitMode::Never, vec![20, 48]), (2, SplitMode::Always, vec![10, 48])]
    {
        for codec_meta in [4, 8] {
            let blocksize = blockshape.iter().product::<u32>() * typesize;
            let cparams = CParams {
                codec: Codec::NDLZ,
                codec_meta,
                typesize,
                splitmode,
                blocksize,
                blockshape: blockshape.clone(),
                ..CParams::default()
            };
            let bytes = written(&cparams, &plain);
            assert_eq!(decoded(&bytes, &cparams), plain);
            assert!(bytes.len() < plain.len(), "{} bytes", bytes.len());
            let refused = |cparams| ChunkEncoder::new(cparams).encode(&plain).unwrap_err();
            let shapeless = Unsupported::Shapeless(32).into();
            assert_eq!(refused(CParams { blockshape: vec![], ..cparams.clone() }), shapeless);
            assert_eq!(refused(CParams { blocksize: 96, ..cparams.clone() }), shapeless);
            let parameter = ArgumentError::Parameter { name: "codec_meta", value: 5 };
            assert_eq!(refused(CParams { codec_meta: 5, ..cparams }), parameter.into());
        }
    }
}

/// Blocks of floats, whole ones and those that become no shorter.
#[test]
#[cfg(feature = "zfp")]
fn floats_in_cells() {
    let plain: Vec<u8> = (0..40 * 48).flat_map(|n| ((n % 48) as f32).sin().to_le_bytes()).collect();
    let cparams = CParams {
        typesize: 4,
        blocksize: 20 * 48 * 4,
        blockshape: vec![20, 48],
        ..CParams::default().with_zfp(Zfp::Accuracy(-2))
    };
    let bytes = written(&cparams, &plain);
    let header = *Chunk::new(&bytes).unwrap().header();
    assert_eq!((header.codec, header.codec_meta), (Codec::ZFP_ACC, 254));
    assert!(bytes.len() < plain.len() / 2, "{} bytes", bytes.len());
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    let errors = floats(&decoded(&bytes, &cparams)).into_iter().zip(floats(&plain));
    assert!(errors.into_iter().all(|(found, wanted)| (found - wanted).abs() <= 0.01));
    // More bits than the floats have, and streams of parts of items, are stored as they are.
    for cparams in [
        CParams { codec: Codec::ZFP_RATE, codec_meta: 101, ..cparams.clone() },
        CParams { splitmode: SplitMode::Always, ..cparams.clone() },
    ] {
        assert_eq!(decoded(&written(&cparams, &plain), &cparams), plain);
    }
    let refused = |cparams| ChunkEncoder::new(cparams).encode(&plain).unwrap_err();
    let shapeless = Unsupported::Shapeless(33).into();
    assert_eq!(refused(CParams { blockshape: vec![], ..cparams.clone() }), shapeless);
    assert_eq!(refused(CParams { blocksize: 96, ..cparams.clone() }), shapeless);
    let shaped = |blockshape: &[u32], typesize: u32| CParams {
        typesize,
        blocksize: blockshape.iter().product::<u32>() * typesize,
        blockshape: blockshape.to_vec(),
        ..cparams.clone()
    };
    assert_eq!(refused(shaped(&[8, 3], 4)), ArgumentError::BlockShape(33).into());
    assert_eq!(refused(shaped(&[4; 5], 4)), ArgumentError::BlockShape(33).into());
    assert_eq!(refused(shaped(&[8, 8], 2)), ArgumentError::NotFloats(33).into());
    let filtered = |id| CParams { filters: pipeline(&[(id, 10)]), ..cparams.clone() };
    for id in [SHUFFLE, BITSHUFFLE, DELTA, INT_TRUNC] {
        assert_eq!(refused(filtered(id)), ArgumentError::Inapplicable(id).into());
    }
    written(&filtered(TRUNC_PREC), &plain);
}

#[test]
fn chunks_of_blosc1() {
    let mut random = Random(44);
    let snappy = [Codec::SNAPPY].into_iter().filter(|codec| Encoder::knows(*codec));
    for codec in codecs().into_iter().chain(snappy) {
        for filter in [0, SHUFFLE, BITSHUFFLE] {
            for typesize in [1, 2, 4, 8, 17, 300] {
                for len in [0, 5, 127, 128, 1000, 5001, 70_000] {
                    if filter == BITSHUFFLE && cfg!(not(feature = "filters")) {
                        continue;
                    }
                    let cparams = CParams {
                        codec,
                        typesize,
                        filters: pipeline(&[(filter, 0)]),
                        blocksize: random.pick(&[0, 0, 1000]),
                        format: ChunkFormat::Blosc1,
                        ..CParams::default()
                    };
                    let mut plain = random.items(typesize as usize, len);
                    if filter == BITSHUFFLE && !len.is_multiple_of(cparams.header_typesize()) {
                        // Readers lose the last bytes (B10).
                        let refused = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap_err();
                        assert_eq!(refused, ArgumentError::Inapplicable(BITSHUFFLE).into());
                        plain.truncate(len - len % cparams.header_typesize());
                    }
                    let bytes = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
                    assert!(bytes.len() <= len + 16);
                    // Blosc1 knows no other version (B11).
                    assert_eq!(bytes[..2], [2, 1]);
                    let alone = CParams { typesize: 0, ..cparams.clone() };
                    assert!(decoded(&bytes, &alone) == plain, "{len} bytes, {cparams:?}");
                }
            }
        }
    }
    let two = pipeline(&[(SHUFFLE, 0), (SHUFFLE, 0)]);
    let cparams = CParams { filters: two, format: ChunkFormat::Blosc1, ..CParams::default() };
    let error = ChunkEncoder::new(cparams).encode(&[1; 99]).unwrap_err();
    assert_eq!(error, ArgumentError::Inapplicable(SHUFFLE).into());
}

#[test]
fn refuses_what_cannot_be() {
    let refused = |cparams: CParams| ChunkEncoder::new(cparams).encode(&[1, 2, 3, 4]).unwrap_err();
    let parameter = |name, value| ArgumentError::Parameter { name, value }.into();
    let default = CParams::default;
    assert_eq!(refused(CParams { clevel: 11, ..default() }), parameter("clevel", 11));
    assert_eq!(refused(CParams { typesize: 0, ..default() }), parameter("typesize", 0));
    let blocksize = crate::chunk::MAX_BLOCKSIZE + 1;
    assert_eq!(refused(CParams { blocksize, ..default() }), parameter("blocksize", blocksize.into()));
    for codec in [Codec::SNAPPY, Codec(36), Codec(200)] {
        assert_eq!(refused(CParams { codec, ..default() }), Unsupported::Codec(codec.0).into());
    }
    let filter = |filters: &[(u8, i8)], typesize| {
        refused(CParams { filters: pipeline(filters), typesize, ..default() })
    };
    assert_eq!(filter(&[(200, 0)], 4), Unsupported::Filter(200).into());
    assert_eq!(filter(&[(BYTEDELTA_BUGGY, 0)], 4), Unsupported::Filter(BYTEDELTA_BUGGY).into());
    if cfg!(feature = "filters") {
        for (bits, typesize) in [(4, 2), (0, 4), (-10, 4), (-1, 8)] {
            let error = filter(&[(TRUNC_PREC, bits)], typesize);
            assert_eq!(error, ArgumentError::Inapplicable(TRUNC_PREC).into());
        }
        assert_eq!(filter(&[(INT_TRUNC, 40)], 4), ArgumentError::Inapplicable(INT_TRUNC).into());
    }
}

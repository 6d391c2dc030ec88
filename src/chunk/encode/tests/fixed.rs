//! Chunks encoded in fixed memory.

use super::*;
use crate::ErrorKind;
use crate::chunk::{Area, EncodeWork, encode_area_len};
use crate::codec::BloscLzTable;
#[cfg(feature = "lz4")]
use crate::codec::Lz4Table;

/// The longest block.
const BLOCK: usize = 4096;

const FILTERS: [&[(u8, i8)]; 8] = [
    &[],
    &[(SHUFFLE, 0)],
    &[(BITSHUFFLE, 0)],
    &[(DELTA, 0), (SHUFFLE, 0)],
    &[(TRUNC_PREC, 10)],
    &[(TRUNC_PREC, 10), (SHUFFLE, 0)],
    &[(INT_TRUNC, -3), (SHUFFLE, 0), (DELTA, 0)],
    &[(TRUNC_PREC, 5), (DELTA, 0), (BITSHUFFLE, 0)],
];

/// Chunks of random parameters, each with what to encode.
fn chunks(codec: Codec) -> impl Iterator<Item = (CParams, Vec<u8>)> {
    let mut random = Random(61);
    (0..400).map(move |n| {
        let mut filters: &[_] = FILTERS[n % FILTERS.len()];
        if cfg!(not(feature = "filters")) && filters.iter().any(|(id, _)| *id != SHUFFLE) {
            filters = &[(SHUFFLE, 0)];
        }
        let typesize = random.pick(if n % FILTERS.len() < 4 { &[1, 2, 3, 4, 8, 17] } else { &[4, 8] });
        let cparams = CParams {
            codec,
            clevel: random.pick(&[1, 5, 9]),
            typesize,
            filters: pipeline(filters),
            blocksize: random.pick(&[64, 100, 1000, BLOCK as u32]),
            splitmode: random.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]),
            ..CParams::default()
        };
        let len = random.next() % 20_000 / typesize as usize * typesize as usize;
        (cparams, random.items(typesize as usize, len))
    })
}

/// In no more memory than `encode_area_len` says.
fn encoded(cparams: &CParams, plain: &[u8], tables: &mut impl crate::codec::EncoderTables) -> Vec<u8> {
    let ids: Vec<u8> = cparams.filters.slots.iter().map(|filter| filter.id).collect();
    let mut bytes = vec![0xEE; encode_area_len(cparams.blocksize as usize, &ids)];
    let mut dst = vec![0xEE; cparams.max_len(plain.len())];
    let len = cparams.encode_into(plain, &mut dst, &mut EncodeWork::new(&mut bytes, tables)).unwrap();
    dst.truncate(len);
    dst
}

#[test]
#[cfg(feature = "lz4")]
fn the_same_tables_give_the_same_chunks() {
    let mut tables = (BloscLzTable::<256>::new(), Lz4Table::<8192>::new());
    for (cparams, plain) in chunks(Codec::LZ4) {
        let expected = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
        assert!(encoded(&cparams, &plain, &mut tables) == expected, "{} {cparams:?}", plain.len());
    }
}

#[test]
fn small_tables_give_chunks_of_the_same_values() {
    let sizes = |codec, tables: &mut dyn FnMut(&CParams, &[u8]) -> Vec<u8>| {
        chunks(codec).fold([0, 0], |[small, large], (cparams, plain)| {
            let bytes = tables(&cparams, &plain);
            let expected = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
            let body = |bytes: &[u8]| Header::parse(bytes).unwrap().body;
            // A copy keeps what lossy filters take away.
            if !cparams.pipeline().slots.iter().any(|filter| matches!(filter.id, TRUNC_PREC | INT_TRUNC)) {
                assert!(decoded(&bytes, &cparams) == plain, "{} {cparams:?}", plain.len());
            } else if body(&bytes) == body(&expected) {
                assert!(decoded(&bytes, &cparams) == decoded(&expected, &cparams), "{cparams:?}");
            }
            [small + bytes.len(), large + expected.len()]
        })
    };
    let mut table = BloscLzTable::<1024>::new();
    let [small, large] = sizes(Codec::BLOSCLZ, &mut |cparams, plain| encoded(cparams, plain, &mut table));
    assert!(small < large + large / 50, "{small} {large}");
    #[cfg(feature = "lz4")]
    {
        let mut table = Lz4Table::<1024>::new();
        let [small, large] = sizes(Codec::LZ4, &mut |cparams, plain| encoded(cparams, plain, &mut table));
        assert!(small < large + large / 50, "{small} {large}");
    }
}

/// Images of floats: means of cells, and items in cells.
#[test]
#[cfg(all(feature = "lz4", feature = "filters"))]
fn blocks_with_a_shape_are_cut_into_cells() {
    let plain: Vec<u8> = (0..4 * 8 * 12).flat_map(|n| (n as f32).to_le_bytes()).collect();
    let mut tables = (BloscLzTable::<256>::new(), Lz4Table::<8192>::new());
    for (filters, mean) in [(&[(NDCELL, 4), (SHUFFLE, 0)], false), (&[(NDMEAN, 4), (SHUFFLE, 0)], true)] {
        let cparams = CParams {
            codec: Codec::LZ4,
            typesize: 4,
            filters: pipeline(filters),
            blocksize: 8 * 12 * 4,
            ..CParams::default()
        };
        let shapeless =
            cparams.encode_into(&plain, &mut [0; 2000], &mut EncodeWork::new(&mut [0; 800], &mut tables));
        assert!(shapeless.is_err());
        let cparams = cparams.with_blockshape(&[8, 12]);
        let bytes = encoded(&cparams, &plain, &mut tables);
        assert!(bytes == ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap());
        let found = decoded(&bytes, &cparams);
        assert_eq!(found == plain, !mean);
        // The first cell is rows 0 to 3 of columns 0 to 3.
        let first: f32 = if mean { (12 + 24 + 36) as f32 / 4.0 + 1.5 } else { 0.0 };
        assert_eq!(found[..4], first.to_le_bytes());
    }
}

#[test]
fn what_does_not_suffice_is_refused() {
    let plain = Random(62).items(8, 70_000);
    let mut dst = vec![0; plain.len() + 32];
    let mut area: Area<{ encode_area_len(1024, &[SHUFFLE]) }, BloscLzTable<256>> =
        Area::new(BloscLzTable::new());
    let cparams = CParams { blocksize: 1024, ..CParams::default() };
    assert!(cparams.encode_into(&plain, &mut dst, &mut area.encode_work()).is_ok());
    let error = cparams.encode_into(&plain, &mut dst[1..], &mut area.encode_work()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Argument(ArgumentError::BufferLen { .. })), "{error}");
    let larger = CParams { blocksize: 1032, ..cparams.clone() };
    let error = larger.encode_into(&plain, &mut dst, &mut area.encode_work()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit(limit) if (limit.wanted, limit.allowed) == (1032, 1024)));
    let other = CParams { codec: Codec::LZ4, ..cparams.clone() };
    let error = other.encode_into(&plain, &mut dst, &mut area.encode_work()).unwrap_err();
    assert_eq!(error, Unsupported::Codec(1).into());
    let none = CParams { filters: Pipeline::default(), blocksize: 1 << 16, ..cparams };
    let error = none.encode_into(&plain, &mut dst, &mut area.encode_work()).unwrap_err();
    assert_eq!(error, ArgumentError::Parameter { name: "blocksize", value: 1 << 16 }.into());
}

#[test]
fn the_length_of_the_area_counts_filters() {
    assert_eq!(encode_area_len(BLOCK, &[0; 6]), 0);
    assert_eq!(encode_area_len(BLOCK, &[0, SHUFFLE]), BLOCK);
    assert_eq!(encode_area_len(BLOCK, &[TRUNC_PREC]), BLOCK);
    assert_eq!(encode_area_len(BLOCK, &[SHUFFLE, DELTA]), BLOCK);
    assert_eq!(encode_area_len(BLOCK, &[DELTA, SHUFFLE]), 2 * BLOCK);
    assert_eq!(encode_area_len(BLOCK, &[TRUNC_PREC, DELTA, SHUFFLE]), 3 * BLOCK);
}

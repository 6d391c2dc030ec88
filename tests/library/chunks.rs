//! Chunks in memory: whole, block by block and item by item, they are what was written.

use crate::common::numpy::{indices, positions};
use crate::common::{golden, sha256};
use b2nd::chunk::{Body, Chunk};
use b2nd::filter::DELTA;
use b2nd::frame::Location;
use b2nd::{DParams, Error, ErrorKind, Limits, Reader, Scratch, Selection, Unsupported};
use std::fs;

#[test]
fn whole_in_blocks_and_in_items_they_are_what_was_written() {
    let mut scratch = Scratch::default();
    let mut count = Count::default();
    for case in golden().iter().filter(|case| case.kind() == "chunk") {
        let bytes = fs::read(&case.path).expect("the file");
        let bytes = &bytes[case.offset() as usize..];
        if let Some(expected) = case.error() {
            let error = Chunk::new(bytes).and_then(|chunk| chunk.decode(&mut scratch)).expect_err(&case.name);
            assert_eq!(kind(&error), expected, "{}", case.name);
            count.refused += 1;
            continue;
        }
        let chunk = Chunk::new(bytes).expect("a chunk");
        let header = *chunk.header();
        let mut joined = Vec::new();
        for nblock in 0..header.nblocks {
            joined.extend_from_slice(chunk.block(nblock, &mut scratch).expect("a good block"));
        }
        assert!(chunk.block(header.nblocks, &mut scratch).is_err(), "{}: one block more", case.name);
        let slices = case.slices();
        let whole = &slices[0].1;
        assert_eq!(sha256(&chunk.decode(&mut scratch).expect("good data")), *whole, "{}", case.name);
        assert_eq!(sha256(&joined), *whole, "{}: blocks", case.name);
        count.whole += 1;
        count.with_dict += usize::from(header.uses_dict && header.nblocks > 1);
        count.with_delta += usize::from(header.filters.contains(DELTA) && header.nblocks > 1);
        if header.body == Body::VlBlocks {
            let refused = chunk.items_into(0..1, &mut [0], &mut scratch).expect_err("no items");
            assert_eq!(refused, Unsupported::VariableBlocks.into(), "{}", case.name);
            count.variable += 1;
            continue;
        }
        for (text, digest) in &slices[1..] {
            assert_eq!(sha256(&items(&chunk, text, &mut scratch)), *digest, "{} [{text}]", case.name);
            count.slices += 1;
        }
        let nitems = header.nbytes / u32::from(header.typesize);
        assert_eq!(chunk.items_into(nitems..nitems, &mut [], &mut scratch), Ok(()), "{}", case.name);
        let mut item = vec![0; header.typesize.into()];
        let beyond = chunk.items_into(nitems..nitems + 1, &mut item, &mut scratch);
        assert_eq!(kind(&beyond.expect_err("no such item")), "argument", "{}", case.name);
    }
    let expected = Count { whole: 379, slices: 819, refused: 40, variable: 2, with_dict: 9, with_delta: 9 };
    assert_eq!(count, expected);
}

/// The combinations that were tried.
#[derive(Debug, Default, PartialEq)]
struct Count {
    whole: usize,
    slices: usize,
    refused: usize,
    variable: usize,
    with_dict: usize,
    with_delta: usize,
}

fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Format(_) => "format",
        ErrorKind::Unsupported(_) => "unsupported",
        ErrorKind::Argument(_) => "argument",
        ErrorKind::Limit(_) => "limit",
        _ => "another",
    }
}

/// The items of a selection, as many at once as are neighbours.
fn items(chunk: &Chunk<'_>, selection: &str, scratch: &mut Scratch) -> Vec<u8> {
    let itemsize = usize::from(chunk.header().typesize);
    let nitems = chunk.header().nbytes as usize / itemsize;
    let positions = positions(&indices(selection), &[nitems as u64]);
    let mut taken = Vec::new();
    for run in positions.chunk_by(|a, b| a[0] + 1 == b[0]) {
        let (start, len) = (run[0][0] as u32, run.len());
        let mut items = vec![0xaa; len * itemsize];
        chunk.items_into(start..start + len as u32, &mut items, scratch).expect("good items");
        taken.extend(items);
    }
    taken
}

/// A chunk of four blocks of zlib with SHUFFLE, and what it holds: bytes that compress to half or so.
fn zlib_chunk() -> (Vec<u8>, Vec<u8>) {
    const BLOCK: usize = 8 << 10;
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    };
    let plain: Vec<u8> = (0..4 * BLOCK).map(|at| noise() * u8::from(at % 4 < 2)).collect();
    let mut chunk = vec![5, 1, 0x75, 4];
    let mut body = Vec::new();
    for block in plain.chunks(BLOCK) {
        let mut shuffled = vec![0; BLOCK];
        b2nd::filter::shuffle(4, block, &mut shuffled).expect("as long");
        let stream = miniz_oxide::deflate::compress_to_vec_zlib(&shuffled, 6);
        body.push([&(stream.len() as u32).to_le_bytes()[..], &stream].concat());
    }
    let cbytes = 32 + 4 * body.len() + body.iter().map(Vec::len).sum::<usize>();
    chunk.extend([plain.len(), BLOCK, cbytes].iter().flat_map(|&number| (number as u32).to_le_bytes()));
    chunk.extend([1, 0, 0, 0, 0, 0]);
    chunk.resize(32, 0);
    let mut start = 32 + 4 * body.len();
    for block in &body {
        chunk.extend((start as u32).to_le_bytes());
        start += block.len();
    }
    chunk.extend(body.concat());
    (chunk, plain)
}

#[test]
fn streams_that_are_decoded_by_two_are_those_of_each_block() {
    let (bytes, plain) = zlib_chunk();
    let mut scratch = Scratch::default();
    assert!(Chunk::new(&bytes).unwrap().decode(&mut scratch).unwrap() == plain);
    let reader = Reader::open(&bytes[..], DParams::default()).unwrap();
    assert!(reader.get("...").unwrap() == plain);
    assert!(reader.get("100:-100").unwrap() == plain[400..plain.len() - 400]);
    let chunk = Chunk::new(&bytes).unwrap();
    for nblock in 0..4 {
        assert!(chunk.block(nblock, &mut scratch).unwrap() == &plain[(nblock as usize) << 13..][..8 << 10]);
    }
    // The error names the block that is damaged, whichever it was decoded with.
    let starts: Vec<usize> =
        bytes[32..48].as_chunks().0.iter().map(|start| u32::from_le_bytes(*start) as usize).collect();
    for (nblock, &start) in starts.iter().enumerate() {
        let mut damaged = bytes.clone();
        damaged[start + 100] ^= 0x10;
        let found = Chunk::new(&damaged).unwrap().decode(&mut scratch).unwrap_err();
        assert!(
            matches!(found.kind(), ErrorKind::Format(error) if error.block == Some(nblock as u32)),
            "{nblock}"
        );
    }
    // With no room for two streams there is room for one.
    let limits = Limits { memory: plain.len() as u64 + (8 << 10), ..Limits::default() };
    let mut scratch = Scratch::new(&DParams { limits, ..DParams::default() });
    assert!(Chunk::new(&bytes).unwrap().decode(&mut scratch).unwrap() == plain);
}

/// Items may begin and end anywhere in blocks of NaNs, as in those of other values.
#[test]
fn blocks_of_nan_that_are_no_multiple_of_the_item() {
    for (typesize, nan) in [(4, f32::NAN.to_le_bytes().to_vec()), (8, f64::NAN.to_le_bytes().to_vec())] {
        for blocksize in [1, 5, 6, 11, 24, 4096] {
            let mut bytes = vec![5, 1, 0x15, typesize as u8];
            [96u32, blocksize, 32].iter().for_each(|size| bytes.extend(size.to_le_bytes()));
            bytes.extend([0; 15]);
            bytes.push(2 << 4);
            let chunk = Chunk::new(&bytes).expect("a chunk");
            let (plain, mut scratch) = (nan.repeat(96 / typesize), Scratch::default());
            assert_eq!(chunk.decode(&mut scratch).expect("plain"), plain);
            let nblocks = chunk.header().nblocks;
            let blocks: Vec<u8> = (0..nblocks)
                .flat_map(|nblock| chunk.block(nblock, &mut scratch).expect("a block").to_vec())
                .collect();
            assert_eq!(blocks, plain, "blocks of {blocksize}");
            for start in 0..96 / typesize as u32 {
                let mut item = vec![0; typesize];
                chunk.items_into(start..start + 1, &mut item, &mut scratch).expect("an item");
                assert_eq!(item, nan, "blocks of {blocksize}, item {start}");
            }
        }
    }
}

/// A chunk of zeros is decoded in pieces, whatever its blocks.
#[test]
fn items_of_a_chunk_of_zeros_take_no_block() {
    let mut bytes = vec![5, 1, 0x15, 1];
    [1u32 << 30, 1 << 28, 32].iter().for_each(|size| bytes.extend(size.to_le_bytes()));
    bytes.extend([0; 15]);
    bytes.push(1 << 4);
    let limits = Limits { memory: 2 << 20, ..Limits::default() };
    let mut scratch = Scratch::new(&DParams { limits, ..DParams::default() });
    let mut items = [1; 7];
    let chunk = Chunk::new(&bytes).expect("a chunk");
    chunk.items_into((1 << 28) - 3..(1 << 28) + 4, &mut items, &mut scratch).expect("items");
    assert_eq!(items, [0; 7]);
}

/// Nobody writes them, but a header may claim so: blocks of variable length that refer to the first.
#[test]
fn variable_blocks_with_delta_decode_alike() {
    let mut file = fs::read("tests/golden/blosc2-4.14.1/batches-8.b2b").expect("a golden file");
    let reader = Reader::open(&file[..], DParams::default()).expect("a good file");
    let index = reader.index().expect("a good file");
    let places: Vec<usize> = (0..index.nchunks())
        .map(|nchunk| match index.locate(nchunk) {
            Ok(Location::Stored { offset, .. }) => offset as usize,
            other => panic!("{other:?}"),
        })
        .collect();
    drop(reader);
    for offset in places {
        file[offset + 16] = DELTA;
    }
    let reader = Reader::open(&file[..], DParams::default()).expect("a good file");
    let whole = reader.get(Selection::all()).expect("blocks of any bytes");
    let chunks = (0..reader.index().expect("the same").nchunks()).map(|nchunk| reader.chunk(nchunk));
    let chunks: Result<Vec<_>, _> = chunks.collect();
    assert!(whole == chunks.expect("blocks of any bytes").concat());
}

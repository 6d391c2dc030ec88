//! Chunks in memory: whole, block by block and item by item, they are the same bytes.

mod common;

use b2nd::chunk::{Body, Chunk};
use b2nd::{Blame, DParams, Limits, Reader, Scratch, Unsupported};
use common::golden;
use std::fs;

#[test]
fn blocks_and_items_are_parts_of_the_whole() {
    let mut scratch = Scratch::default();
    let (mut tried, mut with_dict, mut with_delta) = (0, 0, 0);
    for case in golden().iter().filter(|case| case.kind() == "chunk" && case.error().is_none()) {
        let bytes = fs::read(&case.path).expect("the file");
        let bytes = &bytes[case.offset() as usize..];
        let chunk = Chunk::new(bytes).expect("a chunk");
        let header = *chunk.header();
        let whole = chunk.decode(&mut scratch).expect("good data");
        let mut joined = Vec::new();
        for nblock in 0..header.nblocks {
            joined.extend_from_slice(chunk.block(nblock, &mut scratch).expect("a good block"));
        }
        assert!(joined == whole, "{}: blocks", case.name);
        assert!(chunk.block(header.nblocks, &mut scratch).is_err(), "{}: one block more", case.name);

        let typesize = usize::from(header.typesize);
        let nitems = whole.len() / typesize;
        for (start, end) in
            [(0, nitems), (nitems / 3, nitems / 2), (nitems.saturating_sub(1), nitems), (nitems, nitems)]
        {
            let mut items = vec![0xaa; (end - start) * typesize];
            match chunk.items_into(start as u32..end as u32, &mut items, &mut scratch) {
                Err(error) if error == Unsupported::VariableBlocks.into() => {
                    assert_eq!(header.body, Body::VlBlocks)
                }
                result => {
                    result.expect("good items");
                    assert!(
                        items == whole[start * typesize..end * typesize],
                        "{}: {start}..{end}",
                        case.name
                    );
                }
            }
        }
        tried += 1;
        with_dict += usize::from(header.uses_dict && header.nblocks > 1);
        with_delta += usize::from(header.filters.contains(b2nd::filter::DELTA) && header.nblocks > 1);
    }
    assert!(
        tried > 300 && with_dict > 5 && with_delta > 5,
        "{tried} chunks, {with_dict} with a dictionary, {with_delta} with DELTA"
    );
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
    assert!(reader.get(&"...".parse().unwrap()).unwrap() == plain);
    assert!(reader.get(&"100:-100".parse().unwrap()).unwrap() == plain[400..plain.len() - 400]);
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
            matches!(found.blame(), Blame::Format(error) if error.block == Some(nblock as u32)),
            "{nblock}"
        );
    }
    // With no room for two streams there is room for one.
    let limits = Limits { memory: plain.len() as u64 + (8 << 10), ..Limits::default() };
    let mut scratch = Scratch::new(&DParams { limits, ..DParams::default() });
    assert!(Chunk::new(&bytes).unwrap().decode(&mut scratch).unwrap() == plain);
}

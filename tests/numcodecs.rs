//! Random chunks of Blosc1, exchanged with numcodecs, which has C-Blosc, and python-blosc2.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder, where `tests/interop/numcodecs_chunks.py` has written chunks and
//! reads ours.
#![cfg(feature = "write")]

#[path = "common/random.rs"]
mod random;

use b2nd::Scratch;
use b2nd::chunk::{CParams, Chunk, ChunkEncoder, ChunkFormat};
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, Filter, NOFILTER, Pipeline, SHUFFLE};
use random::Random;
use std::fs;

const COUNT: usize = 2000;
const CODECS: [Codec; 6] =
    [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::SNAPPY, Codec::ZLIB, Codec::ZSTD];

/// Takes the first bytes.
fn take<'a>(bytes: &mut &'a [u8], len: usize) -> &'a [u8] {
    let (first, rest) = bytes.split_at(len);
    *bytes = rest;
    first
}

fn number(bytes: &mut &[u8]) -> usize {
    u32::from_le_bytes(take(bytes, 4).try_into().expect("four bytes")) as usize
}

#[test]
#[ignore = "numcodecs must write and read them: cargo xtask test --only interop"]
fn chunks_are_exchanged_with_numcodecs() {
    let folder = std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder");
    let folder = std::path::Path::new(&folder);
    let theirs = fs::read(folder.join("theirs.bin")).expect("their chunks");
    let (mut theirs, mut scratch, mut random) = (&theirs[..], Scratch::default(), Random(0x5EED_0027));
    let mut ours = Vec::new();
    for count in 0..COUNT {
        let (nbytes, cbytes) = (number(&mut theirs), number(&mut theirs));
        let (plain, chunk) = (take(&mut theirs, nbytes), take(&mut theirs, cbytes));
        let header = Chunk::new(chunk).expect("a chunk").header().clone();
        let decoded = Chunk::new(chunk).and_then(|chunk| chunk.decode(&mut scratch));
        assert!(decoded.is_ok_and(|decoded| decoded == plain), "{count}: {header:?}");
        // The same items, with parameters of our own.
        let cparams = cparams(&mut random, header.typesize.into());
        let chunk = ChunkEncoder::new(cparams.clone()).encode(plain).expect("parameters that can be");
        let snappy = u32::from(cparams.codec == Codec::SNAPPY);
        ours.extend([nbytes as u32, chunk.len() as u32, snappy].into_iter().flat_map(u32::to_le_bytes));
        ours.extend_from_slice(plain);
        ours.extend_from_slice(&chunk);
        let decoded = Chunk::new(&chunk).and_then(|chunk| chunk.decode(&mut scratch));
        assert!(decoded.is_ok_and(|decoded| decoded == plain), "{count}: {cparams:?}");
    }
    assert!(theirs.is_empty(), "more chunks than expected");
    fs::write(folder.join("ours.bin"), ours).expect("a file");
}

fn cparams(random: &mut Random, typesize: u32) -> CParams {
    let mut filters = Pipeline::default();
    filters.slots[0] = Filter { id: random.pick(&[NOFILTER, SHUFFLE, BITSHUFFLE]), meta: 0 };
    let given = 16 << random.index(15);
    CParams {
        codec: random.pick(&CODECS),
        clevel: random.index(10) as u8,
        typesize,
        filters,
        blocksize: random.pick(&[0, 0, given]),
        format: ChunkFormat::Blosc1,
        ..CParams::default()
    }
}

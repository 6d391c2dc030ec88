//! Chunks with random parameters, written by us and read by the reference, to the byte.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to a folder for them, and lets the reference read that.
#![cfg(feature = "write")]

use crate::random::Random;
use b2nd::chunk::{CParams, ChunkEncoder, ChunkFormat, SplitMode};
use b2nd::codec::Codec;
use b2nd::filter::{
    BITSHUFFLE, BYTEDELTA, DELTA, Filter, INT_TRUNC, MAX_FILTERS, NOFILTER, Pipeline, SHUFFLE, TRUNC_PREC,
};
use serde_json::json;
use std::fs;
use std::path::Path;

const COUNT: usize = 1000;

#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
fn chunks_for_the_reference() {
    let folder = std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder");
    let folder = Path::new(&folder);
    let mut random = Random(0x5EED_0015);
    let mut cases = String::new();
    for number in 0..COUNT {
        let cparams = cparams(&mut random);
        let plain = plain(&mut random, &cparams);
        let blocks = blocks(&mut random, &cparams, &plain);
        let mut encoder = ChunkEncoder::new(cparams.clone());
        let chunk = match &blocks[..] {
            [] => encoder.encode(&plain),
            blocks => encoder.encode_blocks(blocks),
        };
        let chunk = chunk.expect("parameters that can be");
        fs::write(folder.join(format!("{number}.chunk")), &chunk).expect("a file");
        fs::write(folder.join(format!("{number}.plain")), &plain).expect("a file");
        let slots = cparams.filters.slots;
        let case = json!({
            "name": number,
            "codec": cparams.codec.name(),
            "clevel": cparams.clevel,
            "typesize": cparams.typesize,
            "filters": slots.map(|filter| filter.id),
            "filters_meta": slots.map(|filter| filter.meta),
            "blocksize": cparams.blocksize,
            "splitmode": cparams.splitmode.name(),
            "blosc1": cparams.format == ChunkFormat::Blosc1,
            "nblocks": blocks.len(),
        });
        cases.push_str(&format!("{case}\n"));
    }
    fs::write(folder.join("cases.jsonl"), cases).expect("a file");
}

/// Chunks of arrays of two dimensions.
#[test]
#[ignore = "the reference must read them: cargo xtask test --only interop"]
#[cfg(feature = "ndlz")]
fn planes_for_the_reference() {
    let folder = std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN names a folder");
    let folder = Path::new(&folder);
    let mut random = Random(0x5EED_0032);
    let mut cases = String::new();
    for number in 0..100 {
        let [height, width] = [(); 2].map(|()| 4 + random.index(60));
        let nblocks = 1 + random.index(4);
        let codec_meta = random.pick(&[4, 8]);
        // Few different rows, in cells.
        let few = 2 + random.index(7);
        let plain: Vec<u8> = (0..nblocks * height * width)
            .map(|at| (at / width, at % width))
            .map(|(y, x)| ((y / 2 * 7 + x / 4 * 3) % few * 37 + x % 4 * usize::from(y % few > 0)) as u8)
            .collect();
        let cparams = CParams {
            codec: Codec::NDLZ,
            codec_meta,
            typesize: 1,
            filters: Pipeline::default(),
            blocksize: (height * width) as u32,
            blockshape: vec![height as u32, width as u32],
            ..CParams::default()
        };
        let chunk = ChunkEncoder::new(cparams).encode(&plain).expect("parameters that can be");
        fs::write(folder.join(format!("plane{number}.chunk")), &chunk).expect("a file");
        fs::write(folder.join(format!("plane{number}.plain")), &plain).expect("a file");
        let blocks = [height, width];
        cases.push_str(&format!(
            "{}\n",
            json!({"name": format!("plane{number}"), "blocks": blocks, "meta": codec_meta})
        ));
    }
    fs::write(folder.join("planes.jsonl"), cases).expect("a file");
}

/// Blocks that vary in length, for a sixth of the chunks that can have such.
fn blocks<'a>(random: &mut Random, cparams: &CParams, mut plain: &'a [u8]) -> Vec<&'a [u8]> {
    let mut blocks = Vec::new();
    // The script does not know how lossy filters cut items that two blocks share.
    let other = [DELTA, TRUNC_PREC, INT_TRUNC].iter().any(|filter| cparams.filters.contains(*filter));
    if cparams.format == ChunkFormat::Blosc1 || other || random.index(6) > 0 {
        return blocks;
    }
    while !plain.is_empty() {
        let (block, rest) = plain.split_at(plain.len().min(1 + random.index(9000)));
        blocks.push(block);
        plain = rest;
    }
    blocks
}

fn cparams(random: &mut Random) -> CParams {
    let format = if random.index(10) == 0 { ChunkFormat::Blosc1 } else { ChunkFormat::Blosc2 };
    let typesize = random.pick(&[1, 2, 2, 3, 4, 4, 4, 5, 7, 8, 8, 8, 12, 16, 17, 24, 32, 100, 255, 300]);
    let use_dict = random.index(3) == 0;
    let codec = match (use_dict, format) {
        (true, _) => random.pick(&[Codec::LZ4, Codec::LZ4HC]),
        (false, ChunkFormat::Blosc1) if random.index(2) == 0 => Codec::SNAPPY,
        (false, _) => random.pick(&[Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD]),
    };
    CParams {
        codec,
        clevel: random.pick(&[0, 1, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9]),
        typesize,
        filters: filters(random, typesize, format),
        blocksize: random.pick(if use_dict { &[500, 5000] } else { &[0, 0, 0, 32, 100, 1000, 5000, 20_000] }),
        splitmode: random.pick(&[SplitMode::Auto, SplitMode::Auto, SplitMode::Always, SplitMode::Never]),
        use_dict,
        format,
        ..CParams::default()
    }
}

/// Up to three of them, in any slots.
fn filters(random: &mut Random, typesize: u32, format: ChunkFormat) -> Pipeline {
    // The type size, where Python can pass it as a parameter.
    let streams = typesize.min(127) as u8;
    let bits = match typesize {
        1 | 2 | 4 | 8 => 1 + random.index(8 * typesize as usize - 1) as u8,
        _ => 0,
    };
    let filter = |id, meta| Filter { id, meta };
    let shuffle = filter(SHUFFLE, 0);
    let mut choices = vec![vec![], vec![shuffle], vec![filter(BITSHUFFLE, 0)]];
    if format == ChunkFormat::Blosc2 {
        choices.extend([vec![shuffle, filter(BYTEDELTA, streams)], vec![filter(SHUFFLE, 2)]]);
        choices.extend([
            vec![filter(DELTA, 0)],
            vec![filter(DELTA, 0), shuffle],
            vec![filter(DELTA, 0), filter(BITSHUFFLE, 0)],
            vec![shuffle, filter(DELTA, 0)],
            vec![filter(DELTA, 0), shuffle, filter(BYTEDELTA, streams)],
        ]);
        if bits > 0 {
            let int_trunc = filter(INT_TRUNC, bits);
            choices.extend([vec![int_trunc, shuffle], vec![int_trunc, filter(DELTA, 0), shuffle]]);
        }
        if matches!(typesize, 4 | 8) {
            let trunc = filter(TRUNC_PREC, 1 + bits % 22);
            choices.extend([vec![trunc, shuffle], vec![trunc, filter(DELTA, 0), shuffle]]);
        }
    }
    let mut chosen = choices.swap_remove(random.index(choices.len()));
    while chosen.len() < MAX_FILTERS && random.index(3) == 0 {
        chosen.insert(random.index(chosen.len() + 1), filter(NOFILTER, 0));
    }
    let mut pipeline = Pipeline::default();
    pipeline.slots.iter_mut().zip(chosen).for_each(|(slot, filter)| *slot = filter);
    pipeline
}

/// Items of several kinds; whole ones where filters need that.
fn plain(random: &mut Random, cparams: &CParams) -> Vec<u8> {
    let typesize = cparams.typesize as usize;
    let most = random.pick(&[0, 100, 3000, 3000, 30_000, 30_000, 30_000, 200_000]);
    let mut len = random.index(most + 1);
    let whole = cparams.filters.contains(DELTA)
        || cparams.format == ChunkFormat::Blosc1 && cparams.filters.contains(BITSHUFFLE);
    if whole || random.index(2) == 0 {
        len -= len % typesize;
    }
    let kind = if cparams.use_dict { 8 } else { random.index(8) };
    let mut row = 0;
    let mut walk = 1_000_000_u64;
    let mut data = Vec::new();
    for i in 0..len.div_ceil(typesize) {
        walk = walk.wrapping_add(random.below(7)).wrapping_sub(3);
        let value = match kind {
            0 => i as u64,
            1 => random.below(1 << 40).wrapping_mul(0x1_0001),
            2 => walk,
            3 => [0, 3, u64::MAX][i / 50 % 3],
            4 => 0,
            5 => 0x0102_0304_0506_0708,
            8 => {
                row = if i % 6 == 0 { random.index(40) } else { row };
                ((6 * row + i % 6) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            }
            6 if typesize == 4 => f32::NAN.to_bits().into(),
            6 => f64::NAN.to_bits(),
            _ if typesize == 4 => (i as f32 / 50.0).sin().to_bits().into(),
            _ => (i as f64 / 50.0).sin().to_bits(),
        };
        data.extend(value.to_le_bytes().iter().cycle().take(typesize));
    }
    data.truncate(len);
    data
}

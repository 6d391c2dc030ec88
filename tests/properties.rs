//! The properties of the fuzz targets, for inputs from a fixed seed.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "there it is a crate")]
mod properties;
#[path = "common/random.rs"]
mod random;

use b2nd::Selection;
use b2nd::array::ArrayParams;
use b2nd::sink::{Editor, Memory};
use random::Random;

/// Parameters, and behind them what resembles data: runs, repeats, noise.
fn input(random: &mut Random) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..40).map(|_| random.below(256) as u8).collect();
    let len = random.pick(&[40, 60, 300, 3000, 20_000]);
    while bytes.len() < len {
        let farthest = random.pick(&[1, 4, 300, 20_000]);
        let dist = 1 + random.index(bytes.len().min(farthest));
        let is_noise = random.below(4) == 0;
        for _ in 0..1 + random.below(200) {
            bytes.push(if is_noise { random.below(256) as u8 } else { bytes[bytes.len() - dist] });
        }
    }
    bytes
}

fn check(seed: u64, count: usize, property: fn(&[u8])) {
    let mut random = Random(0x5EED_F022 ^ seed << 32);
    (0..count).for_each(|_| property(&input(&mut random)));
}

#[test]
fn streams_fit_and_decode() {
    check(1, 1000, properties::codec);
}

#[test]
fn chunks_fit_and_decode() {
    check(2, 2000, properties::chunk);
}

#[test]
fn selections_are_what_was_written() {
    check(3, 1000, properties::array);
}

#[test]
fn changes_are_those_of_the_model() {
    check(4, 1000, properties::editor);
}

/// Frames with some bytes changed.
#[test]
fn frames_are_read_or_refused() {
    let mut random = Random(0x5EED_F022);
    let plain: Vec<u8> = (0..60_u32 * 50).flat_map(|at| (at * at / 7).to_le_bytes()).collect();
    let mut params = ArrayParams::new(&[60, 50], "<u4");
    (params.chunkshape, params.blockshape) = (Some(vec![25, 20]), Some(vec![10, 20]));
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.set(&Selection::all(), &plain).unwrap();
    editor.commit().unwrap();
    let frame = editor.into_sink().into_bytes();
    for _ in 0..2000 {
        let mut bytes = frame.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.index(bytes.len());
            let flipped = bytes[at] ^ 1 << random.below(8);
            bytes[at] = random.pick(&[0, 1, 0x7F, 0x80, 0xFF, flipped]);
        }
        bytes.truncate(bytes.len() - random.pick(&[0, 0, 0, 1, 40]));
        properties::frame(&bytes);
    }
    properties::frame(&input(&mut random));
}

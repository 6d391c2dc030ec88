//! The properties of the fuzz targets, for inputs from a fixed seed.
#![cfg(all(
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "indexing",
    feature = "lz4",
    feature = "zlib",
    feature = "zstd",
    feature = "filters"
))]

extern crate alloc;

#[path = "common/mutation.rs"]
mod mutation;
#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "there it is a crate")]
mod properties;
#[path = "common/random.rs"]
mod random;

use b2nd::codec::Codec;
use core::time::Duration;
use mutation::{mutated, seeds};
use random::Random;
use std::path::Path;
use std::time::Instant;
use std::{fs, thread};

/// No input takes longer, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(10);

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

/// An input that is written to a file if the property does not hold for it: `cargo fuzz run TARGET FILE` tries it again.
struct Kept<'a>(&'a [u8]);

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let name = thread::current().name().unwrap_or("input").replace(':', "-");
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            eprintln!("for the input in {}: {:?}", path.display(), fs::write(&path, self.0));
        }
    }
}

/// Checks a property for one input.
fn check_one(bytes: &[u8], property: fn(&[u8])) -> Duration {
    let (kept, start) = (Kept(bytes), Instant::now());
    property(bytes);
    drop(kept);
    start.elapsed()
}

fn check(seed: u64, count: usize, property: fn(&[u8])) {
    let mut random = Random(0x5EED_F022 ^ seed << 32);
    (0..count).for_each(|_| _ = check_one(&input(&mut random), property));
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

/// Files of the corpus as they are, and changed in all ways.
fn check_files(seed: u64, count: usize, seeds: &[Vec<u8>], property: fn(&[u8])) {
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|bytes| _ = check_one(bytes, property));
    let mut random = Random(0x5EED_F11E ^ seed << 32);
    let start = Instant::now();
    let slowest = (0..count).map(|_| check_one(&mutated(&mut random, seeds), property)).max();
    println!("{count} inputs in {:?}, at longest {slowest:?}", start.elapsed());
    assert!(slowest < Some(PATIENCE), "{slowest:?}");
}

#[test]
fn frames_are_the_same_in_all_ways() {
    check_files(5, 20_000, &seeds("", &[".b2nd", ".b2frame", ".chunk", ".caterva"]), properties::frame);
}

#[test]
fn stores_are_the_same_in_all_ways() {
    check_files(6, 8000, &seeds("stores", &[".b2z", ".b2e"]), properties::store);
}

#[test]
fn tables_are_the_same_in_all_ways() {
    check_files(7, 1500, &seeds("tables", &[".b2z", ".b2e"]), properties::store);
}

#[test]
fn objects_are_the_same_in_all_ways() {
    let seeds = [seeds("objects", &[".b2b", ".b2f", ".b2nd"]), seeds("blosc2-4.14.1", &[".b2b"])].concat();
    check_files(8, 40_000, &seeds, properties::object);
}

#[test]
fn values_are_written_as_they_are_read() {
    let deep = [&[0x91; 40][..], &[0xC0]].concat();
    let map = b"\x85\xa5shape\x92\x02\x03\xa5dtype\xa3<f4\xa4data\xc4\x02ab\xc0\xca\x7f\xc0\x00\x01\xd4\x2c\x01\x2c";
    let set =
        b"\x93\xc7\x0a\x2d\x92\xc7\x05\x2d\x91\xcb1234\xd3\xff\xff\xff\xff\x00\x00\x00\x00\xd9\x03\xff\xfeab"
            .to_vec();
    let tensor = b"\xc7\x1e\x2e\x83\xa5shape\x91\x02\xa5dtype\xa3<i2\xa4data\xc4\x04abcd".to_vec();
    let frames = seeds("objects", &["00.b2b", "attributes.b2nd", "tensor.b2f"]);
    check_files(9, 300_000, &[vec![deep, map.to_vec(), set, tensor], frames].concat(), properties::value);
}

#[test]
fn streams_decode_to_the_same_in_all_ways() {
    check(10, 30_000, properties::stream);
}

#[test]
fn stored_chunks_have_one_length() {
    check_files(11, 15_000, &seeds("hdf5", &[".stored"]), properties::hdf5);
}

#[test]
fn dtypes_are_written_as_they_are_read() {
    let texts = [
        "<f4",
        "datetime64[25s]",
        "('<i4', (2, 3))",
        "[('a', '<i4'), (('title', 'b'), '>f8', (2,)), ('', '|V3')]",
        "{'names': ['x', 'y'], 'formats': ['<u2', 'S3'], 'offsets': [4, 0], 'itemsize': 12, 'aligned': False}",
        "{'names': ['x', 'y'], 'formats': ['<u2', ('<f8', 3)], 'titles': [None, 'b'], 'aligned': True}",
        r"[('it\'s', 'U3'), ('\u00e9\x41', '<M8[us]')]",
    ];
    check_files(12, 300_000, &texts.map(|text| text.as_bytes().to_vec()), properties::dtype);
}

#[test]
fn selections_are_written_as_they_are_read() {
    let texts =
        ["0:10, [1, 5, 9], ::2, ..., -1", "[[1,5],:]", "[-1]", "3,", "[...]", "9223372036854775807::-2"];
    check_files(13, 150_000, &texts.map(|text| text.as_bytes().to_vec()), properties::selection);
}

#[test]
fn plans_take_what_numpy_takes() {
    check(14, 1500, properties::plan);
}

#[test]
fn frames_of_others_change_like_their_model() {
    let files = seeds("", &[".b2nd"]);
    let mut random = Random(0x5EED_ED17);
    let changes = |bytes: Vec<u8>| [bytes, (0..60).map(|_| random.below(256) as u8).collect()].concat();
    check_files(15, 2000, &files.into_iter().map(changes).collect::<Vec<_>>(), properties::change);
}

#[test]
fn flash_reads_what_others_read() {
    check_files(16, 20_000, &seeds("", &[".b2nd", ".b2frame"]), properties::flash);
}

#[test]
fn damaged_logs_go_on_or_are_refused() {
    check(17, 4000, properties::logger);
}

#[test]
fn packets_give_the_same_in_all_pieces() {
    let seeds = [(2, Codec::LZ4), (4, Codec::BLOSCLZ), (8, Codec::LZ4)];
    check_files(
        18,
        5000,
        &seeds.map(|(typesize, codec)| properties::sent(typesize, codec)),
        properties::packets,
    );
}

#[test]
fn chunks_are_the_same_when_they_arrive_in_pieces() {
    check_files(19, 10_000, &seeds("", &[".chunk"]), properties::arrival);
}

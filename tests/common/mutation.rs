//! Changes files as a fuzzer does, from a seed.

use super::random::Random;
use std::fs;
use std::path::{Path, PathBuf};

/// The most bytes of a file that is changed.
pub(crate) const MOST: usize = 10_000;

/// The golden files whose names end like this, if they are small, and those of directories.
pub(crate) fn seeds(folder: &str, ends: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(folder), &mut paths);
    paths.sort();
    let name = |path: &Path| path.to_string_lossy().into_owned();
    paths.retain(|path| ends.iter().any(|end| name(path).ends_with(end)));
    let files = paths.iter().map(|path| fs::read(path).expect("a golden file"));
    files.filter(|bytes| bytes.len() <= MOST).collect()
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { list(&path, paths) } else { paths.push(path) }
    }
}

/// A file with some changes: bits, extreme numbers, pieces that are copied, removed or taken from another file.
pub(crate) fn mutated(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.index(seeds.len())].clone();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = place(random, bytes.len());
        let len = random.pick(&[1, 2, 4, 8, 32, 200]).min(bytes.len() - at);
        match random.below(12) {
            0..3 => bytes[at] ^= 1 << random.below(8),
            3..6 => bytes[at] = random.pick(&[0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, b'0', b'"', 0xC0]),
            6 => bytes[at] = random.below(256) as u8,
            7 => number(random, &mut bytes[at..at + len.min(8)]),
            8 => drop(bytes.drain(at..at + len)),
            9 => {
                let to = random.index(bytes.len());
                let piece = bytes[at..at + len].to_vec();
                bytes.splice(to..to, piece);
            }
            10 => {
                let to = random.index(bytes.len() - len + 1);
                bytes.copy_within(at..at + len, to);
            }
            _ => {
                let other = &seeds[random.index(seeds.len())];
                let from = random.index(other.len().max(1));
                let piece = &other[from.min(other.len())..];
                bytes.splice(at..at + len, piece[..len.min(piece.len())].iter().copied());
            }
        }
    }
    if random.below(12) == 0 {
        bytes.truncate(random.index(bytes.len() + 1));
    }
    bytes.truncate(MOST);
    bytes
}

/// Headers and trailers are changed as often as all that lies between.
fn place(random: &mut Random, len: usize) -> usize {
    match random.below(4) {
        0 => random.index(len.min(200)),
        1 => len - 1 - random.index(len.min(200)),
        _ => random.index(len),
    }
}

/// A number near a power of two, in either byte order.
fn number(random: &mut Random, place: &mut [u8]) {
    let number = (1_u64 << random.below(64)).wrapping_add(random.below(3)).wrapping_sub(1);
    let number = if random.below(4) == 0 { number.wrapping_neg() } else { number };
    let len = place.len();
    match random.below(2) {
        0 => place.copy_from_slice(&number.to_le_bytes()[..len]),
        _ => place.copy_from_slice(&number.to_be_bytes()[8 - len..]),
    }
}

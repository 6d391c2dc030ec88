//! Files made to do harm, where chance would not hit.

use crate::attempt::{Attempt, LIMITS};
use crate::common::golden;
use crate::common::parts::Parts;
use b2nd::frame::Part;
use b2nd::{DParams, Selection};
use core::time::Duration;
use std::time::Instant;

/// Seconds are enough on a machine that is not busy, where hours would not be without care.
const SOON: Duration = Duration::from_secs(120);

const ZLIB: u8 = 3;
const ZSTD: u8 = 4;

/// Reads everything and keeps to the rules.
fn attempt(parts: &Parts, slice: &str) {
    let start = Instant::now();
    let slice: Selection = slice.parse().expect("a selection");
    let dparams = DParams { limits: LIMITS, ..DParams::default() };
    Attempt { dparams, slice: &slice, twice: true, peak: 0 }.run(parts);
    let took = start.elapsed();
    assert!(took < SOON, "{took:?}");
}

/// A chunk whose blocks all start at the same place, where `body` is.
fn chunk_of_one_place(codec: u8, nblocks: u32, variable: bool, body: &[u8]) -> Parts {
    let (version, flags2) = if variable { (6, 1) } else { (5, 0) };
    let start = 32 + 4 * nblocks;
    // Blocks of one byte, or as many of varying length: none, but for the first.
    let nbytes = if variable { 1 } else { nblocks };
    let blocksize = if variable { nblocks } else { 1 };
    let mut chunk = vec![version, 1, 0x15 | codec << 5, 1];
    for size in [nbytes, blocksize, start + body.len() as u32] {
        chunk.extend(size.to_le_bytes());
    }
    chunk.extend([0; 14]);
    chunk.extend([flags2, 0]);
    (0..nblocks).for_each(|_| chunk.extend(start.to_le_bytes()));
    chunk.extend(body);
    Parts(vec![(Part::Frame, chunk)])
}

/// A stream of `data` with `count` times nothing before it.
fn diluted(codec: u8, count: usize, data: Option<u8>) -> Vec<u8> {
    let (nothing, before, after): (&[u8], &[u8], Vec<u8>) = match (codec, data) {
        (ZLIB, None) => (&[0, 0, 0, 0xff, 0xff], &[0x78, 1], vec![1, 0, 0, 0xff, 0xff, 0, 0, 0, 1]),
        (ZLIB, Some(byte)) => {
            let sum = byte + 1;
            (&[0, 0, 0, 0xff, 0xff], &[0x78, 1], vec![1, 1, 0, 0xfe, 0xff, byte, 0, sum, 0, sum])
        }
        (_, data) => {
            let len = u8::from(data.is_some());
            let mut last = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, len, 1 | len << 3, 0, 0];
            last.extend(data);
            (&[0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], &[], last)
        }
    };
    [before, &nothing.repeat(count), &after].concat()
}

#[test]
fn blocks_that_share_a_long_stream() {
    for codec in [ZLIB, ZSTD] {
        let stream = diluted(codec, 200_000, Some(b'x'));
        let body = [&(stream.len() as u32).to_le_bytes(), &stream[..]].concat();
        attempt(&chunk_of_one_place(codec, 1 << 16, false, &body), "::7");
    }
}

#[test]
fn variable_blocks_that_share_a_long_stream() {
    for codec in [ZLIB, ZSTD] {
        let stream = diluted(codec, 200_000, None);
        let body = [&[0; 4], &stream[..]].concat();
        attempt(&chunk_of_one_place(codec, 1 << 16, true, &body), "::7");
    }
}

/// A golden array whose numbers can be changed.
struct Forgery {
    bytes: Vec<u8>,
    /// Where the metalayer's first marker of a length is.
    lens: usize,
    ndim: usize,
}

impl Forgery {
    fn of(name: &str, ndim: usize) -> Self {
        let case = golden().into_iter().find(|case| case.name == name).expect("a golden file");
        let bytes = Parts::of(&case).0.remove(0).1;
        let marks = [0x97, 0, ndim as u8, 0x90 + ndim as u8];
        let lens = bytes.windows(4).position(|window| window == marks).expect("the metalayer") + marks.len();
        Self { bytes, lens, ndim }
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The frame's plain length, and that of a chunk.
    fn nbytes(&mut self, nbytes: u64, chunksize: u32) {
        self.put(30, &nbytes.to_be_bytes());
        self.put(58, &chunksize.to_be_bytes());
    }

    fn shape(&mut self, shape: &[u64]) {
        for (axis, len) in shape.iter().enumerate() {
            self.put(self.lens + 9 * axis + 1, &len.to_be_bytes());
        }
    }

    fn chunkshape(&mut self, shape: &[u32]) {
        self.small(self.lens + 9 * self.ndim + 1, shape);
    }

    fn blockshape(&mut self, shape: &[u32]) {
        self.small(self.lens + 14 * self.ndim + 2, shape);
    }

    fn small(&mut self, start: usize, shape: &[u32]) {
        for (axis, len) in shape.iter().enumerate() {
            self.put(start + 5 * axis + 1, &len.to_be_bytes());
        }
    }

    fn attempt(self, slice: &str) {
        attempt(&Parts(vec![(Part::Frame, self.bytes)]), slice);
    }
}

/// Many blocks of one byte in chunks that are stored nowhere.
#[test]
fn tiny_blocks_of_nothing() {
    let mut forgery = Forgery::of("blosc2-4.14.1/special-zeros-u1.b2nd", 2);
    forgery.nbytes(8 << 20, 8 << 20);
    forgery.shape(&[2048, 4096]);
    forgery.chunkshape(&[2048, 4096]);
    forgery.blockshape(&[1, 1]);
    // The index, of nine chunks before.
    let index = forgery.bytes.windows(4).position(|window| window == [5, 1, 5, 8]).expect("the index");
    forgery.put(index + 4, &8u32.to_le_bytes());
    forgery.put(index + 8, &8u32.to_le_bytes());
    forgery.attempt("::3, 1::2");
}

/// Where there are no items, nobody compares the shapes.
#[test]
fn blocks_of_an_empty_array() {
    for len in [0, 1, i32::MAX as u32, u32::MAX] {
        let mut forgery = Forgery::of("blosc2-4.14.1/ndcell-4d-c2.b2nd", 4);
        forgery.shape(&[0; 4]);
        forgery.blockshape(&[len; 4]);
        forgery.attempt("...");
    }
}

/// Where chunks may have any size, the index alone says how many there are.
#[test]
fn fewer_chunks_than_the_array_has() {
    let mut forgery = Forgery::of("blosc2-4.14.1/special-zeros-u1.b2nd", 2);
    forgery.nbytes(648, 0);
    forgery.shape(&[100, 100]);
    forgery.attempt("-1, -1");
}

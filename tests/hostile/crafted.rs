//! Files made to do harm, where chance would not hit.

use crate::attempt::{Attempt, LIMITS};
use crate::common::forgery::Forgery;
use crate::common::parts::Parts;
use crate::meter;
use b2nd::frame::Header;
use b2nd::wire::{Exchange, IndexReading, Part};
use b2nd::{DParams, ErrorKind, Limits, Reader, Selection};
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
    Attempt { dparams, slice: &slice, twice: true }.run(parts);
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

fn parts(forgery: Forgery) -> Parts {
    Parts(vec![(Part::Frame, forgery.bytes)])
}

/// Many blocks of one byte in chunks that are stored nowhere.
#[test]
fn tiny_blocks_of_nothing() {
    let mut forgery = Forgery::of("blosc2-4.14.1/special-zeros-u1.b2nd", 2);
    forgery.nbytes(2 << 20, 2 << 20, 1);
    forgery.shape(&[1024, 2048]);
    forgery.chunkshape(&[1024, 2048]);
    forgery.blockshape(&[1, 1]);
    // Of nine chunks before.
    forgery.index(8, 8);
    attempt(&parts(forgery), "::3, 1::2");
}

/// Where there are no items, nobody compares the shapes.
#[test]
fn blocks_of_an_empty_array() {
    for len in [0, 1, i32::MAX as u32, u32::MAX] {
        let mut forgery = Forgery::of("blosc2-4.14.1/ndcell-4d-c2.b2nd", 4);
        forgery.shape(&[0; 4]);
        forgery.blockshape(&[len; 4]);
        attempt(&parts(forgery), "...");
    }
}

/// Where chunks may have any size, the index alone says how many there are.
#[test]
fn fewer_chunks_than_the_array_has() {
    let mut forgery = Forgery::of("blosc2-4.14.1/special-zeros-u1.b2nd", 2);
    forgery.nbytes(648, 0, 0);
    forgery.shape(&[100, 100]);
    attempt(&parts(forgery), "-1, -1");
}

/// The index repeats one entry, and takes no more memory than that.
#[test]
fn chunks_that_are_only_claimed() {
    const NCHUNKS: u32 = 1 << 27;
    let parts = parts(Forgery::of_zeros(NCHUNKS));
    let start = Instant::now();
    let (last, peak) = meter::peak(|| {
        let reader = Reader::open(&parts, DParams::default()).expect("a frame");
        assert_eq!(reader.nchunks(), Ok(NCHUNKS.into()));
        assert_eq!(reader.index().expect("an index").runs().count(), 1);
        reader.get("-1, -1")
    });
    assert_eq!(last, Ok(vec![0]));
    assert!(peak < 1 << 20, "{peak} bytes");
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// Entries that differ are charged before there is room for them.
#[test]
fn entries_are_charged() {
    let bytes = Forgery::of("blosc2-4.14.1/sample.b2nd", 3).bytes;
    let header = Header::parse(&bytes, &LIMITS).expect("a header");
    let read = |memory| {
        let dparams = DParams { limits: Limits { memory, ..LIMITS }, ..DParams::default() };
        let mut reading = IndexReading::new(&header, &dparams);
        let range = reading.ask()?[0].range.clone();
        reading.give(&[&bytes[range.start as usize..range.end as usize]])?;
        reading.finish().map(|index| index.nchunks())
    };
    assert_eq!(read(1 << 10), Ok(2));
    assert!(matches!(read(20).expect_err("no room").kind(), ErrorKind::Limit(_)));
}

/// Blocks must be those of the frame: of these there are millions in a chunk of few bytes.
#[test]
fn shapes_that_are_not_the_frames() {
    let refused = |change: fn(&mut Forgery)| {
        let mut forgery = Forgery::of("blosc2-4.14.1/sample.b2nd", 3);
        change(&mut forgery);
        let reader = Reader::open(parts(forgery), DParams::default()).expect("a frame");
        let error = reader.layout().expect_err("shapes that contradict the frame");
        assert!(
            matches!(error, b2nd::ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Format(_)))
        );
    };
    refused(|forgery| forgery.blockshape(&[2, 3, 13_828_100]));
    refused(|forgery| forgery.blockshape(&[3, 10, 10]));
    refused(|forgery| forgery.blockshape(&[u32::MAX; 3]));
    refused(|forgery| forgery.chunkshape(&[6, 30, 20]));
    refused(|forgery| forgery.nbytes(57_600, 28_800, 32));
    refused(|forgery| forgery.nbytes(57_600, 14_400, 2400));
}

/// A chunk of zeros in so many blocks, which are all stored as one.
fn blocks_of_zeros(nblocks: u32, blocksize: u32) -> Parts {
    let start = 32 + 4 * nblocks;
    let mut chunk = vec![5, 1, 0x15, 1];
    for size in [nblocks * blocksize, blocksize, start + 4] {
        chunk.extend(size.to_le_bytes());
    }
    chunk.extend([0; 16]);
    (0..nblocks).for_each(|_| chunk.extend(start.to_le_bytes()));
    chunk.extend([0; 4]);
    Parts(vec![(Part::Frame, chunk)])
}

#[test]
fn verifying_takes_the_memory_of_a_block() {
    let parts = blocks_of_zeros(2 << 10, 64 << 10);
    let dparams = DParams { limits: LIMITS, ..DParams::default() };
    let reader = Reader::open(&parts, dparams).expect("a chunk");
    assert!(reader.chunk(0).is_err(), "too large for these limits");
    let (verified, peak) = meter::peak(|| reader.verify(0));
    assert_eq!(verified.expect("a good chunk").header.nbytes, 128 << 20);
    assert!(peak < 1 << 20, "{peak} bytes");
}

#[test]
fn the_longest_chunk_of_zeros_is_good() {
    let mut chunk = vec![5, 1, 0x15, 1];
    for size in [i32::MAX as u32 - 32, 1 << 20, 32] {
        chunk.extend(size.to_le_bytes());
    }
    chunk.extend([0; 15]);
    chunk.push(0x10);
    let reader = Reader::open(&chunk[..], DParams::default()).expect("a chunk");
    assert_eq!(reader.verify(0).expect("good").header.nbytes, i32::MAX as u32 - 32);
}

/// Chunks of any size that are all stored in one place: its header is read once.
#[test]
fn one_chunk_many_times() {
    let mut forgery = Forgery::of_zeros(1 << 27);
    let index = forgery.bytes.windows(4).position(|window| window == [5, 1, 5, 8]).expect("the index");
    forgery.put(index + 32, &[0; 8]);
    forgery.nbytes(1 << 33, 0, 0);
    let parts = parts(forgery);
    let start = Instant::now();
    let (schunk, peak) = meter::peak(|| {
        let reader = Reader::open(&parts, DParams::default()).expect("a frame");
        assert_eq!(reader.nchunks(), Ok(1 << 27));
        reader.schunk().map(b2nd::SChunk::len)
    });
    assert!(schunk.is_err(), "the chunk that is found there is too long");
    assert!(peak < 1 << 20, "{peak} bytes");
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

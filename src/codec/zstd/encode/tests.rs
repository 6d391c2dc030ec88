//! Streams of every kind decode to what they were, with this decoder and with libzstd.

use super::{Encoder, MAX_BLOCK_BYTES};
use crate::codec::tables::Decode;
use crate::codec::tests::Random;
use crate::codec::zstd::ZstdDict;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

const CLEVELS: core::ops::RangeInclusive<u8> = 1..=10;

/// An encoder and a decoder that streams reuse.
struct Both {
    encoder: Encoder,
    decoder: Box<ZstdDict>,
}

impl Both {
    fn new() -> Self {
        Self { encoder: Encoder::default(), decoder: Box::new(ZstdDict::new()) }
    }

    /// Encodes, checks that both decoders undo it, and returns the length.
    fn check(&mut self, plain: &[u8], dict: &[u8], clevel: u8) -> usize {
        let mut frame = vec![0xEE; plain.len() + plain.len() / 1000 + 32];
        let len = self.encoder.encode(plain, dict, &mut frame, clevel).expect("room for raw blocks");
        let mut decoded = vec![0xEE; plain.len()];
        let read = self.decoder.zstd(&frame[..len], dict, &mut decoded).expect("tables of zstd");
        assert!(read.is_ok() && decoded == plain, "level {clevel}, {} bytes", plain.len());
        by_libzstd(&frame[..len], dict, &mut decoded);
        assert!(decoded == plain, "libzstd: level {clevel}, {} bytes", plain.len());
        len
    }
}

#[cfg(not(miri))]
fn by_libzstd(frame: &[u8], dict: &[u8], decoded: &mut [u8]) {
    decoded.fill(0xEE);
    let read = zstd_safe::DCtx::create().decompress_using_dict(&mut *decoded, frame, dict);
    assert_eq!(read, Ok(decoded.len()), "libzstd");
    // As C-Blosc2 does it.
    let prepared = zstd_safe::DDict::create(dict);
    let read = zstd_safe::DCtx::create().decompress_using_ddict(&mut *decoded, frame, &prepared);
    assert_eq!(read, Ok(decoded.len()), "libzstd with a prepared dictionary");
    let size = zstd_safe::get_frame_content_size(frame);
    assert_eq!(size.ok().flatten(), Some(decoded.len() as u64), "the size that the frame tells");
}

#[cfg(miri)]
fn by_libzstd(_: &[u8], _: &[u8], _: &mut [u8]) {}

/// Symbols of which each is as frequent as two rarer ones together, in random order.
fn fibonacci(random: &mut Random, symbols: usize) -> Vec<u8> {
    let (mut data, mut counts) = (Vec::new(), (1, 1));
    for symbol in 0..symbols {
        data.extend(vec![symbol as u8; counts.0]);
        counts = (counts.1, counts.0 + counts.1);
    }
    (1..data.len()).for_each(|at| data.swap(at, random.below(at + 1)));
    data
}

/// Data of many kinds.
fn kinds(random: &mut Random, len: usize) -> Vec<Vec<u8>> {
    let mut sum = 0;
    let noise: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
    let mut run = vec![7; len];
    run[len / 2] = 8;
    vec![
        random.data(len),
        vec![9; len],
        run,
        (0..len).map(|at| (at % 2) as u8).collect(),
        (0..len).map(|at| at as u8).collect(),
        (0..len).map(|at| (at.wrapping_mul(2_654_435_761) >> 16) as u8 & 3).collect(),
        (0..len).map(|_| random.next() as u8 & (random.next() as u8) & 31).collect(),
        (0..len).map(|at| noise[at % 1000 % len] ^ u8::from(at % 97 == 0)).collect(),
        (0..len).map(|_| random.next().trailing_zeros() as u8).collect(),
        (0..len.div_ceil(4))
            .flat_map(|_| {
                sum += random.below(17) as u32;
                sum.to_le_bytes()
            })
            .take(len)
            .collect(),
        noise,
    ]
}

#[test]
fn all_short_lengths() {
    let (mut random, mut both) = (Random(41), Both::new());
    let most = if cfg!(miri) { 40 } else { 300 };
    for len in 1..most {
        for (kind, plain) in kinds(&mut random, len).iter().enumerate() {
            let clevel = 1 + ((len + kind) % 10) as u8;
            both.check(plain, &[], clevel);
        }
    }
    CLEVELS.for_each(|clevel| assert_eq!(both.check(&[], &[], clevel), 9));
}

#[test]
#[cfg_attr(miri, ignore = "long streams")]
fn all_levels() {
    let (mut random, mut both) = (Random(42), Both::new());
    for len in [1000, 5000, 16_384, 40_000, 65_536, 100_001] {
        for plain in kinds(&mut random, len) {
            CLEVELS.for_each(|clevel| _ = both.check(&plain, &[], clevel));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long streams")]
fn borders_of_blocks() {
    let (mut random, mut both) = (Random(43), Both::new());
    for len in [
        MAX_BLOCK_BYTES - 1,
        MAX_BLOCK_BYTES,
        MAX_BLOCK_BYTES + 1,
        2 * MAX_BLOCK_BYTES + 1,
        3 * MAX_BLOCK_BYTES,
    ] {
        for (kind, plain) in kinds(&mut random, len).iter().enumerate() {
            for clevel in [1, 2, 3, 9].map(|clevel| clevel + (kind % 2) as u8) {
                both.check(plain, &[], clevel);
            }
        }
        // A match that begins shortly before the end of a block, and one that ends shortly behind it.
        for shift in 0..12 {
            let mut plain: Vec<u8> = (0..len + 600).map(|_| random.next() as u8).collect();
            plain.copy_within(..500, MAX_BLOCK_BYTES - shift);
            plain.copy_within(500..900 + shift, MAX_BLOCK_BYTES - 400);
            both.check(&plain, &[], 1 + shift as u8 % 10);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long streams")]
fn long_matches_and_far_offsets() {
    let (mut random, mut both) = (Random(44), Both::new());
    let noise: Vec<u8> = (0..150_000).map(|_| random.next() as u8).collect();
    for clevel in CLEVELS {
        // Matches of more than 65 539 bytes, and of more than a block.
        for len in [65_538, 65_539, 65_540, 70_000, 131_073, 131_075, 150_000] {
            let plain = [&noise[..], &noise[..len], &[1; 3], &noise[5..len]].concat();
            let taken = both.check(&plain, &[], clevel);
            assert!(taken < 151_500, "level {clevel}: {taken} bytes");
        }
        let runs = [vec![0; 140_000], vec![1; 300_000], vec![0; 70_000]].concat();
        assert!(both.check(&runs, &[], clevel) < 100, "level {clevel}");
    }
    // In one match.
    let long: Vec<u8> = (0..1_000_000).map(|_| random.next() as u8).collect();
    let taken = both.check(&long.repeat(4), &[], 2);
    assert!(taken < 1_001_000, "{taken}");
    let far = [&noise[..5000], &vec![3; 700_000], &noise[..5000]].concat();
    assert!(both.check(&far, &[], 3) < 5500);
}

#[test]
fn skewed_and_flat_bytes() {
    let (mut random, mut both) = (Random(45), Both::new());
    // A code for 20 such symbols would have 19 bits, and may have 11.
    let most = if cfg!(miri) { 8 } else { 24 };
    for symbols in 2..most {
        let plain = fibonacci(&mut random, symbols);
        let taken = both.check(&plain, &[], 1 + symbols as u8 % 3);
        assert!(plain.len() < 1000 || taken < plain.len() * 9 / 20, "{symbols}: {taken} of {}", plain.len());
    }
    // As many symbols as there are, and nearly as many, all equally frequent: those of seven bits gain an eighth.
    for symbols in [64, 127, 128, 129, 200, 254, 255, 256] {
        let plain: Vec<u8> =
            (0..if cfg!(miri) { 600 } else { 30_000 }).map(|_| random.below(symbols) as u8).collect();
        let taken = both.check(&plain, &[], 1);
        assert!(cfg!(miri) || symbols > 128 || taken < plain.len() * 9 / 10, "{symbols}: {taken}");
    }
}

/// With any room, a frame either fits or does not.
#[test]
fn room() {
    let (mut random, mut both) = (Random(46), Both::new());
    for len in [1, 2, 20, 100, 400, 2000].into_iter().filter(|len| !cfg!(miri) || *len < 200) {
        for (kind, plain) in kinds(&mut random, len).iter().enumerate() {
            let clevel = 1 + ((len + kind) % 10) as u8;
            let full = both.check(plain, &[], clevel);
            let most = len + 32;
            for room in (0..most).step_by(1 + len / 200) {
                let mut dst = vec![0xEE; most];
                let written = both.encoder.encode(plain, &[], &mut dst[..room], clevel);
                assert!(dst[room..].iter().all(|byte| *byte == 0xEE), "bytes behind the room");
                // Raw blocks may take the place of compressed ones that do not fit, and are longer.
                assert!(written.is_none_or(|written| written <= room), "{written:?} in {room}");
                assert!(room < full || written.is_some(), "{full} bytes in a room of {room}");
            }
        }
    }
}

#[test]
fn dictionaries() {
    let (mut random, mut both) = (Random(47), Both::new());
    let most = if cfg!(miri) { 300 } else { 40_000 };
    for len in [1, 7, 8, 9, 100, 1000, 4096, 40_000].into_iter().filter(|len| *len <= most) {
        let dict = random.data(len);
        for (at, plain) in [&dict[..], &dict[len / 2..], &random.data(3000.min(most))].iter().enumerate() {
            for clevel in [1, 2, 3, 7, 9].map(|clevel| clevel + at as u8 % 2) {
                let taken = both.check(plain, &dict, clevel);
                assert!(
                    at == 2 || len < 100 || taken < 40 + len / 60,
                    "level {clevel}: {taken} of {}",
                    plain.len()
                );
            }
        }
    }
}

/// Runs whose lengths are chance, between single bytes.
#[test]
fn sparse_masks_are_short_at_all_levels() {
    let mut random = Random(58);
    let mask: Vec<u8> = (0..1 << 17).map(|_| u8::from(random.below(200) == 0)).collect();
    let ones = mask.iter().filter(|byte| **byte == 1).count();
    let mut both = Both::new();
    for clevel in [3, 7, 9] {
        let len = both.check(&mask, &[], clevel);
        assert!(100 * len < 163 * ones, "{len} bytes for {ones} at level {clevel}");
    }
}

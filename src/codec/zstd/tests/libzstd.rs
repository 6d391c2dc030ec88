//! Compared with libzstd: its frames decode, and what it refuses is refused.

use super::Decoder;
use alloc::vec;
use alloc::vec::Vec;
use zstd_safe::{CCtx, CParameter, DCtx};

/// Marsaglia's xorshift: deterministic pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    fn data(&mut self, kind: usize, len: usize) -> Vec<u8> {
        let mut data = vec![self.below(256) as u8];
        let mut sum = 0i32;
        while data.len() < len {
            match kind {
                0 => self.repeat(&mut data),
                1 => data.push(self.below(256) as u8),
                2 => data.push(b'a' + self.below(7).min(self.below(13)) as u8),
                3 => {
                    sum += self.below(17) as i32 - 8;
                    data.extend(sum.to_le_bytes());
                }
                4 => data.extend(vec![self.below(4) as u8; self.below(500)]),
                _ => {
                    let word = self.below(200).min(self.below(200));
                    (0..word % 9 + 1).for_each(|i| data.push(b'a' + (word * (i + 3) % 26) as u8));
                    data.push(b' ');
                }
            }
        }
        data.truncate(len);
        data
    }

    /// A run, a repeat from near or far, or noise.
    fn repeat(&mut self, data: &mut Vec<u8>) {
        let (kind, len) = (self.below(4), (self.below(50) + 1) * (1 + self.below(8)));
        let distance = self.below(data.len().min(if kind == 0 { 20 } else { 70_000 })) + 1;
        for _ in 0..len {
            data.push(if kind < 3 { data[data.len() - distance] } else { self.below(256) as u8 });
        }
    }

    /// Damages a frame.
    fn damage(&mut self, frame: &mut Vec<u8>) {
        let kind = self.below(4);
        for _ in 0..1 + self.below(3) {
            let at = self.below(frame.len());
            match kind {
                0 => frame.truncate(at.max(1)),
                1 => frame[at] ^= 1 << self.below(8),
                2 => frame[at] = 255,
                _ => frame[at] = self.below(256) as u8,
            }
        }
    }
}

const KINDS: usize = 6;

struct Encoder {
    level: i32,
    checksum: bool,
    size: bool,
}

impl Encoder {
    fn encode(&self, data: &[u8], dict: &[u8]) -> Vec<u8> {
        let mut context = CCtx::create();
        context.set_parameter(CParameter::CompressionLevel(self.level)).unwrap();
        context.set_parameter(CParameter::ChecksumFlag(self.checksum)).unwrap();
        context.set_parameter(CParameter::ContentSizeFlag(self.size)).unwrap();
        context.load_dictionary(dict).unwrap();
        let mut frame = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
        context.compress2(&mut frame, data).unwrap();
        frame
    }
}

fn level(level: i32) -> Encoder {
    Encoder { level, checksum: false, size: true }
}

#[test]
fn undoes_all_levels() {
    let mut random = Random(88_172_645_463_325_252);
    let mut decoder = Decoder::default();
    for level in -5..=22 {
        for kind in 0..KINDS {
            for len in [0, 1, 2, 5, 20, 63, 64, 100, 255, 256, 300, 1000, 4095, 65_536, 131_073, 1 << 20] {
                if len > 100_000 && (level + kind as i32) % 7 != 0 {
                    continue;
                }
                let data = random.data(kind, len);
                let (checksum, size) = (random.below(2) == 0, random.below(2) == 0);
                let frame = Encoder { level, checksum, size }.encode(&data, &[]);
                let mut dst = vec![0xEE; len + 1];
                assert!(decoder.decode(&frame, &[], &mut dst).is_err(), "too much room");
                decoder.decode(&frame, &[], &mut dst[..len]).unwrap();
                assert!(dst[..len] == data, "level {level}, kind {kind}, {len} bytes");
                let short = len.saturating_sub(1);
                assert!(len == 0 || decoder.decode(&frame, &[], &mut dst[..short]).is_err(), "too little");
            }
        }
    }
}

#[test]
fn dictionaries() {
    let mut random = Random(1);
    let mut decoder = Decoder::default();
    for kind in [0, 2, 3, 5] {
        let all = random.data(kind, 200_000);
        let sizes = vec![1000; all.len() / 1000];
        for size in [1024, 4096, 32_768] {
            let mut trained = Vec::with_capacity(size);
            zstd_safe::train_from_buffer(&mut trained, &all, &sizes).unwrap();
            // Streams that alternate between two dictionaries, as chunks may.
            for number in 0..60 {
                let dict = [&trained, &all[..size], &all[..5]][number % 3];
                let len = [1, 50, 1000, 16_384, 100_000][number % 5];
                let start = random.below(all.len() - len);
                let data = &all[start..start + len];
                let mut frame = level([-3, 1, 3, 9, 19][number / 3 % 5]).encode(data, dict);
                let mut dst = vec![0xEE; len];
                decoder.decode(&frame, dict, &mut dst).unwrap();
                assert!(dst == data, "kind {kind}, dictionary {number} of {size} bytes");
                random.damage(&mut frame);
                // Any result will do, as long as it returns.
                let _ = decoder.decode(&frame, dict, &mut dst);
                let mut damaged = dict.to_vec();
                random.damage(&mut damaged);
                let _ = decoder.decode(&frame, &damaged, &mut dst);
            }
        }
    }
}

#[test]
fn prefixes_are_refused() {
    let mut random = Random(2);
    let mut decoder = Decoder::default();
    for kind in 0..KINDS {
        let data = random.data(kind, 3000);
        for number in [-3, 1, 9, 19] {
            let frame = level(number).encode(&data, &[]);
            let mut dst = vec![0; data.len()];
            for len in 0..frame.len() {
                assert!(decoder.decode(&frame[..len], &[], &mut dst).is_err(), "kind {kind}, {len} bytes");
            }
        }
    }
}

/// libzstd does not always check where a stream of Huffman codes ends, and this decoder accepts a window of 2⁴⁰ bytes.
/// Where both accept a frame, they decode the same.
#[test]
fn damage_is_refused_or_read_alike() {
    let mut random = Random(3);
    let mut decoder = Decoder::default();
    let mut reference = DCtx::create();
    let mut alike = 0;
    for round in 0..20_000 {
        let len = random.below(3000) + 1;
        let data = random.data(round % KINDS, len);
        let mut frame =
            level(if round % 50 == 0 { 19 } else { random.below(4) as i32 - 1 }).encode(&data, &[]);
        random.damage(&mut frame);
        let (mut first, mut again, mut theirs) = (vec![0; len], vec![0xFF; len], vec![0; len]);
        let read = decoder.decode(&frame, &[], &mut first);
        assert_eq!(read, Decoder::default().decode(&frame, &[], &mut again));
        if read.is_err() {
            continue;
        }
        assert!(first == again, "old bytes of the output show");
        if reference.decompress(&mut theirs[..], &frame).is_ok_and(|written| written == len) {
            assert!(first == theirs, "not what libzstd reads");
            alike += 1;
        }
    }
    assert!(alike > 1000, "{alike} frames of use");
}

#[test]
fn several_frames() {
    let mut random = Random(4);
    let (a, b) = (random.data(0, 5000), random.data(5, 70_000));
    // A frame cannot refer to earlier frames.
    let all = [level(3).encode(&a, &[]), level(-1).encode(&b, &[]), level(19).encode(&a, &[])].concat();
    let mut dst = vec![0; 80_000];
    Decoder::default().decode(&all, &[], &mut dst).unwrap();
    assert!(dst == [&a[..], &b, &a].concat());
}

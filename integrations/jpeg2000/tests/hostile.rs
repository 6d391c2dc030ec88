//! Damaged streams are refused as such, or decode to something, within bounds.

mod common;
#[path = "../../../tests/common/meter.rs"]
mod meter;
#[path = "../../../tests/common/random.rs"]
mod random;

use b2nd::chunk::{CParams, Chunk, ChunkEncoder, SplitMode};
use b2nd::codec::{Corrupt, PlainStream, Plugin, Registry, Stream};
use b2nd::filter::Pipeline;
use b2nd::{DParams, ErrorKind, FormatError, Malformed, ReadError, Scratch};
use b2nd_jpeg2000::GROK;
use common::{decode, files, read};
use random::Random;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOC: &[u8] = b"\xff\x4f\xff\x51";
const COD: &[u8] = b"\xff\x52";
const EOC: &[u8] = b"\xff\xd9";
/// Damaged versions of each file.
const VERSIONS: usize = 150;
/// The most bytes that the decoder of a block takes for each byte of it, and beside that.
const MEMORY: (usize, usize) = (100, 1 << 20);
/// No version takes longer, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(5);

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The first codestream of a file.
fn codestream(file: &[u8]) -> Range<usize> {
    let start = find(file, SOC).expect("a codestream");
    start..start + find(&file[start..], EOC).expect("its end") + EOC.len()
}

/// The first stream of a file: its codestream with all that comes before.
fn stream(file: &[u8]) -> Range<usize> {
    let codestream = codestream(file);
    let starts = [&b"B2JPF32\0"[..], b"\0\0\0\x0cjP  "].map(|start| find(file, start));
    let start = starts.into_iter().flatten().fold(codestream.start, usize::min);
    start..codestream.end
}

/// Changes a stream, whose length stays.
fn damage(random: &mut Random, stream: &mut [u8]) {
    for _ in 0..1 + random.below(4) {
        // Headers are changed as often as the rest.
        let most = if random.below(2) == 0 { stream.len().min(230) } else { stream.len() };
        let at = random.index(most);
        let len = random.pick(&[1, 2, 4, 30]).min(stream.len() - at);
        match random.below(5) {
            0 => stream[at] ^= 1 << random.below(8),
            1 => stream[at] = random.pick(&[0, 1, 2, 0x1f, 0x40, 0x7f, 0x80, 0xfe, 0xff]),
            2 => stream[at] = random.below(256) as u8,
            3 => stream[at..at + len].fill(random.pick(&[0, 0xff])),
            _ => {
                let to = random.index(stream.len() - len + 1);
                stream.copy_within(at..at + len, to);
            }
        }
    }
}

/// Decodes a file whose streams are damaged: it has the length of the sound one, or the error says that a stream is damaged.
fn survives(name: &str, file: &[u8], len: usize) -> bool {
    let begin = Instant::now();
    let (result, peak) = meter::peak(|| decode(file));
    assert!(begin.elapsed() < PATIENCE, "{name}: {:?}", begin.elapsed());
    assert!(peak <= len * MEMORY.0 + MEMORY.1, "{name}: {peak} bytes for {len}");
    match result {
        Ok(items) => {
            assert_eq!(items.len(), len, "{name}");
            true
        }
        Err(ReadError::Blosc(error)) => {
            let stream =
                matches!(error.kind(), ErrorKind::Format(FormatError { what: Malformed::Stream { .. }, .. }));
            assert!(stream, "{name}: {error}");
            false
        }
        Err(ReadError::Source(never)) => match never {},
    }
}

#[test]
fn damaged_streams_are_refused_within_bounds() {
    let mut random = Random(0x9e37_79b9);
    let (mut decoded, mut refused) = (0, 0);
    for (name, path) in files() {
        let sound = read(&path);
        let (stream, len) = (stream(&sound), decode(&sound).unwrap().len());
        for _ in 0..VERSIONS {
            let mut file = sound.clone();
            damage(&mut random, &mut file[stream.clone()]);
            match survives(&name, &file, len) {
                true => decoded += 1,
                false => refused += 1,
            }
        }
    }
    assert!(decoded > 500 && refused > 500, "{decoded} versions decoded, {refused} refused");
}

/// A version of a file whose codestream has these bytes at this place.
fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = codestream(&file).start + at;
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn images_of_another_size_than_the_block_are_refused() {
    for (name, path) in files() {
        let sound = read(&path);
        let len = decode(&sound).unwrap().len();
        // Xsiz, Ysiz and, for the largest, tiles as large.
        for size in [1_u32, 47, 49, 4096, 65_535, u32::MAX] {
            let other = [size.to_be_bytes(), size.to_be_bytes()].concat();
            assert!(!survives(&name, &with(&sound, 8, &other), len), "{name}: {size}");
            let tiled = with(&with(&sound, 8, &other), 24, &other);
            assert!(!survives(&name, &tiled, len), "{name}: {size}, tiled");
        }
        // Rows are as long as columns were.
        let (width, height) =
            (sound[codestream(&sound)][8..12].to_vec(), sound[codestream(&sound)][12..16].to_vec());
        if width != height {
            assert!(!survives(&name, &with(&sound, 8, &[height, width].concat()), len), "{name}: turned");
        }
        // Csiz.
        assert!(!survives(&name, &with(&sound, 40, &[0x40, 0]), len), "{name}: components");
    }
}

#[test]
fn descriptions_larger_than_the_image_are_refused() {
    let sound = read("tests/golden/grok-precincts.b2nd".as_ref());
    let len = decode(&sound).unwrap().len();
    let stream = &sound[codestream(&sound)];
    let cod = find(stream, COD).unwrap();
    // Tiles of one sample; precincts of one coefficient, 32 layers of them; both.
    let tiles = with(&sound, 24, &[0, 0, 0, 1, 0, 0, 0, 1]);
    let precincts = with(&with(&sound, cod + 14, &[0; 3]), cod + 6, &[0, 32]);
    let both = with(&precincts, 24, &[0, 0, 0, 1, 0, 0, 0, 1]);
    for (name, file) in [("tiles", tiles), ("precincts", precincts), ("both", both)] {
        assert!(!survives(name, &file, len), "{name}");
    }
}

/// "Compresses" each block to the same stream.
struct Forger(Vec<u8>);

impl Plugin for Forger {
    fn name(&self) -> &'static str {
        "forger"
    }

    fn decode(&self, _: &Stream<'_>, _: &mut [u8]) -> Result<(), Corrupt> {
        Err(Corrupt)
    }

    fn encodes(&self) -> bool {
        true
    }

    fn encode(&self, _: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
        dst.get_mut(..self.0.len())?.copy_from_slice(&self.0);
        Some(self.0.len())
    }
}

/// An image of 512 by 512 samples of a byte, in which nearly all is zero, with tiles and precincts of these sizes.
fn forged(tile: u32, precincts: u8, layers: u16, style: u8) -> Vec<u8> {
    const BODY: usize = 60;
    let mut stream = Vec::from(SOC);
    stream.extend([0, 41, 0, 0]);
    for number in [512, 512, 0, 0, tile, tile, 0, 0] {
        stream.extend(u32::to_be_bytes(number));
    }
    stream.extend([0, 1, 7, 1, 1]);
    // One level; code blocks of 4 by 4 coefficients; reversible.
    stream.extend([0xff, 0x52, 0, 14, 1, 0]);
    stream.extend(layers.to_be_bytes());
    stream.extend([0, 1, 0, 0, style, 1, precincts, precincts]);
    stream.extend([0xff, 0x5c, 0, 7, 0x40, 0x40, 0x48, 0x48, 0x50]);
    for number in 0..512_u32.div_ceil(tile).pow(2).min(65_535) as u16 {
        stream.extend([0xff, 0x90, 0, 10]);
        stream.extend(number.to_be_bytes());
        stream.extend([0, 0, 0, 14 + BODY as u8, 0, 1, 0xff, 0x93]);
        stream.extend([0; BODY]);
    }
    stream.extend(EOC);
    stream
}

#[test]
fn forged_images_take_no_more_memory_than_honest_ones() {
    const LEN: usize = 512 * 512;
    // No value that repeats, as chunks of such have no stream.
    let plain: Vec<u8> = (0..LEN).map(|place| (place % 251) as u8).collect();
    let mut decoded = 0;
    for (tile, style) in [512, 128, 64, 32, 16].into_iter().flat_map(|tile| [(tile, 0), (tile, 0x40)]) {
        for (precincts, layers) in
            [0xff, 0x66, 0x44, 0x33, 0x22, 0x11, 0].into_iter().flat_map(|size| [(size, 1), (size, 32)])
        {
            let mut registry = Registry::new();
            registry.insert_shared(GROK, Arc::new(Forger(forged(tile, precincts, layers, style))));
            let cparams = CParams {
                codec: GROK,
                registry,
                typesize: 1,
                blocksize: LEN as u32,
                filters: Pipeline::default(),
                splitmode: SplitMode::Never,
                ..CParams::default()
            };
            let chunk = ChunkEncoder::new(cparams).encode(&plain).unwrap();
            let mut scratch =
                Scratch::new(&DParams { registry: b2nd_jpeg2000::registry(), ..DParams::default() });
            let begin = Instant::now();
            let (result, peak) = meter::peak(|| Chunk::new(&chunk).unwrap().decode(&mut scratch));
            let name = format!("tiles of {tile}, precincts {precincts:x}, {layers} layers, style {style:x}");
            assert!(begin.elapsed() < PATIENCE && peak <= LEN * MEMORY.0 + MEMORY.1, "{name}: {peak} bytes");
            decoded += usize::from(result.is_ok());
        }
    }
    assert!(decoded > 10, "{decoded} decoded");
}

#[test]
fn streams_that_are_cut_are_refused() {
    for (name, path) in files() {
        let sound = read(&path);
        let (stream, len) = (codestream(&sound), decode(&sound).unwrap().len());
        for cut in (0..stream.len()).step_by(stream.len() / 40) {
            let mut file = sound.clone();
            file[stream.clone()][cut..].fill(0);
            assert!(!survives(&name, &file, len), "{name}: {cut}");
        }
    }
}

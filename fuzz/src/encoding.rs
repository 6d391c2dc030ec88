//! Encoding: streams and chunks decode to what was encoded.

use super::input::Input;
use b2nd::Scratch;
use b2nd::chunk::{CParams, Chunk, ChunkEncoder, ChunkFormat, Context, SplitMode};
use b2nd::codec::{Codec, Encoder};
use b2nd::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, NDCELL, NOFILTER, Pipeline, SHUFFLE};

/// The codecs of Blosc2, and snappy, which only Blosc1 has.
const CODECS: [Codec; 6] =
    [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD, Codec::SNAPPY];
pub(super) const BLOSC2: &[Codec] = CODECS.split_at(5).0;

/// A stream decodes to what was encoded, and fits the room that there is: also with a byte less than it needs.
pub fn codec(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (codec, clevel) = (input.pick(&CODECS), 1 + input.byte() % 10);
    let plain = input.0;
    let mut encoder = Encoder::new();
    let mut room = plain.len() + plain.len() / 8 + 64;
    // What fits is encoded; then there is less room, until it does not fit.
    for _ in 0..4 {
        let mut stream = vec![0xEE; room];
        let encoded =
            encoder.encode(codec, clevel, plain, &mut stream).expect("a codec and a level that exist");
        let Some(len) = encoded else { return };
        assert!(len <= room, "{codec:?} at level {clevel} needs {len} of {room} bytes");
        if len < plain.len() {
            let chunk = chunk_of(codec, &stream[..len], plain.len());
            let decoded = Chunk::new(&chunk).and_then(|chunk| chunk.decode(&mut Scratch::default()));
            assert!(decoded.is_ok_and(|decoded| decoded == plain), "{codec:?} at level {clevel}");
        }
        let Some(less) = len.checked_sub(1) else { return };
        room = less.min(plain.len());
    }
}

/// A chunk of Blosc1 of one block that is one stream, shorter than what it decodes to.
fn chunk_of(codec: Codec, stream: &[u8], nbytes: usize) -> Vec<u8> {
    const START: usize = 16 + 4;
    let format = match codec {
        Codec::BLOSCLZ => 0,
        Codec::LZ4 | Codec::LZ4HC => 1,
        Codec::SNAPPY => 2,
        Codec::ZLIB => 3,
        _ => 4,
    };
    const UNSPLIT: u8 = 0x10;
    let numbers = [nbytes, nbytes, START + 4 + stream.len(), START, stream.len()];
    let numbers = numbers.map(|number| (number as u32).to_le_bytes());
    [&[2, 1, format << 5 | UNSPLIT, 1], numbers.as_flattened(), stream].concat()
}

/// A chunk of any parameters is refused or decodes to what was encoded; with a byte less of room it is shorter or refused.
pub fn chunk(bytes: &[u8]) {
    let mut input = Input(bytes);
    let cparams = cparams(&mut input);
    let plain = input.0;
    let mut encoder = ChunkEncoder::new(cparams.clone());
    let Ok(chunk) = encoder.encode(plain) else { return };
    let context =
        Context { itemsize: cparams.typesize, blockshape: &cparams.blockshape, early_bitshuffle: false };
    let check = |chunk: &[u8]| {
        let decoded =
            Chunk::with_context(chunk, context).and_then(|chunk| chunk.decode(&mut Scratch::default()));
        assert!(decoded.is_ok_and(|decoded| decoded == plain), "{cparams:?}, {} bytes", plain.len());
    };
    check(&chunk);
    let mut dst = vec![0xEE; chunk.len()];
    if let Ok(len) = encoder.encode_into(plain, &mut dst) {
        check(&dst[..len]);
    }
    if let Ok(len) = encoder.encode_into(plain, &mut dst[1..]) {
        check(&dst[1..][..len]);
    }
}

/// Parameters, most of which are possible, of filters that lose nothing.
fn cparams(input: &mut Input<'_>) -> CParams {
    let typesize = input.pick(&[1, 2, 3, 4, 7, 8, 16, 17, 255, 256, 300]);
    let blockshape = match input.byte() % 4 {
        0 => (0..1 + input.byte() % 3).map(|_| 1 + u32::from(input.byte() % 20)).collect(),
        _ => vec![],
    };
    let blocksize = match (&blockshape[..], input.byte() % 2) {
        ([], 0) => 0,
        ([], _) => input.below(1 << 14) as u32,
        (shape, _) => typesize * shape.iter().product::<u32>(),
    };
    let mut filters = Pipeline::default();
    for slot in &mut filters.slots[..usize::from(input.byte() % 4)] {
        *slot = Filter {
            id: input.pick(&[NOFILTER, SHUFFLE, BITSHUFFLE, DELTA, BYTEDELTA, NDCELL]),
            meta: input.byte() % 9,
        };
    }
    CParams {
        codec: input.pick(&CODECS),
        clevel: input.byte() % 11,
        typesize,
        filters,
        blocksize,
        splitmode: input.pick(&[SplitMode::Always, SplitMode::Never, SplitMode::Auto]),
        use_dict: input.byte().is_multiple_of(4),
        blockshape,
        format: input.pick(&[ChunkFormat::Blosc2, ChunkFormat::Blosc2, ChunkFormat::Blosc1]),
        ..CParams::default()
    }
}

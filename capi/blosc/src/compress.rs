//! Chunks made of plain bytes.

use crate::codes::{
    BLOSC_ALWAYS_SPLIT, BLOSC_AUTO_SPLIT, BLOSC_BITSHUFFLE, BLOSC_NEVER_SPLIT, BLOSC_SHUFFLE, Compressor,
};
use crate::header::Header;
use crate::settings::{SPLITMODE, Settings};
use b2nd::chunk::{CParams, ChunkEncoder, ChunkFormat};
use b2nd::codec::Codec;
use b2nd::filter::{BITSHUFFLE, MAX_FILTERS, Pipeline, SHUFFLE};
use b2nd::frame::SplitMode;
use b2nd_c::pool;
use core::cell::Cell;
use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;
use std::borrow::Cow;

/// The most plain bytes of a chunk.
const MAX_BUFFERSIZE: usize = i32::MAX as usize - Header::LEN;
/// The most that the library encodes: a chunk of Blosc2 has a longer header.
const MAX_ENCODED: usize = i32::MAX as usize - 32;
/// Forced blocks are no smaller and no larger.
const FORCED_BLOCK_BYTES: (usize, usize) = (128, b2nd::chunk::MAX_BLOCKSIZE as usize);
/// Split blocks, whose streams are no longer than the last, are made no smaller and no larger.
const SPLIT_BLOCK_BYTES: (usize, usize) = (64 << 10, 1 << 20);
const MAX_STREAM_BYTES: usize = 256 << 10;
const MAX_SPLITS: usize = 16;
const MIN_STREAM_BYTES: usize = 128;

thread_local! {
    /// The encoder of the last call, whose memory the next one uses.
    static ENCODER: Cell<Option<ChunkEncoder>> = const { Cell::new(None) };
}

/// A call that yields no chunk: the code that C-Blosc returns, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: c_int,
    pub(crate) reason: Cow<'static, str>,
}

const fn refusal(code: c_int, reason: &'static str) -> Refusal {
    Refusal { code, reason: Cow::Borrowed(reason) }
}

/// Encodes `src` into the start of `dst` and returns the length of the chunk.
pub(crate) fn compress(settings: &Settings, src: &[u8], dst: &mut [u8]) -> Result<usize, Refusal> {
    let compressor = check(settings, src, dst)?;
    let cparams = cparams(settings, compressor, src.len());
    let needed = cparams.max_len(src.len());
    let flags = flags(&cparams, compressor);
    if let Some(dst) = dst.get_mut(..needed) {
        return encode(cparams, settings, src, dst).map(|len| finish(dst, len, flags));
    }
    // A chunk that is shorter than its data may still fit.
    let mut room = vec![0; needed];
    let len = encode(cparams, settings, src, &mut room)?;
    let Some(to) = dst.get_mut(..len) else {
        return Err(refusal(0, "the chunk is longer than the destination"));
    };
    to.copy_from_slice(&room[..len]);
    Ok(finish(dst, len, flags))
}

/// Gives up the memory that this thread keeps.
pub(crate) fn free() {
    ENCODER.set(None);
}

fn check(settings: &Settings, src: &[u8], dst: &[u8]) -> Result<Compressor, Refusal> {
    if src.len() > MAX_BUFFERSIZE {
        return Err(refusal(0, "there are more than BLOSC_MAX_BUFFERSIZE bytes to compress"));
    }
    if dst.len() < Header::LEN {
        return Err(refusal(0, "the destination has less than BLOSC_MAX_OVERHEAD bytes"));
    }
    if !(0..=9).contains(&settings.clevel) {
        return Err(refusal(-10, "clevel must be between 0 and 9"));
    }
    if !(0..=2).contains(&settings.shuffle) {
        return Err(refusal(-10, "shuffle must be 0, 1 or 2"));
    }
    if settings.typesize == 0 {
        return Err(refusal(-10, "typesize must be greater than 0"));
    }
    if src.len() > MAX_ENCODED {
        return Err(refusal(-1, "there are more than 2147483615 bytes to compress"));
    }
    settings.compressor.ok_or_else(|| refusal(-5, "there is no such compressor"))
}

fn encode(cparams: CParams, settings: &Settings, src: &[u8], dst: &mut [u8]) -> Result<usize, Refusal> {
    let mut encoder = ENCODER.take().unwrap_or_default();
    encoder.set_cparams(cparams);
    let nthreads = settings.nthreads.clamp(1, 256) as usize;
    let encoded = pool::run(nthreads, src.len(), |parallel| match parallel {
        true => encoder.encode_parallel_into(src, dst),
        false => encoder.encode_into(src, dst),
    });
    ENCODER.set(Some(encoder));
    encoded.map_err(|error| Refusal { code: -1, reason: error.to_string().into() })
}

/// Names filter, codec and splitting, as C-Blosc does in copied chunks, too.
fn finish(dst: &mut [u8], len: usize, flags: u8) -> usize {
    dst[2] |= flags;
    len
}

fn flags(cparams: &CParams, compressor: Compressor) -> u8 {
    let filter = if cparams.filters.contains(SHUFFLE) {
        1
    } else if cparams.filters.contains(BITSHUFFLE) {
        4
    } else {
        0
    };
    filter | compressor.format << Header::FORMAT_SHIFT
}

fn cparams(settings: &Settings, compressor: Compressor, nbytes: usize) -> CParams {
    let typesize = if settings.typesize > 255 { 1 } else { settings.typesize };
    let splitmode = splitmode(compressor.codec);
    CParams {
        codec: compressor.codec,
        clevel: settings.clevel as u8,
        typesize: typesize as u32,
        filters: filters(settings.shuffle, typesize, nbytes),
        blocksize: forced_blocksize(settings, compressor.codec, typesize, splitmode) as u32,
        splitmode,
        format: ChunkFormat::Blosc1,
        ..CParams::default()
    }
}

/// The filter. Old readers lose bytes of incomplete items that are bitshuffled: their data are shuffled instead.
fn filters(shuffle: c_int, typesize: usize, nbytes: usize) -> Pipeline {
    let id = match shuffle {
        BLOSC_BITSHUFFLE if nbytes.is_multiple_of(typesize) => BITSHUFFLE,
        BLOSC_BITSHUFFLE | BLOSC_SHUFFLE => SHUFFLE,
        _ => return Pipeline::default(),
    };
    let mut filters = Pipeline::default();
    filters.slots[MAX_FILTERS - 1].id = id;
    filters
}

fn splitmode(codec: Codec) -> SplitMode {
    match SPLITMODE.load(Relaxed) {
        BLOSC_ALWAYS_SPLIT => SplitMode::Always,
        BLOSC_NEVER_SPLIT => SplitMode::Never,
        BLOSC_AUTO_SPLIT if codec != Codec::BLOSCLZ && codec != Codec::SNAPPY => SplitMode::Never,
        _ => SplitMode::ForwardCompat,
    }
}

/// The block size that the caller asked for, as C-Blosc changes it, or 0. Like its own choice, it is enlarged if blocks are split.
fn forced_blocksize(settings: &Settings, codec: Codec, typesize: usize, splitmode: SplitMode) -> usize {
    if settings.blocksize == 0 {
        return 0;
    }
    let (least, most) = FORCED_BLOCK_BYTES;
    let blocksize = settings.blocksize.clamp(least, most);
    let possible = typesize <= MAX_SPLITS && blocksize / typesize >= MIN_STREAM_BYTES;
    let split = match splitmode {
        SplitMode::Never => false,
        SplitMode::Always => possible,
        SplitMode::Auto | SplitMode::ForwardCompat => possible && codec != Codec::ZSTD,
    };
    if settings.clevel == 0 || !split {
        return blocksize;
    }
    let (least, most) = SPLIT_BLOCK_BYTES;
    (blocksize.min(MAX_STREAM_BYTES) * typesize).clamp(least, most)
}

//! Chunks made of plain bytes, and made plain again.

use crate::codes::{
    BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_READ_BUFFER, BLOSC2_ERROR_WRITE_BUFFER, Failure, Result,
};
use b2nd::chunk::{Chunk, ChunkEncoder, Context, EXTENDED_HEADER, Header};
use b2nd::{DParams, Limits, Reader, Scratch, Selection};
use b2nd_c::pool;
use core::ops::Range;

/// The most plain bytes of a chunk.
const MAX_BUFFERSIZE: usize = i32::MAX as usize - EXTENDED_HEADER;
/// Encodes `src` into the start of `dst`. Returns the length of the chunk, or 0 if it does not fit.
///
/// # Errors
/// For too many bytes, and for parameters that do not suit them.
pub(crate) fn compress(
    encoder: &mut ChunkEncoder,
    nthreads: usize,
    src: &[u8],
    dst: &mut [u8],
) -> Result<usize> {
    if src.len() > MAX_BUFFERSIZE {
        return Err(Failure::argument(format!("{} bytes are too many for a chunk", src.len())));
    }
    let needed = encoder.max_len(src.len());
    if let Some(dst) = dst.get_mut(..needed) {
        return encode(encoder, nthreads, src, dst);
    }
    // A chunk that is shorter than its data may still fit.
    let mut room = vec![0; needed];
    let len = encode(encoder, nthreads, src, &mut room)?;
    let Some(to) = dst.get_mut(..len) else { return Ok(0) };
    to.copy_from_slice(&room[..len]);
    Ok(len)
}

fn encode(encoder: &mut ChunkEncoder, nthreads: usize, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let encoded = pool::run(nthreads, src.len(), |parallel| match parallel {
        true => encoder.encode_parallel_into(src, dst),
        false => encoder.encode_into(src, dst),
    });
    Ok(encoded?)
}

/// A decoder of chunks on their own.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Bytes of an item of chunks whose header cannot tell.
    itemsize: u32,
    nthreads: usize,
    scratch: Scratch,
}

impl Decoder {
    pub(crate) fn new(itemsize: u32, nthreads: usize) -> Self {
        Self { itemsize, nthreads, scratch: Scratch::default() }
    }

    /// Decodes a whole chunk into the start of `dst` and returns the number of bytes.
    ///
    /// # Errors
    /// For a damaged chunk, and if it does not fit.
    pub(crate) fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        let (chunk, nbytes) = self.open(src)?;
        let room = dst.len();
        let dst = dst.get_mut(..nbytes).ok_or_else(|| small(nbytes, room))?;
        let header = chunk.header();
        // A reader on its own does not know items that are too long for the header.
        let several = if header.nblocks > 1 && header.typesize > 1 { self.nthreads } else { 1 };
        let scratch = self.scratch_for(nbytes);
        pool::run(several, nbytes, |parallel| match parallel {
            true => decode_parallel(src, dst),
            false => Ok(chunk.decode_into(dst, scratch)?),
        })?;
        Ok(nbytes)
    }

    /// Decodes `nitems` items from `start` on into the start of `dst`, and returns the number of bytes.
    ///
    /// # Errors
    /// For a damaged chunk, for items that are not in it, and if they do not fit.
    pub(crate) fn items(&mut self, src: &[u8], start: u32, nitems: u32, dst: &mut [u8]) -> Result<usize> {
        let (chunk, nbytes) = self.open(src)?;
        let itemsize = self.itemsize_of(chunk.header()) as usize;
        let len = itemsize.saturating_mul(nitems as usize);
        let room = dst.len();
        let dst = dst.get_mut(..len).ok_or_else(|| small(len, room))?;
        let items = Range { start, end: start.saturating_add(nitems) };
        chunk.items_into(items, dst, self.scratch_for(nbytes))?;
        Ok(len)
    }

    fn open<'a>(&self, src: &'a [u8]) -> Result<(Chunk<'a>, usize)> {
        let header = Header::parse(src)
            .map_err(|error| Failure::new(BLOSC2_ERROR_INVALID_HEADER, error.to_string()))?;
        let src = src.get(..header.cbytes as usize).ok_or_else(|| {
            let reason = format!("the chunk has {} bytes, {} are there", header.cbytes, src.len());
            Failure::new(BLOSC2_ERROR_READ_BUFFER, reason)
        })?;
        let context = Context { itemsize: self.itemsize_of(&header), ..Context::default() };
        Ok((Chunk::with_context(src, context)?, header.nbytes as usize))
    }

    /// Bytes of an item: what the header says, unless 1 stands for more than 255.
    fn itemsize_of(&self, header: &Header) -> u32 {
        if header.typesize == 1 && self.itemsize > 255 { self.itemsize } else { header.typesize.into() }
    }

    /// Memory for a chunk. The caller has as much for the plain data, and blocks are no larger.
    fn scratch_for(&mut self, nbytes: usize) -> &mut Scratch {
        if limits(nbytes) != Limits::default() {
            self.scratch = Scratch::new(&DParams { limits: limits(nbytes), ..DParams::default() });
        }
        &mut self.scratch
    }
}

fn decode_parallel(src: &[u8], dst: &mut [u8]) -> Result<()> {
    let reader = Reader::open(src, DParams { limits: limits(dst.len()), ..DParams::default() })?;
    let plan = reader.plan(Selection::all())?;
    Ok(reader.get_parallel_into(&plan, dst)?)
}

fn limits(nbytes: usize) -> Limits {
    let usual = Limits::default();
    let nbytes = nbytes as u64;
    Limits { memory: usual.memory.max(4 * nbytes), expansion: usual.expansion.max(nbytes), ..usual }
}

fn small(needed: usize, room: usize) -> Failure {
    let reason = format!("{needed} bytes do not fit into {room}");
    Failure::new(BLOSC2_ERROR_WRITE_BUFFER, reason)
}

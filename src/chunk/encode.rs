//! Chunks made of plain bytes (FORMAT §3.3, §4.3).
//!
//! A chunk of equal items becomes a special chunk. Any other is cut into blocks; each block is filtered and split into
//! streams, which are encoded, or stored as they are if that is not shorter. A chunk that does not shrink is copied.
//!
//! [`ChunkEncoder`] allocates its memory, [`CParams::encode_into`] borrows it.

#[cfg(feature = "auto")]
mod auto;
#[cfg(feature = "encoders")]
mod block_encoder;
mod blocks;
mod check;
mod cut;
#[cfg(feature = "encoders")]
mod dictionary;
#[cfg(feature = "encoders")]
mod encoder;
mod fixed;
#[cfg(feature = "encoders")]
mod growing;
#[cfg(all(feature = "rayon", feature = "encoders"))]
mod parallel;
mod params;
#[cfg(feature = "write")]
mod repeated;
#[cfg(feature = "encoders")]
mod shared;
mod special;
mod streams;
#[cfg(feature = "write")]
mod variable;
// Under Miri compressing takes hours, and there is no `unsafe` in it.
#[cfg(all(test, feature = "write", not(miri)))]
mod tests;

use super::wire::{EXTENDED_HEADER, WireChunk, blosc2_flag, flag};
use crate::base::{ArgumentError, Result, put_at, slice_at};
use crate::filter::{BITSHUFFLE, DELTA, SHUFFLE};
#[cfg(feature = "auto")]
pub(crate) use auto::is_special;
#[cfg(feature = "auto")]
pub use auto::{Auto, Choice, Goal, Trial};
use cut::Cut;
#[cfg(feature = "encoders")]
pub use encoder::ChunkEncoder;
pub use fixed::{EncodeWork, encode_area_len};
pub use params::{CParams, ChunkFormat};
#[cfg(feature = "write")]
pub(crate) use repeated::{repeat, repeated};
pub(crate) use special::special_value;

/// Encodes a chunk into the start of `dst` and returns its length. `blocks` writes the table of block starts, a dictionary if
/// that gains, and the blocks behind the place of the header. It returns the length of the chunk and whether it has a
/// dictionary, or `None` if it would not be shorter than a copy.
fn assemble(
    cparams: &CParams,
    plain: &[u8],
    cut: Cut,
    dst: &mut [u8],
    blocks: impl FnOnce(&mut [u8]) -> Result<Option<(usize, bool)>>,
) -> Result<usize> {
    let needed = cparams.max_len(plain.len());
    let Some(dst) = dst.get_mut(..needed) else {
        let actual = dst.len() as u64;
        return Err(ArgumentError::BufferLen { expected: needed as u64, actual }.into());
    };
    let whole = match Whole::of(cparams, plain, cut) {
        Some(whole) => whole,
        None => match blocks(dst)? {
            Some((cbytes, has_dict)) => {
                let header = header_of_blocks(cparams, plain.len(), cut, cbytes, has_dict);
                put_at(dst, 0, slice_at(&header.emit(), 0, header.len())?)?;
                return Ok(cbytes);
            }
            None => Whole::copied(cparams, plain, cut),
        },
    };
    let Whole { header, body } = whole;
    put_at(dst, 0, slice_at(&header.emit(), 0, header.len())?)?;
    put_at(dst, header.len(), body)?;
    Ok(header.len() + body.len())
}

/// A chunk without blocks: its header, and what follows.
struct Whole<'a> {
    header: WireChunk,
    body: &'a [u8],
}

impl<'a> Whole<'a> {
    /// The chunk, if all items are equal or if it is not to be compressed.
    fn of(cparams: &CParams, plain: &'a [u8], cut: Cut) -> Option<Self> {
        let special = match cparams.format {
            ChunkFormat::Blosc2 => special::find(plain, cparams.typesize as usize),
            ChunkFormat::Blosc1 => None,
        };
        if let Some((value, body)) = special {
            let mut header = cparams.header(plain.len(), cut.blocksize);
            header.blosc2_flags = special::bits(value);
            return Some(Self::new(header, body));
        }
        let stays = cparams.clevel == 0 || plain.len() < cparams.format.least();
        stays.then(|| Self::copied(cparams, plain, cut))
    }

    /// The chunk that holds its bytes as they are.
    fn copied(cparams: &CParams, plain: &'a [u8], cut: Cut) -> Self {
        let mut header = cparams.header(plain.len(), cut.blocksize);
        header.flags |= flag::MEMCPYED;
        Self::new(header, plain)
    }

    const fn new(mut header: WireChunk, body: &'a [u8]) -> Self {
        header.cbytes = (header.len() + body.len()) as i32;
        Self { header, body }
    }
}

/// The header of a chunk that is made of blocks.
fn header_of_blocks(cparams: &CParams, nbytes: usize, cut: Cut, cbytes: usize, has_dict: bool) -> WireChunk {
    let mut header = cparams.header(nbytes, cut.blocksize);
    set_filters(&mut header, cparams);
    header.flags |= cparams.codec.format() << 5;
    header.flags |= if cut.split { 0 } else { flag::DONT_SPLIT };
    header.blosc2_flags |= if has_dict { blosc2_flag::DICT } else { 0 };
    header.cbytes = cbytes as i32;
    header
}

impl CParams {
    /// The header of chunks of one block of `len` bytes, split into streams, whose length is unknown.
    pub(crate) fn description(&self, len: usize) -> [u8; EXTENDED_HEADER] {
        let mut header = self.header(len, len);
        set_filters(&mut header, self);
        header.flags |= self.codec.format() << 5;
        header.emit()
    }
}

/// The header of a chunk whose `nbytes` bytes, items of `typesize`, follow as they are.
pub(crate) fn copied_header(typesize: u32, nbytes: u32) -> [u8; EXTENDED_HEADER] {
    /// The block size that the reference has for indexes, more or less.
    const MAX_BLOCK_BYTES: u32 = 16 << 10;
    let cparams = CParams { typesize, ..CParams::default() };
    let mut header = cparams.header(nbytes as usize, nbytes.clamp(1, MAX_BLOCK_BYTES) as usize);
    header.flags |= flag::MEMCPYED;
    header.cbytes = (EXTENDED_HEADER as u32 + nbytes) as i32;
    header.emit()
}

/// Records the filters in the header.
fn set_filters(header: &mut WireChunk, cparams: &CParams) {
    let pipeline = cparams.pipeline();
    match cparams.format {
        ChunkFormat::Blosc1 if pipeline.contains(SHUFFLE) => header.flags |= flag::SHUFFLE,
        ChunkFormat::Blosc1 if pipeline.contains(BITSHUFFLE) => header.flags |= flag::BITSHUFFLE,
        ChunkFormat::Blosc1 => {}
        ChunkFormat::Blosc2 => {
            header.flags |= if pipeline.contains(DELTA) { flag::DELTA } else { 0 };
            header.filters = pipeline.slots.map(|filter| filter.id);
            header.filter_metas = pipeline.slots.map(|filter| filter.meta);
        }
    }
}

const _: () = assert!(EXTENDED_HEADER == ChunkFormat::Blosc2.header_len());

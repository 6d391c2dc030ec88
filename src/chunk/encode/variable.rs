//! Chunks whose blocks vary in length (FORMAT §4.1).

use super::cut::Cut;
use super::{ChunkEncoder, ChunkFormat, set_filters};
use crate::base::{ArgumentError, Result};
use crate::chunk::header::MAX_BLOCKSIZE;
use crate::chunk::wire::{EXTENDED_HEADER, flag, flag2};
use crate::filter::{DELTA, NDCELL, NDMEAN};
use alloc::vec;
use alloc::vec::Vec;

/// The only format version with such blocks.
const VERSION: u8 = 6;

impl ChunkEncoder {
    /// Encodes each of `blocks` as a block of its own. Such a chunk is read block by block or as a whole: items cannot be
    /// selected in it. Only C-Blosc2 from 3.0 on reads it. It takes at most 8 bytes for each block, and 32, more than the blocks;
    /// [`CParams::blocksize`](super::CParams::blocksize) has no effect.
    ///
    /// # Errors
    /// `Argument` if there are no blocks, if one is empty, or if parameters are invalid or do not apply, as DELTA, NDCELL
    /// and NDMEAN; `Unsupported` for codecs and filters that this build cannot write.
    ///
    /// ```
    /// use b2nd::Scratch;
    /// use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
    /// let blocks: [&[u8]; 3] = [b"one", b"and two", &[7; 5000]];
    /// let cparams = CParams { typesize: 1, ..CParams::default() };
    /// let bytes = ChunkEncoder::new(cparams).encode_blocks(&blocks)?;
    /// let chunk = Chunk::new(&bytes)?;
    /// assert_eq!(chunk.block(1, &mut Scratch::default())?, b"and two");
    /// assert_eq!(chunk.decode(&mut Scratch::default())?, blocks.concat());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn encode_blocks(&mut self, blocks: &[&[u8]]) -> Result<Vec<u8>> {
        let nbytes = blocks.iter().fold(0_usize, |sum, block| sum.saturating_add(block.len()));
        self.check_blocks(blocks, nbytes)?;
        let Self { cparams, block_encoder, .. } = self;
        let mut header = cparams.header(nbytes, blocks.len());
        let mut chunk = vec![0; EXTENDED_HEADER + 8 * blocks.len() + nbytes];
        let (_, body) = chunk.split_at_mut(EXTENDED_HEADER);
        let (starts, body) = body.split_at_mut(4 * blocks.len());
        let offset = EXTENDED_HEADER + starts.len();
        let mut at = 0;
        for (block, start) in blocks.iter().zip(starts.as_chunks_mut().0) {
            *start = ((offset + at) as u32).to_le_bytes();
            // There is room for blocks as they are.
            at += block_encoder.write_variable(cparams, block, &mut body[at..])?.unwrap_or_default();
        }
        header.version = VERSION;
        header.flags |= flag::DONT_SPLIT | cparams.codec.format() << 5;
        header.flags2 = flag2::VL_BLOCKS;
        set_filters(&mut header, cparams);
        header.cbytes = (offset + at) as i32;
        chunk[..EXTENDED_HEADER].copy_from_slice(&header.emit());
        chunk.truncate(offset + at);
        chunk.shrink_to_fit();
        Ok(chunk)
    }

    fn check_blocks(&self, blocks: &[&[u8]], nbytes: usize) -> Result<()> {
        let wrong = |name, value: usize| Err(ArgumentError::Parameter { name, value: value as i64 }.into());
        if self.cparams.format != ChunkFormat::Blosc2 {
            return wrong("format", 1);
        }
        // The length of the chunk has 31 bits, at worst too.
        if blocks.is_empty() || blocks.len() > i32::MAX as usize / 16 {
            return wrong("nblocks", blocks.len());
        }
        if nbytes > i32::MAX as usize - EXTENDED_HEADER - 8 * blocks.len() {
            return wrong("nbytes", nbytes);
        }
        let len = |block: &&&[u8]| !(1..=MAX_BLOCKSIZE as usize).contains(&block.len());
        if let Some(block) = blocks.iter().find(len) {
            return wrong("blocksize", block.len());
        }
        // These depend on the lengths of blocks.
        let mut filters = self.cparams.filters.iter();
        if let Some(filter) = filters.find(|filter| matches!(filter.id, DELTA | NDCELL | NDMEAN)) {
            return Err(ArgumentError::Inapplicable(filter.id).into());
        }
        self.cparams.check(nbytes, &Cut { blocksize: 1, split: false }, &self.block_encoder.encoder)
    }
}

//! Chunks made of plain bytes (FORMAT §3.3, §4.3).
//!
//! A chunk of equal items becomes a special chunk. Any other is cut into blocks; each block is filtered and split into
//! streams, which are encoded, or stored as they are if that is not shorter. A chunk that does not shrink is copied.

mod blocks;
mod check;
mod cut;
mod dictionary;
#[cfg(feature = "rayon")]
mod parallel;
mod params;
mod repeated;
mod special;
mod streams;
mod variable;
// Under Miri compressing takes hours, and there is no `unsafe` in it.
#[cfg(all(test, not(miri)))]
mod tests;

use super::wire::{EXTENDED_HEADER, WireHeader, blosc2_flag, flag};
use crate::base::{ArgumentError, Result};
use crate::filter::{BITSHUFFLE, DELTA, SHUFFLE};
use alloc::vec;
use alloc::vec::Vec;
use blocks::{BlockEncoder, Job, Starts};
use cut::Cut;
pub use params::{CParams, ChunkFormat};
pub(crate) use repeated::{repeat, repeated};

/// Encodes chunks. It keeps its buffers and the tables of the codecs, each allocated when it is first needed: a new one costs
/// nothing, one that is reused allocates nothing except for [dictionaries](CParams::use_dict). To write many chunks by several
/// threads, make one for each thread; `encode_parallel` (feature `rayon`) encodes a single chunk by several.
///
/// ```
/// use b2nd::Scratch;
/// use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
/// use b2nd::codec::Codec;
/// let plain: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
/// let cparams = CParams { codec: Codec::BLOSCLZ, typesize: 4, ..CParams::default() };
/// let bytes = ChunkEncoder::new(cparams).encode(&plain)?;
/// assert!(bytes.len() < plain.len() / 4);
/// assert_eq!(Chunk::new(&bytes)?.decode(&mut Scratch::default())?, plain);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ChunkEncoder {
    cparams: CParams,
    block_encoder: BlockEncoder,
    /// The first block as readers decode it, if lossy filters change it.
    first: Vec<u8>,
    #[cfg(feature = "rayon")]
    helpers: parallel::Helpers,
}

impl ChunkEncoder {
    /// An encoder with these parameters. [`encode`](Self::encode) checks them.
    #[must_use]
    pub fn new(cparams: CParams) -> Self {
        Self { cparams, ..Self::default() }
    }

    /// The parameters.
    pub const fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// Encodes `plain` as a chunk of at most [`max_len`](Self::max_len) bytes.
    ///
    /// # Errors
    /// `Argument` for parameters that are invalid, contradict each other or do not fit the length of `plain`; `Unsupported`
    /// for codecs and filters that this build cannot write.
    pub fn encode(&mut self, plain: &[u8]) -> Result<Vec<u8>> {
        let mut dst = vec![0; self.max_len(plain.len())];
        let len = self.encode_into(plain, &mut dst)?;
        dst.truncate(len);
        dst.shrink_to_fit();
        Ok(dst)
    }

    /// The maximum length of a chunk of `nbytes` plain bytes: these and the header.
    pub fn max_len(&self, nbytes: usize) -> usize {
        nbytes.saturating_add(self.cparams.format.header_len())
    }

    /// Encodes `plain` into the start of `dst` and returns the length of the chunk.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode); `Argument` if `dst` is shorter than [`max_len`](Self::max_len).
    pub fn encode_into(&mut self, plain: &[u8], dst: &mut [u8]) -> Result<usize> {
        self.chunk(plain, dst, 1)
    }

    /// Encodes a chunk by so many threads.
    fn chunk(&mut self, plain: &[u8], dst: &mut [u8], threads: usize) -> Result<usize> {
        let cparams = &self.cparams;
        let cut = Cut::of(cparams, plain.len());
        cparams.check(plain.len(), &cut)?;
        let needed = self.max_len(plain.len());
        let Some(dst) = dst.get_mut(..needed) else {
            let actual = dst.len() as u64;
            return Err(ArgumentError::BufferLen { expected: needed as u64, actual }.into());
        };
        let mut header = cparams.header(plain.len(), cut.blocksize);
        let special = match cparams.format {
            ChunkFormat::Blosc2 => special::find(plain, cparams.typesize as usize),
            ChunkFormat::Blosc1 => None,
        };
        if let Some((value, bytes)) = special {
            header.blosc2_flags = special::bits(value);
            return Ok(finish(header, flag::EXTENDED, dst, bytes));
        }
        if cparams.clevel > 0
            && plain.len() >= cparams.format.least()
            && let Some((cbytes, has_dict)) = self.blocks(plain, cut, dst, threads)?
        {
            let cparams = &self.cparams;
            set_filters(&mut header, cparams);
            header.flags |= cparams.codec.format() << 5;
            header.flags |= if cut.split { 0 } else { flag::DONT_SPLIT };
            header.blosc2_flags |= if has_dict { blosc2_flag::DICT } else { 0 };
            header.cbytes = cbytes as i32;
            dst[..header.len()].copy_from_slice(&header.emit()[..header.len()]);
            return Ok(cbytes);
        }
        let flags = header.flags | flag::MEMCPYED;
        Ok(finish(header, flags, dst, plain))
    }

    /// Writes the table of block starts, a dictionary if that gains, and the blocks behind the place of the header. Returns the
    /// length of the chunk and whether it has a dictionary, or `None` if it would not be shorter than a copy.
    fn blocks(
        &mut self,
        plain: &[u8],
        cut: Cut,
        dst: &mut [u8],
        threads: usize,
    ) -> Result<Option<(usize, bool)>> {
        let Self { cparams, block_encoder, first, .. } = self;
        let pipeline = cparams.pipeline();
        let header_len = cparams.format.header_len();
        let table = 4 * plain.len().div_ceil(cut.blocksize);
        // A copy would take one byte more.
        let room = dst.len() - 1;
        let Some((starts, body)) =
            dst[..room].get_mut(header_len..).and_then(|dst| dst.split_at_mut_checked(table))
        else {
            return Ok(None);
        };
        let mut job = Job { cparams, pipeline, cut, plain, first: &plain[..cut.blocksize], dict: &[] };
        if pipeline.contains(DELTA) && pipeline.is_lossy() {
            block_encoder.read_back(&job, first)?;
            job.first = first;
        }
        let dict = dictionary::find(block_encoder, &job)?;
        job.dict = &dict;
        let Some(body) = put_dict(&dict, body) else { return Ok(None) };
        let offset = room - body.len();
        let table = Starts { table: starts.as_chunks_mut().0, offset };
        let written = match threads {
            #[cfg(feature = "rayon")]
            2.. => self.helpers.write(block_encoder, &job, table, body, threads),
            _ => block_encoder.write(&job, 0..job.nblocks(), table, body),
        };
        Ok(written?.map(|len| (offset + len, !dict.is_empty())))
    }
}

/// Writes a dictionary behind its length, if there is one. Returns what is left; `None` if it does not fit.
fn put_dict<'a>(dict: &[u8], dst: &'a mut [u8]) -> Option<&'a mut [u8]> {
    if dict.is_empty() {
        return Some(dst);
    }
    let (len, dst) = dst.split_first_chunk_mut()?;
    *len = (dict.len() as u32).to_le_bytes();
    let (to, dst) = dst.split_at_mut_checked(dict.len())?;
    to.copy_from_slice(dict);
    Some(dst)
}

/// Writes the header of a chunk without blocks, and its body.
fn finish(mut header: WireHeader, flags: u8, dst: &mut [u8], body: &[u8]) -> usize {
    header.flags = flags;
    let (start, cbytes) = (header.len(), header.len() + body.len());
    header.cbytes = cbytes as i32;
    dst[..start].copy_from_slice(&header.emit()[..start]);
    dst[start..cbytes].copy_from_slice(body);
    cbytes
}

/// Records the filters in the header.
fn set_filters(header: &mut WireHeader, cparams: &CParams) {
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

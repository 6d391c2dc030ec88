//! An encoder that allocates its memory.

use super::block_encoder::BlockEncoder;
use super::blocks::Job;
use super::cut::Cut;
use super::growing::Growing;
use super::shared::Shared;
use super::{CParams, Whole, assemble, dictionary, header_of_blocks};
use crate::base::Result;
use crate::codec::Codec;
use crate::filter::Pipeline;
use alloc::vec::Vec;

/// Encodes chunks. It keeps its buffers and the tables of the codecs, each allocated when it is first needed: one that is
/// reused, with the same parameters or [others](Self::set_cparams), allocates only chunks and [dictionaries](CParams::use_dict). That
/// takes 0.4 to 0.9 of the time for chunks of 64 KiB, and as little as 0.1 for smaller ones. To write many chunks by several threads,
/// make one for each thread; `encode_parallel` (feature `rayon`) encodes a single chunk by several.
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
    pub(super) cparams: CParams,
    pub(super) block_encoder: BlockEncoder,
    shared: Shared,
    /// A run of encoded blocks.
    run: Vec<u8>,
    #[cfg(feature = "rayon")]
    pub(super) helpers: super::parallel::Helpers,
}

impl ChunkEncoder {
    /// An encoder with these parameters. [`encode`](Self::encode) checks them.
    ///
    /// ```
    /// use b2nd::{chunk::{CParams, ChunkEncoder}, codec::Codec};
    /// let encoder = ChunkEncoder::new(CParams { codec: Codec::BLOSCLZ, typesize: 4, ..CParams::default() });
    /// assert_eq!(encoder.cparams().typesize, 4);
    /// ```
    #[must_use]
    pub fn new(cparams: CParams) -> Self {
        Self { cparams, ..Self::default() }
    }

    /// The parameters.
    ///
    /// ```
    /// use b2nd::chunk::{CParams, ChunkEncoder};
    /// assert_eq!(*ChunkEncoder::default().cparams(), CParams::default());
    /// ```
    pub const fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// Replaces the parameters. The memory stays: it serves all of them.
    ///
    /// ```
    /// use b2nd::chunk::{CParams, ChunkEncoder};
    /// let mut encoder = ChunkEncoder::default();
    /// encoder.set_cparams(CParams { typesize: 2, ..CParams::default() });
    /// assert_eq!(encoder.cparams().typesize, 2);
    /// ```
    pub fn set_cparams(&mut self, cparams: CParams) {
        self.cparams = cparams;
    }

    /// Replaces the codec and the filters.
    pub(crate) const fn set_choice(&mut self, (codec, filters): (Codec, Pipeline)) {
        (self.cparams.codec, self.cparams.filters) = (codec, filters);
    }

    /// Encodes `plain` as a chunk of at most [`max_len`](Self::max_len) bytes.
    ///
    /// ```
    /// use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
    /// let chunk = ChunkEncoder::new(CParams { typesize: 2, ..CParams::default() }).encode(&[1, 2, 3, 4])?;
    /// assert_eq!(Chunk::new(&chunk)?.decode(&mut b2nd::Scratch::default())?, [1, 2, 3, 4]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for parameters that are invalid, contradict each other or do not fit the length of `plain`; `Unsupported`
    /// for codecs and filters that this build cannot write.
    pub fn encode(&mut self, plain: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_to(plain, &mut chunk, 1)?;
        chunk.shrink_to_fit();
        Ok(chunk)
    }

    /// The maximum length of a chunk of `nbytes` plain bytes: these and the header.
    ///
    /// ```
    /// use b2nd::chunk::ChunkEncoder;
    /// assert_eq!(ChunkEncoder::default().max_len(1000), 1032);
    /// ```
    pub const fn max_len(&self, nbytes: usize) -> usize {
        self.cparams.max_len(nbytes)
    }

    /// Encodes `plain` into the start of `dst` and returns the length of the chunk.
    ///
    /// ```
    /// use b2nd::chunk::ChunkEncoder;
    /// let mut encoder = ChunkEncoder::default();
    /// let mut dst = vec![0; encoder.max_len(8000)];
    /// let len = encoder.encode_into(&[7; 8000], &mut dst)?;
    /// assert!(len < 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`encode`](Self::encode); `Argument` if `dst` is shorter than [`max_len`](Self::max_len).
    pub fn encode_into(&mut self, plain: &[u8], dst: &mut [u8]) -> Result<usize> {
        self.encode_in_place(plain, dst, 1)
    }

    /// Encodes `plain` by so many threads, and replaces the content of `chunk`.
    pub(crate) fn encode_to(&mut self, plain: &[u8], chunk: &mut Vec<u8>, threads: usize) -> Result<()> {
        let cut = self.cparams.checked_cut(plain.len(), &self.block_encoder.encoder)?;
        let mut whole = Whole::of(&self.cparams, plain, cut);
        if whole.is_none() && !self.add_blocks(plain, cut, chunk, threads)? {
            whole = Some(Whole::copied(&self.cparams, plain, cut));
        }
        if let Some(Whole { header, body }) = whole {
            chunk.clear();
            chunk.reserve_exact(header.len() + body.len());
            chunk.extend_from_slice(&header.emit()[..header.len()]);
            chunk.extend_from_slice(body);
        }
        Ok(())
    }

    /// Makes `chunk` of blocks. Returns whether it is shorter than a copy.
    fn add_blocks(&mut self, plain: &[u8], cut: Cut, chunk: &mut Vec<u8>, threads: usize) -> Result<bool> {
        let Self { cparams, block_encoder, shared, run, .. } = self;
        let job = shared.prepare(block_encoder, run, Job::new(cparams, cut, plain))?;
        let Some(mut growing) = Growing::new(&job, chunk) else { return Ok(false) };
        let written = match threads.min(job.runs().len()) {
            #[cfg(feature = "rayon")]
            threads @ 2.. => self.helpers.append(block_encoder, &job, &mut growing, threads),
            _ => growing.write(&job, block_encoder, run),
        };
        if written?.is_none() {
            return Ok(false);
        }
        let header = header_of_blocks(cparams, plain.len(), cut, chunk.len(), !job.dict.is_empty());
        chunk[..header.len()].copy_from_slice(&header.emit()[..header.len()]);
        Ok(true)
    }

    /// Encodes a chunk into the start of `dst` by so many threads.
    fn encode_in_place(&mut self, plain: &[u8], dst: &mut [u8], threads: usize) -> Result<usize> {
        let Self { cparams, block_encoder, shared, run, .. } = self;
        let cut = cparams.checked_cut(plain.len(), &block_encoder.encoder)?;
        assemble(cparams, plain, cut, dst, |dst| {
            let job = shared.prepare(block_encoder, run, Job::new(cparams, cut, plain))?;
            let Some((mut starts, body)) = job.divide(dst) else { return Ok(None) };
            let room = body.len();
            let Some(body) = dictionary::put(job.dict, body) else { return Ok(None) };
            starts.offset += room - body.len();
            let offset = starts.offset;
            let written = match threads.min(job.runs().len()) {
                #[cfg(feature = "rayon")]
                threads @ 2.. => self.helpers.write(block_encoder, &job, starts, body, threads),
                _ => block_encoder.write(&job, (0..job.nblocks()).step_by(1), starts, body),
            };
            Ok(written?.map(|len| (offset + len, !job.dict.is_empty())))
        })
    }
}

#[cfg(feature = "rayon")]
impl ChunkEncoder {
    /// [`encode`](Self::encode) by as many threads as rayon has, the calling one among them, to the same bytes; by this one alone
    /// where a chunk is small. It takes memory for four blocks a thread, or for 512 KiB a thread if blocks are smaller.
    ///
    /// Many chunks are encoded faster by several threads that have an encoder each.
    ///
    /// # Errors
    /// Errors of [`encode`](Self::encode).
    ///
    /// ```
    /// use b2nd::chunk::ChunkEncoder;
    /// let plain: Vec<u8> = (0..1_000_000_u64).flat_map(u64::to_le_bytes).collect();
    /// let mut encoder = ChunkEncoder::default();
    /// assert_eq!(encoder.encode_parallel(&plain)?, encoder.encode(&plain)?);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn encode_parallel(&mut self, plain: &[u8]) -> Result<Vec<u8>> {
        let mut chunk = Vec::new();
        self.encode_to(plain, &mut chunk, rayon::current_num_threads())?;
        chunk.shrink_to_fit();
        Ok(chunk)
    }

    /// [`encode_into`](Self::encode_into) in the same way.
    ///
    /// ```
    /// use b2nd::chunk::ChunkEncoder;
    /// let mut encoder = ChunkEncoder::default();
    /// let mut dst = vec![0; encoder.max_len(1 << 20)];
    /// let len = encoder.encode_parallel_into(&[7; 1 << 20], &mut dst)?;
    /// assert_eq!(dst[..len], encoder.encode(&[7; 1 << 20])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`encode_into`](Self::encode_into).
    pub fn encode_parallel_into(&mut self, plain: &[u8], dst: &mut [u8]) -> Result<usize> {
        self.encode_in_place(plain, dst, rayon::current_num_threads())
    }
}

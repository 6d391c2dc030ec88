//! Encoding in memory of the caller's.

use super::blocks::{BlockWriter, Job};
use super::cut::Cut;
use super::{CParams, assemble};
use crate::base::{Error, Limit, LimitError, Result};
use crate::codec::{Encode, EncoderTables};
use crate::filter::FilterNeeds;
use core::fmt;

/// Memory of the caller's, to encode with: that of an [`Area`](crate::chunk::Area), or any other.
pub struct EncodeWork<'a> {
    bytes: &'a mut [u8],
    tables: &'a mut dyn Encode,
}

impl<'a> EncodeWork<'a> {
    /// These bytes and tables.
    ///
    /// ```
    /// use b2nd::{chunk::EncodeWork, codec::BloscLzTable};
    /// let (mut bytes, mut table) = ([0; 2048], BloscLzTable::<1024>::new());
    /// let work = EncodeWork::new(&mut bytes, &mut table);
    /// ```
    pub const fn new(bytes: &'a mut [u8], tables: &'a mut impl EncoderTables) -> Self {
        Self { bytes, tables }
    }

    pub(crate) const fn of_parts(bytes: &'a mut [u8], tables: &'a mut dyn Encode) -> Self {
        Self { bytes, tables }
    }

    /// Checks whether chunks of `nbytes` bytes can be encoded with this memory, in blocks of the size that is given.
    ///
    /// # Errors
    /// Errors of [`CParams::encode_into`].
    #[inline(never)]
    pub(crate) fn check(&self, cparams: &CParams, nbytes: usize) -> Result<()> {
        let cut = Cut::given(cparams, nbytes);
        cparams.check(nbytes, &cut, &*self.tables)?;
        let FilterNeeds { buffers, first } = cparams.pipeline().needs();
        let (wanted, allowed) =
            ((buffers + usize::from(first)).saturating_mul(cut.blocksize), self.bytes.len());
        if wanted > allowed { Err(too_small(wanted, allowed)) } else { Ok(()) }
    }

    pub(crate) fn into_parts(self) -> (&'a mut [u8], &'a mut dyn Encode) {
        (self.bytes, self.tables)
    }
}

impl fmt::Debug for EncodeWork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeWork").field("len", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl CParams {
    /// Encodes `plain` as a chunk into the start of `dst`, in fixed memory, and returns the length of the chunk. With the same
    /// tables it is the chunk that `ChunkEncoder` makes, except for [dictionaries](Self::use_dict), which it gets none.
    ///
    /// ```
    /// use b2nd::chunk::{Area, CParams, Chunk, encode_area_len};
    /// use b2nd::codec::{BloscLzTable, Codec};
    /// use b2nd::filter::SHUFFLE;
    /// // Blocks of 1 KiB, shuffled; a table of 2 KiB.
    /// let mut area: Area<{ encode_area_len(1024, &[SHUFFLE]) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// let cparams = CParams { codec: Codec::BLOSCLZ, typesize: 4, blocksize: 1024, ..CParams::default() };
    /// let (mut plain, mut chunk) = ([0; 4096], [0; 4096 + 32]);
    /// plain.as_chunks_mut().0.iter_mut().zip(0_u32..).for_each(|(item, n)| *item = n.to_le_bytes());
    /// let len = cparams.encode_into(&plain, &mut chunk, &mut area.encode_work())?;
    /// assert!(len < 2000);
    /// assert_eq!(Chunk::new(&chunk[..len])?.header().nbytes, 4096);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for parameters that are invalid, contradict each other or do not fit the length of `plain`, and for a `dst`
    /// shorter than [`max_len`](Self::max_len); `Unsupported` for filters that this build cannot apply, and for codecs without
    /// tables; `Limit` if the memory is too small.
    pub fn encode_into(&self, plain: &[u8], dst: &mut [u8], work: &mut EncodeWork<'_>) -> Result<usize> {
        self.encode_blocks_into(Cut::of(self, plain.len()), plain, dst, work)
    }

    /// [`encode_into`](Self::encode_into) for parameters that give the size of blocks. Programs that call no other have no code that
    /// chooses one.
    pub(crate) fn encode_given_into(
        &self,
        plain: &[u8],
        dst: &mut [u8],
        work: &mut EncodeWork<'_>,
    ) -> Result<usize> {
        self.encode_blocks_into(Cut::given(self, plain.len()), plain, dst, work)
    }

    fn encode_blocks_into(
        &self,
        cut: Cut,
        plain: &[u8],
        dst: &mut [u8],
        work: &mut EncodeWork<'_>,
    ) -> Result<usize> {
        self.check(plain.len(), &cut, &*work.tables)?;
        assemble(self, plain, cut, dst, |dst| {
            let mut job = Job::new(self, cut, plain);
            let FilterNeeds { buffers, first: reads_back } = job.pipeline.needs();
            let blocks = buffers + usize::from(reads_back);
            let (wanted, allowed) = (blocks.saturating_mul(cut.blocksize), work.bytes.len());
            let bytes = work.bytes.get_mut(..wanted).ok_or_else(|| too_small(wanted, allowed))?;
            let (first, bytes) = bytes.split_at_mut(if reads_back { cut.blocksize } else { 0 });
            let (now, next) = bytes.split_at_mut(cut.blocksize.min(bytes.len()));
            let mut writer = BlockWriter { encoder: &mut *work.tables, buffers: [now, next] };
            if reads_back {
                writer.read_back(&job, first, dst)?;
                job.first = first;
            }
            let Some((starts, body)) = job.divide(dst) else { return Ok(None) };
            let offset = starts.offset;
            let written = writer.write(&job, 0..job.nblocks(), starts, body)?;
            Ok(written.map(|len| (offset + len, false)))
        })
    }
}

#[cold]
fn too_small(wanted: usize, allowed: usize) -> Error {
    LimitError { limit: Limit::Memory, wanted: wanted as u64, allowed: allowed as u64 }.into()
}

/// Bytes that an [`Area`](crate::chunk::Area) needs to encode blocks of `block` bytes with these `filters`.
#[must_use]
pub const fn encode_area_len(block: usize, filters: &[u8]) -> usize {
    let FilterNeeds { buffers, first } = FilterNeeds::of(filters);
    block * (buffers + first as usize)
}

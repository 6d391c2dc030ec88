//! Fixed memory for the decoder.

#[cfg(feature = "encode")]
use super::encode::EncodeWork;
use super::memory::{Codecs, DecodeMemory, LentMemory, MemoryNeeds, Work};
use crate::base::{Error, Limit, LimitError, Result};
#[cfg(feature = "encode")]
use crate::codec::EncoderTables;
use crate::codec::{Registry, Tables};
use crate::filter::{DELTA, NOFILTER, moves};
use core::fmt;

/// Memory that decoding or encoding takes where there is no allocator: `N` bytes, and the tables of the codecs that need some.
///
/// [`area_len`] tells `N` for decoding, `encode_area_len` for encoding. It can be a `static`, a part of a larger struct, or lie on the stack.
///
/// ```
/// use b2nd::source::flash::{Area, Zlib, area_len};
/// use b2nd::filter::SHUFFLE;
/// // Blocks of 2 KiB, shuffled, compressed with zlib; 40 chunks.
/// let mut area: Area<{ area_len(2048, &[SHUFFLE], 40) }, Zlib> = Area::new(Zlib::new());
/// let work = area.work();
/// assert_eq!(work.len(), 4096);
/// ```
// The bytes are where DMA reaches them.
#[repr(C, align(4))]
pub struct Area<const N: usize, T = ()> {
    bytes: [u8; N],
    tables: T,
}

impl<const N: usize, T> Area<N, T> {
    /// Zeros, and these tables: `()` for codecs that need none.
    ///
    /// ```
    /// use b2nd::chunk::Area;
    /// // For codecs that need no tables, such as LZ4.
    /// let area: Area<4096> = Area::new(());
    /// ```
    pub const fn new(tables: T) -> Self {
        Self { bytes: [0; N], tables }
    }
}

#[cfg(feature = "encode")]
impl<const N: usize, T: EncoderTables> Area<N, T> {
    /// The area, to encode with.
    ///
    /// ```
    /// use b2nd::{chunk::{Area, CParams}, codec::{BloscLzTable, Codec}};
    /// let mut area: Area<2048, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// let cparams = CParams { codec: Codec::BLOSCLZ, blocksize: 1024, ..CParams::default() };
    /// let mut chunk = [0; 4096 + 32];
    /// let len = cparams.encode_into(&[7; 4096], &mut chunk, &mut area.encode_work())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn encode_work(&mut self) -> EncodeWork<'_> {
        EncodeWork::new(&mut self.bytes, &mut self.tables)
    }
}

impl<const N: usize, T: Tables> Area<N, T> {
    /// The area, to decode with.
    ///
    /// ```
    /// use b2nd::chunk::Area;
    /// let mut area: Area<4096> = Area::new(());
    /// assert_eq!(area.work().len(), 4096);
    /// ```
    pub const fn work(&mut self) -> AreaWork<'_> {
        AreaWork { bytes: &mut self.bytes, tables: &mut self.tables, registry: Registry::new() }
    }
}

impl<const N: usize, T> fmt::Debug for Area<N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Area").field("len", &N).finish_non_exhaustive()
    }
}

/// Memory of the caller's, to decode with: that of an [`Area`], or any other.
pub struct AreaWork<'a> {
    bytes: &'a mut [u8],
    tables: &'a mut dyn Tables,
    registry: Registry,
}

impl<'a> AreaWork<'a> {
    /// These bytes and tables, and codecs of the caller's own.
    ///
    /// ```
    /// use b2nd::{chunk::AreaWork, codec::Registry};
    /// let (mut bytes, mut tables) = ([0; 4096], ());
    /// let work = AreaWork::new(&mut bytes, &mut tables, Registry::new());
    /// assert_eq!(work.len(), 4096);
    /// ```
    pub const fn new(bytes: &'a mut [u8], tables: &'a mut dyn Tables, registry: Registry) -> Self {
        Self { bytes, tables, registry }
    }

    /// Bytes that there are, tables not counted.
    ///
    /// ```
    /// use b2nd::chunk::Area;
    /// assert_eq!(Area::<4096>::new(()).work().len(), 4096);
    /// ```
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// use b2nd::chunk::Area;
    /// assert!(Area::<0>::new(()).work().is_empty());
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl fmt::Debug for AreaWork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AreaWork").field("len", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl DecodeMemory for AreaWork<'_> {
    fn lend(&mut self, wants: MemoryNeeds) -> Result<LentMemory<'_>> {
        let allowed = self.bytes.len();
        let MemoryNeeds { first, plain, buffer, .. } = wants;
        // From the front to the back: the first block stays where it is.
        let mut rest = &mut *self.bytes;
        let mut take = |len| {
            let (taken, left) = core::mem::take(&mut rest).split_at_mut_checked(len)?;
            rest = left;
            Some(taken)
        };
        let lent = (|| Some((take(first)?, take(plain)?, take(buffer)?)))();
        let (first, plain, buffer) = lent.ok_or_else(|| too_small([first, plain, buffer], allowed))?;
        let codecs = Codecs { registry: &self.registry, tables: &mut *self.tables };
        let work = Work {
            buffer,
            #[cfg(feature = "alloc")]
            ready: None,
            codecs,
        };
        Ok(LentMemory {
            first,
            plain,
            #[cfg(feature = "alloc")]
            ahead: &mut [],
            work,
        })
    }

    fn other_dictionary(&mut self) {
        self.tables.other_dictionary();
    }
}

#[cold]
fn too_small(wanted: [usize; 3], allowed: usize) -> Error {
    let wanted = wanted.iter().fold(0u64, |sum, &len| sum + len as u64);
    Error::from(LimitError { limit: Limit::Memory, wanted, allowed: allowed as u64 })
}

/// Bytes that an [`Area`] needs for blocks of `block` bytes with these `filters`, in a frame of `nchunks` chunks, of
/// which the index is decoded in the same place.
///
/// Less will do where whole blocks are read to where they stay, or little of shuffled ones.
#[must_use]
pub const fn area_len(block: usize, filters: &[u8], nchunks: usize) -> usize {
    let (mut moved, mut delta, mut slot) = (false, false, 0);
    while slot < filters.len() {
        moved |= filters[slot] != NOFILTER && moves(filters[slot]);
        delta |= filters[slot] == DELTA;
        slot += 1;
    }
    let blocks = 1 + moved as usize + delta as usize;
    // The index: a stream of as many bytes as there are chunks, and two items to put together.
    let (data, index) = (blocks * block, 2 * 8 * nchunks);
    if data > index { data } else { index }
}

//! Frames that lie in memory, decoded in fixed memory: for machines without an allocator.
//!
//! A [`FlashFrame`] borrows its bytes, be they a file in flash (`include_bytes!`) or in a slice. What decoding needs besides,
//! it gets with each call: an [`Area`], whose length [`area_len`] tells from the size of blocks, the filters and the
//! number of chunks, and which brings the tables of the codecs that need some: [`Zlib`], `Zstd`, both as a pair, or
//! `()` for all others. Results go to buffers of the caller's.
//!
//! ```standalone_crate
//! use b2nd::Index;
//! use b2nd::filter::SHUFFLE;
//! use b2nd::source::flash::{Area, FlashFrame, Zlib, Zstd, area_len};
//!
//! # const BLOCK: usize = 15360;
//! static CALIBRATION: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
//!
//! let frame = FlashFrame::open(CALIBRATION)?;
//! let array = frame.layout().expect("an array");
//! assert_eq!(array.shape(), [12, 30, 40]);
//! assert_eq!(frame.dtype(), Some("<f4"));
//!
//! let mut area: Area<{ area_len(BLOCK, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
//! let mut work = area.work();
//!
//! // One item.
//! let mut item = [0; 4];
//! frame.item(&[3, 20, 7], &mut work, &mut item)?;
//!
//! // A part of the array, row by row.
//! let plan = frame.plan(&[Index::At(3), Index::ALL, Index::Range { start: None, stop: None, step: 2 }])?;
//! assert_eq!(plan.shape(), [30, 20]);
//! let mut row = [0; 20 * 4];
//! for (y, part) in plan.parts(row.len()).enumerate() {
//!     frame.read(&part, &mut work, &mut row)?;
//!     if y == 20 {
//!         frame.item(&[3, 20, 6], &mut work, &mut item)?;
//!         assert_eq!(row[3 * 4..][..4], item);
//!     }
//! }
//! # Ok::<(), b2nd::Error>(())
//! ```
//!
//! A [`FlashFrame`] refuses as unsupported: frames of beta releases, those whose chunks are files
//! or differ in size, [references](crate::frame::Reference), and selections from chunks whose blocks differ in size, which [`FlashFrame::block`] decodes. Without the
//! feature `alloc` frames of 2 GiB of items and more are beyond the limits. Streams with a dictionary that zstd has trained
//! take `ZstdDict`.

mod asynchronous;
mod cached;
#[cfg(feature = "embedded-io")]
mod copied;
mod fetched;
mod fetching;
mod held;
mod memory;
mod metalayers;
mod read;

use crate::array::Layout;
use crate::base::{ArgumentError, Error, Limit, LimitError, Limits, Result, slice_at, wide};
use crate::chunk::{Chunk, Header as ChunkHeader};
use crate::contents::Contents;
use crate::frame::{ChunkOffsets, Header, Location, Metalayers, Sizes};
use metalayers::{contents, find};

pub use crate::chunk::{Area, AreaWork, area_len};
pub use crate::codec::Tables;
#[cfg(feature = "zlib")]
pub use crate::codec::Zlib;
#[cfg(feature = "zstd")]
pub use crate::codec::{Zstd, ZstdDict};
pub use asynchronous::AsyncFrame;
pub use cached::Cached;
#[cfg(feature = "embedded-io")]
pub use copied::CopyError;
pub use fetched::{FetchedFrame, fetch_len};
pub use memory::{AsyncReadFlash, ReadFlash};

/// A contiguous frame that lies in memory as a whole.
#[derive(Debug, Clone)]
pub struct FlashFrame<'a> {
    bytes: &'a [u8],
    header_len: u32,
    /// Where the index begins.
    index: u32,
    sizes: Sizes,
    contents: Contents,
    dtype: Option<&'a [u8]>,
}

impl<'a> FlashFrame<'a> {
    /// Reads the header, and what its metalayers say of an array.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` and `Unsupported` for what the header says.
    #[inline(never)]
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let parsed = parse(bytes);
        // Taken out of the result they would lie on the stack twice.
        let (header, metalayers) = parsed.as_ref().map_err(|error| error.clone())?;
        let (contents, dtype) = contents(header, metalayers)?;
        // What has been cut off is missed now and not in the field.
        let bytes = slice_at(bytes, 0, usize::try_from(header.frame_len).unwrap_or(usize::MAX))?;
        let index = u32::try_from(header.index_start()).map_err(|_| too_long(header.frame_len))?;
        Ok(Self { bytes, header_len: header.header_len, index, sizes: header.sizes(), contents, dtype })
    }

    /// The frame's header. It is not kept but read anew.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert_eq!(frame.header()?.typesize, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None after [`open`](Self::open).
    pub fn header(&self) -> Result<Header> {
        parse(self.bytes).map(|(header, _)| header)
    }

    /// The metalayers, in their order.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// let (name, _content) = frame.metalayers()?.next().expect("a metalayer")?;
    /// assert_eq!(name, b"b2nd");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None after [`open`](Self::open).
    pub fn metalayers(&self) -> Result<Metalayers<'a>> {
        parse(self.bytes).map(|(_, metalayers)| metalayers)
    }

    /// The content of the metalayer with this name.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert!(frame.metalayer("b2nd")?.is_some() && frame.metalayer("other")?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if those before it are damaged.
    pub fn metalayer(&self, name: &str) -> Result<Option<&'a [u8]>> {
        find(&self.metalayers()?, name)
    }

    /// The array in the frame, `None` if it is a plain super-chunk, of which selections have one dimension.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn layout(&self) -> Option<&Layout> {
        match &self.contents {
            Contents::Array(array) => Some(array),
            Contents::Items(_) => None,
        }
    }

    /// The array's dtype, as stored.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert_eq!(frame.dtype(), Some("<f4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dtype(&self) -> Option<&'a str> {
        self.dtype.and_then(|dtype| core::str::from_utf8(dtype).ok())
    }

    /// Chunks in the frame.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// assert!(frame.nchunks() > 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nchunks(&self) -> u64 {
        wide(self.sizes.nchunks())
    }

    /// Where chunk `nchunk` is. Of the index no more than its block is decoded.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// use b2nd::frame::Location;
    /// assert!(matches!(frame.locate(0, &mut work)?, Location::Stored { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk; `Format`, `Unsupported` and `Limit` for the index.
    #[inline(never)]
    pub fn locate(&self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Location> {
        let nchunks = self.nchunks();
        if nchunk >= nchunks {
            return Err(ArgumentError::Chunk { index: nchunk, nchunks }.into());
        }
        let mut entry = [0; 8];
        self.entry(nchunk as usize, &mut entry, work).map_err(|error| error.shifted(self.index.into()))?;
        ChunkOffsets::of_file(self.header_len, self.bytes.len() as u64).locate(nchunk, entry)
    }

    /// Reads an entry of the index.
    fn entry(&self, nchunk: usize, entry: &mut [u8], work: &mut AreaWork<'_>) -> Result<()> {
        let chunk = Chunk::new(self.from(self.index.into())?)?;
        self.sizes.check_index(chunk.header())?;
        chunk.bytes_into(nchunk * 8, entry, work)
    }

    /// Chunk `nchunk`, as it is stored.
    ///
    /// ```
    /// # use b2nd::source::flash::FlashFrame;
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let frame = FlashFrame::open(&file)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// let chunk = frame.chunk(0, &mut work)?;
    /// assert_eq!(chunk.header().nbytes, frame.header()?.chunksize);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`locate`](Self::locate), and what is wrong with the chunk's header.
    pub fn chunk(&self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Chunk<'_>> {
        let location = self.locate(nchunk, work)?;
        self.chunk_at(nchunk, location)
    }

    #[inline(never)]
    fn chunk_at(&self, nchunk: u64, location: Location) -> Result<Chunk<'_>> {
        let nbytes = self.sizes.chunk_nbytes(nchunk)?;
        let context = self.contents.context();
        let chunk = match location {
            Location::Special(value) => {
                Chunk::of_special(ChunkHeader::of_special(value, nbytes, context.itemsize)?)
            }
            Location::Stored { offset, .. } => {
                let chunk = self.from(offset).and_then(|bytes| Chunk::with_context(bytes, context));
                chunk.map_err(|error| error.shifted(offset).in_chunk(nchunk))?
            }
        };
        chunk.header().check_nbytes(nbytes.into())?;
        Ok(chunk)
    }

    /// The frame's bytes from an offset on.
    fn from(&self, offset: u64) -> Result<&'a [u8]> {
        let start = usize::try_from(offset).ok().filter(|&start| start <= self.bytes.len());
        let start = start.ok_or_else(|| Error::truncated(self.bytes.len(), 1, self.bytes.len()))?;
        Ok(&self.bytes[start..])
    }
}

/// The header of a frame and its metalayers.
#[inline(never)]
fn parse(bytes: &[u8]) -> Result<(Header, Metalayers<'_>)> {
    Header::parse_lent(bytes, &Limits::default())
}

#[cold]
fn too_long(wanted: u64) -> Error {
    LimitError { limit: Limit::Memory, wanted, allowed: u32::MAX.into() }.into()
}

//! Frames that lie in memory, decoded in fixed memory: for machines without an allocator.
//!
//! A [`Frame`] borrows its bytes, be they a file in flash (`include_bytes!`) or in a slice. What decoding needs besides,
//! it gets with each call: an [`Area`], whose length [`area_len`] tells from the size of blocks, the filters and the
//! number of chunks, and which brings the tables of the codecs that need some: [`Zlib`], `Zstd`, both as a pair, or
//! `()` for all others. Results go to buffers of the caller's.
//!
//! ```
//! use b2nd::Index;
//! use b2nd::filter::SHUFFLE;
//! use b2nd::source::flash::{Area, Frame, Zlib, Zstd, area_len};
//!
//! # const BLOCK: usize = 15360;
//! static CALIBRATION: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
//!
//! let frame = Frame::open(CALIBRATION)?;
//! let array = frame.array().expect("an array");
//! assert_eq!((array.shape(), frame.dtype()), (&[12, 30, 40][..], Some("<f4")));
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
//! What a [`Frame`] is too simple for is refused as unsupported: frames of the betas, those whose chunks are files
//! or differ in size, and selections from chunks whose blocks differ in size, which [`Frame::block`] decodes. Without the
//! feature `alloc` frames of 2 GiB of items and more are beyond the limits. Streams with a dictionary that zstd has trained
//! take `ZstdDict`.

mod items;

use super::job::{Job, check_nbytes};
use crate::b2nd::Array;
use crate::base::{
    ArgumentError, Error, Extent, Limit, LimitError, Limits, Result, Unsupported, buffer_len, slice_at, wide,
};
use crate::chunk::{Chunk, Header as ChunkHeader};
use crate::frame::{Header, Location, Metalayers, Places, Sizes};
use crate::plan::{Index, Plan};
use items::{Items, find};

pub use crate::chunk::{Area, AreaWork, area_len};
pub use crate::codec::Tables;
#[cfg(feature = "zlib")]
pub use crate::codec::Zlib;
#[cfg(all(feature = "zstd", not(feature = "zstd-safe")))]
pub use crate::codec::{Zstd, ZstdDict};

/// A contiguous frame that lies in memory as a whole.
#[derive(Debug, Clone)]
pub struct Frame<'a> {
    bytes: &'a [u8],
    header_len: u32,
    /// Where the index begins.
    index: u32,
    sizes: Sizes,
    items: Items,
    dtype: Option<&'a [u8]>,
}

impl<'a> Frame<'a> {
    /// Reads the header, and what its metalayers say of an array.
    ///
    /// # Errors
    /// `Format` and `Unsupported` for what the header says.
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let parsed = parse(bytes);
        // Taken out of the result they would lie on the stack twice.
        let (header, metalayers) = parsed.as_ref().map_err(|error| error.clone())?;
        if header.is_beta() || header.sparse {
            return Err(Unsupported::FrameVersion(header.version).into());
        }
        let (items, dtype) = Items::of(header, metalayers)?;
        // What has been cut off is missed now and not in the field.
        let bytes = slice_at(bytes, 0, usize::try_from(header.frame_len).unwrap_or(usize::MAX))?;
        let index = u32::try_from(header.index_start()).map_err(|_| too_long(header.frame_len))?;
        Ok(Self { bytes, header_len: header.header_len, index, sizes: header.sizes(), items, dtype })
    }

    /// The frame's header. It is not kept but read anew.
    ///
    /// # Errors
    /// None after [`open`](Self::open).
    pub fn header(&self) -> Result<Header> {
        parse(self.bytes).map(|(header, _)| header)
    }

    /// The metalayers, in their order.
    ///
    /// # Errors
    /// None after [`open`](Self::open).
    pub fn metalayers(&self) -> Result<Metalayers<'a>> {
        parse(self.bytes).map(|(_, metalayers)| metalayers)
    }

    /// The content of the metalayer with this name.
    ///
    /// # Errors
    /// `Format` if those before it are damaged.
    pub fn metalayer(&self, name: &str) -> Result<Option<&'a [u8]>> {
        find(&self.metalayers()?, name)
    }

    /// The array in the frame, `None` if it is a plain super-chunk, of which selections have one dimension.
    pub const fn array(&self) -> Option<&Array> {
        match &self.items {
            Items::Array(array) => Some(array),
            Items::Row(_) => None,
        }
    }

    /// The array's dtype, as stored.
    pub fn dtype(&self) -> Option<&'a str> {
        self.dtype.and_then(|dtype| core::str::from_utf8(dtype).ok())
    }

    /// Chunks in the frame.
    pub fn nchunks(&self) -> u64 {
        wide(self.sizes.nchunks())
    }

    /// Where chunk `nchunk` is. Of the index no more than its block is decoded.
    ///
    /// # Errors
    /// `Argument` if there is no such chunk; `Format`, `Unsupported` and `Limit` for the index.
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    pub fn locate(&self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Location> {
        let nchunks = self.nchunks();
        if nchunk >= nchunks {
            return Err(ArgumentError::Chunk { index: nchunk, nchunks }.into());
        }
        let mut entry = [0; 8];
        self.entry(nchunk as usize, &mut entry, work).map_err(|error| error.shifted(self.index.into()))?;
        Places::of_file(self.header_len, self.bytes.len() as u64).locate(nchunk, entry)
    }

    /// Reads an entry of the index.
    fn entry(&self, nchunk: usize, entry: &mut [u8], work: &mut AreaWork<'_>) -> Result<()> {
        let chunk = Chunk::new(self.from(self.index.into())?)?;
        self.sizes.check_index(chunk.header().nbytes)?;
        chunk.bytes_into(nchunk * 8, entry, work)
    }

    /// Chunk `nchunk`, as it is stored.
    ///
    /// # Errors
    /// Those of [`locate`](Self::locate), and what is wrong with the chunk's header.
    pub fn chunk(&self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Chunk<'_>> {
        let location = self.locate(nchunk, work)?;
        self.chunk_at(nchunk, location)
    }

    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    fn chunk_at(&self, nchunk: u64, location: Location) -> Result<Chunk<'_>> {
        let nbytes = self.sizes.chunk_nbytes(nchunk)?;
        let context = self.items.context();
        let chunk = match location {
            Location::Special(value) => {
                Chunk::of_special(ChunkHeader::of_special(value, nbytes, context.itemsize)?)
            }
            Location::Stored { offset, .. } => {
                let chunk = self.from(offset).and_then(|bytes| Chunk::with_context(bytes, context));
                chunk.map_err(|error| error.shifted(offset).in_chunk(nchunk))?
            }
        };
        check_nbytes(chunk.header(), nbytes.into())?;
        Ok(chunk)
    }

    /// Block `nblock` of chunk `nchunk`, plain; it lies in the area.
    ///
    /// # Errors
    /// `Argument` if there is no such block; `Format` and `Unsupported` for the data; `Limit` if the area is too small.
    pub fn block<'w>(&self, nchunk: u64, nblock: u32, work: &'w mut AreaWork<'_>) -> Result<&'w [u8]> {
        let chunk = self.chunk(nchunk, work)?;
        chunk.block_in(nblock, work).map_err(|error| error.in_chunk(nchunk))
    }

    /// The item at a position, to `out`.
    ///
    /// # Errors
    /// `Argument` if it is not in the array or `out` has not its length; those of [`block`](Self::block).
    pub fn item(&self, position: &[Extent], work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        let grid = self.items.grid();
        buffer_len(grid.itemsize as usize, out)?;
        let (nchunk, at) = grid.item(position)?;
        let mut chunk = self.chunk(wide(nchunk), work)?;
        chunk.cut(grid.tile_nbytes() as u32);
        chunk.bytes_into(at, out, work).map_err(|error| error.in_chunk(wide(nchunk)))
    }

    /// Plans how to read a part of the array, or of the items in one row if it is none. Large parts are read in
    /// [parts](Plan::parts), or in [rows](Self::read).
    ///
    /// # Errors
    /// `Argument` if the selection does not fit.
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    pub fn plan(&self, selection: &[Index]) -> Result<Plan> {
        self.items.plan(selection)
    }

    /// The items of a plan in C order, in their stored byte order, to `out`, which has [`Plan::nbytes`] bytes.
    ///
    /// # Errors
    /// `Argument` if `out` has another length; those of [`block`](Self::block).
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    pub fn read(&self, plan: &Plan, work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        buffer_len(plan.nbytes(), out)?;
        for task in plan.chunks() {
            // Both take much of the stack: so they come before what takes the most.
            let location = self.locate(task.nchunk(), work)?;
            let mut chunk = self.chunk_at(task.nchunk(), location);
            // Taken out of the result it would lie on the stack twice.
            let chunk = chunk.as_mut().map_err(|error| error.clone())?;
            chunk.cut(plan.tile_nbytes() as u32);
            read_chunk(chunk, &mut Job { plan, task: &task, out }, work)
                .map_err(|error| error.in_chunk(task.nchunk()))?;
        }
        Ok(())
    }

    /// The frame's bytes from an offset on.
    fn from(&self, offset: u64) -> Result<&'a [u8]> {
        let start = usize::try_from(offset).ok().filter(|&start| start <= self.bytes.len());
        let start = start.ok_or_else(|| Error::truncated(self.bytes.len(), 1, self.bytes.len()))?;
        Ok(&self.bytes[start..])
    }
}

/// What a plan wants of a chunk.
// Its temporaries are not to lie on the stack of its caller.
#[inline(never)]
fn read_chunk(chunk: &Chunk<'_>, job: &mut Job<'_>, work: &mut AreaWork<'_>) -> Result<()> {
    let (plan, task, header) = (job.plan, job.task, chunk.header());
    check_nbytes(header, task.nbytes())?;
    if chunk.is_variable() {
        return Err(Unsupported::VariableBlocks.into());
    }
    let mut decoder = chunk.blocks(header.nblocks.saturating_sub(1), work)?;
    for nblock in plan.blocks(task, header.blocksize) {
        job.decode(&mut decoder, nblock, chunk.block_bytes(nblock)?)?;
    }
    Ok(())
}

/// The header of a frame and its metalayers.
// Its temporaries are not to lie on the stack of its caller.
#[inline(never)]
fn parse(bytes: &[u8]) -> Result<(Header, Metalayers<'_>)> {
    Header::parse_lent(bytes, &Limits::default())
}

#[cold]
fn too_long(wanted: u64) -> Error {
    LimitError { limit: Limit::Memory, wanted, allowed: u32::MAX.into() }.into()
}

//! Frames in memories that are read by copying, decoded in fixed memory.

use super::fetching::{Fetched, Source};
use super::metalayers::{contents, find};
use super::{AreaWork, ReadFlash, parse, too_long};
use crate::array::Layout;
use crate::base::{ArgumentError, Result, buffer_len, wide};
use crate::chunk::{Context, EXTENDED_HEADER, Head, Header as ChunkHeader, Progress};
use crate::contents::Contents;
use crate::frame::{ChunkOffsets, Header, Location, Metalayers, Sizes, header_len};
use crate::plan::{Index, Plan};
use crate::reading::{Scatter, check_task};
use crate::source::ReadError;
use core::fmt;
use core::ops::Range;

/// Bytes of a buffer for a [`FetchedFrame`], whose blocks have `block` bytes of items of `typesize` bytes and these `filters`, and
/// whose chunks have `nblocks` blocks.
///
/// The buffer has the head of a chunk, or of the index of `nchunks` chunks, and one block as it is stored; two where DELTA is among the
/// filters. It is long enough for headers of frames up to 512 bytes. Longer ones, and dictionaries, take as much more.
///
/// ```
/// use b2nd::filter::SHUFFLE;
/// use b2nd::source::flash::fetch_len;
/// // Blocks of 2 KiB with items of 4 bytes, 8 in each of 40 chunks.
/// assert_eq!(fetch_len(2048, &[SHUFFLE], 4, 8, 40), 2128);
/// ```
#[must_use]
pub const fn fetch_len(
    block: usize,
    filters: &[u8],
    typesize: usize,
    nblocks: usize,
    nchunks: usize,
) -> usize {
    let (mut blocks, mut slot) = (1, 0);
    while slot < filters.len() {
        blocks += (filters[slot] == crate::filter::DELTA) as usize;
        slot += 1;
    }
    // A block has a length for each of its streams, which are as long as the plain ones at most.
    let chunk = EXTENDED_HEADER + 4 * nblocks + blocks * (block + 4 * typesize);
    let index = EXTENDED_HEADER + 4 + 8 * (nchunks + 4);
    let longest = if chunk > index { chunk } else { index };
    if longest > HEADER { longest } else { HEADER }
}

/// Bytes of the heads of indexes of one block.
const INDEX_HEAD: u32 = EXTENDED_HEADER as u32 + 4;
/// Bytes of nearly all headers of frames.
const HEADER: usize = 512;

/// A contiguous frame in a memory that is read by copying: a flash behind a serial bus, an EEPROM, a card.
///
/// It reads and refuses the same frames as a [`FlashFrame`](super::FlashFrame), whose bytes lie in memory. The bytes that a call needs are fetched to
/// the caller's buffer: the head of a chunk, then one block at a time, which is decoded to the [`Area`](super::Area). Nothing is kept from one
/// call to the next; [`Cached`](super::Cached) memories keep pages.
///
/// ```
/// use b2nd::Index;
/// use b2nd::filter::SHUFFLE;
/// use b2nd::source::flash::{Area, FetchedFrame, Zlib, Zstd, area_len, fetch_len};
///
/// # const BLOCK: usize = 15360;
/// // In its place: a driver of a flash memory, in a `source::Nor`.
/// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let memory = &file[..];
///
/// let mut buffer = [0; fetch_len(BLOCK, &[SHUFFLE], 4, 8, 16)];
/// let mut frame = FetchedFrame::open(memory, 0..file.len() as u32, &mut buffer)?;
/// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
///
/// let mut area: Area<{ area_len(BLOCK, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
/// let mut work = area.work();
/// let mut item = [0; 4];
/// frame.item(&[3, 20, 7], &mut work, &mut item)?;
///
/// // Row by row.
/// let plan = frame.plan(&[Index::At(3)])?;
/// let mut row = [0; 40 * 4];
/// for (y, part) in plan.parts(row.len()).enumerate() {
///     frame.read(&part, &mut work, &mut row)?;
///     assert!(y != 20 || row[7 * 4..][..4] == item);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FetchedFrame<'a, M: ReadFlash> {
    pub(super) source: Source<M>,
    pub(super) buffer: &'a mut [u8],
    header_len: u32,
    /// Where the index begins.
    pub(super) index: u32,
    sizes: Sizes,
    pub(super) contents: Contents,
}

impl<M: ReadFlash> fmt::Debug for FetchedFrame<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchedFrame").field("contents", &self.contents).finish_non_exhaustive()
    }
}

impl<'a, M: ReadFlash> FetchedFrame<'a, M> {
    /// Reads the header of the frame that begins at `place.start` of a memory and ends at `place.end` or before, and what its metalayers say of
    /// an array. [`fetch_len`] tells the length of the buffer.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails; `Format` and `Unsupported` for what the header says; `Limit` if the buffer is too small for it.
    pub fn open(memory: M, place: Range<u32>, buffer: &'a mut [u8]) -> Result<Self, ReadError<M::Error>> {
        let mut source = Source::new(memory, place);
        let opened = read_header(&mut source, buffer);
        let (header, metalayers) = source.told(opened)?;
        let (contents, _) = contents(&header, &metalayers)?;
        // What has been cut off is missed now and not in the field.
        source.cut(header.frame_len)?;
        let index = u32::try_from(header.index_start()).map_err(|_| too_long(header.frame_len))?;
        let (header_len, sizes) = (header.header_len, header.sizes());
        Ok(Self { source, buffer, header_len, index, sizes, contents })
    }

    /// The frame's header. It is not kept but read anew.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert_eq!(frame.header()?.typesize, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails.
    pub fn header(&mut self) -> Result<Header, ReadError<M::Error>> {
        let read = read_header(&mut self.source, self.buffer).map(|(header, _)| header);
        self.source.told(read)
    }

    /// The metalayers, in their order. They are read anew.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// let (name, _content) = frame.metalayers()?.next().expect("a metalayer")?;
    /// assert_eq!(name, b"b2nd");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails.
    pub fn metalayers(&mut self) -> Result<Metalayers<'_>, ReadError<M::Error>> {
        let read = read_header(&mut self.source, self.buffer).map(|(_, metalayers)| metalayers);
        self.source.told(read)
    }

    /// The content of the metalayer with this name. It is read anew.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert!(frame.metalayer("b2nd")?.is_some() && frame.metalayer("other")?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails; `Format` if metalayers before it are damaged.
    pub fn metalayer(&mut self, name: &str) -> Result<Option<&[u8]>, ReadError<M::Error>> {
        Ok(find(&self.metalayers()?, name)?)
    }

    /// The array in the frame, `None` if it is a plain super-chunk, of which selections have one dimension.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn layout(&self) -> Option<&Layout> {
        match &self.contents {
            Contents::Array(array) => Some(array),
            Contents::Items(_) => None,
        }
    }

    /// The array's dtype, as stored. It is read anew.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert_eq!(frame.dtype()?, Some("<f4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails.
    pub fn dtype(&mut self) -> Result<Option<&str>, ReadError<M::Error>> {
        let read = read_header(&mut self.source, self.buffer);
        let (header, metalayers) = self.source.told(read)?;
        let (_, dtype) = contents(&header, &metalayers)?;
        Ok(dtype.and_then(|dtype| core::str::from_utf8(dtype).ok()))
    }

    /// Chunks in the frame.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// assert!(frame.nchunks() > 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nchunks(&self) -> u64 {
        wide(self.sizes.nchunks())
    }

    /// Block `nblock` of chunk `nchunk`, plain; it lies in the area.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// let block = frame.block(0, 0, &mut work)?;
    /// assert!(block.len() % 4 == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the memory fails; `Argument` if there is no such block; `Format` and `Unsupported` for the data; `Limit` if the area or the
    /// buffer is too small.
    pub fn block<'w>(
        &mut self,
        nchunk: u64,
        nblock: u32,
        work: &'w mut AreaWork<'_>,
    ) -> Result<&'w [u8], ReadError<M::Error>> {
        let read = self
            .chunk(nchunk, work)
            .and_then(|mut chunk| chunk.block(nblock, work).map_err(|error| error.in_chunk(nchunk)));
        self.source.told(read)
    }

    /// The item at a position, to `out`.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// let mut item = [0; 4];
    /// frame.item(&[3, 20, 7], &mut work, &mut item)?;
    /// println!("{}", f32::from_le_bytes(item));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if it is not in the array or `out` has not its length; those of [`block`](Self::block).
    pub fn item(
        &mut self,
        position: &[u64],
        work: &mut AreaWork<'_>,
        out: &mut [u8],
    ) -> Result<(), ReadError<M::Error>> {
        let read = self.read_item(position, work, out);
        self.source.told(read)
    }

    fn read_item(&mut self, position: &[u64], work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        let grid = self.contents.grid();
        buffer_len(grid.itemsize as usize, out)?;
        let ((nchunk, at), tile) = (grid.item(position)?, grid.tile_nbytes() as u32);
        let mut chunk = self.chunk(wide(nchunk), work)?;
        chunk.cut(tile);
        chunk.bytes_into(at, out, work).map_err(|error| error.in_chunk(wide(nchunk)))
    }

    /// Plans how to read a part of the array, or of the items in one row if it is none. Large parts are read in
    /// [parts](Plan::parts), such as rows.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// use b2nd::Index;
    /// assert_eq!(frame.plan(&[Index::At(3), Index::ALL])?.shape(), [30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit.
    pub fn plan(&self, selection: &[Index]) -> Result<Plan> {
        self.contents.plan(selection)
    }

    /// The items of a plan in C order, in their stored byte order, to `out`, which has [`Plan::nbytes`] bytes.
    ///
    /// ```
    /// # use b2nd::source::flash::{FetchedFrame, fetch_len};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let mut buffer = [0; fetch_len(15360, &[], 4, 8, 16)];
    /// let mut frame = FetchedFrame::open(&file[..], 0..file.len() as u32, &mut buffer)?;
    /// # use b2nd::filter::SHUFFLE;
    /// # use b2nd::source::flash::{Area, Zlib, Zstd, area_len};
    /// # let mut area: Area<{ area_len(15360, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
    /// # let mut work = area.work();
    /// use b2nd::Index;
    /// let plan = frame.plan(&[Index::At(3), Index::At(20)])?;
    /// let mut row = [0; 40 * 4];
    /// frame.read(&plan, &mut work, &mut row)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `out` has another length; those of [`block`](Self::block).
    pub fn read(
        &mut self,
        plan: &Plan,
        work: &mut AreaWork<'_>,
        out: &mut [u8],
    ) -> Result<(), ReadError<M::Error>> {
        let read = self.read_plan(plan, work, out);
        self.source.told(read)
    }

    fn read_plan(&mut self, plan: &Plan, work: &mut AreaWork<'_>, out: &mut [u8]) -> Result<()> {
        buffer_len(plan.nbytes(), out)?;
        for task in plan.chunks() {
            let mut chunk = self.chunk(task.nchunk(), work)?;
            chunk.cut(plan.tile_nbytes() as u32);
            let header = *chunk.head.header();
            let mut sink = Scatter { plan, task: &task, out: &mut *out };
            let (mut blocks, mut progress) = (plan.blocks(&task, header.blocksize), Progress::default());
            let read = check_task(&header, &task)
                .and_then(|()| chunk.read(&mut blocks, &mut sink, &mut progress, work));
            read.map_err(|error| error.in_chunk(task.nchunk()))?;
        }
        Ok(())
    }

    /// Chunk `nchunk`, of which the head is fetched.
    fn chunk(&mut self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Fetched<'_, M>> {
        let location = self.locate(nchunk, work)?;
        self.chunk_at(nchunk, location)
    }

    /// Fetches the head of a chunk.
    pub(super) fn chunk_at(&mut self, nchunk: u64, location: Location) -> Result<Fetched<'_, M>> {
        let nbytes = self.sizes.chunk_nbytes(nchunk)?;
        let context = self.contents.context();
        let chunk = match location {
            Location::Special(value) => {
                let header = ChunkHeader::of_special(value, nbytes, context.itemsize)?;
                Fetched::of_special(&mut self.source, Head::of_special(header), self.buffer)
            }
            Location::Stored { offset, .. } => {
                // With blocks of fewer than 32 bytes, which are rare, the rest of the head is read afterwards.
                let block = (self.contents.grid().tile_nbytes() as u32).max(32);
                let expected = EXTENDED_HEADER as u32 + 4 * nbytes.div_ceil(block);
                // The offset is less than the frame's length.
                Fetched::open(&mut self.source, (offset as u32, expected), context, self.buffer)
                    .map_err(|error| error.in_chunk(nchunk))?
            }
        };
        chunk.head.header().check_nbytes(nbytes.into())?;
        Ok(chunk)
    }

    fn locate(&mut self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Location> {
        let (at, mut entry) = (self.entry_at(nchunk)?, [0; 8]);
        let start = self.index;
        let read = self.index_chunk()?.bytes_into(at, &mut entry, work);
        read.map_err(|error| error.shifted(start.into()))?;
        self.location(nchunk, entry)
    }

    /// Where in the index the entry of a chunk is.
    pub(super) fn entry_at(&self, nchunk: u64) -> Result<usize> {
        let nchunks = self.nchunks();
        if nchunk >= nchunks {
            return Err(ArgumentError::Chunk { index: nchunk, nchunks }.into());
        }
        Ok(nchunk as usize * 8)
    }

    /// Fetches the head of the index.
    pub(super) fn index_chunk(&mut self) -> Result<Fetched<'_, M>> {
        let place = (self.index, INDEX_HEAD);
        let index = Fetched::open(&mut self.source, place, Context::default(), self.buffer)?;
        let checked = self.sizes.check_index(index.head.header());
        checked.map_err(|error| error.shifted(self.index.into()))?;
        Ok(index)
    }

    /// Where a chunk is, by its entry of the index.
    pub(super) fn location(&self, nchunk: u64, entry: [u8; 8]) -> Result<Location> {
        ChunkOffsets::of_file(self.header_len, self.source.len().into()).locate(nchunk, entry)
    }
}

/// Fetches the header of a frame and its metalayers.
fn read_header<'b, M: ReadFlash>(
    source: &mut Source<M>,
    mut buffer: &'b mut [u8],
) -> Result<(Header, Metalayers<'b>)> {
    /// They tell how long the header is.
    const FIRST: usize = 32;
    let first = source.fetch(0..FIRST.min(source.len() as usize) as u32, &mut &mut *buffer)?;
    let len = header_len(first)?;
    parse(source.fetch(0..len, &mut buffer)?)
}

//! A logger: appends rows to an array in a flash memory or on a card, without an allocator, and loses nothing of what it
//! confirmed when the power fails.
//!
//! A [`Logger`] needs a [`Flash`], which reads, programs and erases, and an [`Area`](crate::chunk::Area), whose length
//! [`log_area_len`] tells. The array's dtype, chunks, codec, filters and metalayers are those of a frame made elsewhere, such as an empty
//! array that python-blosc2, the tool or [`array::ArrayParams`](crate::array) made.
//!
//! - [`append`](Logger::append) collects rows. Once there is a whole chunk, it is encoded and programmed.
//! - [`flush`](Logger::flush) programs the rows that are in no chunk yet. When it returns, none of the rows before can be lost.
//! - [`commit`](Logger::commit) makes the rows a frame, which any reader of Blosc2 opens at [`frame`](Logger::frame). It stays valid
//!   until the next commit returns.
//! - [`finish`](Logger::finish) makes the frame begin at the start of the memory, so that an image of the memory is a file to open.
//!
//! Power may fail during any operation of the flash. [`Logger::open`] then finds all rows of the last `flush` or `commit` that
//! returned, and possibly later ones.
//!
//! ```
//! use b2nd::chunk::Area;
//! use b2nd::codec::{BloscLzTable, Lz4Table};
//! use b2nd::filter::SHUFFLE;
//! use b2nd::sink::flash::{Geometry, Image, LogError, Logger, log_area_len};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//!
//! // 1024 rows of 3 numbers of 16 bits in each chunk, and 256 in each block.
//! # let template = {
//! #     use b2nd::array::ArrayParams;
//! #     use b2nd::chunk::CParams;
//! #     use b2nd::sink::{Editor, Memory};
//! #     let mut params = ArrayParams::new(&[0, 3], "<i2");
//! #     (params.chunkshape, params.blockshape) = (Some([1024, 3].into()), Some([256, 3].into()));
//! #     params.cparams.codec = b2nd::codec::Codec::BLOSCLZ;
//! #     let mut editor = Editor::create_array(Memory::default(), &params)?;
//! #     editor.commit()?;
//! #     editor.into_sink().into_bytes()
//! # };
//! let (chunk, block) = (1024 * 3 * 2, 256 * 3 * 2);
//! # assert_eq!((chunk, block), (6144, 1536));
//! let mut area: Area<{ log_area_len(6144, 1536, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
//!
//! // 64 KiB of flash, erased in pages of 4 KiB and programmed in units of 8 bytes.
//! let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
//! let mut logger = match Logger::open(&mut flash, area.encode_work()) {
//!     Err(LogError::NoLog) => Logger::create(&mut flash, &template, area.encode_work())?,
//!     opened => opened?,
//! };
//! for n in 0..5000_u16 {
//!     let row = [n.to_le_bytes(), (n / 7).to_le_bytes(), 9_u16.to_le_bytes()].concat();
//!     logger.append(&row)?;
//! }
//! logger.finish()?;
//! let frame = b2nd::Reader::open(flash.bytes(), b2nd::DParams::default())?;
//! assert_eq!(frame.layout()?.unwrap().shape().to_vec(), [5000, 3]);
//! # Ok(()) }
//! ```
//!
//! # Layout
//!
//! The memory begins with two areas of a page each, or of 512 bytes where pages are shorter. In them are slots of 512 bytes for headers: a commit programs
//! the next slot, and erases an area before it programs its first slot, while the newest header is in the other area. A
//! header begins a frame, whose chunks and index are further back; a sequence number and a checksum are at the end of its slot.
//!
//! Records follow, one after the other: chunks, rows that were flushed, and for each commit the last, incomplete chunk
//! with an index and a trailer. Each has a sequence number and a checksum. A page is erased right before its first byte is programmed. Programming
//! resumes at the next page after opening, so that no unit is programmed twice.

#[cfg(feature = "embedded-sdmmc")]
mod card;
mod commit;
#[cfg(feature = "embedded-io")]
mod copied;
mod error;
#[cfg(feature = "alloc")]
mod image;
mod layout;
mod memory;
#[cfg(feature = "embedded-storage")]
mod nor;
mod store;
#[cfg(all(test, feature = "write", not(miri)))]
mod tests;

use crate::base::{ArgumentError, Error, Limit, LimitError, put_at, slice_at, slice_mut_at};
use crate::chunk::{EXTENDED_HEADER, EncodeWork, encode_area_len};
use crate::codec::Encode;
use crate::frame::EMPTY_TRAILER;
use commit::Commit;
use core::fmt;
pub use error::LogError;
#[cfg(feature = "alloc")]
pub use image::{Image, recover};
use layout::LogLayout;
pub use memory::{Flash, Geometry};
use store::{HEAD, Kind, LONGEST, Mark, SLOT, Store};

/// Bytes that an [`Area`](crate::chunk::Area) needs for a log with chunks of `chunk` and blocks of `block` bytes and these
/// `filters`, in a memory that is programmed in units of `unit` bytes.
#[must_use]
pub const fn log_area_len(chunk: usize, block: usize, filters: &[u8], unit: usize) -> usize {
    chunk + stage_len(chunk, unit) + encode_area_len(block, filters)
}

/// Bytes of the longest record of a chunk, or of a slot.
const fn stage_len(chunk: usize, unit: usize) -> usize {
    let len = (HEAD + EXTENDED_HEADER + chunk).next_multiple_of(if unit > 0 { unit } else { 1 });
    if len < SLOT { SLOT } else { len }
}

/// Appends rows to an array in a flash memory. See the [module](self).
pub struct Logger<'a, F> {
    store: Store<'a, F>,
    layout: LogLayout,
    work: EncodeWork<'a>,
    /// Rows of the chunk that is being filled.
    plain: &'a mut [u8],
    /// Bytes of these rows.
    fill: usize,
    /// Bytes of them that are flushed.
    flushed: usize,
    /// Complete chunks.
    nchunks: u32,
    /// Behind the last complete chunk.
    tail: Mark,
    commit: Commit,
}

impl<F> fmt::Debug for Logger<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logger").field("nchunks", &self.nchunks).finish_non_exhaustive()
    }
}

impl<'a, F: Flash> Logger<'a, F> {
    /// Makes a new log in place of any other. `template` begins with the header of a frame that is an array. It has the dtype, the shapes
    /// of chunks and blocks, the codec, the filters and the metalayers; its own rows do not count. Chunks and blocks
    /// have whole rows, which are what lies along all axes but the first.
    ///
    /// An older log stays until the new one is there. Without one all of the memory is erased.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// assert_eq!(logger.rows(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` for templates that are no such array, for sizes of the memory that cannot be, and if the area is too small or has no
    /// table for the codec.
    pub fn create(flash: F, template: &[u8], work: EncodeWork<'a>) -> Result<Self, LogError<F::Error>> {
        let layout = LogLayout::parse(template)?;
        let (bytes, tables) = work.into_parts();
        let mut store = Store::new(flash, bytes)?;
        let (plain, work) = divide(&mut store, &layout, tables)?;
        let commit = store.create(&layout, template)?;
        Ok(Self::new(store, layout, work, plain, commit))
    }

    /// Opens the log that is there. The next record goes to the next page.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// logger.flush()?;
    /// // After the power was off:
    /// let logger = Logger::open(&mut flash, area.encode_work())?;
    /// assert_eq!(logger.rows(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `NoLog` if there is none; `Blosc` if the area is too small, or has no table for the codec.
    pub fn open(flash: F, work: EncodeWork<'a>) -> Result<Self, LogError<F::Error>> {
        let (bytes, tables) = work.into_parts();
        let mut store = Store::new(flash, bytes)?;
        let commit = store.newest()?.ok_or(LogError::NoLog)?;
        store.load_slot(commit.slot)?;
        let layout = LogLayout::parse(slice_at(store.stage, 0, SLOT)?)?;
        let (plain, work) = divide(&mut store, &layout, tables)?;
        let mut logger = Self::new(store, layout, work, plain, commit);
        logger.replay()?;
        Ok(logger)
    }

    fn new(
        store: Store<'a, F>,
        layout: LogLayout,
        work: EncodeWork<'a>,
        plain: &'a mut [u8],
        commit: Commit,
    ) -> Self {
        let (nchunks, tail) = (commit.nchunks, commit.tail);
        Self { store, layout, work, plain, fill: 0, flushed: 0, nchunks, tail, commit }
    }

    /// Finds all records since the last complete chunk of the newest commit.
    fn replay(&mut self) -> Result<(), LogError<F::Error>> {
        let mut mark = self.tail;
        while let Some(record) = self.store.next_record(&mut mark, u32::MAX)? {
            match record.kind {
                Kind::Rows if self.fill + record.len as usize <= self.plain.len() => {
                    let rows = slice_mut_at(self.plain, self.fill, record.len as usize)?;
                    self.store.read(record.start, rows)?;
                    self.fill += rows.len();
                }
                Kind::Chunk => {
                    (self.nchunks, self.fill, self.tail) = (self.nchunks + 1, 0, mark);
                }
                _ => {}
            }
        }
        self.flushed = self.fill;
        self.store.resume(mark);
        Ok(())
    }

    /// Appends whole rows, in the dtype's byte order. Each time that a chunk is complete it is programmed, and cannot be lost from then
    /// on.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// // Two rows of three numbers of 16 bits.
    /// logger.append(&[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0])?;
    /// assert_eq!(logger.rows(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Full` if there is no room: then the rows that [`rows`](Self::rows) counts were appended. `Blosc` for a part of a
    /// row. `Flash` if the memory fails.
    pub fn append(&mut self, rows: &[u8]) -> Result<(), LogError<F::Error>> {
        let row = self.layout.row_len.max(1) as usize;
        if !rows.len().is_multiple_of(row) {
            let expected = rows.len().next_multiple_of(row) as u64;
            return Err(Error::from(ArgumentError::BufferLen { expected, actual: rows.len() as u64 }).into());
        }
        let mut rows = rows;
        while !rows.is_empty() {
            self.check_room()?;
            let len = rows.len().min(self.plain.len() - self.fill);
            let (now, later) = rows.split_at(len);
            put_at(self.plain, self.fill, now)?;
            self.fill += len;
            rows = later;
            if self.fill == self.plain.len() {
                self.program_chunk()?;
            }
        }
        Ok(())
    }

    /// Programs the rows that are in no chunk yet. When this returns, no power failure can lose any row.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// logger.flush()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Flash` if the memory fails.
    pub fn flush(&mut self) -> Result<(), LogError<F::Error>> {
        if self.flushed < self.fill {
            self.store.begin(Kind::Rows);
            self.store.add(slice_at(self.plain, self.flushed, self.fill - self.flushed)?)?;
            self.store.end_record()?;
            self.flushed = self.fill;
        }
        Ok(())
    }

    /// Makes all rows a frame, which begins at [`frame`](Self::frame).
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// logger.commit()?;
    /// let start = logger.frame() as usize;
    /// let frame = b2nd::Reader::open(&flash.bytes()[start..], b2nd::DParams::default())?;
    /// assert_eq!(frame.get("0")?, [1, 0, 2, 0, 3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Flash` if the memory fails; `Full` if pages that were left when the log was opened took the room.
    pub fn commit(&mut self) -> Result<(), LogError<F::Error>> {
        self.flush()?;
        if self.rows() == self.commit.rows {
            return Ok(());
        }
        self.program_frame(self.commit.next)
    }

    /// Makes all rows a frame that begins at the start of the memory. More rows can be appended later.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// logger.finish()?;
    /// let frame = b2nd::Reader::open(flash.bytes(), b2nd::DParams::default())?;
    /// assert_eq!(frame.get("0")?, [1, 0, 2, 0, 3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`commit`](Self::commit).
    pub fn finish(&mut self) -> Result<(), LogError<F::Error>> {
        self.commit()?;
        let second = self.store.second_area();
        if self.commit.slot == 0 {
            return Ok(());
        }
        if self.commit.slot < second {
            // The first area cannot be erased while the newest header is there.
            self.program_frame(second)?;
        }
        self.program_frame(0)
    }

    /// Rows appended.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.append(&[1, 0, 2, 0, 3, 0])?;
    /// assert_eq!(logger.rows(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> u64 {
        u64::from(self.nchunks) * u64::from(self.layout.chunk_rows())
            + (self.fill as u64 / u64::from(self.layout.row_len.max(1)))
    }

    /// Where in the memory the frame of the last commit begins.
    ///
    /// ```
    /// # use b2nd::{chunk::Area, codec::{BloscLzTable, Codec}, filter::SHUFFLE};
    /// # use b2nd::sink::flash::{Geometry, Image, Logger, log_area_len};
    /// # use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// # let mut params = ArrayParams::new(&[0, 3], "<i2");
    /// # (params.chunkshape, params.blockshape) = (Some([256, 3].into()), Some([64, 3].into()));
    /// # params.cparams.codec = Codec::BLOSCLZ;
    /// # let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// # editor.commit()?;
    /// # let template = editor.into_sink().into_bytes();
    /// # let mut area: Area<{ log_area_len(1536, 384, &[SHUFFLE], 8) }, BloscLzTable<1024>> = Area::new(BloscLzTable::new());
    /// # let mut flash = Image::new(Geometry { len: 65_536, page: 4096, unit: 8 });
    /// # let mut logger = Logger::create(&mut flash, &template, area.encode_work())?;
    /// logger.finish()?;
    /// assert_eq!(logger.frame(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn frame(&self) -> u32 {
        self.commit.slot
    }

    /// Programs the chunk that is complete.
    fn program_chunk(&mut self) -> Result<(), LogError<F::Error>> {
        self.store.begin(Kind::Chunk);
        self.encode()?;
        self.tail = self.store.end_record()?;
        (self.nchunks, self.fill, self.flushed) = (self.nchunks + 1, 0, 0);
        Ok(())
    }

    /// Encodes the chunk that is being filled behind what is staged, and returns its length.
    fn encode(&mut self) -> Result<usize, LogError<F::Error>> {
        let Self { store, layout, work, plain, .. } = self;
        let len = layout.cparams.encode_given_into(plain, store.free(), work)?;
        store.staged += len;
        Ok(len)
    }

    /// Whether one more chunk, the rows after it, and three indexes have room: that of a commit, and those of `finish`.
    fn check_room(&self) -> Result<(), LogError<F::Error>> {
        let record = self.store.stage.len() as u64;
        let index = (EXTENDED_HEADER + EMPTY_TRAILER.len()) as u64 + 8 * (u64::from(self.nchunks) + 2);
        let end = record + index + u64::from(self.store.geometry.unit);
        let fits = self.store.room() >= 2 * record + 3 * end && end <= u64::from(LONGEST);
        if fits { Ok(()) } else { Err(LogError::Full) }
    }
}

/// Divides the bytes of the area: what is staged stays with the store, the rows of a chunk and what the filters need do not.
/// Checks whether chunks can be encoded.
fn divide<'a, F: Flash>(
    store: &mut Store<'a, F>,
    layout: &LogLayout,
    tables: &'a mut dyn Encode,
) -> Result<(&'a mut [u8], EncodeWork<'a>), Error> {
    let (chunk, unit) = (layout.chunk_len as usize, store.geometry.unit as usize);
    let bytes = core::mem::take(&mut store.stage);
    let staged = stage_len(chunk, unit);
    let (wanted, allowed) = (staged.saturating_add(chunk), bytes.len());
    // At the start of the area units of 4 bytes are where DMA reaches them.
    let parts = bytes
        .split_at_mut_checked(staged)
        .and_then(|(stage, rest)| rest.split_at_mut_checked(chunk).map(|(plain, rest)| (stage, plain, rest)));
    let (stage, plain, rest) = parts.ok_or_else(|| {
        Error::from(LimitError { limit: Limit::Memory, wanted: wanted as u64, allowed: allowed as u64 })
    })?;
    store.stage = stage;
    let work = EncodeWork::of_parts(rest, tables);
    work.check(&layout.cparams, chunk)?;
    Ok((plain, work))
}

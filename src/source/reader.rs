//! The synchronous reader: a source, and everything that can be read from a frame in it.

use super::current;
use super::driving::{complete, drive};
use super::memory::{Pool, ReadMemory};
use super::{ReadAt, ReadError};
use crate::array::Layout;
use crate::base::{Changed, Error, ErrorKind, Limits, Malformed};
use crate::chunk::{Body, Chunk, Context, DParams, EXTENDED_HEADER, Header as ChunkHeader, SpecialValue};
use crate::contents::{self, Contents};
use crate::frame::{
    ChunkIndex, Exchange, Frame, IndexReading, Location, Part, Request, Revision, Trailer, TrailerReading,
};
use crate::plan::{Plan, ToSelection};
use crate::reading::{Chunks, PlanReading, SizesReading};
use crate::schunk::SChunk;
use alloc::vec::Vec;
use core::ops::Range;

/// A value that is computed once, when first needed. With `std`, threads may share the reader.
#[cfg(not(feature = "std"))]
pub(crate) type Once<T> = core::cell::OnceCell<T>;
#[cfg(feature = "std")]
pub(crate) type Once<T> = std::sync::OnceLock<T>;

/// Reads a frame: an array, or a super-chunk.
///
/// Opening reads the header and nothing else. The index of chunks, the trailer and, where chunks differ in size,
/// their headers are read when something first needs them.
///
/// With the feature `std` a reader is `Send` and `Sync` where its source is: threads may share one.
///
/// ```
/// use b2nd::{DParams, Selection, source::Reader};
/// # let bytes = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// let reader = Reader::open(&bytes[..], DParams::default())?;
/// let array = reader.layout()?.expect("an array");
/// let selection: Selection = "::2, -1".parse()?;
/// let items = reader.get(&selection)?;
/// assert_eq!(items.len() as u64, selection.shape(&array.shape())?.iter().product::<u64>() * u64::from(array.itemsize()));
/// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Reader<S> {
    pub(super) source: S,
    pub(super) dparams: DParams,
    frame: Frame,
    array: Result<Option<Layout>, Error>,
    /// The state that was opened, if the source may change.
    revision: Option<Revision>,
    index: Once<ChunkIndex>,
    trailer: Once<Trailer>,
    schunk: Once<SChunk>,
    pool: Pool,
}

/// Facts about a chunk, known without decoding it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ChunkInfo {
    /// Where it is.
    pub location: Location,
    /// Its header; that of a chunk which is only an entry of the index is made up, `cbytes` of 0.
    pub header: ChunkHeader,
}

impl ChunkInfo {
    /// The value of all items, if it is one.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.chunk_info(0)?.special_value(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn special_value(&self) -> Option<SpecialValue> {
        match self.header.body {
            Body::Special(value) => Some(value),
            _ => None,
        }
    }
}

/// An error, or why the source lacks bytes that are missing.
fn because<S: ReadAt>(source: &S, error: ReadError<S::Error>) -> ReadError<S::Error> {
    match error {
        ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Format(_)) => {
            source.error().unwrap_or(error).into()
        }
        error => error,
    }
}

impl<S: ReadAt> Reader<S> {
    /// Opens the frame in `source`, or the chunk: one on its own reads as a super-chunk of one chunk.
    ///
    /// ```
    /// let frame = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let reader = b2nd::Reader::open(&frame[..], b2nd::DParams::default())?;
    /// assert_eq!(reader.nchunks()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be read, `Blosc` if it begins neither like a frame nor like a chunk.
    #[inline(never)]
    pub fn open(mut source: S, dparams: DParams) -> Result<Self, ReadError<S::Error>> {
        let opened = current::open(&mut source, &dparams);
        let (frame, revision) = opened.map_err(|error| because(&source, error))?;
        let array = Layout::of_frame(&frame, &dparams.limits);
        let trailer = frame.trailer.clone().map_or_else(Once::new, Once::from);
        let (index, schunk) = (Once::new(), Once::new());
        Ok(Self { source, dparams, frame, array, revision, index, trailer, schunk, pool: Pool::default() })
    }

    /// Goes on with the current state of the frame: that of the last commit, whatever is at the path of a [`File`](super::File) now.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-refresh-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("log.b2nd");
    /// use b2nd::{ErrorKind, ReadError, Selection, array::ArrayParams};
    /// b2nd::create(&path, &ArrayParams::new(&[0, 4], "|u1"))?.commit()?;
    /// let mut reader = b2nd::open(&path)?;
    /// let mut editor = b2nd::edit(&path)?;
    /// editor.append(0, &[7; 4])?;
    /// editor.commit()?;
    /// let items = match reader.get(&Selection::all()) {
    ///     Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Changed(_)) => {
    ///         reader.refresh()?;
    ///         reader.get(&Selection::all())?
    ///     }
    ///     other => other?,
    /// };
    /// assert_eq!(items, [7; 4]);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`open`](Self::open). Then the reader is as before.
    pub fn refresh(&mut self) -> Result<(), ReadError<S::Error>> {
        self.source.reopen().map_err(ReadError::Source)?;
        let (frame, revision) = current::open(&mut self.source, &self.dparams)?;
        self.array = Layout::of_frame(&frame, &self.dparams.limits);
        self.trailer = frame.trailer.clone().map_or_else(Once::new, Once::from);
        (self.frame, self.revision) = (frame, revision);
        (self.index, self.schunk) = (Once::new(), Once::new());
        Ok(())
    }

    /// Passes on what was read if the frame is still the one that was opened.
    pub(crate) fn settled<T>(
        &self,
        result: Result<T, ReadError<S::Error>>,
    ) -> Result<T, ReadError<S::Error>> {
        let result = result.map_err(|error| because(&self.source, error));
        let Some(revision) = &self.revision else { return result };
        match &result {
            Err(ReadError::Source(_)) => return result,
            Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Argument(_)) => return result,
            _ => {}
        }
        match revision.is_current(&self.source) {
            Ok(true) => result,
            Ok(false) => Err(Changed::Read.into()),
            Err(error) => result.and(Err(ReadError::Source(error))),
        }
    }

    /// The reader with another source, through which the same frame can be read.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let shared = reader.map_source(std::sync::Arc::new);
    /// assert_eq!(shared.nchunks()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_source<T>(self, map: impl FnOnce(S) -> T) -> Reader<T> {
        let Self { source, dparams, frame, array, revision, index, trailer, schunk, pool } = self;
        Reader { source: map(source), dparams, frame, array, revision, index, trailer, schunk, pool }
    }

    /// The limits that reading keeps.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(*reader.limits(), b2nd::Limits::default());
    /// ```
    pub const fn limits(&self) -> &Limits {
        &self.dparams.limits
    }

    /// The source.
    ///
    /// ```
    /// # let frame = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let reader = b2nd::Reader::open(&frame[..], b2nd::DParams::default())?;
    /// assert_eq!(reader.into_source(), frame);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_source(self) -> S {
        self.source
    }

    /// The source of its bytes.
    #[cfg(all(feature = "store", feature = "write"))]
    pub(crate) const fn source(&self) -> &S {
        &self.source
    }

    /// The frame's header.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(reader.frame().header.nbytes, 12 * 30 * 40 * 4);
    /// ```
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The array in the frame, `None` if it is a plain super-chunk.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.layout()?.expect("an array").shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the metalayer that describes the array is damaged; the super-chunk can be read even so.
    pub fn layout(&self) -> Result<Option<&Layout>, ReadError<S::Error>> {
        Ok(self.array.as_ref().map_err(Clone::clone)?.as_ref())
    }

    /// The frame's items in one dimension.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.schunk()?.len(), 12 * 30 * 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`: where chunks differ in size, their headers are read.
    #[inline(never)]
    pub fn schunk(&self) -> Result<&SChunk, ReadError<S::Error>> {
        self.once(&self.schunk, || match SChunk::of_header(&self.frame.header)? {
            Some(schunk) => Ok(schunk),
            None => Ok(SChunk::of_sizes(&self.frame.header, &self.chunk_sizes()?)?),
        })
    }

    /// Chunks in a row of one size, and that size.
    pub(crate) fn chunk_sizes(&self) -> Result<Vec<(u64, u32)>, ReadError<S::Error>> {
        let mut reading = SizesReading::new(self.chunks()?)?;
        self.with_memory(|memory| complete(&self.source, &mut reading, &mut memory.buffers))?;
        Ok(reading.finish()?)
    }

    /// The index of chunks.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.index()?.nchunks(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`.
    pub fn index(&self) -> Result<&ChunkIndex, ReadError<S::Error>> {
        self.once(&self.index, || drive(&self.source, IndexReading::new(&self.frame.header, &self.dparams)))
    }

    /// Chunks in the frame. Of the index no more than its chunk's header is read, and that only where chunks differ in
    /// size.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.nchunks()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`.
    pub fn nchunks(&self) -> Result<u64, ReadError<S::Error>> {
        let header = &self.frame.header;
        if let Some(nchunks) = header.nchunks() {
            return Ok(nchunks);
        }
        let (start, mut buffer) = (header.index_start(), Vec::new());
        let bytes = self.read_part((Part::Frame, start), EXTENDED_HEADER as u64, &mut buffer)?;
        self.settled(header.count_chunks(bytes).map_err(|error| error.shifted(start).into()))
    }

    /// The trailer with the attributes.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let names = reader.trailer()?.attributes.iter().map(|attribute| attribute.name());
    /// assert_eq!(names.collect::<Vec<_>>(), ["title", "units", "hours"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`.
    pub fn trailer(&self) -> Result<&Trailer, ReadError<S::Error>> {
        self.once(&self.trailer, || {
            drive(&self.source, TrailerReading::new(&self.frame.header, &self.dparams))
        })
    }

    fn once<'o, T>(
        &self,
        once: &'o Once<T>,
        make: impl FnOnce() -> Result<T, ReadError<S::Error>>,
    ) -> Result<&'o T, ReadError<S::Error>> {
        if let Some(value) = once.get() {
            return Ok(value);
        }
        let value = self.settled(make())?;
        Ok(once.get_or_init(|| value))
    }

    /// The bytes that a request asks of the source.
    fn read_at<'b>(
        &'b self,
        request: &Request,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], ReadError<S::Error>> {
        self.source.read_at(request, buffer).map_err(ReadError::Source)
    }

    /// Facts about the array or super-chunk that decoding needs.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let chunk = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?.split_off(242);
    /// assert!(b2nd::chunk::Chunk::with_context(&chunk, reader.context()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn context(&self) -> Context<'_> {
        let mut context = contents::context(&self.frame, &self.array);
        context.early_bitshuffle |= self.dparams.early_bitshuffle;
        context
    }

    /// Plans how to read a selection: of the array, or of the items if there is none.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let plan = reader.plan((-1, .., 5..7))?;
    /// assert_eq!((plan.shape() == [30, 2], plan.nbytes()), (true, 240));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit; otherwise those of [`layout`](Self::layout) and
    /// [`schunk`](Self::schunk).
    #[inline(never)]
    pub fn plan(&self, selection: impl ToSelection) -> Result<Plan, ReadError<S::Error>> {
        Ok(self.contents()?.plan(&selection.to_selection()?.0)?)
    }

    /// The array, or the items if there is none.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.contents()?.itemsize(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`layout`](Self::layout) and [`schunk`](Self::schunk).
    pub fn contents(&self) -> Result<Contents<&Layout, &SChunk>, ReadError<S::Error>> {
        Ok(match self.layout()? {
            Some(array) => Contents::Array(array),
            None => Contents::Items(self.schunk()?),
        })
    }

    /// The selected items in C order, in their stored byte order.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.get((-1, .., 5..7))?.len(), 30 * 2 * 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit, `Limit` if the items are more than the limits allow at once,
    /// `Source` and `Blosc` for what is read.
    #[inline(never)]
    pub fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        // Matched in place, as in `run`: `?` would move the plan, and take its size on the stack twice.
        match self.plan(selection) {
            Ok(ref plan) => self.get_plan(plan),
            Err(error) => Err(error),
        }
    }

    /// The items of a plan.
    pub(super) fn get_plan(&self, plan: &Plan) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.with_memory(|memory| {
            let mut out = memory.reading.scratch.zeros(plan.nbytes() as u64)?;
            let result = self.run(plan, &mut out, memory);
            memory.reading.scratch.release(out.len() as u64);
            result.map(|()| out)
        })
    }

    /// Reads into a buffer of [`Plan::nbytes`] bytes.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let (plan, mut row) = (reader.plan((0, 0))?, [0; 160]);
    /// reader.get_into(&plan, &mut row)?;
    /// assert_eq!(row[..], reader.get((0, 0))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get), `Argument` also if the buffer has another length. Then it holds nothing of use.
    pub fn get_into(&self, plan: &Plan, out: &mut [u8]) -> Result<(), ReadError<S::Error>> {
        self.with_memory(|memory| self.run(plan, out, memory))
    }

    /// Lends memory to a read.
    pub(super) fn with_memory<T>(
        &self,
        read: impl FnOnce(&mut ReadMemory) -> Result<T, ReadError<S::Error>>,
    ) -> Result<T, ReadError<S::Error>> {
        let mut memory = self.pool.take(&self.dparams);
        let result = read(&mut memory);
        self.pool.put(memory);
        self.settled(result)
    }

    #[inline(never)]
    fn run(&self, plan: &Plan, out: &mut [u8], memory: &mut ReadMemory) -> Result<(), ReadError<S::Error>> {
        let ReadMemory { reading, buffers } = memory;
        match PlanReading::new(self.chunks()?, plan, reading, out) {
            Ok(ref mut reading) => complete(&self.source, reading, buffers),
            Err(error) => Err(error.into()),
        }
    }

    /// Steps that all reading of chunks shares.
    pub(super) fn chunks(&self) -> Result<Chunks<'_>, ReadError<S::Error>> {
        Ok(Chunks {
            frame: &self.frame,
            index: self.index()?,
            context: self.context(),
            dparams: &self.dparams,
            merge: self.source.merge(),
        })
    }

    /// Where a chunk is and what its header says.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.chunk_info(0)?.header.cbytes, 12_916);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, `Source` and `Blosc`.
    pub fn chunk_info(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        self.settled(self.located(nchunk))
    }

    /// Tells the source that [`chunk_info`](Self::chunk_info) comes next for each of these chunks: it may get them at the same time.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// reader.prefetch_info(0..2)?;
    /// assert_eq!(reader.chunk_info(1)?.header.cbytes, 12_802);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`index`](Self::index), and of the source if it knows already that it will fail.
    pub fn prefetch_info(&self, chunks: Range<u64>) -> Result<(), ReadError<S::Error>> {
        let index = self.index()?;
        let request = |nchunk| match index.locate(nchunk) {
            Ok(Location::Stored { part, offset }) => {
                Some(Request { part, range: offset..offset.saturating_add(EXTENDED_HEADER as u64) })
            }
            _ => None,
        };
        let mut requests: Vec<_> = chunks.filter_map(request).collect();
        requests.sort_unstable();
        requests.dedup();
        self.settled(self.source.prefetch(&requests).map_err(ReadError::Source))
    }

    /// [`chunk_info`](Self::chunk_info) for a reader that goes on with the chunk: an error is settled, success is not.
    pub(super) fn info_of(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        self.located(nchunk).or_else(|error| self.settled(Err(error)))
    }

    fn located(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        let location = self.index()?.locate(nchunk)?;
        let header = match location {
            Location::Special(value) => self.frame.header.special_chunk(nchunk, value)?,
            Location::Stored { part, offset } => {
                let mut buffer = Vec::new();
                let bytes = self.read_part((part, offset), EXTENDED_HEADER as u64, &mut buffer)?;
                ChunkHeader::parse(bytes).map_err(|error| error.shifted(offset).in_chunk(nchunk))?
            }
        };
        Ok(ChunkInfo { location, header })
    }

    /// `len` bytes from a place on; fewer if the part ends earlier, but some if it is a file of its own.
    pub(crate) fn read_part<'b>(
        &'b self,
        (part, offset): (Part, u64),
        len: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], ReadError<S::Error>> {
        let range = offset..offset.saturating_add(len);
        let bytes = self.read_at(&Request { part, range }, buffer)?;
        match part {
            Part::Chunk(file) if bytes.is_empty() && len > 0 => {
                Err(Error::format(Malformed::MissingChunk { file }).into())
            }
            _ => Ok(bytes),
        }
    }

    /// A whole chunk as it is stored; `None` for one that is only an entry of the index.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let chunk = reader.stored_chunk(1)?.expect("it is in the file");
    /// assert_eq!(b2nd::chunk::Header::parse(&chunk)?, reader.chunk_info(1)?.header);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get).
    pub fn stored_chunk(&self, nchunk: u64) -> Result<Option<Vec<u8>>, ReadError<S::Error>> {
        let info = self.info_of(nchunk)?;
        let Location::Stored { part, offset } = info.location else { return Ok(None) };
        let len = self.dparams.limits.allow_memory(info.header.cbytes.into())? as u64;
        let mut buffer = Vec::new();
        let bytes = self.read_part((part, offset), len, &mut buffer)?;
        if (bytes.len() as u64) < len {
            let missing = Malformed::Truncated { needed: len, available: bytes.len() as u64 };
            return Err(Error::format_at(missing, offset).in_chunk(nchunk).into());
        }
        Ok(Some(bytes.to_vec()))
    }

    /// A whole chunk, plain. Its padding, if it is part of an array, is included.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.chunk(1)?.len(), 6 * 30 * 40 * 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get).
    pub fn chunk(&self, nchunk: u64) -> Result<Vec<u8>, ReadError<S::Error>> {
        let info = self.info_of(nchunk)?;
        self.with_memory(|memory| {
            let Location::Stored { part, offset } = info.location else {
                return Ok(Chunk::of_special(info.header).decode(&mut memory.reading.scratch)?);
            };
            let len = self.dparams.limits.allow_memory(info.header.cbytes.into())? as u64;
            let (fetch, buffer) = memory.buffer();
            let bytes = self.read_part((part, offset), len, buffer)?;
            let decoded = Chunk::with_context(bytes, self.context()).and_then(|chunk| {
                self.frame.header.check_chunk(nchunk, chunk.header())?;
                chunk.decode(&mut fetch.scratch)
            });
            Ok(decoded.map_err(|error| error.shifted(offset).in_chunk(nchunk))?)
        })
    }
}

//! Frames in memories that are read asynchronously.
//!
//! There is no second reader: each step is one of a [`FetchedFrame`] in a memory that has only what was fetched to its buffer. A step that
//! fails because bytes are missing is done again when they have been fetched.

use super::fetching::Fetched;
use super::held::{Held, Missing};
use super::{AreaWork, AsyncReadFlash, FetchedFrame};
use crate::array::Layout;
use crate::base::{ArgumentError, Error, Result, buffer_len, wide};
use crate::chunk::{Progress, Sink, Window};
use crate::frame::{Header, Location};
use crate::plan::{Index, Plan};
use crate::reading::{Scatter, check_task};
use crate::source::ReadError;
use core::fmt;
use core::iter::once;
use core::ops::Range;

/// A contiguous frame in a memory that is read asynchronously, such as a flash whose driver waits for DMA.
///
/// It is a [`FetchedFrame`] in all else: the same frames, buffer, area, and reads. The memory is an [`AsyncReadFlash`]; with the feature
/// `embedded-storage-async`, a driver in a `source::AsyncNor`. Calls can be dropped at any point.
///
/// ```
/// use b2nd::Index;
/// use b2nd::filter::SHUFFLE;
/// use b2nd::source::flash::{Area, AsyncFrame, AsyncReadFlash, Zlib, Zstd, area_len, fetch_len};
///
/// /// In its place: a driver.
/// struct Memory(Vec<u8>);
///
/// impl AsyncReadFlash for Memory {
///     type Error = core::convert::Infallible;
///
///     async fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error> {
///         tokio::task::yield_now().await;
///         dst.copy_from_slice(&self.0[offset as usize..][..dst.len()]);
///         Ok(())
///     }
/// }
///
/// # const BLOCK: usize = 15360;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let place = 0..file.len() as u32;
/// let mut buffer = [0; fetch_len(BLOCK, &[SHUFFLE], 4, 8, 16)];
/// let mut frame = AsyncFrame::open(Memory(file), place, &mut buffer).await?;
/// assert_eq!(frame.layout().expect("an array").shape(), [12, 30, 40]);
///
/// let mut area: Area<{ area_len(BLOCK, &[SHUFFLE], 16) }, (Zlib, Zstd)> = Area::new((Zlib::new(), Zstd::new()));
/// let mut work = area.work();
/// let mut item = [0; 4];
/// frame.item(&[3, 20, 7], &mut work, &mut item).await?;
///
/// let plan = frame.plan(&[Index::At(3), Index::At(20)])?;
/// let mut row = [0; 40 * 4];
/// frame.read(&plan, &mut work, &mut row).await?;
/// assert_eq!(row[7 * 4..][..4], item);
/// # Ok(()) }
/// ```
pub struct AsyncFrame<'a, M> {
    memory: M,
    frame: FetchedFrame<'a, Held>,
}

impl<M> fmt::Debug for AsyncFrame<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncFrame").field("frame", &self.frame).finish_non_exhaustive()
    }
}

/// A chunk to fetch.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// The index.
    Index,
    /// The chunk with this number, and where it is.
    Chunk(u64, Location),
}

impl Place {
    /// An error in this chunk.
    fn told(self, start: u32, error: Error) -> Error {
        match self {
            Self::Index => error.shifted(start.into()),
            Self::Chunk(nchunk, _) => error.in_chunk(nchunk),
        }
    }
}

impl<'a, M: AsyncReadFlash> AsyncFrame<'a, M> {
    /// Opens the frame that begins where `place` does and ends within it, as [`FetchedFrame::open`] does.
    ///
    /// # Errors
    /// `Source` if the memory fails, else errors of [`FetchedFrame::open`].
    pub async fn open(
        mut memory: M,
        place: Range<u32>,
        buffer: &'a mut [u8],
    ) -> Result<Self, ReadError<M::Error>> {
        let mut held = Held::default();
        loop {
            let missing = match FetchedFrame::open(held.clone(), place.clone(), &mut *buffer) {
                Ok(_) => break,
                Err(ReadError::Source(missing)) => missing,
                Err(ReadError::Blosc(error)) => return Err(error.into()),
            };
            fetch(&mut memory, missing, &mut held, buffer).await?;
        }
        // All that it takes has been fetched.
        let frame = FetchedFrame::open(held, place, buffer).map_err(fetched)?;
        Ok(Self { memory, frame })
    }

    /// The frame's header. It is not kept but read anew.
    ///
    /// # Errors
    /// `Source` if the memory fails.
    pub async fn header(&mut self) -> Result<Header, ReadError<M::Error>> {
        self.frame.source.memory.forget(0);
        self.run(|frame| frame.header()).await
    }

    /// The content of the metalayer with this name, in the buffer.
    ///
    /// # Errors
    /// Errors of [`FetchedFrame::metalayer`].
    pub async fn metalayer(&mut self, name: &str) -> Result<Option<&[u8]>, ReadError<M::Error>> {
        self.header().await?;
        self.frame.metalayer(name).map_err(fetched)
    }

    /// The array in the frame, `None` if it is a plain super-chunk, of which selections have one dimension.
    pub const fn layout(&self) -> Option<&Layout> {
        self.frame.layout()
    }

    /// The array's dtype, as stored, in the buffer.
    ///
    /// # Errors
    /// `Source` if the memory fails.
    pub async fn dtype(&mut self) -> Result<Option<&str>, ReadError<M::Error>> {
        self.header().await?;
        self.frame.dtype().map_err(fetched)
    }

    /// Chunks in the frame.
    pub fn nchunks(&self) -> u64 {
        self.frame.nchunks()
    }

    /// Plans how to read a part of the array, as [`FetchedFrame::plan`] does.
    ///
    /// # Errors
    /// `Argument` if the selection does not fit.
    pub fn plan(&self, selection: &[Index]) -> Result<Plan> {
        self.frame.plan(selection)
    }

    /// Block `nblock` of chunk `nchunk`, plain; it lies in the area.
    ///
    /// # Errors
    /// `Source` if the memory fails, else errors of [`FetchedFrame::block`].
    pub async fn block<'w>(
        &mut self,
        nchunk: u64,
        nblock: u32,
        work: &'w mut AreaWork<'_>,
    ) -> Result<&'w [u8], ReadError<M::Error>> {
        let Place::Chunk(_, location) = self.locate(nchunk, work).await? else {
            return Err(ArgumentError::NotAsked.into());
        };
        let in_chunk = |error: Error| error.in_chunk(nchunk);
        self.run(|frame| {
            let chunk = frame.chunk_at(nchunk, location);
            let fetched = chunk.and_then(|mut chunk| chunk.block_bytes(nblock).map(drop).map_err(in_chunk));
            frame.source.told(fetched)
        })
        .await?;
        // Nothing of it is missing.
        let mut chunk = self.frame.chunk_at(nchunk, location)?;
        Ok(chunk.block(nblock, work).map_err(in_chunk)?)
    }

    /// The item at a position, to `out`.
    ///
    /// # Errors
    /// `Source` if the memory fails, else errors of [`FetchedFrame::item`].
    pub async fn item(
        &mut self,
        position: &[u64],
        work: &mut AreaWork<'_>,
        out: &mut [u8],
    ) -> Result<(), ReadError<M::Error>> {
        let grid = self.frame.contents.grid();
        buffer_len(grid.itemsize as usize, out)?;
        let (nchunk, at) = grid.item(position)?;
        let place = self.locate(wide(nchunk), work).await?;
        self.bytes_into(place, at, out, work).await
    }

    /// The items of a plan in C order, in their stored byte order, to `out`, which has [`Plan::nbytes`] bytes.
    ///
    /// # Errors
    /// `Source` if the memory fails, else errors of [`FetchedFrame::read`].
    pub async fn read(
        &mut self,
        plan: &Plan,
        work: &mut AreaWork<'_>,
        out: &mut [u8],
    ) -> Result<(), ReadError<M::Error>> {
        buffer_len(plan.nbytes(), out)?;
        for task in plan.chunks() {
            let place = self.locate(task.nchunk(), work).await?;
            let header = self.step(place, |chunk| Ok(*chunk.head.header())).await?;
            check_task(&header, &task).map_err(|error| error.in_chunk(task.nchunk()))?;
            let mut progress = Progress::default();
            for nblock in plan.blocks(&task, header.blocksize) {
                let mut sink = Scatter { plan, task: &task, out: &mut *out };
                progress = self.read_block(place, nblock, (&mut sink, progress), work).await?;
            }
        }
        Ok(())
    }

    /// Where a chunk is.
    async fn locate(&mut self, nchunk: u64, work: &mut AreaWork<'_>) -> Result<Place, ReadError<M::Error>> {
        self.frame.source.memory.forget(0);
        let (at, mut entry) = (self.frame.entry_at(nchunk)?, [0; 8]);
        self.bytes_into(Place::Index, at, &mut entry, work).await?;
        Ok(Place::Chunk(nchunk, self.frame.location(nchunk, entry)?))
    }

    /// Copies the plain bytes of a chunk from `at` on to `dst`, block by block.
    async fn bytes_into(
        &mut self,
        place: Place,
        at: usize,
        dst: &mut [u8],
        work: &mut AreaWork<'_>,
    ) -> Result<(), ReadError<M::Error>> {
        let len = dst.len();
        let blocks = self.step(place, |chunk| chunk.blocks_of(at, len)).await?;
        let mut progress = Progress::default();
        for nblock in blocks {
            let mut sink = Window { start: at, dst: &mut *dst };
            progress = self.read_block(place, nblock, (&mut sink, progress), work).await?;
        }
        Ok(())
    }

    /// Decodes a block for `sink`. Returns how far the chunk has been read then.
    async fn read_block(
        &mut self,
        place: Place,
        nblock: u32,
        (sink, progress): (&mut dyn Sink, Progress),
        work: &mut AreaWork<'_>,
    ) -> Result<Progress, ReadError<M::Error>> {
        self.step(place, |chunk| {
            let mut progress = progress;
            chunk.read(&mut once(nblock), sink, &mut progress, work)?;
            Ok(progress)
        })
        .await
    }

    /// Does something with a chunk, of which the head and not more than one block is needed.
    async fn step<T>(
        &mut self,
        place: Place,
        mut operation: impl FnMut(&mut Fetched<'_, Held>) -> Result<T>,
    ) -> Result<T, ReadError<M::Error>> {
        self.run(|frame| {
            let (start, tile) = (frame.index, frame.contents.grid().tile_nbytes() as u32);
            let chunk = match place {
                Place::Index => frame.index_chunk(),
                Place::Chunk(nchunk, location) => frame.chunk_at(nchunk, location),
            };
            let done = chunk.and_then(|mut chunk| {
                chunk.cut(if let Place::Index = place { chunk.head.header().blocksize } else { tile });
                operation(&mut chunk).map_err(|error| place.told(start, error))
            });
            frame.source.told(done)
        })
        .await
    }

    /// Runs an operation, again whenever bytes that it missed have been fetched.
    async fn run<T>(
        &mut self,
        mut operation: impl FnMut(&mut FetchedFrame<'a, Held>) -> Result<T, ReadError<Missing>>,
    ) -> Result<T, ReadError<M::Error>> {
        loop {
            let missing = match operation(&mut self.frame) {
                Ok(done) => return Ok(done),
                Err(ReadError::Source(missing)) => missing,
                Err(ReadError::Blosc(error)) => return Err(error.into()),
            };
            fetch(&mut self.memory, missing, &mut self.frame.source.memory, self.frame.buffer).await?;
        }
    }
}

/// Fetches bytes to the place in the buffer where they are missing.
async fn fetch<M: AsyncReadFlash>(
    memory: &mut M,
    missing: Missing,
    held: &mut Held,
    buffer: &mut [u8],
) -> Result<(), ReadError<M::Error>> {
    let start = missing.place.start - buffer.as_ptr().addr();
    // Until all are there.
    held.forget(missing.place.start);
    memory
        .read(missing.offset, &mut buffer[start..][..missing.place.len()])
        .await
        .map_err(ReadError::Source)?;
    held.add(missing);
    Ok(())
}

/// The error of an operation that misses nothing.
fn fetched<E>(error: ReadError<Missing>) -> ReadError<E> {
    match error {
        ReadError::Source(_) => ArgumentError::NotAsked.into(),
        ReadError::Blosc(error) => error.into(),
    }
}

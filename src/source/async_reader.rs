//! The asynchronous reader.

use super::async_ahead::{AHEAD, in_order, parts};
use super::async_driving::{Fetching, Steps};
use super::async_fetched::{Fetched, Missing};
use super::async_read::AsyncReadAt;
use super::async_shares::shares;
use super::typed::{AT_ONCE_PARALLEL, Decoding, under_way};
use super::{ChunkInfo, ReadAt, ReadError, Reader};
use crate::array::{Dtype, Element, Layout, Values};
use crate::base::{Limits, buffer_len};
use crate::chunk::DParams;
use crate::contents::Contents;
use crate::frame::{ChunkIndex, Frame, Trailer};
use crate::plan::{Plan, ToSelection};
use crate::reading::{PlanReading, ReadingMemory};
use crate::schunk::SChunk;
use alloc::vec;
use alloc::vec::Vec;
use core::mem;

/// Reads a frame of an asynchronous source: the counterpart of [`Reader`].
///
/// Opening reads the header and nothing else; a header longer than 8 KiB takes a second request. A read asks for batches of ranges,
/// and the source may bring those of a batch at the same time. Each batch is decoded when it is there, by the thread that polls,
/// and with the feature `rayon` by others as well. Dropping a future ends its operation. Tasks may share a reader.
///
/// `M` is where the frame is: in the source itself, or in a member of a store, such as
/// [`Member<Fetched>`](crate::store::Member).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::{DParams, source::AsyncReader};
/// let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let reader = AsyncReader::open(source, DParams::default()).await?;
/// let items = reader.get((-1, .., 5..7)).await?;
/// assert_eq!(items.len(), 30 * 2 * 4);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct AsyncReader<S, M = Fetched> {
    fetching: Fetching<S>,
    reader: Reader<M>,
}

impl<S: AsyncReadAt> AsyncReader<S> {
    /// Opens the frame in `source`, or the chunk.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, source::AsyncReader};
    /// let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let reader = AsyncReader::open(source, DParams::default()).await?;
    /// assert_eq!(reader.index().await?.nchunks(), 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::open`].
    pub async fn open(source: S, dparams: DParams) -> Result<Self, ReadError<S::Error>> {
        let fetching = Fetching::new(source);
        let reader = fetching.run(|| Reader::open(fetching.fetched(), dparams.clone())).await?;
        Ok(Self { fetching, reader })
    }
}

impl<S: AsyncReadAt, M: ReadAt<Error = Missing> + Sync> AsyncReader<S, M> {
    #[cfg(all(feature = "store", target_has_atomic = "ptr"))]
    pub(crate) const fn new(fetching: Fetching<S>, reader: Reader<M>) -> Self {
        Self { fetching, reader }
    }

    /// Runs an operation of the synchronous [`Reader`]. Where it lacks bytes it fails with [`Missing`]; these are fetched, and it is
    /// called again until it has all. What it has fetched stays in memory until then, so an operation should read little at once.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, source::AsyncReader};
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = AsyncReader::open(source, DParams::default()).await?;
    /// let block = reader.run(|reader| reader.block(0, 1)).await?;
    /// assert_eq!(block.len(), 3 * 10 * 20 * 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the source and of the operation.
    pub async fn run<'r, T>(
        &'r self,
        mut operation: impl FnMut(&'r Reader<M>) -> Result<T, ReadError<Missing>>,
    ) -> Result<T, ReadError<S::Error>> {
        self.fetching.run(|| operation(&self.reader)).await
    }

    /// The source.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, source::AsyncReader};
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = AsyncReader::open(source, DParams::default()).await?;
    /// assert_eq!(reader.frame().header.frame_len, reader.source().len() as u64);
    /// # Ok(()) }
    /// ```
    pub fn source(&self) -> &S {
        self.fetching.source()
    }

    /// The limits that reading keeps.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(*reader.limits(), b2nd::Limits::default());
    /// # Ok(()) }
    /// ```
    pub const fn limits(&self) -> &Limits {
        self.reader.limits()
    }

    /// The frame's header.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.frame().header.nbytes, 12 * 30 * 40 * 4);
    /// # Ok(()) }
    /// ```
    pub const fn frame(&self) -> &Frame {
        self.reader.frame()
    }

    /// The array in the frame, `None` if it is a plain super-chunk.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.layout().await?.expect("an array").shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Format` if the metalayer that describes the array is damaged.
    pub async fn layout(&self) -> Result<Option<&Layout>, ReadError<S::Error>> {
        self.run(Reader::layout).await
    }

    /// The index of chunks. The first call reads it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.index().await?.nchunks(), 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`.
    pub async fn index(&self) -> Result<&ChunkIndex, ReadError<S::Error>> {
        self.run(Reader::index).await
    }

    /// The trailer with the attributes. The first call reads it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.trailer().await?.attributes.len(), 3);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Source` and `Blosc`.
    pub async fn trailer(&self) -> Result<&Trailer, ReadError<S::Error>> {
        self.run(Reader::trailer).await
    }

    /// The array, or the items if there is none.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.contents().await?.itemsize(), 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::contents`].
    pub async fn contents(&self) -> Result<Contents<&Layout, &SChunk>, ReadError<S::Error>> {
        self.run(Reader::contents).await
    }

    /// The dtype of the items.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.dtype().await?.to_string(), "<f4");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`contents`](Self::contents).
    pub async fn dtype(&self) -> Result<Dtype, ReadError<S::Error>> {
        self.run(Reader::dtype).await
    }

    /// Where a chunk is and what its header says.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.chunk_info(0).await?.header.cbytes, 12_916);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::chunk_info`].
    pub async fn chunk_info(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        self.run(|reader| reader.chunk_info(nchunk)).await
    }

    /// A whole chunk, plain.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.chunk(1).await?.len(), 6 * 30 * 40 * 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::chunk`].
    pub async fn chunk(&self, nchunk: u64) -> Result<Vec<u8>, ReadError<S::Error>> {
        self.run(|reader| reader.chunk(nchunk)).await
    }

    /// Decodes all blocks of a chunk, and keeps none.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.verify(0).await?.header.nbytes, 28_800);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::verify`].
    pub async fn verify(&self, nchunk: u64) -> Result<ChunkInfo, ReadError<S::Error>> {
        self.run(|reader| reader.verify(nchunk)).await
    }

    /// Plans how to read a selection: of the array, or of the items if there is none.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.plan((-1, .., 5..7)).await?.nbytes(), 240);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::plan`].
    pub async fn plan(&self, selection: impl ToSelection) -> Result<Plan, ReadError<S::Error>> {
        let selection = selection.to_selection()?;
        self.run(|reader| reader.plan(&*selection)).await
    }

    /// The selected items in C order, in their stored byte order.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.get((-1, .., 5..7)).await?.len(), 30 * 2 * 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::get`].
    pub async fn get(&self, selection: impl ToSelection) -> Result<Vec<u8>, ReadError<S::Error>> {
        let plan = self.plan(selection).await?;
        let mut out = vec![0; self.limits().allow_memory(plan.nbytes() as u64)?];
        self.get_into(&plan, &mut out).await?;
        Ok(out)
    }

    /// Reads into a buffer of [`Plan::nbytes`] bytes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, source::AsyncReader};
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = AsyncReader::open(source, DParams::default()).await?;
    /// let (plan, mut row) = (reader.plan((0, 0)).await?, [0; 160]);
    /// reader.get_into(&plan, &mut row).await?;
    /// assert_eq!(row[..], reader.get((0, 0)).await?);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`get`](Self::get), `Argument` also if the buffer has another length. Then it holds nothing of use.
    pub async fn get_into(&self, plan: &Plan, out: &mut [u8]) -> Result<(), ReadError<S::Error>> {
        buffer_len(plan.nbytes(), out)?;
        let parts = parts(plan, self.run(Reader::chunks).await?.merge.batch);
        let mut rest = out;
        let reads = parts.iter().map(|part| {
            let (items, others) = mem::take(&mut rest).split_at_mut(part.nbytes());
            rest = others;
            self.get_part(part, items, parts.len())
        });
        in_order(AHEAD, reads, |()| ()).await
    }

    /// Reads one of so many parts that are read at the same time.
    async fn get_part(&self, plan: &Plan, out: &mut [u8], of: usize) -> Result<(), ReadError<S::Error>> {
        let mut chunks = self.run(Reader::chunks).await?;
        let shares = shares(plan);
        // Together they hold no more than one would.
        chunks.merge.batch = (chunks.merge.batch / (of.min(AHEAD) * shares.len()) as u64).max(1);
        let mut memory: Vec<_> = shares.iter().map(|_| ReadingMemory::new(chunks.dparams)).collect();
        let mut rest = out;
        let mut readings = Vec::with_capacity(shares.len());
        for (share, memory) in shares.iter().zip(&mut memory) {
            let (part, others) = mem::take(&mut rest).split_at_mut(share.nbytes());
            rest = others;
            readings.push(Steps::new(PlanReading::new(chunks, share, memory, part)?.of(plan, shares.len())));
        }
        self.fetching.complete(&self.reader, &mut readings).await
    }

    async fn get_share(&self, plan: &Plan, of: usize) -> Result<Vec<u8>, ReadError<S::Error>> {
        let mut items = vec![0; plan.nbytes()];
        self.get_part(plan, &mut items, of).await?;
        Ok(items)
    }

    /// The selected values, in the byte order of this machine. The axes of a sub-array dtype follow those of the array.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(reader.read::<f32>("-1, ::10, 5").await?.shape(), [3]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::read`].
    pub async fn read<T: Element>(
        &self,
        selection: impl ToSelection,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        let plan = self.plan(selection).await?;
        let dtype = self.dtype().await?;
        self.values(&plan, &dtype).await
    }

    /// Like [`read`](Self::read), for items of this dtype, whatever the frame says.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = b2nd::source::AsyncReader::open(source, b2nd::DParams::default()).await?;
    /// let bits = reader.read_as::<u32>("0, 0, :3", &b2nd::array::Dtype::of::<u32>()).await?;
    /// assert_eq!(bits.shape(), [3]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Reader::read_as`].
    pub async fn read_as<T: Element>(
        &self,
        selection: impl ToSelection,
        dtype: &Dtype,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        let plan = self.plan(selection).await?;
        self.values(&plan, dtype).await
    }

    async fn values<T: Element>(&self, plan: &Plan, dtype: &Dtype) -> Result<Values<T>, ReadError<S::Error>> {
        self.index().await?;
        let at_once = AT_ONCE_PARALLEL / AHEAD;
        let (mut decoding, shares) =
            self.run(|reader| Decoding::new(reader, plan, dtype, at_once, AHEAD)).await?;
        let reads = shares.iter().map(|share| self.get_share(share, shares.len()));
        let ahead = under_way(&shares, at_once, AHEAD);
        in_order(ahead, reads, |items| decoding.take(&items)).await?;
        decoding.finish()
    }
}

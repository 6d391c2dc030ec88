//! Chunks that are objects of a store.

use super::{Finished, Numbers, encoder};
use crate::array::{ArrayEncoder, ArrayParams, Element, Layout};
use crate::base::{ArgumentError, Error as BloscError, Result as Checked};
use crate::chunk::{DParams, EXTENDED_HEADER};
use crate::frame::{FrameEditor, Part, Step};
use crate::sink::{Editor, Memory, WriteAt};
use crate::source::paths::{INDEX, chunk_number, part_name};
use crate::source::{AsyncReader, ObjectSource, ReadError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use futures_util::stream::{StreamExt, TryStreamExt, iter};
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload, UpdateVersion};

/// Requests that are under way at a time.
const REQUESTS: usize = 16;

type Written<T> = Result<T, ReadError<Error>>;

/// [`ChunkWriter`](super::ChunkWriter) for a store of the crate object_store: each chunk is an object.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::array::ArrayParams;
/// use b2nd::sink::{ObjectChunkWriter, finish_chunk_objects};
/// use b2nd::source::{AsyncArray, ObjectSource};
/// use object_store::{ObjectStore, memory::InMemory};
/// use std::sync::Arc;
///
/// let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
/// let params = ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
/// ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
/// // On each of many machines:
/// let mut writer = ObjectChunkWriter::open(Arc::clone(&store), "image.b2nd").await?;
/// writer.set(1, &[7; 12]).await?;
/// // On one of them, when all have ended:
/// let finished = finish_chunk_objects(&store, "image.b2nd").await?;
/// assert_eq!((finished.written, finished.missing), (1, 1));
/// let array = AsyncArray::from_source(ObjectSource::open(store, "image.b2nd").await?).await?;
/// assert_eq!(array.get("1:3, 0").await?, [0, 7]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct ObjectChunkWriter {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    encoder: ArrayEncoder,
    numbers: Numbers,
}

impl ObjectChunkWriter {
    /// Creates an array of zeros, whose only object is an index.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// use b2nd::sink::ObjectChunkWriter;
    /// ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// assert!(ObjectChunkWriter::create(&store, "image.b2nd", &params).await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Source` of `AlreadyExists` if there is an index, and others of the store; `Blosc` for invalid parameters.
    pub async fn create(
        store: &Arc<dyn ObjectStore>,
        path: impl Into<Path>,
        params: &ArrayParams,
    ) -> Written<()> {
        let index = empty(params)?;
        let path = path.into().join(INDEX);
        let put = store.put_opts(&path, index.into(), PutMode::Create.into());
        put.await.map(drop).map_err(ReadError::Source)
    }

    /// Opens the objects of a sparse frame.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// use b2nd::sink::ObjectChunkWriter;
    /// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// let writer = ObjectChunkWriter::open(store, "image.b2nd").await?;
    /// assert_eq!(writer.layout().chunkshape(), [2, 6]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the store and of reading the index; `Argument` for a frame that is contiguous or has no array.
    pub async fn open(store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Written<Self> {
        let folder = path.into();
        let source =
            ObjectSource::open(Arc::clone(&store), folder.clone()).await.map_err(ReadError::Source)?;
        let reader = AsyncReader::open(source, DParams::default()).await?;
        let (encoder, numbers) = reader
            .run(|reader| {
                let encoder = encoder(reader.frame(), reader.layout()?)?;
                Ok((encoder, Numbers::of_index(reader.index()?)?))
            })
            .await?;
        Ok(Self { store, folder, encoder, numbers })
    }

    /// The array.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # use b2nd::sink::ObjectChunkWriter;
    /// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// # let writer = ObjectChunkWriter::open(store, "image.b2nd").await?;
    /// // Which items each chunk has.
    /// let last = writer.layout().chunks().last().expect("a chunk");
    /// assert_eq!(last.items, [2..4, 0..6]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        self.encoder.layout()
    }

    /// Whether chunk `nchunk` was written since the index was.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # use b2nd::sink::ObjectChunkWriter;
    /// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// # let mut writer = ObjectChunkWriter::open(store, "image.b2nd").await?;
    /// writer.set(0, &[1; 12]).await?;
    /// assert!(writer.is_written(0).await? && !writer.is_written(1).await?);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk; errors of the store.
    pub async fn is_written(&self, nchunk: u64) -> Written<bool> {
        match self.store.head(&self.path(nchunk)?).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(ReadError::Source(error)),
        }
    }

    /// Writes chunk `nchunk`. `items` are those of the chunk that lie within the array, in C order.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # use b2nd::sink::ObjectChunkWriter;
    /// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// # let mut writer = ObjectChunkWriter::open(store, "image.b2nd").await?;
    /// writer.set(0, &[1; 12]).await?;
    /// writer.set(0, &[1; 12]).await?;
    /// assert!(writer.set(0, &[2; 12]).await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, or if `items` does not have its length; `Source` of `AlreadyExists` if the chunk was written
    /// with other items, and others of the store.
    pub async fn set(&mut self, nchunk: u64, items: &[u8]) -> Written<()> {
        let chunk = self.encoder.encode(nchunk, items)?;
        self.place(nchunk, chunk).await
    }

    /// Writes chunk `nchunk` of values, like [`set`](Self::set).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
    /// # let params = b2nd::array::ArrayParams::new(&[4, 6], ">f4").with_chunks(&[2, 6]);
    /// # use b2nd::sink::ObjectChunkWriter;
    /// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
    /// # let mut writer = ObjectChunkWriter::open(store, "image.b2nd").await?;
    /// writer.write(0, &[0.5_f32; 12]).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`set`](Self::set).
    pub async fn write<T: Element>(&mut self, nchunk: u64, values: &[T]) -> Written<()> {
        let chunk = self.encoder.encode_values(nchunk, values)?;
        self.place(nchunk, chunk).await
    }

    async fn place(&self, nchunk: u64, chunk: Vec<u8>) -> Written<()> {
        let path = self.path(nchunk)?;
        let payload = PutPayload::from(chunk);
        match self.store.put_opts(&path, payload.clone(), PutMode::Create.into()).await {
            Err(error @ Error::AlreadyExists { .. }) => {
                let there = self.store.get(&path).await.map_err(ReadError::Source)?;
                let there = there.bytes().await.map_err(ReadError::Source)?;
                let is_equal = there.iter().eq(payload.iter().flatten());
                if is_equal { Ok(()) } else { Err(ReadError::Source(error)) }
            }
            put => put.map(drop).map_err(ReadError::Source),
        }
    }

    fn path(&self, nchunk: u64) -> Checked<Path> {
        Ok(self.folder.clone().join(part_name(Part::Chunk(self.numbers.file(nchunk)?))))
    }
}

/// The index of an array of zeros.
fn empty(params: &ArrayParams) -> Checked<Vec<u8>> {
    let params = ArrayParams { sparse: true, ..params.clone() };
    let editor = Editor::create_array(Memory::default(), &params);
    let mut frame: FrameEditor = editor.map_err(BloscError::from)?.frame().clone();
    let replaced = frame.commit()?.into_iter().find_map(|step| match step {
        Step::Replace(bytes) => Some(bytes),
        _ => None,
    });
    replaced.ok_or(ArgumentError::NotSparse.into())
}

/// [`finish_chunks`](super::finish_chunks) for a store of the crate object_store.
///
/// The new index replaces only the one that was read (`PutMode::Update`): of two that finish at the same time, one fails, and readers see
/// all new chunks, or none. The store must be able to do that, as those of S3, Google Cloud and Azure are.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::sync::Arc;
/// # let store: Arc<dyn object_store::ObjectStore> = Arc::new(object_store::memory::InMemory::new());
/// # let params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
/// # use b2nd::sink::{ObjectChunkWriter, finish_chunk_objects};
/// # ObjectChunkWriter::create(&store, "image.b2nd", &params).await?;
/// # ObjectChunkWriter::open(Arc::clone(&store), "image.b2nd").await?.set(0, &[1; 12]).await?;
/// let finished = finish_chunk_objects(&store, "image.b2nd").await?;
/// assert_eq!((finished.written, finished.missing), (1, 1));
/// # Ok(()) }
/// ```
///
/// # Errors
/// `Source` of `Precondition` if the index was replaced, and others of the store; `Format` for an object that is not the chunk that it should
/// be. Then the index is the old one, and finishing can begin again.
pub async fn finish_chunk_objects(store: &Arc<dyn ObjectStore>, path: impl Into<Path>) -> Written<Finished> {
    let folder = path.into();
    let index = folder.clone().join(INDEX);
    let read = store.get(&index).await.map_err(ReadError::Source)?;
    let version = UpdateVersion { e_tag: read.meta.e_tag.clone(), version: read.meta.version.clone() };
    let bytes = read.bytes().await.map_err(ReadError::Source)?.to_vec();
    let chunks: Vec<(u32, ObjectMeta)> = store
        .list(Some(&folder))
        .try_filter_map(async |object| {
            Ok(object.location.filename().and_then(chunk_number).map(|file| (file, object)))
        })
        .try_collect()
        .await
        .map_err(ReadError::Source)?;
    let mut memory = Memory::from(bytes);
    heads(store, &chunks, &mut memory).await.map_err(ReadError::Source)?;
    let mut editor = Editor::open_array(memory, DParams::default()).map_err(BloscError::from)?;
    let numbers = Numbers::of_editor(editor.frame())?;
    let mut written = 0;
    for (file, object) in &chunks {
        let Some(nchunk) = numbers.nchunk(*file) else { continue };
        let expected = editor.adopt(nchunk, *file).map_err(BloscError::from)?;
        if u64::from(expected) != object.size {
            let error = BloscError::truncated(0, expected as usize, object.size as usize);
            return Err(error.in_chunk(nchunk).into());
        }
        written += 1;
    }
    if written > 0 {
        editor.commit().map_err(BloscError::from)?;
        let bytes = editor.into_sink().into_bytes();
        let put = store.put_opts(&index, bytes.into(), PutMode::Update(version).into());
        put.await.map_err(ReadError::Source)?;
    }
    Ok(numbers.finished(written))
}

/// Reads the headers of chunks.
async fn heads(
    store: &Arc<dyn ObjectStore>,
    chunks: &[(u32, ObjectMeta)],
    memory: &mut Memory,
) -> Result<(), Error> {
    let requests = chunks.iter().map(async |(file, object)| {
        let range = 0..object.size.min(EXTENDED_HEADER as u64);
        Ok::<_, Error>((*file, store.get_range(&object.location, range).await?))
    });
    let mut heads = iter(requests).buffer_unordered(REQUESTS);
    while let Some((file, head)) = heads.try_next().await? {
        // Memory does not fail.
        let Ok(()) = memory.write_at(Part::Chunk(file), 0, &head);
    }
    Ok(())
}

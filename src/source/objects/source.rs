//! An object as a source.

use super::release::path::Path;
use super::release::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt};
use super::traffic::Traffic;
use crate::base::Changed;
use crate::frame::{Part, Request};
use crate::reading::Merge;
use crate::source::async_read::AsyncReadAt;
use crate::source::error::ReadError;
use crate::source::paths::{INDEX, part_name};
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use futures_util::stream::{StreamExt, TryStreamExt, iter};

/// Bytes that are read when an object is opened: in nearly all frames they contain the header.
const FIRST: u64 = 8 << 10;

/// Bytes of the largest object that is read whole from a store without ranges.
const WHOLE: u64 = 16 << 20;

/// Requests of a batch that are under way at a time.
const REQUESTS: usize = 16;

/// A frame or a store in an object: of a cloud, an HTTP server, a directory, or memory.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::source::{AsyncArray, ObjectSource};
/// use object_store::{ObjectStore, local::LocalFileSystem};
/// use std::sync::Arc;
///
/// let store: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new_with_prefix("tests/golden")?);
/// let source = ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
/// let array = AsyncArray::from_source(source).await?;
/// assert_eq!(array.read::<f32>("-1, ::10, 5").await?.shape(), [3]);
/// # Ok(()) }
/// ```
///
/// All bytes are of the object that was opened: requests carry its ETag (`If-Match`), if it has a strong one, and the ETag or else
/// the time of each answer, and its length, are compared. If the object was replaced, reading fails with
/// [`Changed`](crate::Changed); open it again. Failed requests are repeated by object_store, after growing times with jitter, as the
/// store's `RetryConfig` says; what remains is an error of the source.
///
/// The ranges of a batch are merged as [`Merge`] says, and some of them are read at the same time. From an HTTP server without ranges
/// an object of up to 16 MiB is read whole when it is opened.
#[derive(Debug, Clone)]
pub struct ObjectSource {
    store: Arc<dyn ObjectStore>,
    /// The object, or the index of a sparse frame.
    object: ObjectMeta,
    /// Its first bytes, or all.
    first: Arc<[u8]>,
    /// Where the chunks of a sparse frame are.
    folder: Option<Path>,
    merge: Merge,
    requests: usize,
    /// Clones count together.
    traffic: Arc<Traffic>,
}

impl ObjectSource {
    /// Opens an object, or the objects of a sparse frame. One request reads the first 8 KiB and tells the length.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// assert_eq!(source.object().location.as_ref(), "blosc2-4.14.1/sample.b2nd");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the store.
    pub async fn open(store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Result<Self, Error> {
        Self::open_counted(store, path.into(), Arc::default()).await
    }

    pub(crate) async fn open_counted(
        store: Arc<dyn ObjectStore>,
        path: Path,
        traffic: Arc<Traffic>,
    ) -> Result<Self, Error> {
        let opened = match begin(&*store, &path).await {
            Ok(begun) => Ok((begun, None)),
            // Who may not list a bucket is not told what it lacks.
            Err(error @ (Error::NotFound { .. } | Error::PermissionDenied { .. })) => {
                match begin(&*store, &path.clone().join(INDEX)).await {
                    Ok(begun) => Ok((begun, Some(path))),
                    Err(_) => Err(error),
                }
            }
            Err(error) => Err(error),
        };
        let ((object, first), folder) = opened?;
        traffic.note(first.len());
        Ok(Self { store, object, first, folder, merge: Merge::NETWORK, requests: REQUESTS, traffic })
    }

    /// The source without the bytes that were read when it was opened, unless these are all.
    pub(crate) fn without_first(self) -> Self {
        let is_all = self.first.len() as u64 >= self.object.size;
        Self { first: if is_all { self.first } else { Arc::default() }, ..self }
    }

    /// The source, with other requests.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// use b2nd::reading::Merge;
    /// let source = source.with_merge(Merge { longest: 1 << 20, ..Merge::NETWORK });
    /// assert_eq!(b2nd::source::AsyncArray::from_source(source).await?.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_merge(self, merge: Merge) -> Self {
        Self { merge, ..self }
    }

    /// The source, with at most so many requests under way at a time for each batch; 16 by default. Of a read of several batches up to
    /// four are under way.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// let source = source.with_concurrency(4);
    /// assert_eq!(b2nd::source::AsyncArray::from_source(source).await?.shape(), [12, 30, 40]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_concurrency(self, requests: usize) -> Self {
        Self { requests: requests.max(1), ..self }
    }

    /// The object: its path, length, time and ETag.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// assert_eq!(source.object().size, 26_226);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub const fn object(&self) -> &ObjectMeta {
        &self.object
    }

    /// The requests that were made for bytes and have been answered.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// let array = b2nd::source::AsyncArray::from_source(source.clone()).await?;
    /// array.read::<f32>("-1, ::10, 5").await?;
    /// assert!(source.traffic().take().0 > 1);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// The source, whose requests count apart from those of its clones.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// let other = source.clone().counted_apart();
    /// assert_eq!((other.traffic().take().0, source.traffic().take().0), (0, 1));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn counted_apart(self) -> Self {
        self.with_traffic(Arc::default())
    }

    pub(crate) fn with_traffic(self, traffic: Arc<Traffic>) -> Self {
        Self { traffic, ..self }
    }

    async fn answer(&self, Request { part, range }: &Request) -> Result<Vec<u8>, ReadError<Error>> {
        match (part, &self.folder) {
            (Part::Frame, _) => self.of_object(range).await,
            (Part::Chunk(_), Some(folder)) => {
                let path = folder.clone().join(&*part_name(*part));
                let bytes = of_chunk(&*self.store, &path, range).await.map_err(ReadError::Source)?;
                self.traffic.note(bytes.len());
                Ok(bytes)
            }
            (Part::Chunk(_), None) => Ok(Vec::new()),
        }
    }

    async fn of_object(&self, range: &Range<u64>) -> Result<Vec<u8>, ReadError<Error>> {
        let range = range.start..range.end.min(self.object.size);
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        if let Some(known) = self.first.get(start..end) {
            return Ok(known.to_vec());
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..self.same() };
        let result = self.store.get_opts(&self.object.location, options).await.map_err(changed)?;
        if !is_same(&self.object, &result.meta) {
            return Err(Changed::Read.into());
        }
        let bytes = result.bytes().await.map_err(ReadError::Source)?;
        complete(bytes.len(), &range).map_err(ReadError::Source)?;
        self.traffic.note(bytes.len());
        Ok(bytes.into())
    }

    /// Checks that the object is still the one that was opened; of a sparse frame, its index. This takes one request without bytes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use object_store::{ObjectStoreExt, memory::InMemory};
    /// let store = std::sync::Arc::new(InMemory::new());
    /// store.put(&"a".into(), vec![1, 2].into()).await?;
    /// let source = b2nd::source::ObjectSource::open(store.clone(), "a").await?;
    /// assert!(source.check().await.is_ok());
    /// store.put(&"a".into(), vec![3, 4].into()).await?;
    /// assert!(source.check().await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Blosc` with [`Changed`](crate::Changed) if it was replaced; errors of the store.
    pub async fn check(&self) -> Result<(), ReadError<Error>> {
        let options = GetOptions { head: true, ..self.same() };
        let result = self.store.get_opts(&self.object.location, options).await.map_err(changed)?;
        if is_same(&self.object, &result.meta) { Ok(()) } else { Err(Changed::Read.into()) }
    }

    /// Asks for this state of the object. Weak ETags match none.
    fn same(&self) -> GetOptions {
        let strong = self.object.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
        GetOptions { if_match: strong, ..GetOptions::default() }
    }
}

impl AsyncReadAt for ObjectSource {
    type Error = Error;

    fn nbytes(&self) -> u64 {
        self.object.size
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Error>> {
        // Not by `get_ranges`, which names no ETag.
        let answers: Vec<_> = requests.iter().map(|request| self.answer(request)).collect();
        let answers = iter(answers).buffered(self.requests).try_collect().await?;
        if requests.iter().any(|request| request.part != Part::Frame) {
            self.check().await?;
        }
        Ok(answers)
    }

    fn merge(&self) -> Merge {
        self.merge
    }
}

/// The first bytes of an object, and what is known of it.
async fn begin(store: &dyn ObjectStore, path: &Path) -> Result<(ObjectMeta, Arc<[u8]>), Error> {
    let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST)), ..GetOptions::default() };
    let result = match store.get_opts(path, options).await {
        Ok(result) => result,
        Err(error @ (Error::NotFound { .. } | Error::PermissionDenied { .. })) => return Err(error),
        Err(error @ Error::NotSupported { .. }) => return whole(store, path).await?.ok_or(error),
        // An empty object has no ranges.
        Err(error) => {
            let object = store.head(path).await.ok().filter(|object| object.size == 0);
            return object.map(|object| (object, [].into())).ok_or(error);
        }
    };
    let object = result.meta.clone();
    let first = result.bytes().await?;
    complete(first.len(), &(0..object.size.min(FIRST)))?;
    Ok((object, (*first).into()))
}

/// All of an object in a store without ranges, such as a simple HTTP server; `None` if it is large.
async fn whole(store: &dyn ObjectStore, path: &Path) -> Result<Option<(ObjectMeta, Arc<[u8]>)>, Error> {
    let result = store.get(path).await?;
    let object = result.meta.clone();
    if object.size > WHOLE {
        return Ok(None);
    }
    let all = result.bytes().await?;
    complete(all.len(), &(0..object.size))?;
    Ok(Some((object, (*all).into())))
}

/// Bytes of the object with a chunk of a sparse frame; none if there is none.
async fn of_chunk(store: &dyn ObjectStore, path: &Path, range: &Range<u64>) -> Result<Vec<u8>, Error> {
    let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
    let result = match store.get_opts(path, options).await {
        Ok(result) => result,
        Err(Error::NotFound { .. }) => return Ok(Vec::new()),
        Err(error) => {
            let is_short = store.head(path).await.is_ok_and(|object| object.size <= range.start);
            return if is_short { Ok(Vec::new()) } else { Err(error) };
        }
    };
    let range = range.start..range.end.min(result.meta.size);
    let bytes = result.bytes().await?;
    complete(bytes.len(), &range)?;
    Ok(bytes.into())
}

/// Fails if an answer has not as many bytes as its range.
fn complete(len: usize, range: &Range<u64>) -> Result<(), Error> {
    if len as u64 == range.end - range.start {
        return Ok(());
    }
    let Range { start, end } = range;
    let source = format!("{len} bytes came for those from {start} to {end}").into();
    Err(Error::Generic { store: "ObjectSource", source })
}

/// The error of a store to which an object was named by its ETag.
fn changed(error: Error) -> ReadError<Error> {
    match error {
        Error::Precondition { .. } => Changed::Read.into(),
        error => ReadError::Source(error),
    }
}

pub(crate) fn is_same(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    let same = match (&one.e_tag, &other.e_tag) {
        (Some(one), Some(other)) => one == other,
        _ => one.last_modified == other.last_modified,
    };
    same && one.size == other.size
}

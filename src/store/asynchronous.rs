//! Stores that are read asynchronously.

use super::{Member, Storage, Store, StoreKind};
use crate::chunk::DParams;
use crate::frame::Metalayer;
use crate::source::{AsyncReadAt, AsyncReader, Fetched, Fetching, Missing, ReadError};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// A store in an asynchronous source, an archive (`.b2z`), a frame (`.b2e`) or a directory (`.b2d`): the counterpart of [`Store`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::{DParams, store::AsyncStore};
/// let source = std::fs::read("tests/golden/stores/tree.b2z")?;
/// let store = AsyncStore::open(source, DParams::default()).await?;
/// let image = store.get("/group/image").await?.into_array().await?;
/// assert_eq!(image.shape(), [20, 30]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct AsyncStore<S> {
    fetching: Fetching<S>,
    store: Arc<Store<Fetched>>,
}

impl<S: AsyncReadAt> AsyncStore<S> {
    /// Opens the store in a source. Members are opened with these parameters as well.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(store.keys().count(), 4);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Store::open`].
    pub async fn open(source: S, dparams: DParams) -> Result<Self, ReadError<S::Error>> {
        let fetching = Fetching::new(source);
        let len = fetching.source().nbytes();
        let store = fetching.run(|| Store::open(fetching.fetched(), len, dparams.clone())).await?;
        Ok(Self { fetching, store: Arc::new(store) })
    }

    /// Opens a store in a directory that is one source: these are the names of its files, relative to it and with `/` between parts,
    /// and where each is in the source. Sparse frames are not read.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, store::AsyncStore};
    /// let embed = std::fs::read("tests/golden/stores/dict.b2d/embed.b2e")?;
    /// let files = [("embed.b2e".to_string(), 0..embed.len() as u64)];
    /// let store = AsyncStore::open_directory(embed, files, DParams::default()).await?;
    /// assert!(store.keys().count() > 0);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Store::open_directory`]; `Unsupported` if there is no file `embed.b2e`.
    pub async fn open_directory(
        source: S,
        files: impl IntoIterator<Item = (String, Range<u64>)>,
        dparams: DParams,
    ) -> Result<Self, ReadError<S::Error>> {
        let (fetching, files) = (Fetching::new(source), files.into_iter().collect::<Vec<_>>());
        let open = || Store::open_windows(fetching.fetched(), files.clone(), dparams.clone());
        let store = fetching.run(open).await?;
        Ok(Self { fetching, store: Arc::new(store) })
    }

    /// This store, read through another source of its bytes: one that counts its requests, for example. Nothing is read for it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source.clone(), b2nd::DParams::default()).await?;
    /// let other = store.with_source(source);
    /// assert_eq!(other.get("/group/image").await?.into_array().await?.shape(), [20, 30]);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_source<T: AsyncReadAt>(&self, source: T) -> AsyncStore<T> {
        AsyncStore { fetching: self.fetching.with_source(source), store: Arc::clone(&self.store) }
    }

    /// Runs an operation of the synchronous [`Store`], as [`AsyncReader::run`] does: objects, for example, are read so.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use b2nd::{DParams, store::AsyncStore};
    /// use b2nd::objects::Objects;
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = AsyncStore::open(source, DParams::default()).await?;
    /// let kind = store.run(|store| Objects::kind_of(&store.get("/group/image")?)).await?;
    /// assert_eq!(kind, None);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the source and of the operation.
    pub async fn run<'s, T>(
        &'s self,
        mut operation: impl FnMut(&'s Store<Fetched>) -> Result<T, ReadError<Missing>>,
    ) -> Result<T, ReadError<S::Error>> {
        self.fetching.run(|| operation(&self.store)).await
    }

    /// The source.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert!(store.source().starts_with(b"PK"));
    /// # Ok(()) }
    /// ```
    pub fn source(&self) -> &S {
        self.fetching.source()
    }

    /// The kind of the store.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(store.kind(), b2nd::store::StoreKind::Tree);
    /// # Ok(()) }
    /// ```
    pub fn kind(&self) -> StoreKind {
        self.store.kind()
    }

    /// The keys of all members in order.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert!(store.keys().any(|key| key == "/group/image"));
    /// # Ok(()) }
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.store.keys()
    }

    /// Where a member is stored; `None` if there is none with this key.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(store.storage("/small"), Some(b2nd::store::Storage::Embedded));
    /// # Ok(()) }
    /// ```
    pub fn storage(&self, key: &str) -> Option<Storage> {
        self.store.storage(key)
    }

    /// The URL or path of a member that is stored elsewhere; `None` of others.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(store.url("/small"), None);
    /// # Ok(()) }
    /// ```
    pub fn url(&self, key: &str) -> Option<&str> {
        self.store.url(key)
    }

    /// Opens a member.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert_eq!(store.get("/group/image").await?.dtype().await?.to_string(), "|u1");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Store::get`].
    pub async fn get(&self, key: &str) -> Result<AsyncReader<S, Member<Fetched>>, ReadError<S::Error>> {
        let reader = self.run(|store| store.get(key)).await?;
        Ok(AsyncReader::new(self.fetching.clone(), reader))
    }

    /// The attributes of a group, or of the whole store for the empty key.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let source = std::fs::read("tests/golden/stores/tree.b2z")?;
    /// # let store = b2nd::store::AsyncStore::open(source, b2nd::DParams::default()).await?;
    /// assert!(store.attributes("/nowhere").await?.is_empty());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`Store::attributes`].
    pub async fn attributes(&self, group: &str) -> Result<Vec<Metalayer>, ReadError<S::Error>> {
        self.run(|store| store.attributes(group)).await
    }
}

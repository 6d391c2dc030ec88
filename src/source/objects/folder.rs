//! The objects below a path as one source.

use super::release::path::Path;
use super::release::{Error, ObjectMeta, ObjectStore};
#[cfg(test)]
use super::release::{ObjectStoreExt, memory::InMemory};
use super::source::{ObjectSource, is_same};
use super::traffic::Traffic;
use crate::base::Changed;
use crate::frame::{Part, Request};
use crate::reading::Merge;
use crate::source::async_read::AsyncReadAt;
use crate::source::error::ReadError;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use futures_util::stream::{StreamExt, TryStreamExt, iter};
use std::sync::{Mutex, PoisonError};

/// Bytes between two objects, so that no request is of both.
const APART: u64 = 1 << 36;

/// Requests of a batch that are under way at a time.
const REQUESTS: usize = 16;

/// Objects that a folder has at most: a listing has no length that could be checked before.
const MAX_FILES: usize = 1 << 20;

/// Opened objects whose first bytes are kept.
const MAX_FIRST: usize = 1 << 10;

/// The objects of a store in a directory (`.b2d`), one behind the other in one source.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use b2nd::{DParams, source::ObjectFolder, store::AsyncStore};
/// use object_store::{ObjectStore, local::LocalFileSystem};
/// use std::sync::Arc;
///
/// let objects: Arc<dyn ObjectStore> = Arc::new(LocalFileSystem::new_with_prefix("tests/golden")?);
/// let folder = ObjectFolder::open(objects, "stores/dict.b2d").await?;
/// let files: Vec<_> = folder.files().map(|(name, range)| (name.to_string(), range)).collect();
/// let store = AsyncStore::open_directory(folder, files, DParams::default()).await?;
/// assert!(store.keys().count() > 0);
/// # Ok(()) }
/// ```
///
/// Opening lists the objects. Each is opened when it is first read, as an [`ObjectSource`], which says what happens if it is
/// replaced. Objects that are added later are not seen.
#[derive(Debug, Clone)]
pub struct ObjectFolder {
    listing: Arc<Listing>,
    merge: Merge,
    /// Clones count together.
    traffic: Arc<Traffic>,
}

#[derive(Debug)]
struct Listing {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    /// In the order of their places.
    files: Vec<File>,
    opened: Mutex<BTreeMap<usize, ObjectSource>>,
}

#[derive(Debug)]
struct File {
    /// The path relative to the folder.
    name: String,
    object: ObjectMeta,
    range: Range<u64>,
}

impl ObjectFolder {
    /// Lists the objects below a path.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use b2nd::source::ObjectFolder;
    /// let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// assert!(ObjectFolder::open(objects.clone(), "stores/dict.b2d").await.is_ok());
    /// assert!(ObjectFolder::open(objects, "stores/none.b2d").await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of the store; `NotFound` if there are none, `Generic` if there are more than 1 048 576.
    pub async fn open(store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Result<Self, Error> {
        Self::open_with(store, path.into(), MAX_FILES).await
    }

    async fn open_with(store: Arc<dyn ObjectStore>, folder: Path, most: usize) -> Result<Self, Error> {
        let (mut files, mut end) = (Vec::new(), 0_u64);
        for object in list(&*store, &folder, most).await? {
            let Some(parts) = object.location.prefix_match(&folder) else { continue };
            let parts: Vec<_> = parts.map(|part| part.as_ref().to_string()).collect();
            let range = end..end.saturating_add(object.size);
            end = range.end.saturating_add(APART);
            files.push(File { name: parts.join("/"), object, range });
        }
        if files.is_empty() {
            let source = "there are no objects below it".into();
            return Err(Error::NotFound { path: folder.to_string(), source });
        }
        let listing = Arc::new(Listing { store, folder, files, opened: Mutex::default() });
        Ok(Self { listing, merge: Merge::NETWORK, traffic: Arc::default() })
    }

    /// The folder, with other requests.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// use b2nd::{reading::Merge, source::{AsyncReadAt, ObjectFolder}};
    /// let folder = ObjectFolder::open(objects, "stores/dict.b2d").await?.with_merge(Merge::LOCAL);
    /// assert_eq!(folder.merge(), Merge::LOCAL);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_merge(self, merge: Merge) -> Self {
        // Not even over a gap is a request of two objects.
        Self { merge: Merge { gap: merge.gap.min(APART / 2), ..merge }, ..self }
    }

    /// The paths of the objects, relative to the folder, and where each is in the source.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let folder = b2nd::source::ObjectFolder::open(objects, "stores/dict.b2d").await?;
    /// assert!(folder.files().any(|(name, _)| name == "embed.b2e"));
    /// # Ok(()) }
    /// ```
    pub fn files(&self) -> impl Iterator<Item = (&str, Range<u64>)> {
        self.listing.files.iter().map(|file| (file.name.as_str(), file.range.clone()))
    }

    /// The requests that were made for bytes and have been answered, of all objects.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let folder = b2nd::source::ObjectFolder::open(objects, "stores/dict.b2d").await?;
    /// assert_eq!(folder.traffic().take(), (0, 0));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// The folder, whose requests count apart from those of its clones.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let folder = b2nd::source::ObjectFolder::open(objects, "stores/dict.b2d").await?;
    /// assert_eq!(folder.clone().counted_apart().traffic().take(), (0, 0));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn counted_apart(self) -> Self {
        Self { traffic: Arc::default(), ..self }
    }

    /// Checks that the folder has the objects that it had when it was opened, and no others. This takes one listing.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let objects = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let folder = b2nd::source::ObjectFolder::open(objects, "stores/dict.b2d").await?;
    /// assert!(folder.check().await.is_ok());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Blosc` with [`Changed`](crate::Changed) if not; errors of the store.
    pub async fn check(&self) -> Result<(), ReadError<Error>> {
        let Listing { store, folder, files, .. } = &*self.listing;
        let now = list(&**store, folder, MAX_FILES).await.map_err(ReadError::Source)?;
        let is_same = |(file, object): (&File, &ObjectMeta)| {
            file.object.location == object.location && is_same(&file.object, object)
        };
        match now.len() == files.len() && files.iter().zip(&now).all(is_same) {
            true => Ok(()),
            false => Err(Changed::Read.into()),
        }
    }

    async fn answer(&self, request: &Request) -> Result<Vec<u8>, ReadError<Error>> {
        let Range { start, end } = request.range;
        let files = &self.listing.files;
        let number = files.partition_point(|file| file.range.start <= start).saturating_sub(1);
        let Some(file) = files.get(number).filter(|_| request.part == Part::Frame) else {
            return Ok(Vec::new());
        };
        let end = end.min(file.range.end);
        if start >= end {
            return Ok(Vec::new());
        }
        let range = start - file.range.start..end - file.range.start;
        let source = self.source(number, file).await?;
        let mut answers = source.read_at(&[Request { part: Part::Frame, range }]).await?;
        Ok(answers.pop().unwrap_or_default())
    }

    /// An object, which is of the same state from the first time on.
    async fn source(&self, number: usize, file: &File) -> Result<ObjectSource, ReadError<Error>> {
        let lock = || self.listing.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&number).cloned();
        let (store, traffic) = (Arc::clone(&self.listing.store), Arc::clone(&self.traffic));
        if let Some(source) = known {
            return Ok(source.with_traffic(traffic));
        }
        let source = ObjectSource::open_counted(store, file.object.location.clone(), traffic).await;
        let source = source.map_err(ReadError::Source)?;
        if source.object().size != file.range.end - file.range.start {
            return Err(Changed::Read.into());
        }
        let mut opened = lock();
        let keeps_first = opened.len() < MAX_FIRST;
        let kept = || if keeps_first { source.clone() } else { source.clone().without_first() };
        opened.entry(number).or_insert_with(kept);
        Ok(source)
    }
}

/// The objects below a path by their names.
async fn list(store: &dyn ObjectStore, folder: &Path, most: usize) -> Result<Vec<ObjectMeta>, Error> {
    let mut objects: Vec<ObjectMeta> = store.list(Some(folder)).take(most + 1).try_collect().await?;
    if objects.len() > most {
        let source = format!("there are more than {most} objects below {folder}").into();
        return Err(Error::Generic { store: "b2nd", source });
    }
    objects.sort_by(|one, other| one.location.cmp(&other.location));
    Ok(objects)
}

impl AsyncReadAt for ObjectFolder {
    type Error = Error;

    fn nbytes(&self) -> u64 {
        self.listing.files.last().map_or(0, |file| file.range.end)
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Error>> {
        let answers: Vec<_> = requests.iter().map(|request| self.answer(request)).collect();
        iter(answers).buffered(REQUESTS).try_collect().await
    }

    fn merge(&self) -> Merge {
        self.merge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn listings_are_limited() {
        let objects = Arc::new(InMemory::new());
        for name in ["a", "b", "c"] {
            objects.put(&Path::from("s.b2d").join(name), Vec::new().into()).await.unwrap();
        }
        let open = |most| ObjectFolder::open_with(objects.clone(), "s.b2d".into(), most);
        assert_eq!(open(3).await.unwrap().files().count(), 3);
        assert!(matches!(open(2).await, Err(Error::Generic { .. })));
    }
}

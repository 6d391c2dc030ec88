//! Where tables and arrays are.

use crate::error::At;
use crate::source::{Counts, Objects, Source};
use b2nd::reading::Merge;
use b2nd::source::object_store_013::{ObjectFolder, ObjectSource};
use b2nd::store::AsyncStore;
use b2nd::{DParams, ReadError};
use core::fmt;
use datafusion::common::plan_err;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnv;
use futures::TryStreamExt;
use glob::Pattern;
use object_store::path::Path;
use std::collections::BTreeSet;
use url::Url;

/// The endings of stores, and of frames.
const STORES: [&str; 3] = [".b2z", DIRECTORY, ".b2e"];
const DIRECTORY: &str = ".b2d";
const FRAME: &str = ".b2nd";

/// A file in an object store, or a directory that is a store, and a member of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "proto", derive(serde::Serialize, serde::Deserialize))]
pub struct Location {
    /// The URL of the object store, such as `s3://bucket/`; `file:///` for local files.
    pub store: String,
    /// The path of the object, or of the directory.
    pub path: String,
    /// The key of a group or an array in it: empty for the whole file.
    pub member: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let member = self.member.trim_start_matches('/');
        let slash = if member.is_empty() { "" } else { "/" };
        write!(f, "{}/{}{slash}{member}", self.store.trim_end_matches('/'), self.path)
    }
}

impl Location {
    /// The files that a path or a URL names, in the order of their names, and the member behind a file: `run.b2z/people`,
    /// `s3://bucket/run.b2d`, `days/*.b2z/people`; a directory that is no store means the stores in it.
    ///
    /// # Errors
    /// `Plan` for an invalid URL, and for one that names no file; errors of the object store.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// use b2nd_datafusion::Location;
    /// use datafusion::prelude::SessionContext;
    /// let runtime = SessionContext::new().runtime_env();
    /// let files = Location::find(&runtime, "../../tests/golden/tables/00*.b2z").await?;
    /// assert!(files.len() > 1 && files[0].path.ends_with("001.b2z"));
    /// # Ok(()) }
    /// ```
    pub async fn find(runtime: &RuntimeEnv, text: &str) -> Result<Vec<Self>> {
        let (file, member) = divided(text);
        let url = listed(file)?;
        let root = url.object_store();
        let found =
            |path: &str| Self { store: root.as_str().into(), path: path.into(), member: member.into() };
        let is_one = !url.is_collection() || Self::is_named(text);
        if is_one && url.get_glob().is_none() {
            return Ok(vec![found(url.prefix().as_ref())]);
        }
        let objects = runtime.object_store(&root)?;
        let stores = objects.list(Some(url.prefix())).try_filter_map(|object| {
            let path = store_of(&object.location).filter(|path| url.contains(path, false));
            core::future::ready(Ok(path.map(|path| path.as_ref().to_owned())))
        });
        let stores: BTreeSet<String> = stores.try_collect().await?;
        if stores.is_empty() {
            return plan_err!("{text} names no stores ({})", STORES.join(", "));
        }
        Ok(stores.iter().map(|path| found(path)).collect())
    }

    /// Whether a text names a file of this crate.
    pub(crate) fn is_named(text: &str) -> bool {
        let (file, _) = divided(text);
        let file = file.trim_end_matches('/');
        is_store(file) || file.ends_with(FRAME)
    }

    /// Whether the file is a store.
    pub(crate) fn is_store(&self) -> bool {
        is_store(&self.path)
    }

    /// The key of the member, as stores have it.
    pub(crate) fn key(&self) -> String {
        match self.member.trim_matches('/') {
            "" => String::new(),
            member => format!("/{member}"),
        }
    }

    /// Opens the object, or the directory.
    pub(crate) async fn source(&self, runtime: &RuntimeEnv, counts: &Counts) -> Result<Source> {
        let objects = runtime.object_store(ObjectStoreUrl::parse(&self.store)?)?;
        let path = Path::parse(&self.path)?;
        let merge = if self.store.starts_with("file:") { Merge::LOCAL } else { Merge::NETWORK };
        let opened = if self.path.ends_with(DIRECTORY) {
            ObjectFolder::open(objects, path).await.map(|folder| Objects::Folder(folder.with_merge(merge)))
        } else {
            ObjectSource::open(objects, path).await.map(|object| Objects::One(object.with_merge(merge)))
        };
        Ok(Source::new(opened.map_err(ReadError::Source).at(self)?, counts.clone()))
    }

    /// Opens the store.
    pub(crate) async fn open(&self, runtime: &RuntimeEnv, counts: &Counts) -> Result<AsyncStore<Source>> {
        let source = self.source(runtime, counts).await?;
        let store = match source.files() {
            Some(files) => AsyncStore::open_directory(source, files, DParams::default()).await,
            None => AsyncStore::open(source, DParams::default()).await,
        };
        store.at(self)
    }
}

fn is_store(file: &str) -> bool {
    STORES.iter().any(|ending| file.ends_with(ending))
}

/// The path of the store that an object is, or is in.
fn store_of(path: &Path) -> Option<Path> {
    let mut store = Path::default();
    for part in path.parts() {
        store = store.join(part);
        if is_store(store.as_ref()) {
            return Some(store);
        }
    }
    None
}

/// A path or a URL, which may have wildcards.
fn listed(file: &str) -> Result<ListingTableUrl> {
    let is_wild = |char| matches!(char, '*' | '?' | '[');
    // DataFusion looks for wildcards in paths only.
    let folder = file.find(is_wild).filter(|_| file.contains("://")).and_then(|at| file[..at].rfind('/'));
    let Some(end) = folder else { return ListingTableUrl::parse(file) };
    let external = |error| DataFusionError::External(Box::new(error));
    let (folder, pattern) = file.split_at(end + 1);
    let folder = Url::parse(folder).map_err(|error| DataFusionError::External(Box::new(error)))?;
    ListingTableUrl::try_new(folder, Some(Pattern::new(pattern).map_err(external)?))
}

/// The file and the member behind it. A member begins after the first part that ends as files do.
fn divided(text: &str) -> (&str, &str) {
    let end = STORES.into_iter().chain([FRAME]).filter_map(|ending| {
        let at = text.find(&format!("{ending}/"))?;
        Some(at + ending.len())
    });
    match end.min() {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_behind_files() {
        for (text, file, member) in [
            ("run.b2z", "run.b2z", ""),
            ("s3://b/run.b2z/people", "s3://b/run.b2z", "people"),
            ("days/*.b2z/a/b.b2nd", "days/*.b2z", "a/b.b2nd"),
            ("a.b2nd", "a.b2nd", ""),
            ("days/", "days/", ""),
            ("run.b2d/a/b", "run.b2d", "a/b"),
            ("s3://b/run.b2d/", "s3://b/run.b2d", ""),
        ] {
            assert_eq!(divided(text), (file, member));
        }
    }
}

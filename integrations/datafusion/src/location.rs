//! Where tables and arrays are.

use crate::error::At;
use crate::source::{Counts, Source};
use b2nd::DParams;
use b2nd::store::AsyncStore;
use core::fmt;
use datafusion::common::plan_datafusion_err;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnv;
use futures::TryStreamExt;
use glob::Pattern;
use object_store::path::Path;
use url::Url;

/// The ending of stores, and of frames.
const STORE: &str = ".b2z";
const FRAME: &str = ".b2nd";

/// A file in an object store, and a member of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "proto", derive(serde::Serialize, serde::Deserialize))]
pub struct Location {
    /// The URL of the object store, such as `s3://bucket/`; `file:///` for local files.
    pub store: String,
    /// The path of the object.
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
    /// `s3://bucket/run.b2z`, `days/*.b2z/people`; a directory means its files `*.b2z`.
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
        let found = |path: &Path| Self {
            store: root.as_str().into(),
            path: path.as_ref().into(),
            member: member.into(),
        };
        if !url.is_collection() && url.get_glob().is_none() {
            return Ok(vec![found(url.prefix())]);
        }
        let objects = runtime.object_store(&root)?;
        let is_wanted = |path: &Path| path.as_ref().ends_with(STORE) && url.contains(path, false);
        let mut files: Vec<_> = objects
            .list(Some(url.prefix()))
            .map_ok(|object| object.location)
            .try_filter(|path| core::future::ready(is_wanted(path)))
            .map_ok(|path| found(&path))
            .try_collect()
            .await?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        if files.is_empty() { Err(plan_datafusion_err!("{text} names no file {STORE}")) } else { Ok(files) }
    }

    /// Whether a text names a file of this crate.
    pub(crate) fn is_named(text: &str) -> bool {
        let (file, _) = divided(text);
        file.ends_with(STORE) || file.ends_with(FRAME)
    }

    /// Whether the file is a store.
    pub(crate) fn is_store(&self) -> bool {
        self.path.ends_with(STORE)
    }

    /// The key of the member, as stores have it.
    pub(crate) fn key(&self) -> String {
        match self.member.trim_matches('/') {
            "" => String::new(),
            member => format!("/{member}"),
        }
    }

    /// Opens the object.
    pub(crate) async fn source(&self, runtime: &RuntimeEnv, counts: &Counts) -> Result<Source> {
        let objects = runtime.object_store(ObjectStoreUrl::parse(&self.store)?)?;
        let is_local = self.store.starts_with("file:");
        let path = Path::parse(&self.path)?;
        Source::open(objects, path, is_local, counts.clone()).await.map_err(b2nd::ReadError::Source).at(self)
    }

    /// Opens the store.
    pub(crate) async fn open(&self, runtime: &RuntimeEnv, counts: &Counts) -> Result<AsyncStore<Source>> {
        let source = self.source(runtime, counts).await?;
        AsyncStore::open(source, DParams::default()).await.at(self)
    }
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
    let end = [STORE, FRAME].into_iter().filter_map(|ending| {
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
        ] {
            assert_eq!(divided(text), (file, member));
        }
    }
}

//! Objects of DataFusion's object stores as sources. The library's `ObjectSource` reads those of a newer release of the crate.

use b2nd::reading::Merge;
use b2nd::source::AsyncReadAt;
use b2nd::wire::{Part, Request};
use b2nd::{Changed, ReadError};
use bytes::Bytes;
use core::ops::Range;
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use futures::stream::{StreamExt, TryStreamExt, iter};
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore};
use std::sync::Arc;

/// Bytes that are read when an object is opened: in most stores they contain the first headers.
const FIRST: u64 = 8 << 10;
/// Requests that are under way at a time.
const REQUESTS: usize = 16;

/// Counts of requests and bytes.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    pub(crate) bytes: Count,
    pub(crate) requests: Count,
}

impl Counts {
    /// Counts that nobody sees: of planning.
    pub(crate) fn unseen() -> Self {
        Self { bytes: Count::new(), requests: Count::new() }
    }

    /// Metrics of a partition.
    pub(crate) fn of(metrics: &ExecutionPlanMetricsSet, partition: usize) -> Self {
        let counter = |name| MetricBuilder::new(metrics).counter(name, partition);
        Self { bytes: counter("bytes_scanned"), requests: counter("requests") }
    }
}

/// An object. All answers are of the state in which it was opened.
#[derive(Debug)]
pub(crate) struct Source {
    store: Arc<dyn ObjectStore>,
    object: ObjectMeta,
    first: Bytes,
    is_local: bool,
    counts: Counts,
}

impl Source {
    pub(crate) async fn open(
        store: Arc<dyn ObjectStore>,
        path: Path,
        is_local: bool,
        counts: Counts,
    ) -> Result<Self, Error> {
        let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST)), ..GetOptions::default() };
        let result = store.get_opts(&path, options).await?;
        let object = result.meta.clone();
        let first = result.bytes().await?;
        complete(&first, &(0..object.size.min(FIRST)))?;
        counts.requests.add(1);
        counts.bytes.add(first.len());
        Ok(Self { store, object, first, is_local, counts })
    }

    async fn answer(&self, range: Range<u64>) -> Result<Vec<u8>, ReadError<Error>> {
        let range = range.start..range.end.min(self.object.size);
        if range.is_empty() {
            return Ok(Vec::new());
        }
        if range.end <= self.first.len() as u64 {
            return Ok(self.first[range.start as usize..range.end as usize].to_vec());
        }
        // Weak ETags match none.
        let strong = self.object.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            if_match: strong,
            ..GetOptions::default()
        };
        let result = self.store.get_opts(&self.object.location, options).await.map_err(changed)?;
        if !is_same(&self.object, &result.meta) {
            return Err(Changed::Read.into());
        }
        let bytes = result.bytes().await.map_err(ReadError::Source)?;
        complete(&bytes, &range).map_err(ReadError::Source)?;
        self.counts.requests.add(1);
        self.counts.bytes.add(bytes.len());
        Ok(bytes.into())
    }
}

impl AsyncReadAt for Source {
    type Error = Error;

    fn nbytes(&self) -> u64 {
        self.object.size
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Error>> {
        let range = |request: &Request| match request.part {
            Part::Frame => request.range.clone(),
            // Chunks in files of their own belong to directories.
            Part::Chunk(_) => 0..0,
        };
        let answers: Vec<_> = requests.iter().map(|request| self.answer(range(request))).collect();
        iter(answers).buffered(REQUESTS).try_collect().await
    }

    fn merge(&self) -> Merge {
        if self.is_local { Merge::LOCAL } else { Merge::NETWORK }
    }
}

/// Fails if an answer has not as many bytes as its range.
fn complete(bytes: &Bytes, range: &Range<u64>) -> Result<(), Error> {
    if bytes.len() as u64 == range.end - range.start {
        return Ok(());
    }
    let source = format!("{} bytes came for those from {} to {}", bytes.len(), range.start, range.end).into();
    Err(Error::Generic { store: "Source", source })
}

/// The error of a store to which an object was named by its ETag.
fn changed(error: Error) -> ReadError<Error> {
    match error {
        Error::Precondition { .. } => Changed::Read.into(),
        error => ReadError::Source(error),
    }
}

fn is_same(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    let same = match (&one.e_tag, &other.e_tag) {
        (Some(one), Some(other)) => one == other,
        _ => one.last_modified == other.last_modified,
    };
    same && one.size == other.size
}

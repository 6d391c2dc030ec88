//! Objects of DataFusion's object stores as sources, whose requests are counted.

use b2nd::ReadError;
use b2nd::reading::Merge;
use b2nd::source::AsyncReadAt;
use b2nd::source::object_store_013::{ObjectFolder, ObjectSource};
use b2nd::wire::Request;
use core::ops::Range;
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use object_store::Error;

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

/// An object, or those of a store in a directory.
#[derive(Debug, Clone)]
pub(crate) enum Objects {
    One(ObjectSource),
    Folder(ObjectFolder),
}

/// Objects that are read.
#[derive(Debug)]
pub(crate) struct Source {
    objects: Objects,
    counts: Counts,
}

impl Source {
    pub(crate) fn new(objects: Objects, counts: Counts) -> Self {
        let source = Self { objects, counts };
        source.count();
        source
    }

    /// These objects with other counts.
    pub(crate) fn counted(&self, counts: &Counts) -> Self {
        let objects = match self.objects.clone() {
            Objects::One(object) => Objects::One(object.counted_apart()),
            Objects::Folder(folder) => Objects::Folder(folder.counted_apart()),
        };
        Self { objects, counts: counts.clone() }
    }

    /// Whether the objects are still those that were opened.
    pub(crate) async fn is_current(&self) -> bool {
        let checked = match &self.objects {
            Objects::One(object) => object.check().await,
            Objects::Folder(folder) => folder.check().await,
        };
        checked.is_ok()
    }

    /// The names of the files in a directory, and where they are in the source.
    pub(crate) fn files(&self) -> Option<Vec<(String, Range<u64>)>> {
        match &self.objects {
            Objects::One(_) => None,
            Objects::Folder(folder) => {
                Some(folder.files().map(|(name, range)| (name.into(), range)).collect())
            }
        }
    }

    /// Adds to the counts what was requested since the last time.
    fn count(&self) {
        let traffic = match &self.objects {
            Objects::One(object) => object.traffic(),
            Objects::Folder(folder) => folder.traffic(),
        };
        let (requests, bytes) = traffic.take();
        self.counts.requests.add(requests as usize);
        self.counts.bytes.add(bytes as usize);
    }
}

impl AsyncReadAt for Source {
    type Error = Error;

    fn nbytes(&self) -> u64 {
        match &self.objects {
            Objects::One(object) => object.nbytes(),
            Objects::Folder(folder) => folder.nbytes(),
        }
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Error>> {
        let answers = match &self.objects {
            Objects::One(object) => object.read_at(requests).await,
            Objects::Folder(folder) => folder.read_at(requests).await,
        };
        self.count();
        answers
    }

    fn merge(&self) -> Merge {
        match &self.objects {
            Objects::One(object) => object.merge(),
            Objects::Folder(folder) => folder.merge(),
        }
    }
}

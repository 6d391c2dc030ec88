//! Counts of requests.

use core::sync::atomic::{AtomicU64, Ordering};

/// Requests that a source has made, and the bytes that have come.
#[derive(Debug, Default)]
pub struct Traffic {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Traffic {
    pub(crate) fn note(&self, bytes: usize) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The requests and the bytes since the last call, or since the source was opened.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = std::sync::Arc::new(object_store::local::LocalFileSystem::new_with_prefix("tests/golden")?);
    /// # let source = b2nd::source::ObjectSource::open(store, "blosc2-4.14.1/sample.b2nd").await?;
    /// assert_eq!(source.traffic().take(), (1, 8192));
    /// assert_eq!(source.traffic().take(), (0, 0));
    /// # Ok(()) }
    /// ```
    pub fn take(&self) -> (u64, u64) {
        (self.requests.swap(0, Ordering::Relaxed), self.bytes.swap(0, Ordering::Relaxed))
    }
}

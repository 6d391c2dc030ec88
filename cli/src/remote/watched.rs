//! Object stores whose requests are printed.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart,
};
use std::sync::Arc;
use url::Url;

static PRINTED: AtomicBool = AtomicBool::new(false);
static REQUESTS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Options for URLs.
#[derive(Debug, clap::Args)]
pub(crate) struct RequestArgs {
    /// Print each request for a URL to standard error: the bytes that it asks for
    #[arg(long, global = true)]
    requests: bool,
}

impl RequestArgs {
    /// Prints requests from now on, if they are wanted.
    pub(crate) fn begin(&self) {
        PRINTED.store(self.requests, Ordering::Relaxed);
    }

    /// Prints how many there were.
    pub(crate) fn end(&self) {
        if self.requests {
            let [requests, bytes] = [&REQUESTS, &BYTES].map(|count| count.load(Ordering::Relaxed));
            eprintln!("{}, {}", crate::words::count(requests, "request"), crate::words::count(bytes, "byte"));
        }
    }
}

/// A store whose requests are counted, and printed if that is wanted.
#[derive(Debug)]
pub(super) struct Watched {
    inner: Arc<dyn ObjectStore>,
    /// Without a query, which may be a signature.
    url: String,
}

impl Watched {
    pub(super) fn new(inner: Arc<dyn ObjectStore>, url: &Url) -> Self {
        let mut url = url.clone();
        url.set_query(None);
        Self { inner, url: url.as_str().trim_end_matches('/').to_owned() }
    }

    fn note(&self, path: &Path, what: &dyn fmt::Display) {
        note(&format_args!("{}/{path}", self.url), what);
    }
}

/// Counts a request, and prints it if that is wanted.
fn note(name: &dyn fmt::Display, what: &dyn fmt::Display) {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    if PRINTED.load(Ordering::Relaxed) {
        eprintln!("{name}: {what}");
    }
}

/// An upload whose requests are counted and printed.
#[derive(Debug)]
struct WatchedUpload {
    inner: Box<dyn MultipartUpload>,
    name: String,
}

#[async_trait::async_trait]
impl MultipartUpload for WatchedUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        note(&self.name, &format_args!("writes a part of {} bytes", data.content_length()));
        self.inner.put_part(data)
    }

    async fn complete(&mut self) -> Result<PutResult> {
        note(&self.name, &"completes the upload");
        self.inner.complete().await
    }

    async fn abort(&mut self) -> Result<()> {
        note(&self.name, &"aborts the upload");
        self.inner.abort().await
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[async_trait::async_trait]
impl ObjectStore for Watched {
    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        let is_head = options.head;
        let result = self.inner.get_opts(path, options).await;
        match &result {
            Ok(GetResult { range, .. }) if !is_head => {
                BYTES.fetch_add(range.end - range.start, Ordering::Relaxed);
                self.note(path, &format_args!("bytes {} to {}", range.start, range.end));
            }
            Ok(GetResult { meta, .. }) => self.note(path, &format_args!("the length, {}", meta.size)),
            Err(_) => self.note(path, &"failed"),
        }
        result
    }

    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.note(path, &format_args!("writes {} bytes", payload.content_length()));
        self.inner.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.note(path, &"begins an upload in parts");
        let inner = self.inner.put_multipart_opts(path, options).await?;
        Ok(Box::new(WatchedUpload { inner, name: format!("{}/{path}", self.url) }))
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.note(prefix.unwrap_or(&Path::default()), &"the names");
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

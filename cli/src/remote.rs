//! URLs in place of paths: files of HTTP servers, and objects of clouds.

mod ahead;
mod stores;
mod upload;
mod watched;

use ahead::Ahead;
pub(crate) use ahead::read_ahead;
use b2nd::reading::Merge;
use b2nd::source::{AsyncReadAt, ObjectSource};
use b2nd::wire::{Part, Request};
use b2nd::{ReadAt, ReadError};
use futures_util::TryStreamExt;
use object_store::Error;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};
pub(crate) use stores::is_url;
use stores::located;
use tokio::runtime::{Builder, Runtime};
pub(crate) use upload::{check_upload, upload, upload_file};
pub(crate) use watched::RequestArgs;

/// The runtime of requests. It does not decode: rayon's threads do.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build());

/// The objects that were opened, or why not: a command looks at some several times.
static OPENED: LazyLock<Mutex<HashMap<String, Opened>>> = LazyLock::new(Mutex::default);

/// The bytes of an object that are there once it is open.
const KNOWN: u64 = 8 << 10;

type Opened = Result<ObjectSource, (ErrorKind, String)>;

/// A frame or a store behind a URL.
pub(crate) struct Remote {
    object: ObjectSource,
    /// Where the frame begins.
    offset: u64,
    /// Ranges that were read ahead, until they are asked for.
    waiting: Mutex<BTreeMap<Request, Vec<u8>>>,
    ahead: Ahead,
}

impl Remote {
    pub(crate) fn open(url: &Path, offset: u64) -> io::Result<Self> {
        let text = url.to_string_lossy().into_owned();
        let known = OPENED.lock().unwrap_or_else(PoisonError::into_inner).get(&text).cloned();
        let opened = match known {
            Some(opened) => opened,
            None => {
                let (store, path) = located(url)?;
                let opened = wait(ObjectSource::open(store, path))?.map_err(|error| reason(&error));
                OPENED.lock().unwrap_or_else(PoisonError::into_inner).insert(text, opened.clone());
                opened
            }
        };
        let object = opened.map_err(|(kind, what)| io::Error::new(kind, what))?;
        Ok(Self { object, offset, waiting: Mutex::default(), ahead: Ahead::default() })
    }

    /// The number of bytes from the offset on.
    pub(crate) fn len(&self) -> u64 {
        self.object.nbytes().saturating_sub(self.offset)
    }

    /// Whether it is an archive.
    pub(crate) fn is_archive(&self) -> bool {
        let start = Request { part: Part::Frame, range: 0..2 };
        self.read_at(&start, &mut Vec::new()).is_ok_and(|bytes| bytes == b"PK")
    }

    /// The answer to a request that was not expected.
    fn one(&self, request: &Request) -> io::Result<Vec<u8>> {
        let get = |range| {
            let request = Request { part: request.part, range };
            Ok(self.get(core::slice::from_ref(&request))?.pop().unwrap_or_default())
        };
        let ahead = match request.part {
            Part::Frame if request.range.end > KNOWN => self.ahead.get(&request.range, get),
            _ => None,
        };
        ahead.unwrap_or_else(|| get(request.range.clone()))
    }

    /// The answers to requests, all of which are made at the same time.
    fn get(&self, requests: &[Request]) -> io::Result<Vec<Vec<u8>>> {
        let shifted = |request: &Request| match request.part {
            Part::Frame => {
                let [start, end] =
                    [request.range.start, request.range.end].map(|at| at.saturating_add(self.offset));
                Request { part: Part::Frame, range: start..end }
            }
            Part::Chunk(_) => request.clone(),
        };
        let requests: Vec<_> = requests.iter().map(shifted).collect();
        wait(self.object.read_at(&requests))?.map_err(|error| match error {
            ReadError::Source(error) => failed(error),
            ReadError::Blosc(error) => io::Error::other(error),
        })
    }
}

impl ReadAt for Remote {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        let known = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(request);
        *buffer = match known {
            Some(bytes) => bytes,
            None => self.one(request)?,
        };
        Ok(buffer)
    }

    fn prefetch(&self, requests: &[Request]) -> io::Result<()> {
        let answers = self.get(requests)?;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(requests.iter().cloned().zip(answers));
        Ok(())
    }

    fn merge(&self) -> Merge {
        self.object.merge()
    }
}

/// The names of all objects in a folder.
pub(crate) fn names(url: &Path) -> io::Result<Vec<String>> {
    let (store, folder) = located(url)?;
    if url.to_str().is_some_and(|url| url.starts_with("http")) {
        let what =
            "an HTTP server does not list files: a store in a folder is read from s3://, gs:// or az://";
        return Err(io::Error::new(ErrorKind::Unsupported, what));
    }
    let objects: Vec<_> = wait(store.list(Some(&folder)).try_collect())?.map_err(failed)?;
    let name = |object: object_store::ObjectMeta| {
        let parts: Vec<_> =
            object.location.prefix_match(&folder)?.map(|part| part.as_ref().to_owned()).collect();
        Some(parts.join("/"))
    };
    Ok(objects.into_iter().filter_map(name).collect())
}

fn wait<T>(future: impl Future<Output = T>) -> io::Result<T> {
    match &*RUNTIME {
        Ok(runtime) => Ok(runtime.block_on(future)),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

fn failed(error: Error) -> io::Error {
    let (kind, what) = reason(&error);
    io::Error::new(kind, what)
}

/// The error of a store as one of a file: its first cause, in the words of `npx b2nd`.
fn reason(error: &Error) -> (ErrorKind, String) {
    let kind = match error {
        Error::NotFound { .. } => return (ErrorKind::NotFound, "not found".into()),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        _ => ErrorKind::Other,
    };
    let mut cause: &dyn core::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    let text = text.lines().next().unwrap_or_default();
    (
        kind,
        match text.strip_prefix("Server returned non-2xx status code: ") {
            Some(status) => format!("HTTP status {status}"),
            None if matches!(error, Error::NotSupported { .. }) => {
                "the server sends only whole files, and this one is over 16777216 bytes".into()
            }
            None => text.into(),
        },
    )
}

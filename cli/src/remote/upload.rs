//! Files written to object stores.

use super::stores::located;
use super::{failed, wait};
use crate::progress::Progress;
use futures_util::TryStreamExt;
use object_store::path::Path as ObjectPath;
use object_store::{Error, ObjectStore, ObjectStoreExt, Result, WriteMultipart};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a part of an upload. Shorter files are uploaded by one request.
const PART: u64 = 8 << 20;
/// Parts that an upload has at most. Stores allow 10 000.
const MAX_PARTS: u64 = 9_000;
/// Parts that are sent at the same time.
const CONCURRENT: usize = 4;

/// Indexes of frames and stores in directories: readers find the other files by them.
const INDEXES: &[&str] = &["chunks.b2frame", "embed.b2e"];

/// Writes a file to a URL. It appears there as a whole, or not at all.
pub(crate) fn upload(from: &Path, url: &Path) -> io::Result<()> {
    let (store, path) = writable(url)?;
    if !from.is_dir() {
        return upload_file(File::open(from)?, url);
    }
    let mut files = Vec::new();
    list(from, &path, &mut files)?;
    // Objects of an older frame would be read as those of the new one, or the reverse.
    let is_taken = match wait(store.head(&path))? {
        // Readers would prefer it to the directory.
        Ok(_) => true,
        Err(Error::NotFound { .. }) => wait(store.list(Some(&path)).try_next())?.map_err(failed)?.is_some(),
        Err(error) => return Err(failed(error)),
    };
    if is_taken {
        let what = "there are objects already: a directory is uploaded to a new name";
        return Err(io::Error::new(ErrorKind::AlreadyExists, what));
    }
    files.sort_by_key(|(_, path, _)| INDEXES.iter().any(|index| path.filename() == Some(index)));
    let mut progress = Progress::new("uploading", files.iter().map(|(_, _, len)| len).sum());
    files.iter().try_for_each(|(file, path, _)| put(&*store, path, File::open(file)?, &mut progress))
}

/// Writes an open file to a URL, from its start.
pub(crate) fn upload_file(mut file: File, url: &Path) -> io::Result<()> {
    let (store, path) = writable(url)?;
    file.rewind()?;
    let mut progress = Progress::new("uploading", file.metadata()?.len());
    put(&*store, &path, file, &mut progress)
}

/// Checks whether objects can be written to the store of a URL.
pub(crate) fn check_upload(url: &Path) -> io::Result<()> {
    writable(url).map(drop)
}

fn writable(url: &Path) -> io::Result<(Arc<dyn ObjectStore>, ObjectPath)> {
    if url.to_str().is_some_and(|url| url.starts_with("http")) {
        let what = "files are written to s3://, gs:// or az://, not to HTTP servers";
        return Err(io::Error::new(ErrorKind::Unsupported, what));
    }
    located(url)
}

/// Adds the files below a directory, the objects that they become, and their lengths.
fn list(folder: &Path, prefix: &ObjectPath, files: &mut Vec<(PathBuf, ObjectPath, u64)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = prefix.clone().join(entry.file_name().to_string_lossy().into_owned());
        match entry.metadata()? {
            metadata if metadata.is_dir() => list(&entry.path(), &path, files)?,
            metadata => files.push((entry.path(), path, metadata.len())),
        }
    }
    Ok(())
}

fn put(
    store: &dyn ObjectStore,
    path: &ObjectPath,
    mut file: File,
    progress: &mut Progress,
) -> io::Result<()> {
    let len = file.metadata()?.len();
    if len <= PART {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        wait(store.put(path, bytes.into()))?.map_err(failed)?;
        progress.advance(len);
        return Ok(());
    }
    let part = PART.max(len.div_ceil(MAX_PARTS));
    let begun = wait(store.put_multipart(path))?.map_err(failed)?;
    let mut upload = WriteMultipart::new_with_chunk_size(begun, part as usize);
    let sent = loop {
        let mut bytes = Vec::new();
        match (&mut file).take(part).read_to_end(&mut bytes) {
            Ok(0) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
        progress.advance(bytes.len() as u64);
        if let Err(error) = wait(send(&mut upload, &bytes)).and_then(|sent| sent.map_err(failed)) {
            break Err(error);
        }
    };
    match sent {
        Ok(()) => wait(upload.finish())?.map(drop).map_err(failed),
        Err(error) => {
            // If this fails as well, the store keeps the parts for as long as it is told to.
            let _ = wait(upload.abort());
            Err(error)
        }
    }
}

/// Sends a part as soon as fewer than the most are under way.
async fn send(upload: &mut WriteMultipart, bytes: &[u8]) -> Result<()> {
    upload.wait_for_capacity(CONCURRENT).await?;
    upload.write(bytes);
    Ok(())
}

//! New files that are no frames.

use super::lock::Lock;
use super::system::{keep_permissions, sync_folder};
use super::temporary::{discard, settle, temporary_file};
use crate::source::paths::{about, resolve};
use alloc::sync::Arc;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A new file that is no frame, such as values in another format. It takes the place of the one at its path when it is published.
///
/// Until then it has a temporary name, as a new [`File`](super::File) has. It keeps the permissions of the file that it replaces. A
/// link at its path is followed. If it is dropped unpublished, it is removed.
///
/// ```
/// use b2nd::sink::NewFile;
/// use std::io::Write;
/// # let path = std::env::temp_dir().join(format!("b2nd-new-file-{}", std::process::id()));
/// let mut file = NewFile::create(&path)?;
/// file.write_all(b"1,2\n")?;
/// assert!(!path.exists());
/// file.publish()?;
/// assert_eq!(std::fs::read(&path)?, b"1,2\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    file: fs::File,
    temporary: PathBuf,
    path: PathBuf,
    _lock: Arc<Lock>,
}

impl NewFile {
    /// Creates an empty file for a path.
    ///
    /// ```
    /// # use std::io::Write;
    /// # use b2nd::sink::NewFile;
    /// # let path = std::env::temp_dir().join(format!("b2nd-new-{}", std::process::id()));
    /// let mut file = NewFile::create(&path)?;
    /// file.write_all(b"1,2\n")?;
    /// // Without `publish` nothing is left of it.
    /// drop(file);
    /// assert!(!path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system; `IsADirectory` for a directory; `NotSeekable` for a pipe or a device, which no file replaces.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let given = path.as_ref();
        let path = resolve(given)?;
        let old = match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            old => Some(old?),
        };
        if old.as_ref().is_some_and(fs::Metadata::is_dir)
            || given.as_os_str().as_encoded_bytes().ends_with(b"/")
        {
            return Err(about(given, ErrorKind::IsADirectory, "the path is that of a directory"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(about(given, ErrorKind::NotSeekable, "a pipe or a device, which no file replaces"));
        }
        let (temporary, file, _lock) = temporary_file(&path)?;
        let new = Self { file, temporary, path, _lock };
        if let Some(old) = old {
            keep_permissions(&old, |permissions| new.file.set_permissions(permissions))?;
        }
        Ok(new)
    }

    /// Gives the file its name.
    ///
    /// ```
    /// # use std::io::Write;
    /// # use b2nd::sink::NewFile;
    /// # let path = std::env::temp_dir().join(format!("b2nd-publish-{}", std::process::id()));
    /// NewFile::create(&path)?.publish()?;
    /// assert!(path.exists());
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system. Then the file is removed, and what is at its path stays.
    pub fn publish(self) -> io::Result<()> {
        settle(&self.temporary, || fs::rename(&self.temporary, &self.path))
    }

    /// [`publish`](Self::publish), once the bytes are durable.
    pub(in crate::sink) fn publish_durably(self) -> io::Result<()> {
        self.file.sync_all()?;
        let path = self.path.clone();
        self.publish()?;
        sync_folder(&path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // A destructor cannot report errors.
        let _ = discard(&self.temporary);
    }
}

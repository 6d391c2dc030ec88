//! What a new frame may replace, and how it does.

use super::folder::{own_files, remove};
use super::temporary::collect;
use crate::source::paths::{about, aside};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What a new frame replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Old {
    Nothing,
    File,
    /// The directory of a sparse frame.
    Folder,
}

impl Old {
    /// Looks at what is at a path where a new frame shall be. Fails for all that is neither a regular file nor a directory with
    /// nothing but a sparse frame.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let there = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Nothing),
            there => there?,
        };
        if there.is_dir() {
            return own_files(path).map(|_| Self::Folder);
        }
        if there.is_file() {
            return Ok(Self::File);
        }
        Err(about(
            path,
            ErrorKind::NotSeekable,
            "neither a file nor a directory: a frame cannot take its place",
        ))
    }
}

/// Moves a new frame to its path. The inner result tells whether what it replaces could be removed.
pub(super) fn replace(new: &Path, path: &Path, is_sparse: bool) -> io::Result<io::Result<()>> {
    replace_by(exchange, new, path, is_sparse)
}

fn replace_by(
    exchange: impl Fn(&Path, &Path) -> io::Result<()>,
    new: &Path,
    path: &Path,
    is_sparse: bool,
) -> io::Result<io::Result<()>> {
    let old = Old::at(path)?;
    // A file replaces a file, but a directory with files nothing.
    if old == Old::Nothing || (old == Old::File && !is_sparse) {
        return fs::rename(new, path).map(Ok);
    }
    match exchange(new, path) {
        Ok(()) => Ok(remove(new)),
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            let old = aside(path)?;
            collect(&old);
            fs::rename(path, &old)?;
            // What happens here is mended when the path is opened next: see `found`.
            if let Err(error) = fs::rename(new, path) {
                fs::rename(&old, path)?;
                return Err(error);
            }
            Ok(remove(&old))
        }
        Err(error) => Err(error),
    }
}

/// Exchanges two paths at once. Fails as `Unsupported` or `InvalidInput` where the kernel or the file system cannot.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(new: &Path, path: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, new, CWD, path, RenameFlags::EXCHANGE)
        .map_err(|error| io::Error::from_raw_os_error(error.raw_os_error()))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

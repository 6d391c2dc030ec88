//! The directories of sparse frames, in which nothing is removed but what belongs to the frame.

use crate::source::paths::{INDEX, about, chunk_number, must_be_regular, open_part};
use alloc::format;
use alloc::vec::Vec;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The files of a sparse frame. Fails if the directory holds anything else, or no frame.
pub(super) fn own_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut has_index) = (Vec::new(), false);
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_file() || !is_own(&name) {
            let what =
                format!("a directory that holds {}, which is no part of a sparse frame", name.display());
            return Err(about(path, ErrorKind::DirectoryNotEmpty, &what));
        }
        has_index |= name == INDEX;
        files.push(entry.path());
    }
    if has_index {
        return Ok(files);
    }
    Err(about(path, ErrorKind::IsADirectory, "a directory that is no sparse frame"))
}

/// Whether a file of this name belongs to a sparse frame, or is a new index that a killed process left,
/// or its lock file.
fn is_own(name: &OsStr) -> bool {
    let is_left = |name: &str| {
        let rest = name.trim_start_matches('.').strip_prefix(INDEX);
        let rest = rest.and_then(|rest| rest.strip_prefix(".b2nd-"));
        name.starts_with('.')
            && rest.is_some_and(|rest| rest.ends_with(".tmp") || rest.ends_with(".b2nd-lock"))
    };
    name.to_str().is_some_and(|name| name == INDEX || chunk_number(name).is_some() || is_left(name))
}

/// Removes a file, or a directory with what belongs to a sparse frame or is staged for a store. A directory that holds anything else
/// stays, with that.
pub(in crate::sink) fn remove(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if is_staged(&entry.file_name()) {
            remove(&entry.path())?;
        } else if entry.file_type()?.is_file() && is_own(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(path)
}

/// Whether this is the name of a frame that is staged for a store, or its temporary name.
fn is_staged(name: &OsStr) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_staged = |name: &str| {
        let (number, rest) = name.trim_start_matches('.').split_once(".b2nd-staged")?;
        Some(is_number(number) && (rest.is_empty() || rest.ends_with(".tmp") || rest.ends_with(".b2nd-lock")))
    };
    name.to_str().and_then(is_staged).unwrap_or(false)
}

/// Removes the frame at a path: a file, or the directory of a sparse frame that holds nothing else.
///
/// ```
/// let path = std::env::temp_dir().join(format!("b2nd-remove-{}.b2nd", std::process::id()));
/// std::fs::copy("tests/golden/blosc2-4.14.1/sample.b2nd", &path)?;
/// b2nd::sink::remove_frame(&path)?;
/// assert!(!path.exists());
/// assert!(b2nd::sink::remove_frame("tests/golden".as_ref()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Errors of the file system; those of a directory that holds anything else, and of a link or a device.
pub fn remove_frame(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_dir() {
        own_files(path)?;
        return remove(path);
    }
    must_be_regular(path)?;
    fs::remove_file(path)
}

/// Opens the file of a chunk for writing: an empty one, unless writing goes on behind its start.
pub(super) fn open_chunk(path: &Path, offset: u64) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true);
    if offset > 0 {
        return open_part(path, &options);
    }
    options.create_new(true);
    match options.open(path) {
        // A process that was killed may have left it. It is not written to, since it may have other names.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            must_be_regular(path)?;
            fs::remove_file(path)?;
            options.open(path)
        }
        opened => opened,
    }
}

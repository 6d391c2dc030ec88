//! Files at a path: whether one can be read at positions, and what a killed process left of a replacement.

pub(crate) use super::hidden::{about, beside};
use super::locks::try_lock;
use crate::frame::Part;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;
use std::fs::{self, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;

/// The file of a sparse frame's index.
pub(crate) const INDEX: &str = "chunks.b2frame";

/// As many links as Linux follows.
const LINKS: u32 = 40;

/// The file name of a part of a sparse frame.
pub(crate) fn part_name(part: Part) -> String {
    match part {
        Part::Frame => INDEX.to_string(),
        Part::Chunk(file) => format!("{file:08X}.chunk"),
    }
}

/// The number of the chunk in a file.
pub(crate) fn chunk_number(name: &str) -> Option<u32> {
    let file = u32::from_str_radix(name.strip_suffix(".chunk")?, 16).ok()?;
    (part_name(Part::Chunk(file)) == name).then_some(file)
}

/// Follows the links at a path. Nothing needs to be where they lead.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        // Components leave out a slash at the end, with which the link itself cannot be read.
        path = path.components().collect();
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // `.` and `..` have no name beside which another one could be.
            Err(_) if path.file_name().is_none() => return fs::canonicalize(path),
            Err(_) => return Ok(path),
        }
    }
    Err(about(&path, ErrorKind::InvalidInput, "too many links follow each other"))
}

/// The name of the old frame for the moment at which a new one takes its place, where the system cannot exchange them.
pub(crate) fn aside(path: &Path) -> io::Result<PathBuf> {
    beside(path, ".b2nd-old")
}

/// Returns what is at a path, and the path where it can be opened. If nothing is there because a process was killed while it
/// replaced a frame, the old frame gets its name back.
pub(crate) fn found(path: &Path) -> io::Result<(PathBuf, Metadata)> {
    let missing = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => error,
        found => return Ok((path.to_owned(), found?)),
    };
    let path = resolve(path)?;
    let Ok(old) = aside(&path) else { return Err(missing) };
    // A living process has it locked, and needs only a moment.
    for _ in 0..1000 {
        if let Ok(found) = fs::metadata(&path) {
            return Ok((path, found));
        }
        if !fs::symlink_metadata(&old).is_ok_and(|old| old.is_dir() || old.is_file()) {
            break;
        }
        match try_lock(&path, &old) {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::Error(_)) => {}
            _ if path.exists() => {}
            // Without the right to rename it, it can be read where it is.
            _ if fs::rename(&old, &path).is_err() => {
                if let Ok(found) = fs::metadata(&old) {
                    return Ok((old, found));
                }
            }
            _ => {}
        }
    }
    fs::metadata(&path).map(|found| (path, found)).map_err(|_| missing)
}

/// Fails for devices and pipes that have no positions, which opening could even wait for.
pub(crate) fn must_have_positions(there: &Metadata) -> io::Result<()> {
    if there.is_file() || there.is_dir() || is_block_device(there) {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::NotSeekable, "a pipe or a device, which has no positions to read from"))
}

#[cfg(unix)]
fn is_block_device(there: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    there.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_block_device(_: &Metadata) -> bool {
    false
}

/// Opens an existing file within a frame or a store. Whoever plants a link there must not choose which file is read or
/// overwritten.
pub(crate) fn open_part(path: &Path, options: &OpenOptions) -> io::Result<fs::File> {
    loop {
        let there = must_be_regular(path)?;
        let file = options.open(path)?;
        // A commit may have replaced it between the two.
        if is_same(&file.metadata()?, &there) {
            return Ok(file);
        }
    }
}

/// Fails unless a path within a frame is that of a regular file.
pub(crate) fn must_be_regular(path: &Path) -> io::Result<Metadata> {
    let there = must_be_no_link(path)?;
    if there.is_file() {
        return Ok(there);
    }
    Err(about(path, ErrorKind::InvalidData, "not a regular file, as all files of a frame are"))
}

/// Fails for a link within a frame or a store.
pub(crate) fn must_be_no_link(path: &Path) -> io::Result<Metadata> {
    let there = fs::symlink_metadata(path)?;
    if there.is_symlink() {
        return Err(about(
            path,
            ErrorKind::InvalidData,
            "a link within a frame or a store, which is not followed",
        ));
    }
    Ok(there)
}

/// Whether this file is at the path. Where that cannot be told, it is.
pub(crate) fn is_at(file: &fs::File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(there) => Ok(is_same(&file.metadata()?, &there)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_same(this: &Metadata, there: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (this.dev(), this.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

//! Files that replace nothing.

use super::system::sync_folder;
use super::temporary::{discard, settle, temporary_file};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Puts a file with these bytes at a path where nothing is. Until it is complete and durable, it has a temporary name for `named`, in
/// the same directory.
///
/// # Errors
/// `AlreadyExists` if something is there, and others of the operating system.
pub(in crate::sink) fn place(path: &Path, named: &Path, bytes: &[u8]) -> io::Result<()> {
    let (new, mut file, _lock) = temporary_file(named)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::hard_link(&new, path));
    let placed = match placed {
        // A file system without links.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) => {
            // Also a link that leads nowhere is something.
            match fs::symlink_metadata(path).is_ok() {
                true => Err(ErrorKind::AlreadyExists.into()),
                false => settle(&new, || fs::rename(&new, path)),
            }
        }
        placed => placed,
    };
    let discarded = discard(&new);
    placed.and(discarded)?;
    sync_folder(path)
}

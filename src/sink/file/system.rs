//! What the operating systems do differently.

use std::fs;
use std::io;
use std::path::Path;

/// The directory of a file.
pub(super) fn folder(path: &Path) -> Option<&Path> {
    path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// Makes changes of names in a directory durable.
#[cfg(unix)]
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(super) fn write_all(file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(not(unix))]
pub(super) fn write_all(mut file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}

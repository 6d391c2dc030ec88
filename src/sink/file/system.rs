//! Differences of the operating systems.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::path::Path;

/// Makes the name of a file durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => sync_directory(Path::new(".")),
        Some(folder) => sync_directory(folder),
        None => Ok(()),
    }
}

/// Makes changes of names in a directory durable.
#[cfg(unix)]
pub(in crate::sink) fn sync_directory(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

#[cfg(not(unix))]
pub(in crate::sink) fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a new file or directory the permissions of the one that it replaces. A host of WebAssembly, where there are none, does so
/// when the new one gets its name.
pub(super) fn keep_permissions(
    old: &Metadata,
    set: impl FnOnce(Permissions) -> io::Result<()>,
) -> io::Result<()> {
    if cfg!(target_os = "wasi") { Ok(()) } else { set(old.permissions()) }
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

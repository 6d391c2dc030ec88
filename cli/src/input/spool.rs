//! Temporary files for inputs that cannot be read twice or whose length is unknown.

use core::sync::atomic::{AtomicU32, Ordering};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::process;

/// A counter for unique names within a process.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Creates an empty temporary file in a directory, and unlinks it.
pub(super) fn file(folder: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Some(file) = nameless(folder) {
        return Ok(file);
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".b2nd-input.{}.{number}.tmp", process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    // Fails on systems that cannot remove open files; then the file remains.
    let _ = fs::remove_file(&path);
    Ok(file)
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    open(folder, flags, Mode::from_raw_mode(0o600)).ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Path) -> Option<File> {
    None
}

/// Copies all bytes of a reader to a temporary file.
pub(super) fn all(reader: impl Read, folder: &Path) -> io::Result<File> {
    let mut file = file(folder)?;
    refill(&mut file, reader)?;
    Ok(file)
}

/// Replaces the content of a temporary file by all bytes of a reader. Returns their number.
pub(super) fn refill(file: &mut File, mut reader: impl Read) -> io::Result<u64> {
    file.rewind()?;
    let mut out = BufWriter::with_capacity(super::BUFFER, &*file);
    let count = io::copy(&mut reader, &mut out)?;
    out.flush()?;
    Ok(count)
}

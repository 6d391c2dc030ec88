//! Temporary files for inputs that cannot be read twice or whose length is unknown.

use crate::files;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Copies all bytes of a reader to a temporary file in a directory.
pub(super) fn all(reader: impl Read, folder: &Path) -> io::Result<File> {
    let mut file = files::unlinked(folder)?;
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

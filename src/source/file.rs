//! Files, and directories of files for sparse frames.

use super::paths::{INDEX, found, is_at, must_have_positions, open_part, part_name};
use super::{ReadAt, ReadError, Reader};
use crate::chunk::DParams;
use crate::frame::{Part, Request};
use crate::reading::Merge;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A frame on disk: a file, at any offset of it, or a directory.
///
/// Each read names its place, so that threads may share one, and copies of it share the open file.
#[derive(Debug, Clone)]
pub struct File {
    frame: Arc<fs::File>,
    /// Where the frame begins in its file.
    offset: u64,
    /// The directory of a sparse frame.
    chunks: Option<PathBuf>,
    /// The path as it was given, to open it again.
    path: PathBuf,
}

/// Opens the frame in a file, or the sparse frame in a directory.
///
/// ```
/// use b2nd::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let plane = reader.get("0")?;
/// # Ok(()) }
/// ```
///
/// # Errors
/// `Source` if it cannot be read, `Blosc` if it is no frame.
pub fn open(path: impl AsRef<Path>) -> Result<Reader<File>, ReadError<io::Error>> {
    open_with(path, DParams::default())
}

/// [`open`] with parameters of decompression.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let limits = b2nd::Limits { memory: 16 << 20, ..Default::default() };
/// let dparams = b2nd::DParams { limits, ..Default::default() };
/// let reader = b2nd::open_with("tests/golden/blosc2-4.14.1/sample.b2nd", dparams)?;
/// # Ok(()) }
/// ```
///
/// # Errors
/// Errors of [`open`].
pub fn open_with(path: impl AsRef<Path>, dparams: DParams) -> Result<Reader<File>, ReadError<io::Error>> {
    Reader::open(File::open(path).map_err(ReadError::Source)?, dparams)
}

/// Whether a path is the directory of a sparse frame.
///
/// ```
/// assert!(!b2nd::source::is_sparse_frame("tests/golden".as_ref()));
/// ```
pub fn is_sparse_frame(path: &Path) -> bool {
    path.join(INDEX).is_file()
}

impl File {
    /// Opens a file or, for a sparse frame, a directory. If a process was killed while it replaced the frame, the old one is
    /// opened, and gets its name back where that is allowed.
    ///
    /// ```
    /// let file = b2nd::source::File::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(b2nd::Array::from_source(file)?.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system; `NotSeekable` for a pipe or a device without positions; `InvalidData` for a link in the
    /// directory of a sparse frame, which is not followed.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let given = path.as_ref();
        let (path, there) = found(given)?;
        if there.is_dir() {
            let index = open_part(&path.join(INDEX), OpenOptions::new().read(true));
            let frame = index.map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    io::Error::new(error.kind(), "a directory without chunks.b2frame is no sparse frame")
                }
                _ => error,
            })?;
            return Ok(Self { frame: Arc::new(frame), offset: 0, chunks: Some(path), path: given.into() });
        }
        Self::open_at(given, 0)
    }

    /// Opens a file in which the frame begins at byte `offset`.
    ///
    /// ```
    /// let file = b2nd::source::File::open_at("tests/golden/blosc2-4.14.1/sample.b2nd", 0)?;
    /// assert_eq!(b2nd::Array::from_source(file)?.shape(), [12, 30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system; `NotSeekable` for a pipe or a device without positions.
    pub fn open_at(path: impl AsRef<Path>, offset: u64) -> io::Result<Self> {
        let given = path.as_ref();
        let (path, there) = found(given)?;
        must_have_positions(&there)?;
        Ok(Self { frame: Arc::new(fs::File::open(path)?), offset, chunks: None, path: given.into() })
    }

    /// Whether it is behind a URL, which hosts of WebAssembly open as a file.
    fn is_remote(&self) -> bool {
        let is_url = |path: &str| path.starts_with("https://") || path.starts_with("http://");
        cfg!(target_os = "wasi") && self.path.to_str().is_some_and(is_url)
    }
}

impl ReadAt for File {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match (request.part, &self.chunks) {
            (Part::Frame, _) => read(&self.frame, self.offset, request, buffer),
            (Part::Chunk(number), Some(directory)) => {
                match open_part(
                    &directory.join(part_name(Part::Chunk(number))),
                    OpenOptions::new().read(true),
                ) {
                    Ok(file) => read(&file, 0, request, buffer),
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(&[]),
                    Err(error) => Err(error),
                }
            }
            (Part::Chunk(_), None) => Ok(&[]),
        }
    }

    /// A file that was replaced is still open, and complete; of a directory only the index is.
    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        // Its host compares what the server says of the version.
        if self.is_remote() {
            return Ok(None);
        }
        if let Some(folder) = &self.chunks
            && !is_at(&self.frame, &folder.join(INDEX))?
        {
            return Ok(Some(&[]));
        }
        self.read_at(request, buffer).map(Some)
    }

    fn reopen(&mut self) -> io::Result<()> {
        let path = &self.path;
        *self = if self.offset == 0 { Self::open(path)? } else { Self::open_at(path, self.offset)? };
        Ok(())
    }

    fn prefetch(&self, requests: &[Request]) -> io::Result<()> {
        if self.is_remote() {
            requests.iter().for_each(|request| will_need(&self.frame, &request.range));
        }
        Ok(())
    }

    fn merge(&self) -> Merge {
        if self.is_remote() { Merge::NETWORK } else { Merge::LOCAL }
    }
}

/// Tells the host of WebAssembly that a range is read next.
#[cfg(target_os = "wasi")]
fn will_need(file: &fs::File, range: &Range<u64>) {
    let len = core::num::NonZeroU64::new(range.end - range.start);
    // This is advice.
    let _ = rustix::fs::fadvise(file, range.start, len, rustix::fs::Advice::WillNeed);
}

#[cfg(not(target_os = "wasi"))]
fn will_need(_: &fs::File, _: &Range<u64>) {}

/// Reads a range of a file that is open only meanwhile, and is no link.
#[cfg(feature = "write")]
pub(crate) fn read_once<'b>(path: &Path, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
    read(&open_part(path, OpenOptions::new().read(true))?, 0, request, buffer)
}

fn read<'b>(
    file: &fs::File,
    offset: u64,
    request: &Request,
    buffer: &'b mut Vec<u8>,
) -> io::Result<&'b [u8]> {
    /// Longer requests are first compared with the file: its own claims must not make us allocate.
    const TRUSTED: u64 = 64 << 10;
    let start = request.range.start.saturating_add(offset);
    let mut len = request.range.end - request.range.start;
    if len > TRUSTED {
        len = len.min(file.metadata()?.len().saturating_sub(start));
    }
    if buffer.len() < len as usize {
        buffer.resize(len as usize, 0);
    }
    let mut done = 0;
    while done < len as usize {
        match read_some(file, &mut buffer[done..len as usize], start.saturating_add(done as u64)) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&buffer[..done])
}

#[cfg(unix)]
fn read_some(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_some(mut file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

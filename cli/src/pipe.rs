//! Pipes, devices and standard streams: they are read to their end, or written from start to end.

use core::time::Duration;
use std::fs::{self, File};
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;
use std::thread::sleep;
use std::time::Instant;

/// The path that means standard input or standard output.
pub(crate) const STANDARD: &str = "-";

/// How long a process may take until it writes to a pipe.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN: Duration = Duration::from_millis(10);

/// Whether a path means standard output, which may also be a file that others append to.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == STANDARD || path == Path::new("/dev/stdout")
}

/// Whether there is a pipe or a device at a path, which can only be written to from start to end.
pub(crate) fn is_written_through(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Whether there is a pipe at a path.
#[cfg(unix)]
pub(crate) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|there| there.file_type().is_fifo())
}

/// WASI has no type for pipes: they have none.
#[cfg(target_os = "wasi")]
pub(crate) fn is_pipe(path: &Path) -> bool {
    use rustix::fs::{FileType, stat};
    stat(path).is_ok_and(|there| FileType::from_raw_mode(there.st_mode) == FileType::Unknown)
}

#[cfg(not(any(unix, target_os = "wasi")))]
pub(crate) fn is_pipe(_path: &Path) -> bool {
    false
}

/// Opens a pipe for reading. Fails if nothing comes from it.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut file = without_waiting(path)?;
    let (mut first, start) = ([0], Instant::now());
    loop {
        match file.read(&mut first) {
            Ok(0) if start.elapsed() > PATIENCE => {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "no process writes to this pipe"));
            }
            Ok(0) => sleep(BETWEEN),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break waiting(file, Vec::new()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(_) => break waiting(file, first.to_vec()),
        }
    }
}

/// Opens a file without waiting for a process that has it open for writing.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn without_waiting(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)
}

/// Makes reads wait again.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn waiting(file: File, first: Vec<u8>) -> io::Result<Box<dyn Read>> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(Box::new(Cursor::new(first).chain(file)))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn waiting(file: File, first: Vec<u8>) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(Cursor::new(first).chain(file)))
}

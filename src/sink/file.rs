//! Writable frames in files and directories.

mod lock;
mod moving;
mod system;

use super::{Editor, WriteAt};
use crate::array::ArrayParams;
use crate::chunk::DParams;
use crate::frame::{Part, Request};
use crate::source::{self, ReadAt, ReadError};
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use lock::{Lock, lock};
use moving::{exchange, temporary};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use system::{folder, sync_directory, write_all};

/// The file of a sparse frame's index.
const INDEX: &str = "chunks.b2frame";

/// A writable frame on disk: a file, or the directory of a sparse frame.
///
/// A new frame has a temporary name until it is published. Then it replaces whatever is at its path. An open frame is locked
/// against other writers. The operating system releases the lock when the process ends.
#[derive(Debug)]
pub struct File {
    reads: source::File,
    /// The file of the frame or of the index. A contiguous frame is open for writing.
    frame: fs::File,
    /// The current path of the file or directory.
    path: PathBuf,
    /// The final path of a frame that is not published yet.
    publishes: Option<PathBuf>,
    is_sparse: bool,
    /// Files with writes that are not synced yet.
    unsynced: Vec<PathBuf>,
    /// Locks on this frame and on the one that it replaces.
    locks: Vec<Arc<Lock>>,
}

/// Creates an array in a file or, if the parameters say so, in a directory. The first commit puts it at `path`, replacing
/// whatever is there.
///
/// ```
/// use b2nd::{Selection, array::ArrayParams};
/// # let folder = std::env::temp_dir().join(format!("b2nd-create-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("image.b2nd");
/// let mut editor = b2nd::create(&path, &ArrayParams::new(&[480, 640], "|u1"))?;
/// editor.set(&"100:200, 300".parse::<Selection>()?, &[7; 100])?;
/// editor.commit()?;
/// drop(editor);
/// assert_eq!(b2nd::open(&path)?.get(&"199:201, 300".parse::<Selection>()?)?, [7, 0]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `Source` if the file cannot be created, or if another process is writing it; `Blosc` for invalid parameters.
pub fn create(path: impl AsRef<Path>, params: &ArrayParams) -> Result<Editor<File>, ReadError<io::Error>> {
    Editor::create_array(File::create(path, params.sparse).map_err(ReadError::Source)?, params)
}

/// Opens a frame in a file or a directory to change it.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("b2nd-edit-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("image.b2nd");
/// # b2nd::create(&path, &b2nd::array::ArrayParams::new(&[480, 640], "|u1"))?.commit()?;
/// let mut editor = b2nd::edit(&path)?;
/// editor.append(0, &[255; 20 * 640])?;
/// editor.set_vlmetalayer("author", b"\xa3Ada")?;
/// editor.commit()?;
/// drop(editor);
/// assert_eq!(b2nd::open(&path)?.array()?.unwrap().shape(), [500, 640]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `Source` if it cannot be opened, or if another process is writing it; `Blosc` as for [`Editor::open`].
pub fn edit(path: impl AsRef<Path>) -> Result<Editor<File>, ReadError<io::Error>> {
    Editor::open(File::open(path).map_err(ReadError::Source)?, DParams::default())
}

impl File {
    /// Creates a frame that replaces whatever is at `path` when it is published.
    ///
    /// # Errors
    /// Errors of the operating system; `WouldBlock` if another process is writing the frame at `path`.
    pub fn create(path: impl AsRef<Path>, sparse: bool) -> io::Result<Self> {
        let path = path.as_ref();
        let old = match path.exists() {
            true => Some(lock(path)?),
            false => None,
        };
        Self::temporary(path, sparse, old.into_iter().collect())
    }

    /// Opens a frame to change it.
    ///
    /// # Errors
    /// Errors of the operating system; `WouldBlock` if another process is writing it.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref().to_path_buf();
        let locks = Vec::from([lock(&path)?]);
        let reads = source::File::open(&path)?;
        let is_sparse = path.is_dir();
        let index = if is_sparse { path.join(INDEX) } else { path.clone() };
        let frame = OpenOptions::new().read(true).write(true).open(index)?;
        Ok(Self { reads, frame, path, publishes: None, is_sparse, unsynced: Vec::new(), locks })
    }

    fn temporary(path: &Path, is_sparse: bool, mut locks: Vec<Arc<Lock>>) -> io::Result<Self> {
        let temporary = temporary(path)?;
        let index = if is_sparse {
            fs::create_dir(&temporary)?;
            temporary.join(INDEX)
        } else {
            temporary.clone()
        };
        let frame = OpenOptions::new().read(true).write(true).create_new(true).open(index)?;
        if let Ok(old) = fs::metadata(path)
            && !is_sparse
        {
            frame.set_permissions(old.permissions())?;
        }
        locks.push(lock(&temporary)?);
        let reads = source::File::open(&temporary)?;
        let publishes = Some(path.to_path_buf());
        Ok(Self { reads, frame, path: temporary, publishes, is_sparse, unsynced: Vec::new(), locks })
    }

    fn chunk_path(&self, file: u32) -> PathBuf {
        self.path.join(format!("{file:08X}.chunk"))
    }
}

impl ReadAt for File {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        self.reads.read_at(request, buffer)
    }
}

impl WriteAt for File {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match part {
            Part::Frame => write_all(&self.frame, bytes, offset),
            Part::Chunk(file) => {
                let path = self.chunk_path(file);
                // A process that was killed may have left a file there.
                let chunk = OpenOptions::new().write(true).create(true).truncate(offset == 0).open(&path)?;
                self.unsynced.push(path);
                write_all(&chunk, bytes, offset)
            }
        }
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let path = if self.is_sparse { self.path.join(INDEX) } else { self.path.clone() };
        let new = temporary(&path)?;
        let frame = OpenOptions::new().read(true).write(true).create_new(true).open(&new)?;
        let written = write_all(&frame, bytes, 0).and_then(|()| frame.sync_all());
        if let Err(error) = written.and_then(|()| fs::rename(&new, &path)) {
            // If this fails as well, the first error is more useful.
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        self.frame = frame;
        self.reads = source::File::open(&self.path)?;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        for path in self.unsynced.drain(..) {
            fs::File::open(path)?.sync_all()?;
        }
        if self.is_sparse {
            sync_directory(&self.path)?;
        }
        self.frame.sync_all()
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.frame.set_len(len)
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".chunk"));
            let number = number
                .filter(|digits| digits.len() == 8)
                .and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if number.is_some_and(unused) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn successor(&self) -> io::Result<Self> {
        let path = self.publishes.as_deref().unwrap_or(&self.path);
        Self::temporary(path, self.is_sparse, self.locks.clone())
    }

    fn publish(&mut self) -> io::Result<()> {
        let Some(path) = &self.publishes else { return Ok(()) };
        exchange(&self.path, path, self.is_sparse)?;
        if let Some(folder) = folder(path) {
            sync_directory(folder)?;
        }
        self.path = path.clone();
        self.publishes = None;
        // The last lock is that of this file. What it replaces has no name any more.
        self.locks.drain(..self.locks.len() - 1);
        self.reads = source::File::open(&self.path)?;
        Ok(())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if self.publishes.is_some() {
            // A destructor cannot report errors.
            let _ = if self.is_sparse { fs::remove_dir_all(&self.path) } else { fs::remove_file(&self.path) };
        }
    }
}

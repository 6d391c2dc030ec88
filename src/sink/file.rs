//! Writable frames in files and directories.

pub(super) mod folder;
pub(super) mod lock;
mod lock_file;
mod new_file;
mod pending;
mod placing;
mod replacing;
mod staged;
pub(super) mod system;
pub(super) mod temporary;

use super::{Editor, WriteAt};
use crate::array::ArrayParams;
use crate::chunk::DParams;
use crate::frame::{Part, Request, Revision};
use crate::source::locks::OF_NAMES;
use crate::source::paths::{
    INDEX, about, chunk_number, found, is_at, must_have_positions, open_part, part_name, resolve,
};
use crate::source::{self, ReadAt, ReadError};
use alloc::sync::Arc;
use alloc::vec::Vec;
use folder::open_chunk;
use lock::{Lock, lock};
use pending::Pending;
use replacing::{Old, replace};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use system::{keep_permissions, sync_directory, write_all};
use temporary::{discard, settle, temporary_file, temporary_folder};

pub use folder::remove_frame;
pub use new_file::NewFile;
pub(super) use placing::place;
pub use temporary::remove_temporaries;

/// A writable frame on disk: a file, or the directory of a sparse frame.
///
/// A new frame has the temporary name `.NAME.b2nd-0.tmp` (or 1, 2 …) beside its path until it is published. Then it replaces the file
/// at its path, or the sparse frame: a directory that holds anything else is refused, and so are pipes and devices. A link is
/// followed if it is the path itself, also one that leads nowhere yet; links within a frame are errors. Of a file with
/// several names (hard links), a new frame replaces only the one that is given, while changes are seen through all of them.
///
/// An open frame is locked against other writers. The operating system releases the lock when the process ends. What a process
/// that was killed leaves under temporary names, the next writer of the same path removes.
#[derive(Debug)]
pub struct File {
    /// The open files, unless the frame is staged.
    open: Option<Open>,
    /// The current path of the file or directory.
    path: PathBuf,
    /// The final path of a frame that is not published yet.
    publishes: Option<PathBuf>,
    is_sparse: bool,
    /// Files with writes that are not synced yet.
    unsynced: Vec<PathBuf>,
    pending: Pending,
    /// The state that was last found before something was written.
    revision: Option<Revision>,
    /// Locks on this frame and on the one that it replaces.
    locks: Vec<Arc<Lock>>,
}

/// The open files of a frame.
#[derive(Debug)]
struct Open {
    reads: source::File,
    /// The file of the frame or of the index. A contiguous frame is open for writing.
    frame: fs::File,
}

impl Open {
    /// Opens the frame at a path.
    fn at(path: &Path, is_sparse: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let reads = source::File::open(path)?;
        let frame = if is_sparse { open_part(&path.join(INDEX), &options) } else { options.open(path) };
        Ok(Self { reads, frame: frame? })
    }
}

/// Creates an array in a file or, if the parameters say so, in a directory. The first commit puts it at `path`, where it replaces
/// a file or a sparse frame.
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
/// `Source` as for [`File::create`]; `Blosc` for invalid parameters.
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
/// editor.append_values(0, &[255_u8; 20 * 640])?;
/// editor.set_attr_bytes("author", b"\xa3Ada")?;
/// editor.commit()?;
/// drop(editor);
/// assert_eq!(b2nd::Array::open(&path)?.shape(), [500, 640]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `Source` if it cannot be opened, or if another process is writing it; `Blosc` as for [`Editor::open`].
pub fn edit(path: impl AsRef<Path>) -> Result<Editor<File>, ReadError<io::Error>> {
    edit_with(path, DParams::default())
}

/// [`edit`] with parameters of reading.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("b2nd-edit-with-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("image.b2nd");
/// # b2nd::create(&path, &b2nd::array::ArrayParams::new(&[480, 640], "|u1"))?.commit()?;
/// let limits = b2nd::Limits { memory: 16 << 20, ..Default::default() };
/// let mut editor = b2nd::edit_with(&path, b2nd::DParams { limits, ..Default::default() })?;
/// editor.fill_value(.., 7_u8)?;
/// editor.commit()?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Errors of [`edit`].
pub fn edit_with(path: impl AsRef<Path>, dparams: DParams) -> Result<Editor<File>, ReadError<io::Error>> {
    Editor::open(File::open(path).map_err(ReadError::Source)?, dparams)
}

impl File {
    /// Creates a frame that replaces the file or the sparse frame at `path` when it is published.
    ///
    /// ```
    /// use b2nd::{DParams, Editor, array::ArrayParams, sink::File};
    /// # let path = std::env::temp_dir().join(format!("b2nd-create-{}.b2nd", std::process::id()));
    /// let mut editor = Editor::create_array(File::create(&path, false)?, &ArrayParams::new(&[3], "|u1"))?;
    /// editor.set(b2nd::Selection::all(), &[1, 2, 3])?;
    /// editor.commit()?;
    /// drop(editor);
    /// let editor = Editor::open_array(File::open(&path)?, DParams::default())?;
    /// # drop(editor);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system; `WouldBlock` if another process is writing the frame at `path`; `DirectoryNotEmpty` or
    /// `IsADirectory` for a directory that is anything but a sparse frame, and for a path with a slash at the end that is to be a
    /// file; `NotSeekable` for a pipe or a device.
    pub fn create(path: impl AsRef<Path>, sparse: bool) -> io::Result<Self> {
        let given = path.as_ref();
        match found(given) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => drop(found?),
        }
        let path = resolve(given)?;
        if !sparse && given.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(about(given, ErrorKind::IsADirectory, "the path is that of a directory"));
        }
        let old = match Old::at(&path)? {
            Old::Nothing => None,
            _ => Some(lock(&path)?),
        };
        Self::temporary(&path, sparse, old.into_iter().collect())
    }

    /// Opens a frame to change it.
    ///
    /// ```
    /// let frame = b2nd::sink::File::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let editor = b2nd::Editor::open_array(frame, b2nd::DParams::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the operating system; `WouldBlock` if another process is writing it; `NotSeekable` for a pipe or a device;
    /// `InvalidData` for a link in the directory of a sparse frame.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let (path, there) = found(path.as_ref())?;
        must_have_positions(&there)?;
        let path = resolve(&path)?;
        let locks = Vec::from([lock(&path)?]);
        let is_sparse = there.is_dir();
        let open = Open::at(&path, is_sparse)?;
        let pending = Pending::after(open.frame.metadata()?.len());
        let mut file = Self::of(path, Some(open), None, pending);
        (file.is_sparse, file.locks) = (is_sparse, locks);
        Ok(file)
    }

    fn of(path: PathBuf, open: Option<Open>, publishes: Option<PathBuf>, pending: Pending) -> Self {
        let (unsynced, locks) = (Vec::new(), Vec::new());
        Self { open, path, publishes, is_sparse: false, unsynced, pending, revision: None, locks }
    }

    fn temporary(path: &Path, is_sparse: bool, mut locks: Vec<Arc<Lock>>) -> io::Result<Self> {
        let (temporary, frame, lock) = if is_sparse {
            let (folder, lock) = temporary_folder(path)?;
            let options = OpenOptions::new().read(true).write(true).create_new(true).clone();
            (folder.clone(), options.open(folder.join(INDEX)), lock)
        } else {
            let (file, frame, lock) = temporary_file(path)?;
            (file, Ok(frame), lock)
        };
        let made = frame.and_then(|frame| {
            if let Ok(old) = fs::metadata(path)
                && old.is_dir() == is_sparse
            {
                keep_permissions(&old, |permissions| fs::set_permissions(&temporary, permissions))?;
            }
            Ok((frame, source::File::open(&temporary)?))
        });
        let (frame, reads) = made.inspect_err(|_| drop(discard(&temporary)))?;
        locks.push(lock);
        let (publishes, open) = (Some(path.to_path_buf()), Some(Open { reads, frame }));
        let mut file = Self::of(temporary, open, publishes, Pending::after(0));
        (file.is_sparse, file.locks) = (is_sparse, locks);
        Ok(file)
    }

    /// Closes the files of the frame where they keep others from taking its name, or the directory from being moved.
    fn close(&mut self) {
        if cfg!(windows) {
            self.open = None;
        }
    }

    /// Opens them again.
    fn reopen(&mut self) -> io::Result<()> {
        if cfg!(windows) {
            self.open = Some(Open::at(&self.path, self.is_sparse)?);
        }
        Ok(())
    }

    /// Runs something with the file of the frame or of the index.
    fn with_frame<T>(&self, run: impl FnOnce(&fs::File) -> io::Result<T>) -> io::Result<T> {
        match &self.open {
            Some(open) => run(&open.frame),
            None => run(&staged::open(&self.path)?),
        }
    }
}

impl ReadAt for File {
    type Error = io::Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        match &self.open {
            Some(open) => open.reads.read_at(request, buffer),
            None => source::read_once(&self.path, request, buffer),
        }
    }

    /// Bytes written to a file that was replaced are lost.
    fn current<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> io::Result<Option<&'b [u8]>> {
        let Some(Open { reads, frame }) = &self.open else { return self.read_at(request, buffer).map(Some) };
        let place = if self.is_sparse { self.path.join(INDEX) } else { self.path.clone() };
        if is_at(frame, &place)? { reads.current(request, buffer) } else { Ok(Some(&[])) }
    }
}

impl WriteAt for File {
    fn compare(&mut self, revision: &Revision) -> io::Result<bool> {
        if self.revision.as_ref() != Some(revision) {
            self.revision = Some(revision.clone());
        }
        revision.is_current(self)
    }

    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match part {
            Part::Frame => {
                self.pending.write();
                self.with_frame(|frame| write_all(frame, bytes, offset))
            }
            Part::Chunk(_) => {
                let path = self.path.join(part_name(part));
                let chunk = open_chunk(&path, offset)?;
                self.pending.add(path.clone());
                self.unsynced.push(path);
                write_all(&chunk, bytes, offset)
            }
        }
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let path = if self.is_sparse { self.path.join(INDEX) } else { self.path.clone() };
        let (new, frame, lock) = temporary_file(&path)?;
        let old = self.with_frame(fs::File::metadata)?;
        let written = keep_permissions(&old, |permissions| frame.set_permissions(permissions))
            .and_then(|()| write_all(&frame, bytes, 0))
            .and_then(|()| frame.sync_all());
        self.close();
        if let Err(error) = written.and_then(|()| settle(&new, || fs::rename(&new, &path))) {
            // If these fail as well, the first error is more useful.
            let _ = (self.reopen(), discard(&new));
            return Err(error);
        }
        self.pending.commit(bytes.len() as u64);
        if !self.is_sparse {
            self.locks.push(lock);
        }
        self.open = Some(Open { reads: source::File::open(&self.path)?, frame });
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.pending.sync();
        // The commit of the store makes a staged frame durable.
        let Some(open) = &self.open else { return Ok(()) };
        for path in self.unsynced.drain(..) {
            // Windows wants the right to write for this.
            open_part(&path, OpenOptions::new().write(true))?.sync_all()?;
        }
        if self.is_sparse {
            sync_directory(&self.path)?;
        }
        open.frame.sync_all()
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.with_frame(|frame| frame.set_len(len))?;
        self.pending.commit(len);
        Ok(())
    }

    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_str().and_then(chunk_number).is_some_and(unused) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn successor(&self) -> io::Result<Self> {
        let path = self.publishes.as_deref().unwrap_or(&self.path);
        if self.open.is_none() {
            return Self::create_staged(path);
        }
        Self::temporary(path, self.is_sparse, self.locks.clone())
    }

    fn publish(&mut self) -> io::Result<()> {
        let Some(path) = &self.publishes else { return Ok(()) };
        if self.open.is_none() {
            fs::rename(&self.path, path)?;
            self.path.clone_from(path);
            self.publishes = None;
            return Ok(());
        }
        let path = path.clone();
        self.close();
        let replaced = settle(&self.path, || replace(&self.path, &path, self.is_sparse));
        if replaced.is_ok() {
            self.path = path;
        }
        self.reopen()?;
        let removed = replaced?;
        self.publishes = None;
        // The last lock is that of this file. What it replaces has no name any more.
        if !OF_NAMES {
            self.locks.drain(..self.locks.len() - 1);
        } else if self.locks.len() == 1 {
            self.locks.push(lock(&self.path)?);
        }
        if let Some(open) = &mut self.open {
            open.reads = source::File::open(&self.path)?;
        }
        removed
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // A destructor cannot report errors.
        let _ = match self.publishes {
            Some(_) if self.open.is_none() => fs::remove_file(&self.path),
            Some(_) => discard(&self.path),
            // What another writer has changed is not ours to cut.
            None if self
                .revision
                .as_ref()
                .is_some_and(|state| matches!(state.is_current(self), Ok(true))) =>
            {
                let (is_sparse, mut pending) = (self.is_sparse, self.pending.take());
                self.with_frame(|frame| pending.give_back(frame, is_sparse))
            }
            None => Ok(()),
        };
    }
}

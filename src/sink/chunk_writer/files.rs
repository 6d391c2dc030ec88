//! Chunks that are files of a directory.

use super::{Finished, Numbers, encoder};
use crate::array::{ArrayEncoder, Element, Layout};
use crate::base::Error;
use crate::chunk::DParams;
use crate::frame::Part;
use crate::sink::file::{edit_with, place};
use crate::source::paths::{INDEX, about, chunk_number, open_part, part_name, resolve};
use crate::source::{self, ReadError, Reader};
use alloc::vec::Vec;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Writes chunks of an array in a sparse frame, while others write other chunks of it.
///
/// Readers see the old array until [`finish_chunks`] has written the index. A chunk that was written stays: writing it again with the
/// same items does nothing, so that a process that was stopped can begin again, and other items are an error. While chunks are
/// written, no [`Editor`](crate::Editor) may change the frame.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::sink::{ChunkWriter, finish_chunks};
/// # let folder = std::env::temp_dir().join(format!("b2nd-chunk-writer-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("image.b2nd");
/// let mut params = ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
/// params.sparse = true;
/// b2nd::create(&path, &params)?.commit()?;
/// // In each of many processes:
/// let mut writer = ChunkWriter::open(&path)?;
/// writer.set(1, &[7; 12])?;
/// // In one of them, when all have ended:
/// let finished = finish_chunks(&path)?;
/// assert_eq!((finished.written, finished.missing), (1, 1));
/// assert_eq!(b2nd::open(&path)?.get("1:3, 0")?, [0, 7]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChunkWriter {
    folder: PathBuf,
    encoder: ArrayEncoder,
    numbers: Numbers,
}

impl ChunkWriter {
    /// Opens the directory of a sparse frame.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-open-writer-{}", std::process::id()));
    /// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], "|u1");
    /// # params.sparse = true;
    /// # b2nd::create(&folder, &params)?.commit()?;
    /// let writer = b2nd::sink::ChunkWriter::open(&folder)?;
    /// assert_eq!(writer.layout().shape(), [4, 6]);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if it cannot be opened; `Argument` for a frame that is contiguous or has no array; errors of reading the index.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError<io::Error>> {
        let folder = resolve(path.as_ref()).map_err(ReadError::Source)?;
        let file = source::File::open(&folder).map_err(ReadError::Source)?;
        let reader = Reader::open(file, DParams::default())?;
        let encoder = encoder(reader.frame(), reader.layout()?)?;
        Ok(Self { folder, encoder, numbers: Numbers::of_index(reader.index()?)? })
    }

    /// The array.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-layout-writer-{}", std::process::id()));
    /// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # params.sparse = true;
    /// # b2nd::create(&folder, &params)?.commit()?;
    /// # let writer = b2nd::sink::ChunkWriter::open(&folder)?;
    /// // Which items each chunk has.
    /// let last = writer.layout().chunks().last().expect("a chunk");
    /// assert_eq!(last.items, [2..4, 0..6]);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        self.encoder.layout()
    }

    /// Whether chunk `nchunk` was written since the index was.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-is-written-{}", std::process::id()));
    /// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # params.sparse = true;
    /// # b2nd::create(&folder, &params)?.commit()?;
    /// # let mut writer = b2nd::sink::ChunkWriter::open(&folder)?;
    /// writer.set(0, &[1; 12])?;
    /// assert!(writer.is_written(0)? && !writer.is_written(1)?);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk; `Source` if the directory cannot be searched.
    pub fn is_written(&self, nchunk: u64) -> Result<bool, ReadError<io::Error>> {
        self.path(nchunk)?.try_exists().map_err(ReadError::Source)
    }

    /// Writes chunk `nchunk`. `items` are those of the chunk that lie within the array, in C order. The chunk is durable when this
    /// returns.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-write-chunk-{}", std::process::id()));
    /// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
    /// # params.sparse = true;
    /// # b2nd::create(&folder, &params)?.commit()?;
    /// # let mut writer = b2nd::sink::ChunkWriter::open(&folder)?;
    /// writer.set(0, &[1; 12])?;
    /// writer.set(0, &[1; 12])?;
    /// assert!(writer.set(0, &[2; 12]).is_err());
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, or if `items` does not have its length; `Source` of the kind `AlreadyExists` if the chunk
    /// was written with other items, and others of the operating system.
    pub fn set(&mut self, nchunk: u64, items: &[u8]) -> Result<(), ReadError<io::Error>> {
        let path = self.path(nchunk)?;
        let chunk = self.encoder.encode(nchunk, items)?;
        self.place(&path, &chunk).map_err(ReadError::Source)
    }

    /// Writes chunk `nchunk` of values, like [`set`](Self::set).
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("b2nd-write-values-{}", std::process::id()));
    /// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], ">f4").with_chunks(&[2, 6]);
    /// # params.sparse = true;
    /// # b2nd::create(&folder, &params)?.commit()?;
    /// # let mut writer = b2nd::sink::ChunkWriter::open(&folder)?;
    /// writer.write(0, &[0.5_f32; 12])?;
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`set`](Self::set).
    pub fn write<T: Element>(&mut self, nchunk: u64, values: &[T]) -> Result<(), ReadError<io::Error>> {
        let (path, chunk) = (self.path(nchunk)?, self.encoder.encode_values(nchunk, values)?);
        self.place(&path, &chunk).map_err(ReadError::Source)
    }

    fn path(&self, nchunk: u64) -> Result<PathBuf, Error> {
        Ok(self.folder.join(part_name(Part::Chunk(self.numbers.file(nchunk)?))))
    }

    fn place(&self, path: &Path, chunk: &[u8]) -> io::Result<()> {
        // Of all temporary names, those of a new index belong to the frame.
        match place(path, &self.folder.join(INDEX), chunk) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => must_equal(path, chunk),
            placed => placed,
        }
    }
}

/// Fails unless a file has this content.
fn must_equal(path: &Path, chunk: &[u8]) -> io::Result<()> {
    let file = open_part(path, OpenOptions::new().read(true))?;
    let mut there = Vec::new();
    file.take(chunk.len() as u64 + 1).read_to_end(&mut there)?;
    if there == chunk {
        return Ok(());
    }
    Err(about(path, ErrorKind::AlreadyExists, "this chunk was written with other items"))
}

/// Writes an index that names the chunks that [`ChunkWriter`]s have written. Readers see all of them, or none.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("b2nd-finish-chunks-{}", std::process::id()));
/// # let mut params = b2nd::array::ArrayParams::new(&[4, 6], "|u1").with_chunks(&[2, 6]);
/// # params.sparse = true;
/// # b2nd::create(&folder, &params)?.commit()?;
/// # b2nd::sink::ChunkWriter::open(&folder)?.set(0, &[1; 12])?;
/// let finished = b2nd::sink::finish_chunks(&folder)?;
/// assert_eq!((finished.written, finished.missing), (1, 1));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `Source` if another process changes the frame, and for errors of the operating system; `Format` for a file that is not the chunk that it
/// should be. Then the index is the old one, and finishing can begin again.
pub fn finish_chunks(path: impl AsRef<Path>) -> Result<Finished, ReadError<io::Error>> {
    let path = resolve(path.as_ref()).map_err(ReadError::Source)?;
    // Locked against others before the index is read.
    let mut editor = edit_with(&path, DParams::default())?;
    let numbers = Numbers::of_editor(editor.frame())?;
    let mut written = 0;
    for (nchunk, file, len) in new_files(&path, &numbers).map_err(ReadError::Source)? {
        let expected = editor.adopt(nchunk, file)?;
        if u64::from(expected) != len {
            let error = Error::truncated(0, expected as usize, len as usize);
            return Err(error.in_chunk(nchunk).into());
        }
        written += 1;
    }
    if written > 0 {
        editor.commit()?;
    }
    Ok(numbers.finished(written))
}

/// The new chunks in a directory: their numbers, those of their files, and the lengths of these.
fn new_files(path: &Path, numbers: &Numbers) -> io::Result<Vec<(u64, u32, u64)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let Some(file) = entry.file_name().to_str().and_then(chunk_number) else { continue };
        let Some(nchunk) = numbers.nchunk(file) else { continue };
        files.push((nchunk, file, entry.metadata()?.len()));
    }
    files.sort_unstable();
    Ok(files)
}

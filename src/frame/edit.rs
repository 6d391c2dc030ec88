//! Changes of frames, sans I/O (FORMAT §7).
//!
//! A [`FrameEditor`] knows the locations of chunks and allocates space for new ones. The caller writes them there, and carries
//! out [`Step`]s. Until a commit is complete, the old frame on disk stays readable, because nothing that it refers to is
//! overwritten. A commit writes the index and the trailer to unused space, and then the header, which refers to them.

mod changes;
mod chunks;
mod commit;
mod layers;
mod opening;
mod params;
mod reading;
mod recovery;
mod searching;
mod space;

use super::location::WireEntry;
use super::metalayers::Metalayer;
use super::request::Part;
use super::revision::Revision;
use super::wire::WireFrame;
use crate::base::{ArgumentError, Result};
use crate::chunk::CParams;
use alloc::vec::Vec;
use changes::Changes;
use core::ops::Range;
pub use params::FrameParams;
use params::VARIABLE;
pub use reading::{EditOpening, FrameEnds};
pub use recovery::{Recovered, Recovery};
pub use searching::{SpaceSearch, UnusedSpace};
use space::{Files, Space};

/// Indices in [`WireFrame::numbers`].
mod number {
    pub(super) const NBYTES: usize = 0;
    pub(super) const CBYTES: usize = 1;
    pub(super) const TYPESIZE: usize = 2;
    pub(super) const BLOCKSIZE: usize = 3;
    pub(super) const CHUNKSIZE: usize = 4;
}

/// An operation on the files of a frame. Steps must be carried out in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Stop if the frame on disk has another state: then another writer has changed it.
    Compare(Revision),
    /// Write bytes at an offset of a part.
    Write {
        /// The part.
        part: Part,
        /// The offset in the part. The part grows as needed.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Replace [`Part::Frame`] atomically.
    Replace(Vec<u8>),
    /// Wait until all writes are durable.
    Sync,
    /// Truncate [`Part::Frame`] to this length.
    Truncate(u64),
    /// Remove the file of a chunk.
    Remove(u32),
}

/// A chunk of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    wire: WireEntry,
    /// Uncompressed bytes.
    nbytes: u32,
    /// Stored bytes; 0 for a special chunk, or for an old chunk whose length is unknown.
    cbytes: u32,
    /// The number of the change that wrote it; 0 if it is committed or not stored.
    written: u32,
}

impl Entry {
    /// Whether it was written after the last commit.
    const fn is_fresh(&self) -> bool {
        self.written > 0
    }
}

/// The committed frame on disk, without its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Committed {
    /// The header, and what tells this commit from others.
    revision: Revision,
    /// The index and the trailer.
    end: Range<u64>,
}

/// A frame that is created or changed.
///
/// ```
/// use b2nd::chunk::{CParams, ChunkEncoder};
/// use b2nd::frame::{FrameEditor, FrameParams};
/// use b2nd::wire::Step;
/// let cparams = CParams { typesize: 4, ..CParams::default() };
/// let mut editor = FrameEditor::create(&FrameParams { cparams: cparams.clone(), ..FrameParams::default() })?;
/// let mut file = Vec::new();
/// let plain: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
/// let chunk = ChunkEncoder::new(cparams).encode(&plain)?;
/// let (_, offset) = editor.insert(0, &chunk)?.expect("not all items are equal");
/// file.resize(offset as usize, 0);
/// file.extend(chunk);
/// for step in editor.commit()? {
///     if let Step::Write { offset, bytes, .. } = step {
///         let (start, end) = (offset as usize, offset as usize + bytes.len());
///         file.resize(end.max(file.len()), 0);
///         file[start..end].copy_from_slice(&bytes);
///     }
/// }
/// let reader = b2nd::Reader::open(&file[..], b2nd::DParams::default()).unwrap();
/// assert_eq!(reader.chunk(0).unwrap(), plain);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct FrameEditor {
    header: WireFrame,
    metalayers: Vec<Metalayer>,
    /// Their contents are encoded as chunks.
    attributes: Vec<Metalayer>,
    chunks: Vec<Entry>,
    /// The length of the header, where offsets of the index start.
    header_len: u32,
    space: Space,
    committed: Option<Committed>,
    /// The number of the next commit.
    commits: u64,
    /// Space that only the committed frame uses: bytes of its file, and files of chunks.
    released: Vec<Range<u64>>,
    removed: Vec<u32>,
    files: Files,
    steps: Vec<Step>,
    /// The number of the current or last change, from 1 on.
    change: u32,
    /// Changes that have not ended, each within the one before.
    changes: Vec<Changes>,
}

impl FrameEditor {
    /// Creates a frame without chunks. Nothing is on disk before the first commit.
    ///
    /// ```
    /// use b2nd::{chunk::CParams, frame::{FrameEditor, FrameParams}};
    /// let cparams = CParams { typesize: 4, ..CParams::default() };
    /// let editor = FrameEditor::create(&FrameParams { cparams, sparse: true, ..FrameParams::default() })?;
    /// assert!(editor.is_sparse() && editor.nchunks() == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for metalayers that do not fit into a header.
    pub fn create(params: &FrameParams) -> Result<Self> {
        let mut editor = Self {
            header: params.header(),
            metalayers: Vec::new(),
            attributes: Vec::new(),
            chunks: Vec::new(),
            header_len: 0,
            space: Space::default(),
            committed: None,
            commits: 0,
            released: Vec::new(),
            removed: Vec::new(),
            files: Files::default(),
            steps: Vec::new(),
            change: 1,
            changes: Vec::new(),
        };
        for metalayer in &params.metalayers {
            editor.set_metalayer(&metalayer.name, &metalayer.content)?;
        }
        editor.header_len = editor.header_bytes().len() as u32;
        editor.space = Space::after(editor.header_len.into());
        Ok(editor)
    }

    /// Replaces the codec and the filters in the header. Those of chunks may differ.
    pub(crate) fn set_compression(&mut self, cparams: &CParams) {
        params::set_compression(&mut self.header, cparams);
    }

    /// The state of the frame on disk; `None` if nothing was committed yet.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// assert_eq!(editor.revision(), None);
    /// editor.commit()?;
    /// assert!(editor.revision().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn revision(&self) -> Option<&Revision> {
        self.committed.as_ref().map(|committed| &committed.revision)
    }

    /// Number of chunks.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// assert_eq!(editor.nchunks(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn nchunks(&self) -> u64 {
        self.chunks.len() as u64
    }

    /// Uncompressed bytes of all chunks.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// assert_eq!(editor.nbytes(), 800);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nbytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.nbytes)).sum()
    }

    /// Uncompressed bytes of chunk `nchunk`.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// assert_eq!(editor.chunk_nbytes(0)?, 800);
    /// assert!(editor.chunk_nbytes(1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk.
    pub fn chunk_nbytes(&self, nchunk: u64) -> Result<u32> {
        Ok(self.entry(nchunk)?.nbytes)
    }

    /// Stored bytes of chunk `nchunk`: 0 for a special chunk. `None` for an old chunk whose length was not
    /// [learnt](Self::learn) yet.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// assert!(editor.chunk_cbytes(0)?.is_some_and(|cbytes| cbytes < 100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk.
    pub fn chunk_cbytes(&self, nchunk: u64) -> Result<Option<u32>> {
        let entry = self.entry(nchunk)?;
        Ok((entry.cbytes > 0 || entry.wire.special().is_some()).then_some(entry.cbytes))
    }

    /// The location of chunk `nchunk`.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// use b2nd::{frame::Location, wire::Part};
    /// let Location::Stored { part, offset } = editor.locate(0)? else { panic!() };
    /// assert_eq!(part, Part::Frame);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk.
    pub fn locate(&self, nchunk: u64) -> Result<super::Location> {
        let entry = self.entry(nchunk)?;
        Ok(match (entry.wire.special(), self.place(&entry)) {
            (Some(value), _) => super::Location::Special(value),
            (None, (part, offset)) => super::Location::Stored { part, offset },
        })
    }

    /// The end of what a contiguous frame uses of its file, with changes that are not committed yet.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// let Some(cbytes) = editor.chunk_cbytes(0)? else { panic!() };
    /// let before = editor.end();
    /// editor.insert(1, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// assert_eq!(editor.end(), before + u64::from(cbytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn end(&self) -> u64 {
        self.space.end()
    }

    /// Whether the frame is sparse: a directory with a file per chunk.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// assert!(!editor.is_sparse());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_sparse(&self) -> bool {
        self.header.frame_type == 1
    }

    /// Whether chunks differ in size.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// editor.insert(1, &ChunkEncoder::default().encode(&[1; 1600])?)?;
    /// assert!(editor.is_variable());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_variable(&self) -> bool {
        self.header.flags & VARIABLE != 0
    }

    /// Bytes of an item.
    const fn typesize(&self) -> u32 {
        self.header.numbers[number::TYPESIZE] as u32
    }

    const fn blocksize(&self) -> u32 {
        self.header.numbers[number::BLOCKSIZE] as u32
    }

    pub(crate) const fn chunksize(&self) -> u32 {
        self.header.numbers[number::CHUNKSIZE] as u32
    }

    fn entry(&self, nchunk: u64) -> Result<Entry> {
        let entry = usize::try_from(nchunk).ok().and_then(|at| self.chunks.get(at));
        entry.copied().ok_or_else(|| self.no_chunk(nchunk))
    }

    fn no_chunk(&self, index: u64) -> crate::base::Error {
        ArgumentError::Chunk { index, nchunks: self.nchunks() }.into()
    }

    /// The place of a stored chunk.
    const fn place(&self, entry: &Entry) -> (Part, u64) {
        if self.is_sparse() {
            (Part::Chunk(entry.wire.0 as u32), 0)
        } else {
            (Part::Frame, entry.wire.0 as u64 + self.header_len as u64)
        }
    }
}

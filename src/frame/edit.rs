//! Changing frames, sans I/O (FORMAT §7).
//!
//! A [`FrameEditor`] knows where chunks are and says where new ones go; the caller writes them there, and carries out
//! [`Step`]s. Until a commit has been carried out, the frame on disk is the old one, and stays readable: nothing that it refers
//! to is overwritten. A commit writes the index and the trailer to unused places, then the header, which refers to them.

mod layers;
mod opening;
mod params;
mod space;

use super::location::WireEntry;
use super::metalayers::Metalayer;
use super::request::Part;
use super::trailer::{WireContent, WireTrailer};
use super::wire::WireHeader;
use crate::base::{ArgumentError, Result};
use crate::chunk::{
    Body, CParams, ChunkEncoder, EXTENDED_HEADER, Header as ChunkHeader, SpecialValue, repeated,
};
use crate::codec::Codec;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;
pub use params::FrameParams;
use params::{VARIABLE, VARIABLE_VERSION, VERSION};
use space::{Files, Space};

/// Indices in [`WireHeader::numbers`].
mod number {
    pub(super) const NBYTES: usize = 0;
    pub(super) const CBYTES: usize = 1;
    pub(super) const TYPESIZE: usize = 2;
    pub(super) const BLOCKSIZE: usize = 3;
    pub(super) const CHUNKSIZE: usize = 4;
}

/// Something to do with the files of a frame. Steps are carried out in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Write bytes at an offset of a part.
    Write {
        /// The part.
        part: Part,
        /// The offset in the part. The part grows as needed.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Replace [`Part::Frame`] as a whole: whoever opens it finds the old or the new bytes.
    Replace(Vec<u8>),
    /// Wait until all that was written is durable.
    Sync,
    /// Cut [`Part::Frame`] to this length.
    Truncate(u64),
    /// Remove the file of a chunk.
    Remove(u32),
}

/// A chunk of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    wire: WireEntry,
    /// Plain bytes.
    nbytes: u32,
    /// Stored bytes; 0 if special, or unknown as the chunk was there before.
    cbytes: u32,
    /// Whether it was written after the last commit.
    fresh: bool,
}

/// What the frame on disk consists of, besides chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Committed {
    header: Vec<u8>,
    /// The index and the trailer.
    end: Range<u64>,
}

/// A frame that is made or changed.
///
/// ```
/// use b2nd::chunk::{CParams, ChunkEncoder};
/// use b2nd::frame::{FrameEditor, FrameParams, Step};
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
    header: WireHeader,
    metalayers: Vec<Metalayer>,
    /// Their contents are chunks.
    vlmetalayers: Vec<Metalayer>,
    chunks: Vec<Entry>,
    /// The length of the header, from which entries count.
    header_len: u32,
    space: Space,
    committed: Option<Committed>,
    /// What only the frame on disk uses: bytes of its file, and files of chunks.
    released: Vec<Range<u64>>,
    removed: Vec<u32>,
    files: Files,
    steps: Vec<Step>,
}

impl FrameEditor {
    /// A frame without chunks. Nothing is on disk before the first commit.
    ///
    /// # Errors
    /// `Argument` for metalayers that do not fit into a header.
    pub fn create(params: &FrameParams) -> Result<Self> {
        let mut editor = Self {
            header: params.header(),
            metalayers: Vec::new(),
            vlmetalayers: Vec::new(),
            chunks: Vec::new(),
            header_len: 0,
            space: Space::default(),
            committed: None,
            released: Vec::new(),
            removed: Vec::new(),
            files: Files::default(),
            steps: Vec::new(),
        };
        for metalayer in &params.metalayers {
            editor.set_metalayer(&metalayer.name, &metalayer.content)?;
        }
        editor.header_len = editor.header_bytes().len() as u32;
        editor.space = Space::after(editor.header_len.into());
        Ok(editor)
    }

    /// Number of chunks.
    pub const fn nchunks(&self) -> u64 {
        self.chunks.len() as u64
    }

    /// Plain bytes of all chunks.
    pub fn nbytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.nbytes)).sum()
    }

    /// Plain bytes of chunk `nchunk`.
    ///
    /// # Errors
    /// `Argument` if there is no such chunk.
    pub fn chunk_nbytes(&self, nchunk: u64) -> Result<u32> {
        Ok(self.entry(nchunk)?.nbytes)
    }

    /// Where chunk `nchunk` is.
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

    /// Whether chunks are files in a directory.
    pub const fn is_sparse(&self) -> bool {
        self.header.frame_type == 1
    }

    /// Whether chunks differ in size.
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

    const fn chunksize(&self) -> u32 {
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

    /// Inserts a chunk before chunk `nchunk`, or at the end. Returns where to write it; `None` if it is zeros, NaNs or
    /// uninitialized, which are stored nowhere.
    ///
    /// If then not all chunks but the last one have one size, the frame becomes one of version 3.
    ///
    /// # Errors
    /// `Argument` if there are fewer chunks; `Format` for what is no chunk.
    pub fn insert(&mut self, nchunk: u64, chunk: &[u8]) -> Result<Option<(Part, u64)>> {
        let header = ChunkHeader::parse(chunk)?;
        if nchunk > self.nchunks() || self.nchunks() > u64::from(u32::MAX) {
            return Err(self.no_chunk(nchunk));
        }
        let last = nchunk == self.nchunks();
        self.agree(header.nbytes, last)?;
        // A short chunk is the last one, or chunks differ in size.
        if last
            && !self.is_variable()
            && self.chunks.last().is_some_and(|entry| entry.nbytes != self.chunksize())
        {
            self.vary()?;
        }
        let (entry, place) = self.store(&header, chunk)?;
        self.chunks.insert(nchunk as usize, entry);
        Ok(place)
    }

    /// Replaces chunk `nchunk`, and returns where to write the new one, as [`insert`](Self::insert) does.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert).
    pub fn replace(&mut self, nchunk: u64, chunk: &[u8]) -> Result<Option<(Part, u64)>> {
        let header = ChunkHeader::parse(chunk)?;
        let old = self.entry(nchunk)?;
        self.agree(header.nbytes, nchunk + 1 == self.nchunks())?;
        self.release(&old);
        let (entry, place) = self.store(&header, chunk)?;
        self.chunks[nchunk as usize] = entry;
        Ok(place)
    }

    /// Removes chunks.
    ///
    /// # Errors
    /// `Argument` if there are not so many.
    pub fn remove(&mut self, chunks: Range<u64>) -> Result<()> {
        if chunks.start > chunks.end || chunks.end > self.nchunks() {
            return Err(self.no_chunk(chunks.end));
        }
        let removed: Vec<Entry> = self.chunks.drain(chunks.start as usize..chunks.end as usize).collect();
        removed.iter().for_each(|entry| self.release(entry));
        Ok(())
    }

    /// Puts chunks into a new order: chunk `order[n]` becomes chunk `n`. `None` stands for a chunk of zeros; chunks that are not
    /// named are removed.
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, if one is named twice, or if only some chunks would have the chunk size.
    pub fn reorder(&mut self, order: &[Option<u64>]) -> Result<()> {
        let size = self.chunksize();
        let mut left: Vec<Option<Entry>> = self.chunks.iter().copied().map(Some).collect();
        let zeros = Entry { wire: special(SpecialValue::Zeros), nbytes: size, cbytes: 0, fresh: false };
        let take = |chunk: &Option<u64>| match *chunk {
            None => Ok(zeros),
            Some(nchunk) => {
                let entry = usize::try_from(nchunk).ok().and_then(|at| left.get_mut(at)?.take());
                entry.ok_or_else(|| self.no_chunk(nchunk))
            }
        };
        let chunks = order.iter().map(take).collect::<Result<Vec<_>>>()?;
        let short = chunks.iter().rev().skip(1).find(|entry| entry.nbytes != size);
        if let Some(entry) = short.filter(|_| !self.is_variable()) {
            return Err(ArgumentError::Parameter { name: "chunk size", value: entry.nbytes.into() }.into());
        }
        self.chunks = chunks;
        left.iter().flatten().for_each(|entry| self.release(entry));
        Ok(())
    }

    /// Appends `count` chunks of `nbytes` plain bytes that are one value and stored nowhere, in time that does not depend on
    /// their length.
    ///
    /// # Errors
    /// `Argument` for a size that other chunks do not have, and for a repeated value, which is stored.
    pub fn fill(&mut self, value: SpecialValue, nbytes: u32, count: u64) -> Result<()> {
        let wire = WireEntry::of_special(value);
        if self.is_variable() || (self.chunksize() != 0 && nbytes != self.chunksize()) || wire.is_none() {
            return Err(ArgumentError::Parameter { name: "chunk size", value: nbytes.into() }.into());
        }
        self.agree(nbytes, true)?;
        let entry = Entry { wire: special(value), nbytes, cbytes: 0, fresh: false };
        self.chunks.extend((0..count).map(|_| entry));
        Ok(())
    }

    /// Makes chunk `nchunk` one value, in time that does not depend on its length.
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, and for a repeated value, which is stored.
    pub fn set_special(&mut self, nchunk: u64, value: SpecialValue) -> Result<()> {
        let old = self.entry(nchunk)?;
        let Some(wire) = WireEntry::of_special(value).filter(|_| !self.is_variable()) else {
            return Err(ArgumentError::Parameter { name: "chunk size", value: old.nbytes.into() }.into());
        };
        self.release(&old);
        self.chunks[nchunk as usize] = Entry { wire, cbytes: 0, fresh: false, ..old };
        Ok(())
    }

    /// Sets the plain bytes of chunks and blocks of a frame that has no chunks.
    pub(crate) fn set_sizes_of_new(&mut self, chunksize: u32, blocksize: u32) {
        if self.chunks.is_empty() {
            self.header.flags = self.header.flags & 0xf0 & !VARIABLE | VERSION;
            self.header.numbers[number::BLOCKSIZE] = blocksize.into();
            self.header.numbers[number::CHUNKSIZE] = chunksize.into();
        }
    }

    /// Tells the stored length of a chunk that was there before, so that its bytes can be used again once it is replaced.
    pub fn learn(&mut self, nchunk: u64, cbytes: u32) {
        let entry = usize::try_from(nchunk).ok().and_then(|at| self.chunks.get_mut(at));
        if let Some(entry) = entry.filter(|entry| entry.wire.special().is_none()) {
            entry.cbytes = cbytes;
        }
    }

    /// Sees to it that the frame can have a chunk of this size.
    fn agree(&mut self, nbytes: u32, last: bool) -> Result<()> {
        let size = self.chunksize();
        if nbytes == 0 {
            return Err(ArgumentError::Parameter { name: "chunk size", value: 0 }.into());
        }
        if self.chunks.is_empty() && size == 0 {
            self.header.numbers[number::CHUNKSIZE] = nbytes.into();
        } else if !(self.is_variable() || nbytes == size || (last && nbytes < size)) {
            self.vary()?;
        }
        Ok(())
    }

    /// Makes this a frame whose chunks differ in size. There, special chunks must be stored (FORMAT §7.2, §11 B9).
    fn vary(&mut self) -> Result<()> {
        self.header.flags = self.header.flags & 0xf0 | VARIABLE | VARIABLE_VERSION;
        self.header.numbers[number::CHUNKSIZE] = 0;
        for at in 0..self.chunks.len() {
            let Entry { wire, nbytes, .. } = self.chunks[at];
            if let Some(value) = wire.special() {
                let bytes = repeated(value, nbytes, self.typesize(), self.blocksize());
                let (entry, place) = self.stored(nbytes, bytes.len());
                self.chunks[at] = entry;
                let (part, offset) = place;
                self.steps.push(Step::Write { part, offset, bytes });
            }
        }
        Ok(())
    }

    /// Finds a place for a chunk.
    fn store(&mut self, header: &ChunkHeader, chunk: &[u8]) -> Result<(Entry, Option<(Part, u64)>)> {
        let special = match header.body {
            Body::Special(value) => WireEntry::of_special(value).map(|wire| (value, wire)),
            _ => None,
        };
        if chunk.len() as u64 != u64::from(header.cbytes) {
            return Err(ArgumentError::BufferLen {
                expected: header.cbytes.into(),
                actual: chunk.len() as u64,
            }
            .into());
        }
        match special {
            Some((_, wire)) if !self.is_variable() => {
                Ok((Entry { wire, nbytes: header.nbytes, cbytes: 0, fresh: false }, None))
            }
            Some((value, _)) => {
                let bytes = repeated(value, header.nbytes, self.typesize(), self.blocksize());
                let (entry, (part, offset)) = self.stored(header.nbytes, bytes.len());
                self.steps.push(Step::Write { part, offset, bytes });
                Ok((entry, None))
            }
            None => {
                let (entry, place) = self.stored(header.nbytes, chunk.len());
                Ok((entry, Some(place)))
            }
        }
    }

    fn stored(&mut self, nbytes: u32, len: usize) -> (Entry, (Part, u64)) {
        let number = if self.is_sparse() {
            self.files.take().into()
        } else {
            self.space.take(len as u64) - u64::from(self.header_len)
        };
        let entry = Entry { wire: WireEntry(number as i64), nbytes, cbytes: len as u32, fresh: true };
        (entry, self.place(&entry))
    }

    /// Gives up the place of a chunk: at once if only this edit used it.
    fn release(&mut self, entry: &Entry) {
        if entry.wire.special().is_some() {
            return;
        }
        let (part, offset) = self.place(entry);
        let range = offset..offset + u64::from(entry.cbytes);
        match part {
            Part::Chunk(file) if entry.fresh => self.files.give(file),
            Part::Chunk(file) => self.removed.push(file),
            Part::Frame if entry.fresh => self.space.give(range),
            Part::Frame => self.released.push(range),
        }
    }

    /// What has to be written besides the chunks, so far. [`commit`](Self::commit) includes it.
    pub fn take_steps(&mut self) -> Vec<Step> {
        mem::take(&mut self.steps)
    }

    /// Whether the frame has to be [moved](Self::moved): its header must have another length than that on disk, and entries
    /// count from the end of the header; or it has no chunks any more, and its trailer must follow the header, where something
    /// else is.
    pub fn needs_move(&self) -> bool {
        let emptied = self.chunks.is_empty() && self.committed.is_some();
        !self.is_sparse() && (emptied || self.header_bytes().len() as u64 != u64::from(self.header_len))
    }

    /// The same frame at a new place, with all of its chunks next to each other. The caller copies each chunk `n` from
    /// where it is here to where it is there.
    ///
    /// Knows the stored lengths of chunks from `cbytes`.
    ///
    /// # Errors
    /// Those of `cbytes`.
    pub fn moved<E>(&self, mut cbytes: impl FnMut(u64) -> Result<u32, E>) -> Result<Self, E> {
        let header_len = self.header_bytes().len() as u32;
        let mut moved = Self {
            header_len,
            space: Space::after(header_len.into()),
            committed: None,
            released: Vec::new(),
            removed: Vec::new(),
            files: Files::default(),
            steps: Vec::new(),
            chunks: Vec::with_capacity(self.chunks.len()),
            ..self.clone()
        };
        for (nchunk, old) in self.chunks.iter().enumerate() {
            let mut entry = *old;
            if old.wire.special().is_none() {
                entry = moved.stored(old.nbytes, cbytes(nchunk as u64)? as usize).0;
            }
            moved.chunks.push(entry);
        }
        Ok(moved)
    }

    /// The steps after which the frame on disk is this one. If one of them fails, the frame on disk is the old one or this
    /// one, and the editor is of no further use.
    ///
    /// # Errors
    /// `Argument` if the frame [must be moved](Self::needs_move), or is larger than the format allows.
    pub fn commit(&mut self) -> Result<Vec<Step>> {
        if self.needs_move() {
            return Err(ArgumentError::Unfinished.into());
        }
        let index = self.index()?;
        let content = WireContent::Metalayers(self.vlmetalayers.clone());
        let trailer = WireTrailer { content, ..WireTrailer::default() }.emit();
        let end = [index, trailer].concat();
        if self.is_sparse() {
            self.commit_sparse(end)
        } else {
            self.commit_contiguous(end)
        }
        self.chunks.iter_mut().for_each(|entry| entry.fresh = false);
        Ok(self.take_steps())
    }

    fn commit_sparse(&mut self, end: Vec<u8>) {
        let cbytes = self.chunks.iter().map(|entry| u64::from(entry.cbytes)).sum();
        let header_len = self.header_bytes().len();
        self.header_len = header_len as u32;
        self.set_sizes(cbytes, (header_len + end.len()) as u64);
        let header = self.header_bytes();
        let bytes = [header, end].concat();
        self.steps.extend([Step::Sync, Step::Replace(bytes), Step::Sync]);
        for file in mem::take(&mut self.removed) {
            self.steps.push(Step::Remove(file));
            self.files.give(file);
        }
    }

    /// The chunk with the highest number of a file, if the reference would refuse that: one above the stored bytes of all
    /// chunks (FORMAT §11 B19).
    pub(crate) fn refused_by_reference(&self) -> Option<u64> {
        let cbytes: u64 = self.chunks.iter().map(|entry| u64::from(entry.cbytes)).sum();
        let stored = self.chunks.iter().enumerate().filter(|(_, entry)| entry.wire.special().is_none());
        let (nchunk, last) = stored.max_by_key(|(_, entry)| entry.wire.0)?;
        (self.is_sparse() && last.wire.0 as u64 + EXTENDED_HEADER as u64 > cbytes).then_some(nchunk as u64)
    }

    /// Gives a chunk another place, to which the caller copies it.
    pub(crate) fn relocate(&mut self, nchunk: u64) -> Result<(Part, u64)> {
        let old = self.entry(nchunk)?;
        let (new, place) = self.stored(old.nbytes, old.cbytes as usize);
        self.release(&old);
        self.chunks[nchunk as usize] = new;
        Ok(place)
    }

    fn commit_contiguous(&mut self, end: Vec<u8>) {
        let len = end.len() as u64;
        let old = self.committed.take();
        // Behind all chunks, but not on the old index.
        let mut start = self.chunks_end(old.as_ref());
        if let Some(Committed { end: old, .. }) = &old
            && start + len > old.start
        {
            start = start.max(old.end);
        }
        let cbytes = if self.chunks.is_empty() { 0 } else { start - u64::from(self.header_len) };
        self.set_sizes(cbytes, start + len);
        let header = self.header_bytes();
        self.steps.push(Step::Write { part: Part::Frame, offset: start, bytes: end });
        if !self.steps.is_empty() {
            self.steps.push(Step::Sync);
        }
        let changed = old.as_ref().map_or(0..header.len(), |old| difference(&old.header, &header));
        self.steps.push(Step::Write {
            part: Part::Frame,
            offset: changed.start as u64,
            bytes: header[changed].to_vec(),
        });
        self.steps.extend([Step::Sync, Step::Truncate(start + len)]);
        let released = mem::take(&mut self.released).into_iter().chain(old.map(|old| old.end));
        self.space.settle(start..start + len, released);
        self.committed = Some(Committed { header, end: start..start + len });
    }

    /// The end of the last chunk.
    fn chunks_end(&self, old: Option<&Committed>) -> u64 {
        let header_len = u64::from(self.header_len);
        let end = |entry: &Entry| match (entry.wire.special(), entry.cbytes) {
            (Some(_), _) => header_len,
            // It was there before, somewhere before the index.
            (None, 0) => old.map_or(header_len, |old| old.end.start),
            (None, cbytes) => entry.wire.0 as u64 + header_len + u64::from(cbytes),
        };
        self.chunks.iter().map(end).max().unwrap_or(header_len)
    }

    fn set_sizes(&mut self, cbytes: u64, frame_len: u64) {
        self.header.numbers[number::NBYTES] = self.nbytes() as i64;
        self.header.numbers[number::CBYTES] = cbytes as i64;
        self.header.frame_len = frame_len;
    }

    /// The index chunk, with the reference's parameters; nothing for a frame without chunks.
    fn index(&self) -> Result<Vec<u8>> {
        const BLOCKSIZE: u32 = 16 << 10;
        if self.chunks.is_empty() {
            return Ok(Vec::new());
        }
        let entries: Vec<u8> = self.chunks.iter().flat_map(|entry| entry.wire.emit()).collect();
        let cparams =
            CParams { codec: Codec::BLOSCLZ, typesize: 8, blocksize: BLOCKSIZE, ..CParams::default() };
        ChunkEncoder::new(cparams).encode(&entries)
    }

    fn header_bytes(&self) -> Vec<u8> {
        let mut header = self.header;
        header.has_vlmetalayers = !self.vlmetalayers.is_empty();
        header.header_len = header.emit(&self.metalayers).len() as u32;
        header.emit(&self.metalayers)
    }
}

/// The entry of a special chunk.
fn special(value: SpecialValue) -> WireEntry {
    WireEntry::of_special(value).unwrap_or(WireEntry(0))
}

/// From the first byte that differs to the last one.
fn difference(old: &[u8], new: &[u8]) -> Range<usize> {
    let same = |(a, b): (&u8, &u8)| a == b;
    let start = old.iter().zip(new).take_while(|pair| same(*pair)).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|pair| same(*pair)).count();
    start..(new.len() - end).max(start)
}

//! Commits: the steps that make changes the content of the frame on disk.

use super::super::request::Part;
use super::super::revision::Revision;
use super::super::trailer::{WireContent, WireTrailer};
use super::space::{Files, Space};
use super::{Committed, Entry, FrameEditor, Step, number};
use crate::base::{ArgumentError, Result};
use crate::chunk::{CParams, ChunkEncoder, EXTENDED_HEADER};
use crate::codec::Codec;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

impl FrameEditor {
    /// Takes the pending steps apart from writing chunks. [`commit`](Self::commit) includes them.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// // Only chunks of different sizes, of which one is special, take steps of their own.
    /// assert!(editor.take_steps().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_steps(&mut self) -> Vec<Step> {
        mem::take(&mut self.steps)
    }

    /// Whether the frame has to be [moved](Self::moved). That is so if the length of the header changes, since offsets in the
    /// index count from its end. It is also so if no chunks are left, since the trailer must then follow the header, where
    /// other data is.
    ///
    /// ```
    /// # use b2nd::{DParams, Limits, frame::{FrameEditor, Header}};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let header = Header::parse(&file, &Limits::default())?;
    /// # let (end, sizes) = (header.end(), [(header.nchunks().unwrap(), header.chunksize)]);
    /// # let end = &file[end.start as usize..end.end as usize];
    /// # let mut editor = FrameEditor::open(&file, end, sizes.into_iter(), &DParams::default())?;
    /// assert!(!editor.needs_move());
    /// editor.set_metalayer(b"unit", b"\xa1K")?;
    /// assert!(editor.needs_move());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn needs_move(&self) -> bool {
        let emptied = self.chunks.is_empty() && self.committed.is_some();
        !self.is_sparse() && (emptied || self.header_bytes().len() as u64 != u64::from(self.header_len))
    }

    /// Returns the frame for a new file, with all of its chunks next to each other. The caller copies each chunk `n` from its
    /// location in this frame to its location in the new one.
    ///
    /// `cbytes` returns the stored length of a chunk.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// editor.set_metalayer(b"unit", b"\xa1K")?;
    /// let mut moved = editor.moved(|nchunk| Ok::<_, b2nd::Error>(editor.chunk_cbytes(nchunk)?.unwrap_or_default()))?;
    /// assert_ne!(moved.locate(0)?, editor.locate(0)?);
    /// assert!(!moved.needs_move());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of `cbytes`.
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
            changes: Vec::new(),
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

    /// The chunk with the highest file number, if the reference would refuse it, because it exceeds the stored bytes of all
    /// chunks (FORMAT §11 B19).
    pub(crate) fn refused_by_reference(&self) -> Option<u64> {
        let cbytes: u64 = self.chunks.iter().map(|entry| u64::from(entry.cbytes)).sum();
        let stored = self.chunks.iter().enumerate().filter(|(_, entry)| entry.wire.special().is_none());
        let (nchunk, last) = stored.max_by_key(|(_, entry)| entry.wire.0)?;
        (self.is_sparse() && last.wire.0 as u64 + EXTENDED_HEADER as u64 > cbytes).then_some(nchunk as u64)
    }

    /// Allocates other space for a chunk, to which the caller copies it.
    pub(crate) fn relocate(&mut self, nchunk: u64) -> Result<(Part, u64)> {
        let old = self.entry(nchunk)?;
        let (new, place) = self.stored(old.nbytes, old.cbytes as usize);
        self.release(&old);
        self.chunks[nchunk as usize] = new;
        Ok(place)
    }

    /// Returns the steps that make this the frame on disk. If one of them fails, the frame on disk is either the old one or
    /// this one, and the editor must not be used any more.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// use b2nd::wire::Step;
    /// let steps = editor.commit()?;
    /// assert!(steps.iter().any(|step| matches!(step, Step::Write { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the frame [must be moved](Self::needs_move), or is larger than the format allows.
    pub fn commit(&mut self) -> Result<Vec<Step>> {
        if self.needs_move() {
            return Err(ArgumentError::Unfinished.into());
        }
        while self.depth() > 0 {
            self.keep();
        }
        let index = self.index()?;
        let content = WireContent::Metalayers(self.attributes.clone());
        let fingerprint = WireTrailer::fingerprint_of(self.commits);
        let trailer = WireTrailer { content, fingerprint, ..WireTrailer::default() }.emit();
        let end = [index, trailer].concat();
        if self.is_sparse() {
            self.commit_sparse(end)
        } else {
            self.commit_contiguous(end)
        }
        self.commits = self.commits.wrapping_add(1);
        self.chunks.iter_mut().for_each(|entry| entry.written = 0);
        self.change = 1;
        Ok(self.take_steps())
    }

    fn commit_sparse(&mut self, end: Vec<u8>) {
        let cbytes = self.chunks.iter().map(|entry| u64::from(entry.cbytes)).sum();
        let header_len = self.header_bytes().len();
        self.header_len = header_len as u32;
        self.set_sizes(cbytes, (header_len + end.len()) as u64);
        let header = self.header_bytes();
        let bytes = [&header[..], &end].concat();
        self.steps.push(Step::Sync);
        self.steps.extend(self.revision().cloned().map(Step::Compare));
        self.steps.extend([Step::Replace(bytes), Step::Sync]);
        let places = header_len as u64..self.header.frame_len;
        self.committed = Some(Committed { revision: self.revision_of(header, &end), end: places });
        for file in mem::take(&mut self.removed) {
            self.steps.push(Step::Remove(file));
            self.files.give(file);
        }
    }

    fn commit_contiguous(&mut self, end: Vec<u8>) {
        let len = end.len() as u64;
        let old = self.committed.take();
        // After all chunks, without overwriting the old frame's chunks and index.
        let mut start = self.chunks_end(old.as_ref()).max(self.released_end(old.as_ref()));
        if let Some(Committed { end: old, .. }) = &old
            && start + len > old.start
        {
            start = start.max(old.end);
        }
        let cbytes = if self.chunks.is_empty() { 0 } else { start - u64::from(self.header_len) };
        self.set_sizes(cbytes, start + len);
        let header = self.header_bytes();
        let compare = old.as_ref().map(|old| Step::Compare(old.revision.clone()));
        let changed = old.as_ref().map_or(0..header.len(), |old| difference(&old.revision.header, &header));
        let revision = self.revision_of(header.clone(), &end);
        self.steps.extend(compare.clone());
        self.steps.push(Step::Write { part: Part::Frame, offset: start, bytes: end });
        self.steps.push(Step::Sync);
        self.steps.extend(compare);
        self.steps.push(Step::Write {
            part: Part::Frame,
            offset: changed.start as u64,
            bytes: header[changed].to_vec(),
        });
        self.steps.extend([Step::Sync, Step::Truncate(start + len)]);
        let released = mem::take(&mut self.released).into_iter().chain(old.map(|old| old.end));
        self.space.settle(start..start + len, released);
        self.committed = Some(Committed { revision, end: start..start + len });
    }

    /// The state with this header, which ends with `end`.
    fn revision_of(&self, header: Vec<u8>, end: &[u8]) -> Revision {
        let tail = end[end.len().saturating_sub(WireTrailer::END)..].to_vec();
        Revision::new(header, tail, self.header.frame_len)
    }

    /// The end of the last chunk.
    fn chunks_end(&self, old: Option<&Committed>) -> u64 {
        let header_len = u64::from(self.header_len);
        let end = |entry: &Entry| match (entry.wire.special(), entry.cbytes) {
            (Some(_), _) => header_len,
            // An old chunk of unknown length ends at or before the index.
            (None, 0) => old.map_or(header_len, |old| old.end.start),
            (None, cbytes) => entry.wire.0 as u64 + header_len + u64::from(cbytes),
        };
        self.chunks.iter().map(end).max().unwrap_or(header_len)
    }

    /// The end of the last chunk that only the old frame uses.
    fn released_end(&self, old: Option<&Committed>) -> u64 {
        let end = |range: &Range<u64>| match old {
            // Its length is unknown.
            Some(old) if range.is_empty() => old.end.start,
            _ => range.end,
        };
        self.released.iter().map(end).max().unwrap_or(0)
    }

    fn set_sizes(&mut self, cbytes: u64, frame_len: u64) {
        self.header.numbers[number::NBYTES] = self.nbytes() as i64;
        self.header.numbers[number::CBYTES] = cbytes as i64;
        self.header.frame_len = frame_len;
    }

    /// The index chunk, with the reference's parameters; empty for a frame without chunks.
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

    pub(super) fn header_bytes(&self) -> Vec<u8> {
        let mut header = self.header;
        header.has_attributes = !self.attributes.is_empty();
        header.header_len = header.emit(&self.metalayers).len() as u32;
        header.emit(&self.metalayers)
    }
}

/// The range from the first to the last byte that differs.
fn difference(old: &[u8], new: &[u8]) -> Range<usize> {
    let same = |(a, b): (&u8, &u8)| a == b;
    let start = old.iter().zip(new).take_while(|pair| same(*pair)).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|pair| same(*pair)).count();
    start..(new.len() - end).max(start)
}

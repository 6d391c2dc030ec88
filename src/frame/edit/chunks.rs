//! Changes of a frame's chunks, and allocation of their space.

use super::super::location::WireEntry;
use super::super::request::Part;
use super::params::{VARIABLE, VARIABLE_VERSION, VERSION};
use super::{Entry, FrameEditor, Step, UnusedSpace, number};
use crate::base::{ArgumentError, Result};
use crate::chunk::{Body, Header as ChunkHeader, SpecialValue, repeated};
use alloc::vec::Vec;
use core::ops::Range;

impl FrameEditor {
    /// Inserts a chunk before chunk `nchunk`, or at the end. Returns where to write it, or `None` if it is a special chunk of
    /// zeros, NaNs or uninitialised items, which takes no space.
    ///
    /// If chunks other than the last one then differ in size, the frame gets version 3.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// let chunk = ChunkEncoder::default().encode(&[1; 800])?;
    /// let (part, offset) = editor.insert(0, &chunk)?.expect("a place for the chunk");
    /// let zeros = ChunkEncoder::default().encode(&[0; 800])?;
    /// assert_eq!(editor.insert(1, &zeros)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there are fewer chunks; `Format` for an invalid chunk.
    pub fn insert(&mut self, nchunk: u64, chunk: &[u8]) -> Result<Option<(Part, u64)>> {
        let header = checked(chunk)?;
        if nchunk > self.nchunks() || self.nchunks() > u64::from(u32::MAX) {
            return Err(self.no_chunk(nchunk));
        }
        let last = nchunk == self.nchunks();
        self.agree(header.nbytes, last)?;
        // A short chunk must be the last one, unless chunks differ in size.
        if last
            && !self.is_variable()
            && self.chunks.last().is_some_and(|entry| entry.nbytes != self.chunksize())
        {
            self.vary()?;
        }
        let (entry, place) = self.store(&header);
        self.splice(nchunk as usize..nchunk as usize, [entry]);
        Ok(place)
    }

    /// Replaces chunk `nchunk`. Returns where to write the new one, like [`insert`](Self::insert).
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// let chunk = ChunkEncoder::default().encode(&[2; 800])?;
    /// let (part, offset) = editor.replace(0, &chunk)?.expect("a place for the chunk");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`insert`](Self::insert).
    pub fn replace(&mut self, nchunk: u64, chunk: &[u8]) -> Result<Option<(Part, u64)>> {
        let header = checked(chunk)?;
        let old = self.entry(nchunk)?;
        self.agree(header.nbytes, nchunk + 1 == self.nchunks())?;
        self.release(&old);
        let (entry, place) = self.store(&header);
        self.splice(nchunk as usize..nchunk as usize + 1, [entry]);
        Ok(place)
    }

    /// Removes chunks.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// editor.remove(0..1)?;
    /// assert_eq!(editor.nchunks(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the range exceeds the number of chunks.
    pub fn remove(&mut self, chunks: Range<u64>) -> Result<()> {
        if chunks.start > chunks.end || chunks.end > self.nchunks() {
            return Err(self.no_chunk(chunks.end));
        }
        let removed = self.splice(chunks.start as usize..chunks.end as usize, []);
        removed.iter().for_each(|entry| self.release(entry));
        Ok(())
    }

    /// Reorders chunks: chunk `order[n]` becomes chunk `n`. `None` stands for a chunk of zeros. Chunks missing from `order` are
    /// removed.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// // Zeros before what was the first chunk.
    /// editor.reorder(&[None, Some(0)])?;
    /// assert_eq!(editor.nbytes(), 1600);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, if one occurs twice, or if a chunk of another size would not be the last.
    pub fn reorder(&mut self, order: &[Option<u64>]) -> Result<()> {
        let size = self.chunksize();
        let mut left: Vec<Option<Entry>> = self.chunks.iter().copied().map(Some).collect();
        let zeros = Entry { wire: special(SpecialValue::Zeros), nbytes: size, cbytes: 0, written: 0 };
        let mut chunks = Vec::with_capacity(order.len());
        for nchunk in order {
            chunks.push(match *nchunk {
                None => zeros,
                Some(nchunk) => {
                    let entry = usize::try_from(nchunk).ok().and_then(|at| left.get_mut(at)?.take());
                    entry.ok_or_else(|| self.no_chunk(nchunk))?
                }
            });
        }
        let short = chunks.iter().rev().skip(1).find(|entry| entry.nbytes != size);
        if let Some(entry) = short.filter(|_| !self.is_variable()) {
            return Err(ArgumentError::Parameter { name: "chunk size", value: entry.nbytes.into() }.into());
        }
        self.splice(0..self.chunks.len(), chunks);
        left.iter().flatten().for_each(|entry| self.release(entry));
        Ok(())
    }

    /// Appends `count` special chunks of `nbytes` uncompressed bytes each, which take no space. The time does not depend on
    /// their length.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// use b2nd::chunk::SpecialValue;
    /// editor.fill(SpecialValue::Zeros, 800, 1000)?;
    /// assert_eq!((editor.nchunks(), editor.nbytes()), (1000, 800_000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for a size that other chunks do not have, and for a repeated value, which is stored.
    pub fn fill(&mut self, value: SpecialValue, nbytes: u32, count: u64) -> Result<()> {
        let wire = WireEntry::of_special(value);
        if self.is_variable() || (self.chunksize() != 0 && nbytes != self.chunksize()) || wire.is_none() {
            return Err(ArgumentError::Parameter { name: "chunk size", value: nbytes.into() }.into());
        }
        self.agree(nbytes, true)?;
        let entry = Entry { wire: special(value), nbytes, cbytes: 0, written: 0 };
        let end = self.chunks.len();
        self.splice(end..end, (0..count).map(|_| entry));
        Ok(())
    }

    /// Replaces chunk `nchunk` by a special chunk. The time does not depend on its length.
    ///
    /// ```
    /// # use b2nd::{chunk::ChunkEncoder, frame::FrameEditor};
    /// # let mut editor = FrameEditor::create(&Default::default())?;
    /// # editor.insert(0, &ChunkEncoder::default().encode(&[1; 800])?)?;
    /// use b2nd::{chunk::SpecialValue, frame::Location};
    /// editor.set_special(0, SpecialValue::Nan)?;
    /// assert_eq!(editor.locate(0)?, Location::Special(SpecialValue::Nan));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, and for a repeated value, which is stored.
    pub fn set_special(&mut self, nchunk: u64, value: SpecialValue) -> Result<()> {
        let old = self.entry(nchunk)?;
        let Some(wire) = WireEntry::of_special(value).filter(|_| !self.is_variable()) else {
            return Err(ArgumentError::Parameter { name: "chunk size", value: old.nbytes.into() }.into());
        };
        self.release(&old);
        let new = Entry { wire, cbytes: 0, written: 0, ..old };
        self.splice(nchunk as usize..nchunk as usize + 1, [new]);
        Ok(())
    }

    /// Makes a file of a sparse frame, which somebody else has written, chunk `nchunk`.
    pub(crate) fn adopt(&mut self, nchunk: u64, header: &ChunkHeader, file: u32) -> Result<()> {
        let old = self.entry(nchunk)?;
        self.files.claim(file);
        let special = match header.body {
            Body::Special(value) => WireEntry::of_special(value),
            _ => None,
        };
        let new = match special {
            // The index says it.
            Some(wire) => {
                self.removed.push(file);
                Entry { wire, nbytes: header.nbytes, cbytes: 0, written: 0 }
            }
            None => Entry {
                wire: WireEntry(file.into()),
                nbytes: header.nbytes,
                cbytes: header.cbytes,
                written: self.change,
            },
        };
        self.release(&old);
        self.splice(nchunk as usize..nchunk as usize + 1, [new]);
        Ok(())
    }

    /// Sets the uncompressed sizes of chunks and blocks of a frame without chunks.
    pub(crate) fn set_sizes_of_new(&mut self, chunksize: u32, blocksize: u32) {
        if self.chunks.is_empty() {
            self.header.flags = self.header.flags & 0xf0 & !VARIABLE | VERSION;
            self.header.numbers[number::BLOCKSIZE] = blocksize.into();
            self.header.numbers[number::CHUNKSIZE] = chunksize.into();
        }
    }

    /// Sets the stored length of an old chunk, so that its space can be reused after it is replaced.
    ///
    /// ```
    /// # use b2nd::{DParams, Limits, frame::{FrameEditor, Header}};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let header = Header::parse(&file, &Limits::default())?;
    /// # let (end, sizes) = (header.end(), [(header.nchunks().unwrap(), header.chunksize)]);
    /// # let end = &file[end.start as usize..end.end as usize];
    /// # let mut editor = FrameEditor::open(&file, end, sizes.into_iter(), &DParams::default())?;
    /// assert_eq!(editor.chunk_cbytes(0)?, None);
    /// editor.learn(0, 1234);
    /// assert_eq!(editor.chunk_cbytes(0)?, Some(1234));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(&mut self, nchunk: u64, cbytes: u32) {
        let entry = usize::try_from(nchunk).ok().and_then(|at| self.chunks.get_mut(at));
        if let Some(entry) = entry.filter(|entry| entry.wire.special().is_none()) {
            entry.cbytes = cbytes;
        }
    }

    /// Where the chunks of a contiguous frame that was opened are: after its header, before its index. Nowhere in others.
    pub(super) fn bounds(&self) -> (u64, u64) {
        let start = self.header_len.into();
        let committed = self.committed.as_ref().filter(|_| !self.is_sparse());
        (start, committed.map_or(start, |committed| committed.end.start))
    }

    /// Uses space for new chunks that the frame had not used when it was opened.
    ///
    /// ```
    /// # use b2nd::{DParams, Limits, frame::{FrameEditor, Header}};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let header = Header::parse(&file, &Limits::default())?;
    /// # let (end, sizes) = (header.end(), [(header.nchunks().unwrap(), header.chunksize)]);
    /// # let end = &file[end.start as usize..end.end as usize];
    /// # let mut editor = FrameEditor::open(&file, end, sizes.into_iter(), &DParams::default())?;
    /// use b2nd::{source, wire::SpaceSearch};
    /// let space = source::drive(&file[..], SpaceSearch::new(&editor))?;
    /// editor.reuse(space);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reuse(&mut self, space: UnusedSpace) {
        space.cbytes.into_iter().for_each(|(nchunk, cbytes)| self.learn(nchunk, cbytes));
        space.ranges.into_iter().for_each(|range| self.space.give(range));
    }

    /// Prepares the frame for a chunk of this size.
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

    /// Changes this to a frame whose chunks differ in size. It must store special chunks (FORMAT §7.2, §11 B9).
    fn vary(&mut self) -> Result<()> {
        self.header.flags = self.header.flags & 0xf0 | VARIABLE | VARIABLE_VERSION;
        self.header.numbers[number::CHUNKSIZE] = 0;
        for at in 0..self.chunks.len() {
            let Entry { wire, nbytes, .. } = self.chunks[at];
            if let Some(value) = wire.special() {
                let entry = self.store_repeated(value, nbytes);
                self.splice(at..at + 1, [entry]);
            }
        }
        Ok(())
    }

    /// Allocates space for a chunk.
    fn store(&mut self, header: &ChunkHeader) -> (Entry, Option<(Part, u64)>) {
        let special = match header.body {
            Body::Special(value) => WireEntry::of_special(value).map(|wire| (value, wire)),
            _ => None,
        };
        match special {
            Some((_, wire)) if !self.is_variable() => {
                (Entry { wire, nbytes: header.nbytes, cbytes: 0, written: 0 }, None)
            }
            Some((value, _)) => (self.store_repeated(value, header.nbytes), None),
            None => {
                let (entry, place) = self.stored(header.nbytes, header.cbytes as usize);
                (entry, Some(place))
            }
        }
    }

    /// Stores a special chunk as one that repeats an item.
    fn store_repeated(&mut self, value: SpecialValue, nbytes: u32) -> Entry {
        let bytes = repeated(value, nbytes, self.typesize(), self.blocksize());
        let (entry, (part, offset)) = self.stored(nbytes, bytes.len());
        self.steps.push(Step::Write { part, offset, bytes });
        entry
    }

    pub(super) fn stored(&mut self, nbytes: u32, len: usize) -> (Entry, (Part, u64)) {
        let number = if self.is_sparse() {
            self.files.take().into()
        } else {
            self.space.take(len as u64) - u64::from(self.header_len)
        };
        let entry =
            Entry { wire: WireEntry(number as i64), nbytes, cbytes: len as u32, written: self.change };
        (entry, self.place(&entry))
    }

    /// Releases the space of a chunk: at once if neither a commit nor a change that may be taken back refers to it.
    pub(super) fn release(&mut self, entry: &Entry) {
        if entry.wire.special().is_some() || !self.is_free_at_once(entry) {
            return;
        }
        let (part, offset) = self.place(entry);
        let range = offset..offset + u64::from(entry.cbytes);
        match part {
            Part::Chunk(file) if entry.is_fresh() => self.files.give(file),
            Part::Chunk(file) => self.removed.push(file),
            Part::Frame if entry.is_fresh() => self.space.give(range),
            Part::Frame => self.released.push(range),
        }
    }
}

/// The header of a chunk that has the length that it should have.
fn checked(chunk: &[u8]) -> Result<ChunkHeader> {
    let header = ChunkHeader::parse(chunk)?;
    let (expected, actual) = (header.cbytes.into(), chunk.len() as u64);
    if expected == actual { Ok(header) } else { Err(ArgumentError::BufferLen { expected, actual }.into()) }
}

/// The index entry of a special chunk.
fn special(value: SpecialValue) -> WireEntry {
    WireEntry::of_special(value).unwrap_or(WireEntry(0))
}

//! Creates and changes frames.

#[cfg(feature = "std")]
mod adopting;
mod array;
#[cfg(feature = "auto")]
mod auto;
mod batch;
mod changing;
#[cfg_attr(not(feature = "auto"), path = "editor/given.rs")]
mod choosing;
mod collecting;
mod copy;
mod join;
mod metalayers;
mod moves;
mod opening;
mod preparing;
mod recovering;
mod schunk;
mod typed;

pub use array::Supply;
#[cfg(feature = "auto")]
pub use choosing::Chosen;
pub use preparing::{Change, Prepared, Preparing};
pub use recovering::Found;

use super::WriteAt;
use crate::array::{ArrayParams, Layout};
use crate::base::{ArgumentError, Changed, Error, Result as Checked};
use crate::chunk::EXTENDED_HEADER;
use crate::chunk::{CParams, Chunk, Context, DParams, Header as ChunkHeader, SpecialValue};
use crate::frame::{FrameEditor, FrameParams, Location, Part, Request, Revision, Step};
use crate::source::{ReadAt, ReadError};
use alloc::vec::Vec;
use batch::Worker;
use choosing::Choosing;
use collecting::Collected;

/// The result of writing.
type Written<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// Creates or changes a frame: the items of an array, or the chunks of a super-chunk.
///
/// Changes are written to space that the committed frame does not use, at once except for [appended rows](Self::append).
/// [`commit`](Self::commit) makes all changes visible atomically. Dropping an editor without a commit keeps the old frame.
///
/// A change that fails changes nothing. After an error of the sink the editor refuses all further changes. So it does once another
/// writer has changed the frame: it compares before it writes, leaves the file alone, and fails as [`Changed`].
#[derive(Debug)]
pub struct Editor<S> {
    sink: S,
    dparams: DParams,
    cparams: CParams,
    frame: FrameEditor,
    array: Option<Layout>,
    workers: Vec<Worker>,
    /// Choices by the data.
    choosing: Option<Choosing>,
    /// Rows that were appended, but not written yet.
    collected: Option<Collected>,
    /// Whether the editor created the frame.
    is_new: bool,
    /// Why all further operations are refused, if they are.
    failed: Option<Error>,
}

impl<S: WriteAt> Editor<S> {
    /// Creates a super-chunk.
    ///
    /// ```
    /// use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_chunk(&[7; 100])?;
    /// editor.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` of `Argument` for metalayers that do not fit into a header.
    pub fn create(sink: S, params: &FrameParams) -> Written<Self, S> {
        Ok(Self {
            sink,
            dparams: DParams::default(),
            cparams: params.cparams.clone(),
            frame: FrameEditor::create(params)?,
            array: None,
            workers: Vec::new(),
            choosing: None,
            collected: None,
            is_new: true,
            failed: None,
        })
    }

    /// Creates an array of zeros.
    ///
    /// ```
    /// use b2nd::{Editor, array::ArrayParams, sink::Memory};
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u16>(&[480, 640]))?;
    /// editor.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Blosc` for invalid shapes and dtypes.
    pub fn create_array(sink: S, params: &ArrayParams) -> Written<Self, S> {
        Self::create_filled(sink, params, SpecialValue::Zeros)
    }

    /// Creates an array of zeros, NaNs or uninitialised items, without storing any chunk.
    ///
    /// ```
    /// use b2nd::{Editor, array::ArrayParams, chunk::SpecialValue, sink::Memory};
    /// let params = ArrayParams::of_type::<f32>(&[3]);
    /// let editor = Editor::create_filled(Memory::default(), &params, SpecialValue::Nan)?;
    /// assert!(editor.read::<f32>(0)?.as_slice()[0].is_nan());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`create_array`](Self::create_array); `Argument` also for NaNs unless items are floats of 4 or 8 bytes.
    pub fn create_filled(sink: S, params: &ArrayParams, value: SpecialValue) -> Written<Self, S> {
        let (array, frame) = params.frame()?;
        let mut editor = Self::create(sink, &frame)?;
        let (chunksize, nchunks) = (frame.chunksize, array.grid().nchunks());
        ChunkHeader::of_special(value, chunksize, array.itemsize())?;
        editor.dparams.limits.allow_memory(nchunks.saturating_mul(32))?;
        editor.frame.fill(value, chunksize, nchunks)?;
        editor.array = Some(array);
        #[cfg(feature = "auto")]
        editor.set_auto(params.auto());
        Ok(editor)
    }

    /// Reads the lengths of all stored chunks that are not [known](FrameEditor::chunk_cbytes) yet.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.learn_all()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading. Lengths that were read before stay known.
    pub fn learn_all(&mut self) -> Written<(), S> {
        (0..self.frame.nchunks()).try_for_each(|nchunk| self.learn(nchunk))
    }

    /// Reads the length of a stored chunk, so that its space can be reused.
    fn learn(&mut self, nchunk: u64) -> Written<(), S> {
        let cbytes = self.cbytes(nchunk)?;
        self.frame.learn(nchunk, cbytes);
        Ok(())
    }

    /// The compression parameters of new chunks, apart from what the editor [chooses](Self::chosen).
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert_eq!(editor.cparams().typesize, 1);
    /// ```
    pub const fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// The array in the frame, if there is one.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert_eq!(editor.layout().expect("an array").shape(), [4]);
    /// ```
    pub const fn layout(&self) -> Option<&Layout> {
        self.array.as_ref()
    }

    /// The frame with its chunks and metalayers. Chunks do not contain [collected rows](Self::flush) yet.
    ///
    /// ```
    /// # let editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4])).unwrap();
    /// assert_eq!(editor.frame().nchunks(), 1);
    /// ```
    pub const fn frame(&self) -> &FrameEditor {
        &self.frame
    }

    /// Returns the sink. Changes that were not committed are lost.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.commit()?;
    /// let frame: b2nd::sink::Memory = editor.into_sink();
    /// assert_eq!(b2nd::Array::from_source(frame)?.shape(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// The context for decoding chunks.
    fn context(&self) -> Context<'_> {
        match &self.array {
            Some(array) => array.context(),
            None => Context { itemsize: self.cparams.typesize, ..Context::default() },
        }
    }

    /// Fails if the sink has failed before, so that the state on disk is unknown, or if another writer has changed it.
    fn check(&self) -> Checked<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    fn io<T>(&mut self, run: impl FnOnce(&mut S) -> Result<T, S::Error>) -> Written<T, S> {
        self.on_sink(|sink| run(sink).map_err(ReadError::Source))
    }

    fn on_sink<T>(&mut self, run: impl FnOnce(&mut S) -> Written<T, S>) -> Written<T, S> {
        self.check()?;
        let done = run(&mut self.sink);
        self.failed = done.as_ref().err().map(|error| match error {
            ReadError::Source(_) => ArgumentError::Unfinished.into(),
            ReadError::Blosc(error) => error.clone(),
        });
        done
    }

    /// Fails if the frame on disk is no longer the one that this editor has opened or committed.
    fn must_be_current(&mut self) -> Written<(), S> {
        match self.frame.revision().cloned() {
            Some(revision) => self.on_sink(|sink| compare(sink, &revision)),
            None => Ok(()),
        }
    }

    /// Bytes of the frame, which must still be the one that this editor knows: others would not be those of its chunks.
    fn bytes<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Written<&'b [u8], S> {
        let bytes = self.sink.read_at(request, buffer).map_err(ReadError::Source)?;
        match self.frame.revision() {
            Some(revision) if !revision.is_current(&self.sink).map_err(ReadError::Source)? => {
                Err(Changed::Edit.into())
            }
            _ => Ok(bytes),
        }
    }

    /// Writes a chunk to space that the committed frame does not use.
    fn put(&mut self, (part, offset): (Part, u64), chunk: &[u8]) -> Written<(), S> {
        // Another writer's frame may use it.
        self.must_be_current()?;
        self.io(|sink| sink.write_at(part, offset, chunk))
    }

    /// Makes all changes since the last commit durable and visible.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.set(.., &[1, 2, 3, 4])?;
    /// editor.commit()?;
    /// assert_eq!(b2nd::Array::from_source(editor.into_sink())?.get(3)?, [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Source` if the sink fails. The frame then has either its old content or the new one. [`Changed`] if another writer has
    /// changed the frame since it was opened. Then this editor has written nothing, and refuses all further changes. Errors of
    /// [`flush`](Self::flush).
    pub fn commit(&mut self) -> Written<(), S> {
        self.flush()?;
        if self.frame.needs_move() {
            return self.compact();
        }
        self.write_commit()?;
        if self.frame.refused_by_reference().is_some() {
            self.renumber()?;
            self.write_commit()?;
        }
        self.io(S::publish)
    }

    /// Commits a contiguous frame that does not [need to be moved](FrameEditor::needs_move), for programs that move frames
    /// themselves.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.commit_in_place()?;
    /// assert_eq!(b2nd::Array::from_source(editor.into_sink())?.shape(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`commit`](Self::commit).
    pub fn commit_in_place(&mut self) -> Written<(), S> {
        self.flush()?;
        self.write_commit()?;
        self.io(S::publish)
    }

    fn write_commit(&mut self) -> Written<(), S> {
        let steps = self.frame.commit()?;
        self.carry_out(steps)
    }

    /// Moves chunks of a sparse frame to files with lower numbers until the reference can read the frame.
    fn renumber(&mut self) -> Written<(), S> {
        while let Some(nchunk) = self.frame.refused_by_reference() {
            let mut buffer = Vec::new();
            let chunk = self.stored(nchunk, &mut buffer)?.to_vec();
            let place = self.frame.relocate(nchunk)?;
            self.put(place, &chunk)?;
        }
        Ok(())
    }

    fn carry_out(&mut self, steps: Vec<Step>) -> Written<(), S> {
        self.on_sink(|sink| run(sink, steps))
    }

    /// Commits, and frees unused space. A contiguous frame is rewritten by copying its chunks without decoding them.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.compact()?;
    /// assert_eq!(b2nd::Array::from_source(editor.into_sink())?.shape(), [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`commit`](Self::commit).
    pub fn compact(&mut self) -> Written<(), S> {
        self.flush()?;
        if self.frame.is_sparse() {
            self.commit()?;
            let used: Vec<u32> =
                (0..self.frame.nchunks()).filter_map(|nchunk| self.file_of(nchunk)).collect();
            let used: alloc::collections::BTreeSet<u32> = used.into_iter().collect();
            return self.io(|sink| sink.remove(&|file| !used.contains(&file)));
        }
        let steps = self.frame.take_steps();
        self.carry_out(steps)?;
        self.must_be_current()?;
        // The copy may need what a killed process left behind the frame.
        let end = self.frame.end();
        self.io(|sink| sink.truncate(end))?;
        let mut moved = self.frame.moved(|nchunk| self.cbytes(nchunk))?;
        let mut successor = self.io(|sink| sink.successor())?;
        let mut chunk = Vec::new();
        for nchunk in 0..moved.nchunks() {
            if let Location::Stored { part, offset } = moved.locate(nchunk)? {
                let bytes = self.stored(nchunk, &mut chunk)?;
                successor.write_at(part, offset, bytes).map_err(ReadError::Source)?;
            }
        }
        run(&mut successor, moved.commit()?)?;
        self.must_be_current()?;
        successor.publish().map_err(ReadError::Source)?;
        (self.sink, self.frame) = (successor, moved);
        Ok(())
    }

    fn file_of(&self, nchunk: u64) -> Option<u32> {
        match self.frame.locate(nchunk) {
            Ok(Location::Stored { part: Part::Chunk(file), .. }) => Some(file),
            _ => None,
        }
    }

    /// Stored bytes of a chunk, from its header if they are not known yet.
    fn cbytes(&self, nchunk: u64) -> Written<u32, S> {
        match (self.frame.chunk_cbytes(nchunk)?, self.frame.locate(nchunk)?) {
            (None, Location::Stored { part, offset }) => {
                let request = Request { part, range: offset..offset + EXTENDED_HEADER as u64 };
                let mut buffer = Vec::new();
                let bytes = self.bytes(&request, &mut buffer)?;
                Ok(ChunkHeader::parse(bytes).map_err(|error| error.in_chunk(nchunk))?.cbytes)
            }
            (known, _) => Ok(known.unwrap_or(0)),
        }
    }

    /// Opens a chunk, to decode it.
    fn open_chunk<'b>(&'b self, nchunk: u64, buffer: &'b mut Vec<u8>) -> Written<Chunk<'b>, S> {
        if self.has_rows(nchunk)? {
            return self.with_rows(nchunk, buffer);
        }
        let opened = match self.frame.locate(nchunk)? {
            Location::Special(value) => {
                let nbytes = self.frame.chunk_nbytes(nchunk)?;
                ChunkHeader::of_special(value, nbytes, self.cparams.typesize).map(Chunk::of_special)
            }
            Location::Stored { .. } => Chunk::with_context(self.stored(nchunk, buffer)?, self.context()),
        };
        Ok(opened.map_err(|error| error.in_chunk(nchunk))?)
    }

    /// The bytes of a stored chunk.
    fn stored<'b>(&'b self, nchunk: u64, buffer: &'b mut Vec<u8>) -> Written<&'b [u8], S> {
        let cbytes = u64::from(self.cbytes(nchunk)?);
        self.dparams.limits.allow_memory(cbytes)?;
        match self.frame.locate(nchunk)? {
            Location::Stored { part, offset } => {
                let request = Request { part, range: offset..offset + cbytes };
                let bytes = self.bytes(&request, buffer)?;
                if (bytes.len() as u64) < cbytes {
                    return Err(Error::truncated(0, cbytes as usize, bytes.len()).in_chunk(nchunk).into());
                }
                Ok(bytes)
            }
            Location::Special(_) => Ok(&[]),
        }
    }

    /// Writes an encoded chunk that replaces chunk `nchunk` or is inserted before it.
    fn write_chunk(&mut self, nchunk: u64, chunk: &[u8], inserts: bool) -> Written<(), S> {
        self.check()?;
        let place =
            if inserts { self.frame.insert(nchunk, chunk)? } else { self.frame.replace(nchunk, chunk)? };
        let steps = self.frame.take_steps();
        self.carry_out(steps)?;
        match place {
            Some(place) => self.put(place, chunk),
            None => Ok(()),
        }
    }
}

fn run<S: WriteAt>(sink: &mut S, steps: Vec<Step>) -> Written<(), S> {
    let mut removed = Vec::new();
    for step in steps {
        match step {
            Step::Compare(revision) => compare(sink, &revision)?,
            Step::Remove(file) => removed.push(file),
            step => carry_out(sink, step).map_err(ReadError::Source)?,
        }
    }
    if removed.is_empty() {
        return Ok(());
    }
    removed.sort_unstable();
    sink.remove(&|file| removed.binary_search(&file).is_ok()).map_err(ReadError::Source)
}

/// Carries out a step that needs no other.
fn carry_out<S: WriteAt>(sink: &mut S, step: Step) -> Result<(), S::Error> {
    match step {
        Step::Write { part, offset, bytes } => sink.write_at(part, offset, &bytes),
        Step::Replace(bytes) => sink.replace(&bytes),
        Step::Sync => sink.sync(),
        Step::Truncate(len) => sink.truncate(len),
        Step::Compare(_) | Step::Remove(_) => Ok(()),
    }
}

fn compare<S: WriteAt>(sink: &mut S, revision: &Revision) -> Written<(), S> {
    if sink.compare(revision).map_err(ReadError::Source)? { Ok(()) } else { Err(Changed::Edit.into()) }
}

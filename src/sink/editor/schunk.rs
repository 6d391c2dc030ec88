//! Changes of a super-chunk's chunks.

use super::{Editor, Written};
use crate::base::{ArgumentError, Result as Checked};
use crate::chunk::{ChunkEncoder, Scratch, SpecialValue, repeat};
use crate::sink::WriteAt;
use alloc::vec::Vec;
use core::ops::Range;

impl<S: WriteAt> Editor<S> {
    fn encode(&mut self, plain: &[u8]) -> Checked<Vec<u8>> {
        self.must_be_schunk()?;
        let mut encoder = ChunkEncoder::new(self.cparams.clone());
        encoder.set_choice(self.choose(plain)?);
        encoder.encode(plain)
    }

    fn must_be_schunk(&self) -> Checked<()> {
        match &self.array {
            None => Ok(()),
            Some(_) => Err(ArgumentError::NotAnArray.into()),
        }
    }

    /// Encodes the items `plain` and appends them as a chunk.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_chunk(&[7; 100])?;
    /// assert_eq!(editor.chunk(0)?, [7; 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for an array, whose shape determines its chunks, and for an empty chunk; `Source` if the sink fails.
    pub fn append_chunk(&mut self, plain: &[u8]) -> Written<(), S> {
        self.insert_chunk(self.frame.nchunks(), plain)
    }

    /// Appends a chunk that a [`ChunkEncoder`] has encoded.
    ///
    /// ```
    /// # use b2nd::{Editor, chunk::{CParams, ChunkEncoder}, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// let cparams = CParams { typesize: 1, ..CParams::default() };
    /// editor.append_encoded(&ChunkEncoder::new(cparams).encode_blocks(&[b"one", b"and two"])?)?;
    /// assert_eq!(editor.chunk(0)?, b"oneand two");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`append_chunk`](Self::append_chunk); `Format` for an invalid chunk.
    pub fn append_encoded(&mut self, chunk: &[u8]) -> Written<(), S> {
        self.must_be_schunk()?;
        self.attempt(|editor| editor.write_chunk(editor.frame.nchunks(), chunk, true))
    }

    /// Encodes the items `plain` and inserts them as a chunk before chunk `nchunk`.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_chunk(&[7; 100])?;
    /// editor.insert_chunk(0, &[8; 100])?;
    /// assert_eq!(editor.chunk(0)?, [8; 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`append_chunk`](Self::append_chunk); `Argument` also if there are fewer chunks.
    pub fn insert_chunk(&mut self, nchunk: u64, plain: &[u8]) -> Written<(), S> {
        self.attempt(|editor| {
            let chunk = editor.encode(plain)?;
            editor.write_chunk(nchunk, &chunk, true)
        })
    }

    /// Encodes the items `plain` and replaces chunk `nchunk` by them.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_chunk(&[7; 100])?;
    /// editor.replace_chunk(0, &[8; 100])?;
    /// assert_eq!(editor.chunk(0)?, [8; 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`insert_chunk`](Self::insert_chunk).
    pub fn replace_chunk(&mut self, nchunk: u64, plain: &[u8]) -> Written<(), S> {
        self.attempt(|editor| {
            let chunk = editor.encode(plain)?;
            editor.replace_last(nchunk, &chunk)
        })
    }

    /// Appends a chunk of `nbytes` that repeats one item. The time does not depend on its length.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_repeated(&[7; 8], 800)?;
    /// assert_eq!(editor.chunk(0)?, [7; 800]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`append_chunk`](Self::append_chunk); `Argument` also if `nbytes` is not a multiple of the item size.
    pub fn append_repeated(&mut self, item: &[u8], nbytes: u32) -> Written<(), S> {
        self.must_be_schunk()?;
        if item.len() as u64 != u64::from(self.cparams.typesize)
            || !(nbytes as usize).is_multiple_of(item.len())
        {
            let (expected, actual) = (self.cparams.typesize.into(), item.len() as u64);
            return Err(ArgumentError::BufferLen { expected, actual }.into());
        }
        let chunk = repeat(item, nbytes, self.cparams.blocksize);
        self.attempt(|editor| editor.write_chunk(editor.frame.nchunks(), &chunk, true))
    }

    /// Appends `count` special chunks of `nbytes` each, which take no space. The time does not depend on their length.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_special(b2nd::chunk::SpecialValue::Zeros, 800, 2)?;
    /// assert_eq!(editor.chunk(1)?, [0; 800]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`FrameEditor::fill`](crate::frame::FrameEditor::fill).
    pub fn append_special(&mut self, value: SpecialValue, nbytes: u32, count: u64) -> Written<(), S> {
        self.must_be_schunk()?;
        self.attempt(|editor| Ok(editor.frame.fill(value, nbytes, count)?))
    }

    /// Removes chunks.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_repeated(&[7; 8], 800)?;
    /// editor.remove_chunks(0..1)?;
    /// assert_eq!(editor.frame().nchunks(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for an array, and if the range exceeds the number of chunks.
    pub fn remove_chunks(&mut self, chunks: Range<u64>) -> Written<(), S> {
        self.must_be_schunk()?;
        self.attempt(|editor| {
            for nchunk in chunks.start..chunks.end.min(editor.frame.nchunks()) {
                editor.learn(nchunk)?;
            }
            Ok(editor.frame.remove(chunks)?)
        })
    }

    /// Reorders the chunks: chunk `order[n]` becomes chunk `n`. `order` contains each chunk number once.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_repeated(&[7; 8], 800)?;
    /// editor.append_repeated(&[8; 8], 800)?;
    /// editor.reorder_chunks(&[1, 0])?;
    /// assert_eq!(editor.chunk(0)?, [8; 800]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for an array, and if `order` is not a permutation of the chunk numbers.
    pub fn reorder_chunks(&mut self, order: &[u64]) -> Written<(), S> {
        self.must_be_schunk()?;
        if order.len() as u64 != self.frame.nchunks() {
            return Err(
                ArgumentError::Chunk { index: order.len() as u64, nchunks: self.frame.nchunks() }.into()
            );
        }
        let order: Vec<_> = order.iter().copied().map(Some).collect();
        self.attempt(|editor| Ok(editor.frame.reorder(&order)?))
    }

    /// Decodes chunk `nchunk`, including changes that are not committed yet.
    ///
    /// ```
    /// # use b2nd::{Editor, frame::FrameParams, sink::Memory};
    /// # let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.append_chunk(&[7; 100])?;
    /// assert_eq!(editor.chunk(0)?, [7; 100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk; errors of reading.
    pub fn chunk(&self, nchunk: u64) -> Written<Vec<u8>, S> {
        let mut buffer = Vec::new();
        let chunk = self.open_chunk(nchunk, &mut buffer)?;
        Ok(chunk.decode(&mut Scratch::new(&self.dparams)).map_err(|error| error.in_chunk(nchunk))?)
    }
}

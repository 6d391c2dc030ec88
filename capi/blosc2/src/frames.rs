//! Super-chunks: frames that are read and changed by turns.

use crate::codes::{BLOSC2_ERROR_FAILURE, BLOSC2_ERROR_FILE_OPEN, BLOSC2_ERROR_NOT_FOUND, Failure, Result};
use crate::files::{Place, Sink, Source};
use crate::special::special;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Body, CParams, Header, SpecialValue};
use b2nd::codec::Codec;
use b2nd::filter::Pipeline;
use b2nd::frame::{FrameParams, Location, Metalayer};
use b2nd::plan::Points;
use b2nd::wire::{Part, Request};
use b2nd::{DParams, Editor, Index, Layout, ReadAt, Reader, Selection, source};
use core::ops::Range;
use std::path::Path;

/// The state of a frame.
#[derive(Debug)]
enum State {
    Read(Box<Reader<Source>>),
    Edited(Box<Editor<Sink>>),
    /// A turn has failed, and left nothing.
    Lost,
}

/// A super-chunk or an array.
#[derive(Debug)]
pub(crate) struct Frame {
    state: State,
    place: Place,
    /// The variable-length metalayers, in their order.
    names: Vec<String>,
    facts: Facts,
}

/// The facts of a frame that callers see.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) cparams: CParams,
    pub(crate) chunksize: u32,
    pub(crate) nchunks: u64,
    pub(crate) nbytes: u64,
    pub(crate) cbytes: u64,
    pub(crate) metalayers: Vec<Metalayer>,
    pub(crate) layout: Option<Layout>,
    pub(crate) changes: u64,
}

impl Frame {
    /// A new super-chunk, or an array if there are parameters of one.
    ///
    /// # Errors
    /// For parameters that contradict each other, and for a place that cannot be written.
    pub(crate) fn create(
        place: Place,
        sparse: bool,
        cparams: CParams,
        array: Option<(&ArrayParams, SpecialValue)>,
    ) -> Result<Self> {
        // In memory there are no folders.
        let sparse = sparse && matches!(place, Place::File(_));
        let sink = place.create(sparse)?;
        let editor = match array {
            Some((params, value)) => {
                let mut params = params.clone();
                (params.cparams, params.sparse) = (cparams, sparse);
                Editor::create_filled(sink, &params, value)?
            }
            None => Editor::create(sink, &FrameParams { cparams, sparse, ..FrameParams::default() })?,
        };
        let facts = Facts { cparams: editor.cparams().clone(), ..Facts::default() };
        let mut frame = Self { state: State::Edited(Box::new(editor)), place, names: Vec::new(), facts };
        frame.settle()?;
        Ok(frame)
    }

    /// The frame at a place in a file, which is changed only if it is all of it.
    ///
    /// # Errors
    /// If it cannot be opened, or is no frame.
    pub(crate) fn open(path: &Path, offset: u64) -> Result<Self> {
        let failed = |error: &dyn core::fmt::Display| format!("cannot open {}: {error}", path.display());
        let file = match offset {
            0 => source::File::open(path),
            _ => source::File::open_at(path, offset),
        };
        let file = file.map_err(|error| Failure::new(BLOSC2_ERROR_FILE_OPEN, failed(&error)))?;
        let place = if offset == 0 { Place::File(path.to_path_buf()) } else { Place::Within };
        Self::of_source(Source::File(file), place)
    }

    /// The frame with these bytes.
    ///
    /// # Errors
    /// If they are none.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::of_source(Source::Bytes(bytes), Place::Memory)
    }

    fn of_source(source: Source, place: Place) -> Result<Self> {
        let reader = Reader::open(source, DParams::default())?;
        let name = |metalayer: &Metalayer| metalayer.name().into_owned();
        let names = reader.trailer()?.attributes.iter().map(name).collect();
        let header = &reader.frame().header;
        let cparams = CParams {
            codec: header.codec,
            codec_meta: header.codec_meta,
            clevel: header.clevel,
            typesize: header.typesize,
            filters: header.filters,
            blocksize: header.blocksize,
            splitmode: header.splitmode.unwrap_or_default(),
            use_dict: header.use_dict,
            ..CParams::default()
        };
        let facts = Facts {
            cparams,
            chunksize: header.chunksize,
            nchunks: reader.nchunks()?,
            nbytes: header.nbytes,
            cbytes: header.cbytes,
            metalayers: header.metalayers.clone(),
            layout: reader.layout()?.cloned(),
            changes: 0,
        };
        Ok(Self { state: State::Read(Box::new(reader)), place, names, facts })
    }

    pub(crate) const fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn attribute_names(&self) -> &[String] {
        &self.names
    }

    /// Whether the frame is one file, or in memory.
    pub(crate) fn is_contiguous(&self) -> bool {
        match &self.state {
            State::Read(reader) => !reader.frame().header.sparse,
            State::Edited(editor) => !editor.frame().is_sparse(),
            State::Lost => false,
        }
    }

    /// The frame to read, with all changes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn reader(&mut self) -> Result<&Reader<Source>> {
        if let State::Edited(_) = self.state {
            let State::Edited(mut editor) = core::mem::replace(&mut self.state, State::Lost) else {
                return Err(lost());
            };
            // A frame in memory has no use for space that nothing is in.
            match self.place {
                Place::Memory => editor.compact()?,
                _ => editor.commit()?,
            }
            let source = self.place.read(editor.into_sink())?;
            self.state = State::Read(Box::new(Reader::open(source, DParams::default())?));
        }
        match &self.state {
            State::Read(reader) => Ok(reader),
            _ => Err(lost()),
        }
    }

    /// Makes a change, which reaches a file at once.
    ///
    /// # Errors
    /// Those of the change, which then has changed nothing.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut Editor<Sink>) -> Result<T>) -> Result<T> {
        let changed = change(self.editor()?)?;
        self.facts.changes += 1;
        self.settle()?;
        Ok(changed)
    }

    fn editor(&mut self) -> Result<&mut Editor<Sink>> {
        if matches!((&self.state, &self.place), (State::Read(_), Place::Within)) {
            return Err(Failure::argument("a frame within another file is only read"));
        }
        if let State::Read(_) = self.state {
            let State::Read(reader) = core::mem::replace(&mut self.state, State::Lost) else {
                return Err(lost());
            };
            let sink = self.place.edit(reader.into_source())?;
            self.state = State::Edited(Box::new(Editor::open(sink, DParams::default())?));
        }
        match &mut self.state {
            State::Edited(editor) => Ok(editor),
            _ => Err(lost()),
        }
    }

    /// Writes changes to a file, and notes the facts.
    fn settle(&mut self) -> Result<()> {
        let State::Edited(editor) = &mut self.state else { return Ok(()) };
        if let Place::File(_) = self.place {
            editor.commit()?;
        }
        let frame = editor.frame();
        let facts = &mut self.facts;
        (facts.nchunks, facts.nbytes) = (frame.nchunks(), frame.nbytes());
        facts.chunksize = match facts.nchunks {
            0 => 0,
            _ if frame.is_variable() => 0,
            _ => frame.chunk_nbytes(0)?,
        };
        facts.cbytes = 0;
        for nchunk in 0..facts.nchunks {
            facts.cbytes += u64::from(frame.chunk_cbytes(nchunk)?.unwrap_or(0));
        }
        facts.metalayers = frame.metalayers().to_vec();
        facts.layout = editor.layout().cloned();
        Ok(())
    }

    /// Decodes a chunk, with the padding that arrays have.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub(crate) fn chunk(&mut self, nchunk: u64) -> Result<Vec<u8>> {
        match &self.state {
            State::Edited(editor) => Ok(editor.chunk(nchunk)?),
            _ => Ok(self.reader()?.chunk(nchunk)?),
        }
    }

    /// A chunk as it is stored.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn stored_chunk(&mut self, nchunk: u64) -> Result<Vec<u8>> {
        let cparams = self.facts.cparams.clone();
        let reader = self.reader()?;
        if let Some(chunk) = reader.stored_chunk(nchunk)? {
            return Ok(chunk);
        }
        let info = reader.chunk_info(nchunk)?;
        let (Location::Special(value), Body::Special(_)) = (info.location, info.header.body) else {
            return Err(Failure::new(BLOSC2_ERROR_FAILURE, "the chunk is not stored"));
        };
        special(&plain(&cparams, &info.header), info.header.nbytes as usize, value, &[])
    }

    /// Items of a super-chunk, or of an array with a range for each axis.
    ///
    /// # Errors
    /// If there are no such items, if they do not fill `out`, and for damaged chunks.
    pub(crate) fn read(&mut self, ranges: &[Range<u64>], out: &mut [u8]) -> Result<()> {
        self.select(Selection::of_ranges(ranges), out)
    }

    /// Single items by their positions in each axis.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(crate) fn read_points(&mut self, ndim: usize, positions: Vec<i64>, out: &mut [u8]) -> Result<()> {
        self.select(Selection(vec![Index::Points(Points::new(ndim, positions)?)]), out)
    }

    /// Writes plain bytes of a super-chunk from a position on, chunk by chunk.
    ///
    /// # Errors
    /// If there are no such bytes, or chunks differ in size, and those of writing.
    pub(crate) fn write(&mut self, start: u64, mut src: &[u8]) -> Result<()> {
        let chunksize = u64::from(self.facts.chunksize);
        if chunksize == 0 && !src.is_empty() {
            return Err(Failure::argument("the chunks have no common size"));
        }
        let mut at = start;
        while !src.is_empty() {
            let (nchunk, offset) = (at / chunksize, (at % chunksize) as usize);
            let mut plain = self.chunk(nchunk)?;
            let room = plain.get_mut(offset..).unwrap_or_default();
            let len = room.len().min(src.len());
            room[..len].copy_from_slice(&src[..len]);
            if len == 0 {
                return Err(Failure::argument("the super-chunk ends earlier"));
            }
            self.change(|editor| Ok(editor.replace_chunk(nchunk, &plain)?))?;
            (at, src) = (at + len as u64, &src[len..]);
        }
        Ok(())
    }

    /// The chunks that a selection touches.
    ///
    /// # Errors
    /// If there are no such items.
    pub(crate) fn touched(&mut self, ranges: &[Range<u64>]) -> Result<Vec<i64>> {
        let plan = self.reader()?.plan(Selection::of_ranges(ranges))?;
        Ok(plan.chunks().map(|task| task.nchunk() as i64).collect())
    }

    fn select(&mut self, selection: Selection, out: &mut [u8]) -> Result<()> {
        let reader = self.reader()?;
        let plan = reader.plan(selection)?;
        let room = out.len();
        let out = out
            .get_mut(..plan.nbytes())
            .ok_or_else(|| Failure::argument(format!("{} bytes do not fit into {room}", plan.nbytes())))?;
        Ok(reader.get_into(&plan, out)?)
    }

    /// The frame as one file has it.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>> {
        let header = &self.reader()?.frame().header;
        if header.sparse {
            return self.copy(Place::Memory, false, None)?.bytes();
        }
        let request = Request { part: Part::Frame, range: 0..header.frame_len };
        let State::Read(reader) = core::mem::replace(&mut self.state, State::Lost) else {
            return Err(lost());
        };
        let source = reader.into_source();
        let bytes = source.read_at(&request, &mut Vec::new()).map(<[u8]>::to_vec);
        self.state = State::Read(Box::new(Reader::open(source, DParams::default())?));
        Ok(bytes?)
    }

    /// A copy at another place, with the same parameters unless others are given.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub(crate) fn copy(&mut self, place: Place, sparse: bool, cparams: Option<CParams>) -> Result<Self> {
        let sparse = sparse && matches!(place, Place::File(_));
        let cparams = cparams.unwrap_or_else(|| self.facts.cparams.clone());
        let sink = place.create(sparse)?;
        let reader = self.reader()?;
        let mut editor = match reader.layout()? {
            Some(layout) => {
                let mut params = ArrayParams::of(reader.frame(), layout)?;
                (params.cparams, params.sparse) = (cparams, sparse);
                Editor::copy_array(sink, &params, reader)?
            }
            None => {
                let metalayers = reader.frame().header.metalayers.clone();
                let params = FrameParams { cparams, sparse, metalayers, ..FrameParams::default() };
                Editor::copy_schunk(sink, &params, reader)?
            }
        };
        editor.commit()?;
        Self::of_source(place.read(editor.into_sink())?, place)
    }

    /// Sets a variable-length metalayer.
    ///
    /// # Errors
    /// For names and contents that are too long.
    pub(crate) fn set_attribute(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.change(|editor| Ok(editor.set_attr_bytes(name, content)?))?;
        if self.attribute(name).is_none() {
            self.names.push(name.to_owned());
        }
        Ok(())
    }

    /// Removes a variable-length metalayer.
    ///
    /// # Errors
    /// If there is none of this name.
    pub(crate) fn remove_attribute(&mut self, name: &str) -> Result<()> {
        let at = self.attribute(name).ok_or_else(missing)?;
        self.change(|editor| Ok(editor.remove_attr(name)))?;
        self.names.remove(at);
        Ok(())
    }

    /// The content of a variable-length metalayer.
    ///
    /// # Errors
    /// If there is none of this name.
    pub(crate) fn attribute_content(&mut self, name: &str) -> Result<Vec<u8>> {
        let attributes = &self.reader()?.trailer()?.attributes;
        let found = attributes.iter().find(|attribute| attribute.name == name.as_bytes());
        found.map(|attribute| attribute.content.clone()).ok_or_else(missing)
    }

    /// The place of a variable-length metalayer among them.
    pub(crate) fn attribute(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

fn missing() -> Failure {
    Failure::new(BLOSC2_ERROR_NOT_FOUND, "there is no metalayer of this name")
}

fn lost() -> Failure {
    Failure::new(BLOSC2_ERROR_FAILURE, "an earlier call has failed while it wrote the frame")
}

/// Parameters for the header of a chunk without blocks.
fn plain(cparams: &CParams, header: &Header) -> CParams {
    let typesize = if header.nbytes.is_multiple_of(cparams.typesize) { cparams.typesize } else { 1 };
    CParams {
        codec: Codec::BLOSCLZ,
        codec_meta: 0,
        typesize,
        filters: Pipeline::default(),
        ..cparams.clone()
    }
}
